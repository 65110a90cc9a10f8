"""Where the tests find golden data and the program; what is absent is skipped, with the reason."""

import os
import pathlib
import unittest

TREE = pathlib.Path(__file__).resolve().parents[2]


def data(name):
    """A file of the golden data: $FLOYDNET_TEST_DATA, or the folder "shared" beside the tree."""
    folder = pathlib.Path(os.environ.get("FLOYDNET_TEST_DATA") or TREE.parent / "shared")
    path = folder / name
    if not path.exists():
        raise unittest.SkipTest(f"no golden data: {path} is absent; set FLOYDNET_TEST_DATA")
    return path


def program():
    """The command-line program, to compare with: $FLOYDNET_PROGRAM or the tree's own build."""
    path = pathlib.Path(os.environ.get("FLOYDNET_PROGRAM")
                        or TREE / "build/release/bin/floydnet")
    if not path.exists():
        raise unittest.SkipTest(f"{path} is absent; set FLOYDNET_PROGRAM")
    return str(path)


def version(torch):
    return tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
