"""Reading what people have at hand: logs, metrics, benchmark results, tables and configs, told apart by content.

Nothing here judges. A text becomes observations (:mod:`engine.artefacts.model`) under the names of
:mod:`engine.artefacts.vocabulary`, each with its line, and notes where a printed value is not what it seems to be.
"""
