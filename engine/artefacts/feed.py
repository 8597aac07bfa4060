"""What was read becomes a scenario: facts fill its fields, statistics the hour that matters, memory lines its ledger."""

from __future__ import annotations

from engine.artefacts.evidence import Evidence
from engine.diagnosis.model import Scenario


def scenario(evidence: Evidence, base: Scenario | None = None) -> Scenario:
    """The scenario that artefacts tell; ``base`` is what a weaker source said.

    Raises:
        ScenarioProblem: as :func:`engine.diagnosis.scenario.build`.
    """
    raise NotImplementedError
