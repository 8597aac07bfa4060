"""Scenarios: read from options and files, written to files and commands. The doors to the modules that do it."""

from engine.diagnosis.fields import ScenarioProblem
from engine.diagnosis.reading.building import build
from engine.diagnosis.reading.saved import command, export, kind, kind_of, load

__all__ = ["ScenarioProblem", "build", "command", "export", "kind", "kind_of", "load"]
