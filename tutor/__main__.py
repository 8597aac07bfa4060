"""`llm-tutor` and `python -m tutor`: the safety net under the command line. Never a traceback."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from tutor.language import Lang

INTERRUPTED = 130
"""What a shell reports for a program ended by ctrl+c."""


def main() -> int:
    """Run the command line; every way it can end becomes an exit status."""
    _prepare_streams()
    try:
        from tutor import cli

        words = [_readable(word) for word in sys.argv[1:]]
        status = cli.run(words)
        sys.stdout.flush()
        lost = isinstance(sys.stdout, _Nowhere) and sys.stdout.used and cli.split(words).rest[:1] != ["check"]
        return _unheard() if lost and status == 0 else status
    except BrokenPipeError:
        # the reader has seen enough (`| head`); Python would complain again when it flushes at exit
        _let_stdout_go()
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        _let_stdout_go()
        _complain(_refused(error), error.filename)
        return 2
    except Exception as error:
        return _crashed(error)


def _prepare_streams() -> None:
    """Output never fails on a letter: what an encoding lacks is written as near as it can be."""
    import codecs

    from tutor import ascii

    codecs.register_error(ascii.NAME, ascii.nearest)
    plain = ascii.asked()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="ascii" if plain else None, errors=ascii.NAME)
    if sys.stdin is not None and hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    # a closed stream (`>&-`) is None in Python: write to nowhere instead
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()


class _Nowhere(io.TextIOWrapper):
    """Takes what is written and keeps nothing of it, but that there was something."""

    used = False

    def write(self, text: str) -> int:
        """Take it."""
        self.used = self.used or bool(text)
        return super().write(text)


def _nowhere() -> TextIO:
    return _Nowhere(open(os.devnull, "wb"), encoding="utf-8")  # noqa: PTH123  lives as long as the process


def _unheard() -> int:
    """The answer went nowhere: that is no success, but for a check, whose status is the answer."""
    from content.words import say

    _complain(say("cli.error.no_output", _language()), None)
    return 2


def _readable(word: str) -> str:
    """An argument whose bytes are no UTF-8 arrives with lone surrogates; from here on it is text."""
    return word.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _let_stdout_go() -> None:
    from tutor.commands.context import let_stdout_go

    let_stdout_go()


def _refused(error: OSError) -> str:
    """What the system refused, in the reader's language."""
    try:
        from tutor.commands.context import Context
        from tutor.commands.files import trouble

        return trouble(error).text(Context(None, False).lang)
    except Exception:
        return str(error.strerror or error)


def _crashed(error: Exception) -> int:
    """A mistake of ours: one sentence, and the traceback in a file for whoever is to mend it."""
    from tutor import crash, paths

    detail, place = crash.brief(error), crash.keep(error)
    try:
        from content.words import say

        key = "crash" if place != "-" else "crash_unkept"
        where = place if place != "-" else paths.home()
        words = say(f"cli.error.{key}", _language(), detail=detail, path=where)
    except Exception:
        words = f"Something went wrong ({detail})."  # the words themselves may be what is broken
    _complain(words, None)
    return 2


def _language() -> Lang:
    """The language of this run, as far as it can still be found out."""
    from tutor import cli
    from tutor.commands.context import Context

    context = Context(cli.split(sys.argv[1:]).lang, False)
    context.settle()
    return context.lang


def _complain(what: str, where: object) -> None:
    place = f"{where}: " if where else ""
    sys.stderr.write(f"llm-tutor: {place}{what}\n")


if __name__ == "__main__":
    sys.exit(main())
