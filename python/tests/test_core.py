"""What needs no PyTorch: CLRS data, k-FWL, counting, tours, graphs."""

import copy
import itertools
import pathlib
import pickle
import subprocess
import sys
import threading
import unittest

import numpy

import floydnet
from floydnet import clrs, counting, tsp, wl
from support import data

PETERSEN = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 5), (1, 6), (2, 7), (3, 8), (4, 9), (5, 7),
            (7, 9), (9, 6), (6, 8), (8, 5)]


def boards():
    """The rook's 4 x 4 graph and the Shrikhande graph."""
    fields = list(itertools.product(range(4), range(4)))

    def joined(allowed):
        return [(a, b) for a, b in itertools.combinations(range(16), 2)
                if tuple((y - x) % 4 for x, y in zip(fields[a], fields[b])) in allowed]

    rook = joined({(0, d) for d in (1, 2, 3)} | {(d, 0) for d in (1, 2, 3)})
    shrikhande = joined({(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)})
    return (16, rook), (16, shrikhande)


class Clrs(unittest.TestCase):
    def test_equals_the_golden_arrays_to_the_last_bit(self):
        folder = data("clrs/golden")
        files = sorted(folder.glob("*_n*_seed*.npz"))
        checked = 0
        for file in files:
            name, length, seed = file.stem.rsplit("_", 2)
            if name.startswith("post_"):
                continue
            golden = numpy.load(file)
            count = len(golden["lengths"])
            length = int(length[1:])
            batch = next(clrs.samples(name, length=length, batch=count, seed=int(seed[4:])))
            for key in golden.files:
                stage, _, probe = key.partition("/")
                stages = {"input": batch.inputs, "output": batch.outputs, "hint": batch.hints}
                found = batch.lengths if key == "lengths" else stages[stage][probe]
                self.assertEqual(found.dtype, golden[key].dtype, (file.name, key))
                self.assertEqual(found.shape, golden[key].shape, (file.name, key))
                self.assertEqual(found.tobytes(), golden[key].tobytes(), (file.name, key))
                checked += 1
        self.assertGreater(checked, 500)

    def test_batches_are_one_stream(self):
        for name in ("bfs", "quicksort", "graham_scan"):
            whole = next(clrs.samples(name, length=9, batch=7, seed=5))
            stream = clrs.samples(name, length=9, batch=3, seed=5)
            parts = [stream.next(3), stream.next(1), stream.next(3)]
            for key in whole.inputs:
                joined = numpy.concatenate([part.inputs[key] for part in parts])
                self.assertEqual(joined.tobytes(), whole.inputs[key].tobytes())

    def test_there_are_30_algorithms_and_no_hints_on_demand(self):
        self.assertEqual(len(clrs.algorithms()), 30)
        batch = next(clrs.samples("dfs", length=6, batch=2, hints=False))
        self.assertEqual(batch.hints, {})
        self.assertTrue((batch.lengths > 0).all())


    def test_a_stream_is_neither_copied_nor_pickled(self):
        stream = clrs.samples("bfs", length=5, batch=1)
        for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "Samples cannot be copied or pickled"):
                duplicate(stream)

    def test_threads_share_a_stream(self):
        stream, parts = clrs.samples("bfs", length=8, batch=2, seed=5), []
        threads = [threading.Thread(target=lambda: parts.extend(
            stream.next(1).inputs["A"].tobytes() for _ in range(50))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        whole = clrs.samples("bfs", length=8, seed=5).next(200)
        self.assertEqual(sorted(parts), sorted(array.tobytes() for array in whole.inputs["A"]))


class Wl(unittest.TestCase):
    def test_order_3_tells_the_boards_apart(self):
        rook, shrikhande = boards()
        self.assertFalse(wl.compare(rook, shrikhande, k=1))
        self.assertFalse(wl.compare(rook, shrikhande, k=2))
        verdict = wl.compare(rook, shrikhande, k=3)
        self.assertTrue(verdict)
        self.assertGreater(verdict.colours, 0)

    def test_categories_of_nodes_matter(self):
        plain = floydnet.Graph(4, [(0, 1), (1, 2), (2, 3)])
        coloured = [floydnet.Graph(4, [(0, 1), (1, 2), (2, 3)], node_categories=kinds)
                    for kinds in ([1, 0, 0, 0], [0, 1, 0, 0])]
        self.assertFalse(wl.compare(plain, plain))
        self.assertTrue(wl.compare(*coloured))

    def test_evaluations_agree(self):
        rook, shrikhande = boards()
        for evaluation in ("dense", "compressed"):
            self.assertTrue(wl.compare(rook, shrikhande, k=3, evaluation=evaluation).distinguished)


class Counting(unittest.TestCase):
    def test_petersen_has_twelve_pentagons(self):
        counts = counting.count((10, PETERSEN), ["cycle5", "cycle3"])
        self.assertEqual(counts["cycle5"].graph, 12)
        self.assertEqual(counts["cycle3"].graph, 0)
        self.assertEqual(counts["cycle5"].nodes.tolist(), [6] * 10)
        self.assertEqual(int(counts["cycle5"].pairs.sum()), 12 * 2 * 5)

    def test_many_graphs_by_brute_force(self):
        random = numpy.random.RandomState(3)
        graphs = []
        for n in (4, 6, 5):
            matrix = numpy.triu(random.rand(n, n) < 0.6, 1)
            graphs.append(matrix | matrix.T)
        for graph, counts in zip(graphs, counting.count(graphs, "cycle3", pairs=False)):
            triangles = [t for t in itertools.combinations(range(len(graph)), 3)
                         if all(graph[a, b] for a, b in itertools.combinations(t, 2))]
            self.assertEqual(counts["cycle3"].graph, len(triangles))
            through = [sum(v in t for t in triangles) for v in range(len(graph))]
            self.assertEqual(counts["cycle3"].nodes.tolist(), through)
            self.assertIsNone(counts["cycle3"].pairs)


class Tours(unittest.TestCase):
    def test_equals_brute_force_and_its_proof_holds(self):
        random = numpy.random.RandomState(1)
        points = random.rand(8, 2)
        matrix = numpy.rint(1000 * numpy.linalg.norm(points[:, None] - points[None], axis=2))
        best = min(sum(matrix[a, b] for a, b in zip((0,) + p, p + (0,)))
                   for p in itertools.permutations(range(1, 8)))
        result = tsp.solve(matrix, certificate=True)
        self.assertTrue(result.proven)
        self.assertEqual(result.length, best)
        self.assertEqual(sorted(result.tour), list(range(8)))
        tour = tsp.verify(matrix, result.certificate)
        self.assertEqual(sum(matrix[a, b] for a, b in zip(tour, numpy.roll(tour, -1))), best)
        with self.assertRaises(floydnet.InputError):
            tsp.verify(matrix + numpy.ones_like(matrix), result.certificate)

    def test_real_distances_are_scaled(self):
        corners = numpy.array([[0, 0], [0, 1], [1, 1], [1, 0]], dtype=float)
        matrix = numpy.linalg.norm(corners[:, None] - corners[None], axis=2)
        self.assertAlmostEqual(tsp.solve(matrix, scale=1e6).length, 4.0)


class Graphs(unittest.TestCase):
    def test_every_source_gives_the_same_graph(self):
        matrix = numpy.zeros((10, 10), dtype=int)
        for a, b in PETERSEN:
            matrix[a, b] = matrix[b, a] = 1
        made = [floydnet.Graph(10, PETERSEN), floydnet.as_graph(matrix),
                floydnet.Graph(10, numpy.array(PETERSEN).T), floydnet.as_graph((10, PETERSEN))]
        try:
            import networkx
            made.append(floydnet.as_graph(networkx.petersen_graph()))
            made.append(floydnet.as_graph(
                networkx.to_graph6_bytes(networkx.petersen_graph(), header=False).decode().strip()))
        except ImportError:
            print("[  SKIPPED ] networkx is absent", file=sys.stderr)
        for graph in made:
            self.assertEqual(graph.nodes, 10)
            self.assertEqual(len(graph.edges), 15)
            self.assertEqual(counting.count(graph, "cycle5", nodes=False,
                                            pairs=False)["cycle5"].graph, 12)

    def test_copies_have_a_graph_of_their_own(self):
        graph = floydnet.Graph(3, [(0, 1), (2, 1)], directed=True, node_categories=[2, 0, 1])
        for duplicate in (copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))):
            other = duplicate(graph)
            self.assertNotEqual(other._handle, graph._handle)
            self.assertEqual((other.nodes, other.directed), (3, True))
            self.assertEqual(other.edges.tolist(), graph.edges.tolist())
            self.assertEqual(other.node_categories.tolist(), [2, 0, 1])
            self.assertFalse(wl.compare(other, graph))
        self.assertEqual(copy.copy(floydnet.as_graph("Bw")).edges.tolist(),
                         floydnet.as_graph("Bw").edges.tolist())

    def test_directed(self):
        matrix = numpy.array([[0, 1], [0, 0]])
        self.assertTrue(floydnet.as_graph(matrix).directed)
        self.assertFalse(floydnet.as_graph(matrix + matrix.T).directed)


class WithoutTorch(unittest.TestCase):
    def test_nothing_above_imports_it(self):
        code = ("import sys, floydnet; next(floydnet.clrs.samples('bfs')); "
                "floydnet.wl.compare('Bw', 'Bw'); assert 'torch' not in sys.modules")
        self.run_code(code)

    def test_what_needs_it_says_so(self):
        self.run_code("""
import sys
sys.modules["torch"] = None  # as if it were not installed
from floydnet import *
import floydnet, importlib
assert next(clrs.samples("bfs")) and "nn" not in floydnet.__all__
for name in floydnet._LAZY:
    try:
        getattr(floydnet, name)
    except ImportError as error:
        assert "needs PyTorch: pip install torch" in str(error), (name, error)
    else:
        assert False, name
""")

    def run_code(self, code):
        package = pathlib.Path(floydnet.__file__).resolve().parents[1]
        subprocess.run([sys.executable, "-c", code], check=True, cwd=package)


if __name__ == "__main__":
    unittest.main()
