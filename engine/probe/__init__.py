"""The live decode probe: a program that measures (:mod:`engine.probe.program`), and what its readings mean."""
