"""Start of the program, wherever its folder lies: ``PYTHON path/to/program``.

Python puts the folder first on the path of such a program, where its modules would hide those of other packages with
the same name. So the folder leaves the path, and is loaded as a package under a name of its own.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys

NAME = "llm_tutor_probe_program"


def load() -> None:
    """Make the folder of this file the package ``NAME``."""
    folder = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120
    sys.path[:] = [entry for entry in sys.path if not entry or os.path.realpath(entry) != folder]
    spec = importlib.util.spec_from_file_location(
        NAME, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]  # noqa: PTH118
    )  # fmt: skip
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    load()
    importlib.import_module(NAME + ".main").main()
