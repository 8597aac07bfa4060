"""Bytes of the keyboard that are no UTF-8: a Latin-1 terminal, an 8-bit Alt, a torn paste."""

from __future__ import annotations

import codecs
from contextlib import suppress
from functools import partial


def forgive() -> None:
    """Let Textual read such bytes as the sign for an unknown letter.

    It decodes the keyboard strictly, and one such byte would end the app with a traceback; it offers no setting for
    that, so the decoder that it looks up by name is replaced.
    """
    with suppress(ImportError):  # not on Windows, where keys come as letters
        from textual.drivers import linux_driver

        setattr(linux_driver, "getincrementaldecoder", _decoder)  # noqa: B010  it is imported there, not declared


def _decoder(encoding: str) -> partial[codecs.IncrementalDecoder]:
    return partial(codecs.getincrementaldecoder(encoding), errors="replace")
