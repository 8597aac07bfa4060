"""One form of the soak, with a server to watch beside it."""

from __future__ import annotations

from pathlib import Path

from tests.soak import walk
from tests.soak.ran import Ran, Wanted
from tests.tutor.stub_server import FIRST, SECOND, Stub, metrics, page


def run(form: str, wanted: Wanted, home: Path) -> Ran:
    """Run ``headless`` or ``terminal`` from an empty home on; of the environment it takes what is set."""
    (home / "settings.toml").write_text(walk.SETTINGS)
    replies = [page(metrics(FIRST)), page(metrics(SECOND))]
    stub = Stub(lambda number: replies[number % 2])
    try:
        if form == "headless":
            from tests.soak import headless

            return headless.run(wanted, home, stub.place)
        from tests.soak import terminal

        return terminal.run(wanted, home, stub.place)
    finally:
        stub.close()
