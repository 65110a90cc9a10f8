"""Where the package's libraries and models are."""

from __future__ import annotations

import os
import pathlib

PACKAGE = pathlib.Path(__file__).resolve().parent
SOURCE_TREE = PACKAGE.parents[1]


def library(name: str) -> str:
    """$FLOYDNET_LIBRARY_DIR, the installed package, or the source tree's build/release."""
    file = f"lib{name}.so"
    given = os.environ.get("FLOYDNET_LIBRARY_DIR")
    if given:
        return str(pathlib.Path(given) / file)
    for folder in (PACKAGE / "lib", SOURCE_TREE / "build/release/lib"):
        if (folder / file).exists():
            return str(folder / file)
    raise ImportError(f"{file} is not there: install the package with 'pip install .', build it in "
                      "the source tree with './floydnet --version', or name its folder in "
                      "FLOYDNET_LIBRARY_DIR")


def models() -> pathlib.Path:
    """$FLOYDNET_MODELS, the installed package's models, or those of the source tree."""
    given = os.environ.get("FLOYDNET_MODELS")
    if given:
        return pathlib.Path(given)
    installed = PACKAGE / "models"
    return installed if installed.is_dir() else SOURCE_TREE / "models"
