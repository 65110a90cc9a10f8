"""What the pages and the notebook show is run."""

import ast
import contextlib
import io
import json
import pathlib
import re
import tempfile
import os
import unittest

from support import TREE


def blocks(path, language):
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(encoding="utf-8"), re.S)


class Readme(unittest.TestCase):
    def test_example_of_the_projects_readme_runs(self):
        code, = blocks(TREE / "README.md", "python")
        self.assertLessEqual(code.count("\n"), 14)
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, "README.md", "exec"), {})

    def test_examples_of_the_packages_readme_print_what_they_say(self):
        found = blocks(TREE / "python/README.md", "python")
        self.assertGreaterEqual(len(found), 5)
        for code in found:
            if "torch_geometric" in code:
                try:
                    import torch_geometric  # noqa: F401
                except ImportError:
                    print("[  SKIPPED ] torch_geometric is absent")
                    continue
            if "networkx" in code:
                try:
                    import networkx  # noqa: F401
                except ImportError:
                    print("[  SKIPPED ] networkx is absent")
                    continue
            wanted = re.findall(r"print\(.*\)  # (.*)$", code, re.M)
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(code, "python/README.md", "exec"), {})
            self.assertEqual(out.getvalue().splitlines(), wanted, code)


class Notebook(unittest.TestCase):
    def test_cells_run_in_order(self):
        notebook = json.loads((TREE / "python/pivots.ipynb").read_text(encoding="utf-8"))
        cells = ["".join(cell["source"]) for cell in notebook["cells"]
                 if cell["cell_type"] == "code"]
        self.assertGreaterEqual(len(cells), 4)
        names = {}
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for number, cell in enumerate(cells):
                    with contextlib.redirect_stdout(io.StringIO()):
                        exec(compile(cell, f"cell {number}", "exec"), names)
                pictures = list(pathlib.Path(folder).glob("*.svg"))
            finally:
                os.chdir(before)
            self.assertEqual(len(pictures), 1)
        self.assertLess(names["losses"][-1], 0.5 * names["losses"][0])
        self.assertGreater(names["right"], 0.9)


class Annotations(unittest.TestCase):
    def test_public_functions_have_types_and_docstrings(self):
        for path in sorted((TREE / "python/floydnet").rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            self.assertTrue(ast.get_docstring(tree), path)
            for node in tree.body:
                public = not getattr(node, "name", "_").startswith("_")
                if isinstance(node, ast.FunctionDef) and public:
                    self.assertIsNotNone(node.returns, f"{path}: {node.name}")
                    for argument in node.args.args + node.args.kwonlyargs:
                        self.assertIsNotNone(argument.annotation,
                                             f"{path}: {node.name}({argument.arg})")
        self.assertTrue((TREE / "python/floydnet/py.typed").exists())


if __name__ == "__main__":
    unittest.main()
