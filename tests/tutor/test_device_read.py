"""A device that has no end is refused before anything of it is read for its meaning."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tutor.commands import files
from tutor.commands.context import Refusal


@pytest.mark.skipif(sys.platform == "win32", reason="has no devices with names")
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/urandom"])
def test_a_device_without_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path(name).exists():
        pytest.skip("no such device")
    monkeypatch.setattr(files, "MOST_OF_DEVICE", 2 * files.PIECE)
    with pytest.raises(Refusal) as refused:
        next(files.chunks(name))
    assert refused.value.key == "cli.error.too_large"


@pytest.mark.skipif(sys.platform == "win32", reason="has no devices with names")
def test_an_empty_device_is_an_empty_text() -> None:
    assert b"".join(files.chunks("/dev/null")) == b""
