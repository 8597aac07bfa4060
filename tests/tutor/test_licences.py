"""The list of licences: what it reads, and what it refuses."""

from __future__ import annotations

from email.message import Message
from importlib import metadata
from pathlib import Path
from typing import cast

import pytest

from tests import licences
from tests.licences import Package, licence_of

ROOT = Path(__file__).parents[2]


def told(expression: str = "", licence: str = "", *classifiers: str) -> metadata.PackageMetadata:
    message = Message()
    for name, values in {"License-Expression": [expression], "License": [licence], "Classifier": classifiers}.items():
        for value in filter(None, values):
            message[name] = value
    return cast("metadata.PackageMetadata", message)


def test_the_licence_is_read_in_each_way_of_saying_it() -> None:
    assert licence_of(told("MIT AND 0BSD", "other")) == "MIT AND 0BSD"
    assert licence_of(told("", "", "License :: OSI Approved :: MIT License")) == "MIT"
    assert licence_of(told("", "MIT License\n\nCopyright (c) 2022 Somebody\n")) == "MIT"
    assert licence_of(told("", "", "Topic :: Utilities")) == licences.UNKNOWN
    assert licence_of(told("", "GPLv3")) == "GPLv3"


@pytest.mark.parametrize(
    ("licence", "need", "accepted"),
    [
        ("MIT", "tutor", True),
        ("Apache-2.0 OR GPL-2.0-only", "tutor", True),
        ("MIT AND GPL-2.0-only", "tutor", False),
        ("AGPL-3.0-only", "web", False),
        ("unknown", "tutor", False),
        ("not installed", "anki", False),
        ("MPL-2.0", "tutor", True),
        ("GPL-3.0-only", "dev", True),
    ],
)
def test_what_a_user_is_given_must_have_a_licence_that_is_accepted(licence: str, need: str, accepted: bool) -> None:
    assert Package("a", "1", licence, need).accepted is accepted


def test_everything_that_is_needed_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    found = {one.name: one for one in licences.packages(ROOT / "pyproject.toml")}
    assert found["textual"].needed_by == found["mdurl"].needed_by == "tutor"
    assert found["genanki"].needed_by == "anki" and found["pytest"].needed_by == "dev" and "torch" not in found
    status = licences.main()
    assert (status == 1) is any(not one.accepted for one in found.values())
    assert "textual" in capsys.readouterr().out
