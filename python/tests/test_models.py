"""Stored models: they say what the program says, and their attention sums to one."""

import json
import pathlib
import subprocess
import tempfile
import typing
import unittest

import numpy
import torch

import floydnet
from support import program, version


class Stored(unittest.TestCase):
    def test_every_model_solves_a_problem(self):
        names = floydnet.models.stored()
        self.assertEqual(len([name for name in names if name.startswith("clrs/")]), 30)
        for name in names:
            model = floydnet.load(name)
            if not name.startswith("clrs/"):
                continue
            self.assertEqual("clrs/" + model.algorithm, name)
            batch = next(floydnet.clrs.samples(model.algorithm, length=16, batch=1, seed=3,
                                               hints=False))
            outputs = model.predict(batch.problem(0))
            for key, wanted in batch.outputs.items():
                if key in outputs and outputs[key].shape == wanted[0].shape:
                    self.assertTrue(numpy.isfinite(outputs[key]).all())
            self.assertTrue(outputs)

    def test_their_names_have_types(self):
        named = [*typing.get_args(floydnet.models.StoredName),
                 *typing.get_args(floydnet.models.TourName)]
        self.assertEqual(sorted(named), floydnet.models.stored())

    def test_tours_are_drawn(self):
        points = numpy.random.default_rng(1).random((9, 2))
        matrix = numpy.linalg.norm(points[:, None] - points[None], axis=2)
        model = floydnet.load("tsp/euclidean")
        edges = model.edges(matrix, scale=1000, steps=10)
        self.assertEqual(edges.shape, (9, 9))
        self.assertTrue(numpy.array_equal(edges, model.edges(matrix, scale=1000, steps=10)))
        lengths = []
        for seed in range(1, 6):
            tour = model.tour(matrix, scale=1000, seed=seed, steps=10)
            self.assertEqual(sorted(tour), list(range(9)))
            lengths.append(matrix[tour, numpy.roll(tour, -1)].sum())
        best = floydnet.tsp.solve(matrix, scale=1000).length
        self.assertLess(min(lengths), 1.01 * best)
        for wrong, message in (({"steps": 0}, "steps is 0"), ({"seed": 1.5}, "seed is 1.5"),
                               ({"scale": 1e12}, "32 bits")):
            with self.assertRaisesRegex(floydnet.InputError, message):
                model.tour(matrix, **{"scale": 1000, **wrong})

    def test_other_tasks_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/best.safetensors"
            for run, message in (('{"task": "mine"}', "weights of the task 'mine'; Python loads "
                                  f"those of clrs, tsp, graphs and counting, and 'floydnet eval "
                                  f"{path}'"),
                                 ('{"task": "graphs"}', "does not say what it predicts"),
                                 ("nonsense", "not weights of a CLRS algorithm")):
                torch.ops.floydnet._write_safetensors(path, {"a": torch.zeros(1)},
                                                      {"floydnet.run": run})
                for given in (path, folder):
                    with self.assertRaisesRegex(floydnet.InputError, message):
                        floydnet.load(given)

    def test_scores_are_those_of_the_program(self):
        """The mean over all predicted pointers and masks of the official test split."""
        floydnet_program = program()
        for name, output in (("bfs", "pi"), ("dijkstra", "pi"), ("bellman_ford", "pi"),
                             ("dag_shortest_paths", "pi")):
            model = floydnet.load(f"clrs/{name}")
            batch = next(floydnet.clrs.samples(name, length=32, batch=32, seed=3, hints=False))
            right = sum(int((model.predict(batch.problem(i))[output]
                             == batch.outputs[output][i]).sum()) for i in range(32))
            score = 100 * right / batch.outputs[output].size
            found = subprocess.run(
                [floydnet_program, "eval", "clrs", "--algorithm", name, "--lengths", "32",
                 "--samples", "32", "--threads", "1", "--json"],
                check=True, capture_output=True, text=True).stdout
            wanted = self.find(json.loads(found), output)
            print(f"clrs/{name}: {right} of {batch.outputs[output].size} right, {score} %; "
                  f"floydnet eval says {wanted} %")
            self.assertAlmostEqual(score, wanted, places=9)

    def find(self, value, key):
        if isinstance(value, dict):
            if isinstance(value.get(key), (int, float)):
                return value[key]
            for item in value.values():
                found = self.find(item, key)
                if found is not None:
                    return found
        return None

    def test_attention_of_a_pair_sums_to_one(self):
        model = floydnet.load("clrs/bfs")
        batch = next(floydnet.clrs.samples("bfs", length=12, batch=1, seed=4))
        for block in range(-1, model.blocks):
            weights = model.attention(batch.problem(0), [(0, 5), (3, 3)], block)
            self.assertEqual(weights.shape[1:], (2, 13))  # the SuperNode is a pivot, too
            self.assertTrue((weights >= 0).all())
            numpy.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-5)
            self.assertEqual(weights.dtype, numpy.float32)

    def test_predictions_do_not_depend_on_threads_or_containers(self):
        model = floydnet.load("clrs/bellman_ford")
        batch = next(floydnet.clrs.samples("bellman_ford", length=20, batch=1, seed=8))
        before = torch.get_num_threads()
        outputs = []
        for threads in (1, 2):
            torch.set_num_threads(threads)
            outputs.append(model.predict(batch.problem(0)))
            outputs.append(model.predict({f"input/{key}": torch.from_numpy(value)
                                          for key, value in batch.problem(0).items()}))
        torch.set_num_threads(before)
        for other in outputs[1:]:
            for key, value in outputs[0].items():
                self.assertTrue(numpy.array_equal(value, other[key]))


