"""What is installed with the tutor, and under which licence: ``python -m tests.licences``.

Read from the packages' own metadata, for what the tutor needs, each of its extras, and development. Exit status 1 when
something that a user installs is missing, has a licence that is not known, or one that we do not accept: whoever ships
the tutor must then look, and either add the licence here with a reason or do without the package.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PERMISSIVE = {
    "0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-CMU", "PSF-2.0",
    "Unlicense", "Zlib",
}  # fmt: skip
"""They ask for a notice at most."""
WEAK = {"MPL-2.0", "LGPL-3.0-only", "LGPL-2.1-or-later"}
"""They ask that changes to the package itself stay open. It is installed unchanged beside ours, so nothing follows."""
NAMED = {
    "MIT License": "MIT", "The MIT License (MIT)": "MIT", "BSD License": "BSD", "BSD 2-Clause License": "BSD-2-Clause",
    "Apache Software License": "Apache-2.0", "Apache 2.0": "Apache-2.0", "Apache 2": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0", "Python Software Foundation License": "PSF-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0", "ISC License (ISCL)": "ISC",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
}  # fmt: skip
"""What packages call a licence without its SPDX id. A bare "BSD" leaves open how many clauses it has: none matters."""
DEVELOPMENT, ELSEWHERE = "dev", ("probe",)
"""Extras that no user installs, and those that lie in another Python than the tutor's: torch comes with the server."""
UNKNOWN = "unknown"


class Package(NamedTuple):
    """An installed package; ``needed_by`` is "tutor", or the first extra that brings it."""

    name: str
    version: str
    licence: str
    needed_by: str

    @property
    def accepted(self) -> bool:
        """Whether a user may be given it without a further look."""
        return self.needed_by == DEVELOPMENT or _accepted(self.licence)


def packages(pyproject: Path) -> list[Package]:
    """All that is needed, by need and name; what is not installed has no version."""
    project = tomllib.loads(pyproject.read_text())["project"]
    extras = {name: wanted for name, wanted in project["optional-dependencies"].items() if name not in ELSEWHERE}
    development = extras.pop(DEVELOPMENT)
    found: dict[str, Package] = {}
    for need, wanted in {"tutor": project["dependencies"], **extras, DEVELOPMENT: development}.items():
        for requirement in map(Requirement, wanted):
            for name in _with_its_own(requirement, set()):
                found.setdefault(name, _package(name, need))
    needs = ["tutor", *extras, DEVELOPMENT]
    return sorted(found.values(), key=lambda one: (needs.index(one.needed_by), one.name))


def licence_of(told: metadata.PackageMetadata) -> str:
    """The licence as an SPDX expression, where the metadata says it in a way that is known."""
    if expression := told.get("License-Expression"):
        return str(expression)
    classifiers = [one.rpartition(" :: ")[2] for one in told.get_all("Classifier") or () if one.startswith("License")]
    written = str(told.get("License") or "").strip().splitlines()
    for name in [*classifiers, *written[:1]]:
        if (known := NAMED.get(name.strip(), name.strip())) in PERMISSIVE | WEAK:
            return known
    return " / ".join([*classifiers, *written[:1]]) or UNKNOWN


def _with_its_own(requirement: Requirement, seen: set[str]) -> Iterator[str]:
    """The package and those that it needs here, each once."""
    name = canonicalize_name(requirement.name)
    extras = ["", *requirement.extras]
    if name in seen or (requirement.marker is not None and not requirement.marker.evaluate({"extra": ""})):
        return
    seen.add(name)
    yield name
    try:
        below = metadata.requires(name) or ()
    except metadata.PackageNotFoundError:
        return
    for one in map(Requirement, below):
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in extras):
            yield from _with_its_own(_unmarked(one), seen)


def _unmarked(requirement: Requirement) -> Requirement:
    """Whether it is needed is settled."""
    requirement.marker = None
    return requirement


def _package(name: str, need: str) -> Package:
    try:
        told = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return Package(name, "", "not installed", need)
    return Package(name, str(told["Version"]), licence_of(told), need)


def _accepted(expression: str) -> bool:
    """Of licences joined by OR one must be accepted, of those joined by AND all."""
    choices = re.split(r"\s+OR\s+", expression.strip("() "))
    return any(
        all(one.strip("() ") in PERMISSIVE | WEAK for one in re.split(r"\s+AND\s+", choice)) for choice in choices
    )


def main() -> int:
    """Print the list; what is not accepted stands at its end."""
    found = packages(Path(__file__).parents[1] / "pyproject.toml")
    for one in found:
        print(f"{one.needed_by:6} {one.name:20} {one.version:12} {one.licence}")
    doubtful = [one for one in found if not one.accepted]
    for one in doubtful:
        print(f"NOT ACCEPTED: {one.name} ({one.needed_by}): {one.licence}")
    return 1 if doubtful else 0


if __name__ == "__main__":
    sys.exit(main())
