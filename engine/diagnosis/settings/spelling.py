"""How the engine at hand spells a lever: names of its flags, by version."""

from __future__ import annotations

from engine.diagnosis.model import Scenario
from engine.diagnosis.settings import engines
from engine.diagnosis.settings.spelling_table import SPELLINGS


def flag(lever: str, s: Scenario) -> str:
    """The flags for a lever (an id of the table of levers) under the scenario's engine and version.

    "" where the engine, or that release of it, has none. Where no engine is known it is vLLM's spelling with its name
    before it ("vLLM --max-num-seqs").
    """
    rows = SPELLINGS.get(lever, {})
    if s.engine is None or s.engine == "other":
        known = rows.get("vllm", ())
        return f"{engines.TITLES['vllm']} {known[-1][1]}" if known and known[-1][1] else ""
    release = engines.release(s.engine, s.version)
    fitting = [text for since, text in rows.get(s.engine, ()) if since <= release]
    return fitting[-1] if fitting else ""