class Properties(unittest.TestCase):
    """Models that the program has trained on random graphs, with targets of every level."""

    @classmethod
    def setUpClass(cls):
        cls.program = program()
        cls.work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.work.cleanup)
        cls.folder, cls.file = f"{cls.work.name}/run", f"{cls.work.name}/new.npz"
        numpy.savez(f"{cls.work.name}/mine.npz", **cls.graphs(1))
        numpy.savez(cls.file, **cls.graphs(2))
        cls.call("train", "graphs", "--data", f"{cls.work.name}/mine.npz", "--target",
                 "graph_y,node_y,edge_y", "--steps", "2", "--set", "model.dim=16", "--set",
                 "model.heads=2", "--set", "model.zero_residual=false", "--out", cls.folder)

    @classmethod
    def call(cls, *arguments):
        subprocess.run([cls.program, *arguments], check=True, capture_output=True)

    @staticmethod
    def graphs(seed):
        rng = numpy.random.default_rng(seed)
        sizes = rng.integers(3, 8, 40)
        edges = [numpy.argwhere(numpy.triu(rng.random((n, n)) < 0.5, 1)) for n in sizes]
        return {"sizes": sizes, "edges": numpy.concatenate(edges),
                "edge_counts": [len(own) for own in edges],
                "names": [f"graph {g}" for g in range(40)],
                "node_x": numpy.arange(sizes.sum()) % 3,
                "graph_y": numpy.array([len(own) for own in edges], numpy.float32),
                "node_y": numpy.arange(sizes.sum()) % 4,
                "edge_y": numpy.arange(sum(len(own) for own in edges)) % 2}

    def test_predictions_are_those_of_the_program(self):
        self.call("predict", self.folder, self.file, "-o", f"{self.work.name}/out.npz")
        wanted = numpy.load(f"{self.work.name}/out.npz")
        model = floydnet.load(self.folder)
        self.assertEqual(model.targets, ["graph_y", "node_y", "edge_y"])
        unlabelled = {name: array for name, array in self.graphs(2).items()
                      if not name.endswith("_y")}
        unlabelled["node_x"] = torch.from_numpy(unlabelled["node_x"])
        # The program has Debian's libtorch; other versions round differently.
        tolerance = 0 if version(torch) == (1, 13) else 1e-5
        for graphs in (self.file, pathlib.Path(self.file), numpy.load(self.file), unlabelled):
            found = model.predict(graphs)
            self.assertEqual(sorted(found), sorted(wanted.files))
            for name, array in found.items():
                self.assertEqual(array.dtype, wanted[name].dtype)
                numpy.testing.assert_allclose(array, wanted[name], rtol=tolerance, atol=tolerance)
        numpy.testing.assert_allclose(found["node_y"].sum(1), 1, rtol=1e-5)

    def test_misuse_is_refused(self):
        model = floydnet.load(f"{self.folder}/best.safetensors")
        given = self.graphs(2)
        for graphs, message in (
                ({}, "graphs: has no array 'sizes'"),
                ({name: given[name] for name in ("sizes", "node_y")}, "no column 'node_x', which"),
                ({**given, "node_x": given["node_x"] + 1}, "category 3, the run knows 0 to 2"),
                ({**given, "node_x": given["node_x"] / 2}, "node_x has 1 real a row, the run was"),
                ({**given, "node_x": [None]}, "graphs: node_x is no array of numbers"),
                ({**given, "node_x": torch.zeros(3, requires_grad=True)}, "graphs: node_x is no"),
                ({**given, "sizes": -given["sizes"]}, "graph 0 has -"),
                ({**given, "file": [1]}, "unknown array 'file'"), ({3: [1]}, "name 3 is not a"),
                ([given], "wanted a file or a dict"), (None, "graphs are None, wanted a file"),
                (f"{self.folder}/best.safetensors", "best.safetensors: "),
                ("nowhere.npz", "nowhere.npz: cannot read")):
            with self.subTest(message=message):
                with self.assertRaisesRegex(floydnet.InputError, message):
                    model.predict(graphs)
        with self.assertRaisesRegex(floydnet.InputError, "best.safetensors: cannot read"):
            floydnet.load(self.work.name)


if __name__ == "__main__":
    unittest.main()
