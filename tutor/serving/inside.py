"""`python -m tutor.serving.inside`: the app of one reader, in a process of its own, as the server starts it."""

from __future__ import annotations

import os
import sys

from tutor import crash, paths
from tutor.app import TutorApp
from tutor.serving import wall
from tutor.session import Session


class ServedApp(TutorApp):
    """The app behind a wall, with what stands typed kept at whatever end."""

    def on_load(self) -> None:
        """Raise the wall before the reader can do anything; the loop has its sockets by now."""
        wall.raised(paths.home())

    def on_exit_app(self) -> None:
        """The server asks for the end, or is gone."""
        self.keep_all()


def main() -> int:
    """Run the app until its reader leaves."""
    from engine.diagnosis.reading import checkpoint

    checkpoint.close()
    os.chdir(paths.home())
    session = Session.start()
    try:
        app = ServedApp(session)
        app.run()
    finally:
        session.close()
    if app.crash is not None:
        crash.keep(app.crash)
        sys.stderr.write(f"{crash.brief(app.crash)}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
