"""A hundred misuses: each is a Python exception that says what is wrong, never a crash."""

import unittest

import numpy
import torch

import floydnet
from floydnet import clrs, counting, nn, tsp, wl
from floydnet.graphs import Graph

NAN = float("nan")


def q(*shape, dtype=torch.float32):
    return torch.zeros(*shape, dtype=dtype)


def dense(**changed):
    names = ("q_ik", "k_ij", "k_jk", "v_ij", "v_jk")
    tensors = {name: q(1, 2, 3, 3, 4) for name in names}
    tensors.update(changed)
    return floydnet.pivotal_attention(**tensors)


def packed(q_=None, k=None, v=None, sizes=(3,), **options):
    return floydnet.attention(q(2, 9, 4) if q_ is None else q_, q(2, 2, 9, 4) if k is None else k,
                              q(2, 2, 9, 4) if v is None else v, sizes, **options)


def without_gradients(function, *arguments):
    with torch.no_grad():
        return function(*arguments)


def bfs_inputs(**changed):
    inputs = dict(next(clrs.samples("bfs", length=6, batch=1)).problem(0))
    inputs.update(changed)
    return inputs


_loaded = {}


def model(name="clrs/bfs"):
    if name not in _loaded:
        _loaded[name] = floydnet.load(name)
    return _loaded[name]


class OtherClass:
    pass


# (what is done, what the message must contain)
OPERATOR = [
    (lambda: packed(k=q(2, 2, 8, 4)), r"k has shape \[2, 2, 8, 4\], wanted \[2, 2, 9, 4\]"),
    (lambda: packed(v=q(2, 2, 9, 5)), r"v has shape \[2, 2, 9, 5\], wanted"),
    (lambda: packed(k=q(2, 9, 4)), r"k has shape \[2, 9, 4\], wanted \[order, heads"),
    (lambda: packed(q_=q(9, 4)), r"q has shape \[9, 4\], wanted \[heads, rows, d_h\]"),
    (lambda: packed(q_=q(2, 9, 0), k=q(2, 2, 9, 0), v=q(2, 2, 9, 0)), "d_h of at least 1"),
    (lambda: packed(sizes=[2]), "q has 9 rows, but the layout has 4"),
    (lambda: packed(sizes=[-3]), "a graph cannot have -3 nodes"),
    (lambda: packed(sizes=[2**62, 2**62]), "rows"),
    (lambda: packed(sizes="abc"), "sizes is 'abc', wanted a list of whole numbers"),
    (lambda: packed(sizes=[OtherClass()]), r"sizes\[0\] is <.*OtherClass"),
    (lambda: packed(sizes=3), "sizes is 3, wanted a list"),
    (lambda: packed(sizes=[3.9]), r"sizes\[0\] is 3.9, wanted a whole number"),
    (lambda: packed(sizes=torch.tensor([3.0])), r"sizes\[0\] is 3.0, wanted a whole number"),
    (lambda: packed(sizes=["3"]), r"sizes\[0\] is '3', wanted a whole number"),
    (lambda: packed(sizes=[NAN]), r"sizes\[0\] is nan, wanted a whole number"),
    (lambda: packed(sizes=[2**64 + 3]), "does not fit 64 bits"),
    (lambda: packed(q_=q(2, 9, 4, dtype=torch.int64)), "Long, wanted float32 or float64"),
    (lambda: packed(q_=q(2, 9, 4, dtype=torch.complex64)), "ComplexFloat, wanted float32"),
    (lambda: packed(q_=q(2, 9, 4, dtype=torch.float16)), "Half, wanted float32"),
    (lambda: packed(k=q(2, 2, 9, 4, dtype=torch.float64)),
     "k has type Double on cpu, wanted Float"),
    (lambda: packed(dropout=1.0), r"dropout is 1, wanted a number in \[0, 1\)"),
    (lambda: packed(dropout=-0.5), "dropout is -0.5"),
    (lambda: packed(dropout=NAN), "dropout is nan"),
    (lambda: packed(dropout=0.5, seed=1.5), "seed is 1.5, wanted a whole number"),
    (lambda: packed(dropout=0.5, seed="one"), "seed is 'one'"),
    (lambda: packed(dropout=0.5, seed=torch.tensor(1.0)), "seed has shape .* type Float"),
    (lambda: packed(dropout=0.5, seed=torch.tensor([1, 2])), r"seed has shape \[2\]"),
    (lambda: packed(logit_cap=-1.0), "logit_cap is -1"),
    (lambda: packed(logit_cap=float("inf")), "logit_cap is inf"),
    (lambda: packed(scale=NAN), "scale is nan, wanted a finite number"),
    (lambda: packed(scale=float("inf")), "scale is inf"),
    (lambda: packed(scale="large"), "scale"),
    (lambda: packed(bias=q(2, 3, 9)), r"bias has shape \[2, 3, 9\], wanted \[2, 2, 9\]"),
    (lambda: packed(bias=q(2, 1, 9, dtype=torch.float64)), "bias has type Double"),
    (lambda: packed(bias=3.0), "bias"),
    (lambda: packed(k=q(5, 2, 243, 4), v=q(5, 2, 243, 4), q_=q(2, 243, 4)), "order"),
    (lambda: packed(k=q(0, 2, 9, 4), v=q(0, 2, 9, 4)), "order"),
    (lambda: packed(q_=None, k="k"), "k"),
    (lambda: floydnet.attention(None, None, None, [3]), "."),
    (lambda: floydnet.attention(q(2, 9, 4).to_sparse(), q(2, 2, 9, 4), q(2, 2, 9, 4), [3]), "."),
    (lambda: floydnet.attention(q(2, 9, 4), q(2, 2, 9, 4).to("meta"), q(2, 2, 9, 4), [3]), "."),
    (lambda: dense(k_ij=q(1, 2, 3, 3, 5)), "has shape"),
    (lambda: dense(v_jk=q(1, 2, 4, 3, 4)), "has shape"),
    (lambda: dense(q_ik=q(1, 2, 3, 3)), "q has shape"),
    (lambda: dense(k_ij=q(3)), "."),
    (lambda: dense(attn_mask=q(7)), "mask has shape"),
    (lambda: dense(attn_mask=torch.zeros(3, dtype=torch.int32)), "mask has type Int"),
    (lambda: dense(scale=NAN), "scale is nan"),
    (lambda: dense(dropout=2.0), "dropout is 2"),
    (lambda: floydnet.attention_dense(q(1, 1, 2, 4), [], []), "got 0 keys and 0 values"),
    (lambda: floydnet.attention_dense(q(1, 1, 2, 4), [q(1, 1, 2, 4)], []),
     "got 1 keys and 0 values"),
    (lambda: floydnet.attention_dense(q(1, 1, 2, 4), [q(1)] * 5, [q(1)] * 5), "got 5 keys"),
    (lambda: floydnet.pivotal_attention3(*[q(1, 2, 3, 3, 4)] * 7), "q has shape"),
    (lambda: floydnet.attention_weights(q(2, 9, 4), q(2, 2, 9, 4), [3], [9]), "row"),
    (lambda: floydnet.attention_weights(q(2, 9, 4), q(2, 2, 9, 4), [3], [-1]), "row"),
    (lambda: floydnet.attention_weights(q(2, 9, 4), q(2, 9, 4), [3], [0]), "k has shape"),
    (lambda: floydnet.attention_weights(q(2, 9, 4), q(2, 2, 9, 4), [3], [0.5]),
     r"targets\[0\] is 0.5"),
    (lambda: without_gradients(torch.ops.floydnet._packed_backward,
        q(2, 9, 4), q(2, 9, 4), q(2, 2, 9, 4), q(2, 2, 9, 4), [3], None, q(2, 9, 4), q(2, 2, 9),
        q(2, 7), None, False, 0.0, 0.0, None, None, [1, 1, 1, 1]), "kept has shape"),
    (lambda: without_gradients(torch.ops.floydnet._dense_backward,
        q(1), [q(1, 1, 2, 4)] * 3, None, q(1), q(1), 0.0, None, False, 0.0, 0.0, None, [1] * 4),
     "the gradient has shape"),
    (lambda: torch.ops.floydnet._dense_forward([q(1, 1, 2, 4)] * 2, None, 0.0, None, False, 0.0,
                                               0.0, None), "got 2 tensors"),
]

MODELS = [
    (lambda: floydnet.load("clrs/no_such_algorithm"), "there is no model 'clrs/no_such_algorithm'"),
    (lambda: floydnet.load("bfs"), "there is no model 'bfs'; there are clrs/activity_selector"),
    (lambda: floydnet.load(""), "."),
    (lambda: floydnet.load("../../etc/passwd"), "there is no model"),
    (lambda: floydnet.load("nowhere.safetensors"), "nowhere.safetensors"),
    (lambda: floydnet.load("/"), "best.safetensors"),
    (lambda: floydnet.load(None), "there is no model 'None'"),
    (lambda: model().predict({}), "inputs are not a dict"),
    (lambda: model().predict(None), "inputs are not a dict"),
    (lambda: model().predict({"pos": numpy.zeros(4)}), "input 's' of bfs is missing"),
    (lambda: model().predict({"hello": numpy.zeros(4)}), "got no input of nodes or pairs"),
    (lambda: model().predict({3: numpy.zeros(4)}), "name 3 is not a text"),
    (lambda: model().predict(bfs_inputs(A=numpy.zeros((5, 6)))), r"input 'A' is \[5, 6\], wanted"),
    (lambda: model().predict(bfs_inputs(s=numpy.zeros(3))), r"input 's' is \[3\], wanted"),
    (lambda: model().predict(bfs_inputs(pos=numpy.float64(1))), "is a single number"),
    (lambda: model().predict(bfs_inputs(s=["a"] * 6)), "wanted numbers"),
    (lambda: model().predict(bfs_inputs(pos=numpy.full(6, NAN))), "not finite"),
    (lambda: model().predict(bfs_inputs(pos=torch.zeros(6, dtype=torch.complex64))),
     "wanted numbers"),
    (lambda: model().predict(bfs_inputs(pos=torch.zeros(6, device="meta"))), "wanted a CPU tensor"),
    (lambda: model().attention(bfs_inputs(), [(0, 99)]), r"pair \(0, 99\) of 7 nodes"),
    (lambda: model().attention(bfs_inputs(), [(0, -1)]), r"pair \(0, -1\)"),
    (lambda: model().attention(bfs_inputs(), [(0, 1, 2)]), "two nodes"),
    (lambda: model().attention(bfs_inputs(), [(0, 1)], block=99), "block 99 of"),
    (lambda: model().attention(bfs_inputs(), [(0, 1.5)]), r"pairs\[0\]\[1\] is 1.5"),
    (lambda: model().attention(bfs_inputs(), [3]), r"pairs\[0\] is 3, wanted a list"),
    (lambda: model().attention(bfs_inputs(), [(0, 1)], block=0.5), "block is 0.5"),
    (lambda: nn.TupleLayout(2, [2.5]), r"sizes\[0\] is 2.5"),
    (lambda: nn.TupleLayout(1.5, [2]), "order is 1.5"),
    (lambda: nn.TupleLayout(2, [3]).row(-1, (0, 0)), "graph is -1, wanted 0 to 0"),
    (lambda: nn.TupleLayout(2, [3]).row(0, (0, 0.5)), r"nodes\[1\] is 0.5"),
    (lambda: nn.FloydNet(nn.ModelConfig(), depth=8), "got a config and depth; wanted one or the"),
    (lambda: nn.FloydBlock(nn.ModelConfig(), dim=8, heads=2), "a config and dim, heads"),
    (lambda: nn.FloydNet({"depth": 8}), "config is {'depth': 8}, wanted a ModelConfig"),
    (lambda: nn.FloydNet(dim=8, depth=0)(["Bw"]), "batch is list, wanted a GraphBatch"),
    (lambda: nn.FloydNet(dim=8, depth=0)(nn.GraphBatch([2.5])), r"sizes\[0\] is 2.5"),
    (lambda: nn.make_batch([Graph(2, node_categories=[0, 1]), "Bw"]), "1 of 2 graphs have"),
    (lambda: nn.FloydNet(dim=8, depth=0).half().save("/tmp/half.safetensors"), "all float32"),
    (lambda: nn.FloydNet(dim=8, depth=0).save("/no/such/folder/a.safetensors"), "/no/such/folder"),
    (lambda: nn.FloydNet(dim=10, heads=4), '"dim" is 10, wanted a multiple of "heads", 4'),
    (lambda: nn.FloydNet(order=5), '"order" is 5'),
    (lambda: nn.FloydNet(norm="batch"), "wanted one of layernorm"),
    (lambda: nn.FloydNet(readout="supernode"), 'needs "supernode" true'),
    (lambda: nn.FloydNet(width=3), "width"),
    (lambda: nn.FloydNet(depth=-1), '"depth" is -1'),
    (lambda: nn.FloydNet(dropout=1.5), '"dropout" is 1.5'),
    (lambda: nn.make_batch([]), "got no graphs"),
    (lambda: nn.FloydNet(dim=8, depth=1, node_categories=[2], node_outputs=1)(
        nn.make_batch(["Bw"])), "node_categories is absent"),
    (lambda: nn.FloydNet(dim=8, depth=1, node_categories=[2], node_outputs=1)(
        nn.GraphBatch([2], torch.zeros(4, dtype=torch.int64), torch.tensor([[0], [5]]))),
     "wanted 0 to 1"),
    (lambda: nn.FloydNet(dim=8, depth=1, graph_outputs=1)(nn.GraphBatch([3])),
     "adjacency is absent"),
    (lambda: floydnet.PivotalAttentionBlock(10, 4), "wanted a multiple of num_heads"),
    (lambda: floydnet.PivotalAttentionBlock(8, 2)(q(1, 3, 4, 8)), "wanted"),
]

CORE = [
    (lambda: next(clrs.samples("bsf")), "did you mean 'bfs'"),
    (lambda: clrs.samples(""), "."),
    (lambda: clrs.samples(None), "algorithm is NoneType, wanted str"),
    (lambda: clrs.samples("bfs\0"), "zero character"),
    (lambda: clrs.samples("bfs", length=-1), '"length" is -1'),
    (lambda: clrs.samples("bfs", length=0), '"length" is 0'),
    (lambda: clrs.samples("bfs", length=1.5), '"length" is 1.5'),
    (lambda: clrs.samples("bfs", length=10**7), '"length" is 10000000'),
    (lambda: clrs.samples("bfs", length=NAN), '"length" is nan'),
    (lambda: clrs.samples("bfs").next(2**64 + 5), "batch is 18446744073709551621, which does not"),
    (lambda: clrs.samples("bfs", seed=-1), '"seed" is -1'),
    (lambda: clrs.samples("bfs", seed=2**32), '"seed" is 4294967296'),
    (lambda: clrs.samples("bfs", hints="yes"), '"hints" is "yes"'),
    (lambda: clrs.samples("bfs", edge_probabilities=[2.0]), "."),
    (lambda: clrs.samples("bfs", edge_probabilities=["a"]), "edge_probabilities: could not"),
    (lambda: next(clrs.samples("bfs", batch=0)), "at least one sample"),
    (lambda: next(clrs.samples("bfs", batch=-5)), "at least one sample"),
    (lambda: next(clrs.samples("bfs", batch="many")), "batch is 'many'"),
    (lambda: clrs.samples("quickselect", length=512).next(10**9), "more than the"),
    (lambda: wl.compare("Bw", "Bw", k=5), '"order" is 5'),
    (lambda: wl.compare("Bw", "Bw", k=0), '"order" is 0'),
    (lambda: wl.compare("Bw", "Bw", evaluation="fast"), "evaluation"),
    (lambda: wl.compare("Bw", "Bw", max_bytes=1), "."),
    (lambda: wl.compare("Bw", OtherClass()), "OtherClass is no graph"),
    (lambda: wl.compare("Bw", None), "NoneType is no graph"),
    (lambda: wl.compare("not graph6 \x7f", "Bw"), "graph"),
    (lambda: Graph(3, [(0, 3)]), r"edge 0 is \(0, 3\), but nodes are 0 to 2"),
    (lambda: Graph(3, [(0, 1), (1, 0)]), "twice|repeated|again"),
    (lambda: Graph(-1), "-1 nodes"),
    (lambda: Graph(10**12), "1000000000000 nodes"),
    (lambda: Graph(2**70), "does not fit"),
    (lambda: Graph(2.5), "wanted a whole number"),
    (lambda: Graph(3, [[0, 1, 2]]), "wanted"),
    (lambda: Graph(3, [[0.5, 1]]), "not a whole one"),
    (lambda: Graph(3, [[NAN, 1]]), "not finite"),
    (lambda: Graph(3, "edges"), "wanted integers"),
    (lambda: Graph(3, node_categories=[0, 1]), "2 categories for 3 nodes"),
    (lambda: Graph(2, node_categories=[0, -1]), "they count from 0"),
    (lambda: floydnet.as_graph(numpy.zeros((2, 3))), r"matrix has shape \[2, 3\]"),
    (lambda: floydnet.as_graph(numpy.array([["a"]])), "wanted numbers"),
    (lambda: floydnet.as_graph(numpy.full((2, 2), NAN)), "not finite"),
    (lambda: counting.count("Bw", "cycel5"), "cycel5"),
    (lambda: counting.count("Bw", ""), "."),
    (lambda: counting.count("Bw", ["cycle3", "cycle3"]), "twice|cycle3"),
    (lambda: counting.count(Graph(2, [(0, 1)], directed=True), "cycle3"), "directed"),
    (lambda: counting.count([Graph(2, [(0, 0)])], "cycle3"), "loop"),
    (lambda: counting.count(["Bw", 3], "cycle3"), "int is no graph"),
    (lambda: counting.count("Bw", max_bytes=1), "."),
    (lambda: tsp.solve(numpy.zeros((2, 3))), r"matrix has shape \[2, 3\]"),
    (lambda: tsp.solve([]), "matrix has shape"),
    (lambda: tsp.solve(numpy.zeros((0, 0))), "0 cities"),
    (lambda: tsp.solve([[0, 1], [2, 0]]), "asymmetric"),
    (lambda: tsp.solve([[0, -1], [-1, 0]]), "-1 from city 0 to 1"),
    (lambda: tsp.solve([[0, 2**40], [2**40, 0]]), "is not in"),
    (lambda: tsp.solve([[0, 0.5], [0.5, 0]]), "not a whole one"),
    (lambda: tsp.solve([[0, NAN], [NAN, 0]]), "not finite"),
    (lambda: tsp.solve([["a"]]), "wanted integers"),
    (lambda: tsp.solve([[0, 1], [1, 0]], time_limit=-1), "time_limit"),
    (lambda: tsp.solve([[0, 1], [1, 0]], time_limit=float("inf")), '"time_limit" is inf'),
    (lambda: tsp.solve([[0, 1], [1]]), "matrix"),
    (lambda: tsp.solve([[0, 1], [1, 0]], scale="large"), "scale is 'large'"),
    (lambda: tsp.solve([[0, 1], [1, 0]], scale=-1), "scale is -1"),
    (lambda: tsp.solve([[0, 1], [1, 0]], seed="x"), '"seed" is "x"'),
    (lambda: tsp.verify([[0, 1], [1, 0]], "{}"), "."),
    (lambda: tsp.verify([[0, 1], [1, 0]], b"bytes"), "wanted str"),
]


class Misuses(unittest.TestCase):
    def check(self, cases):
        for index, (misuse, message) in enumerate(cases):
            with self.subTest(index=index, message=message):
                with self.assertRaisesRegex((ValueError, RuntimeError, TypeError, AttributeError,
                                             NotImplementedError), message) as caught:
                    misuse()
                self.assertTrue(str(caught.exception).strip())
                # A failed check of ours, not one inside PyTorch.
                self.assertNotIn("INTERNAL ASSERT", str(caught.exception))

    def test_there_are_a_hundred(self):
        self.assertGreaterEqual(len(OPERATOR) + len(MODELS) + len(CORE), 100)
        print(f"{len(OPERATOR) + len(MODELS) + len(CORE)} misuses")

    def test_operator(self):
        self.check(OPERATOR)

    def test_models(self):
        self.check(MODELS)

    def test_core(self):
        self.check(CORE)

    def test_files_are_input(self):
        for bad in ("nowhere.safetensors", "/", "bfs"):
            with self.assertRaises(floydnet.InputError):
                floydnet.load(bad)
        with self.assertRaises(floydnet.InputError):
            nn.FloydNet.load("nowhere.safetensors")

    def test_configurations_that_the_cpp_library_refuses(self):
        wrong = {
            "dim": [0, 1.5, "8", True, 10**7, None], "order": [5, 2.0], "depth": [-1, 10**6 + 1],
            "ffn_ratio": [1025], "init_layers": [0, 101], "head_layers": [101],
            "node_categories": [3, "3", [0], [1.5], [True], None], "graph_reals": [-1],
            "norm_eps": [-1, 2, "x", NAN, None, True], "logit_cap": [-1, float("inf"), 10**400],
            "dropout": [0.9995, None], "attention_dropout": [1], "scale": [NAN, "x", float("inf")],
            "qk_norm": [1, "yes", None], "supernode": [0], "norm": [None, ["layernorm"]],
        }
        for key, values in wrong.items():
            for value in values:
                with self.subTest(key=key, value=value):
                    with self.assertRaisesRegex(floydnet.InputError, f'config: "{key}" is '):
                        nn.ModelConfig.from_dict({key: value})
        with self.assertRaisesRegex(floydnet.InputError, '"recompute" with "norm" "batchnorm"'):
            nn.ModelConfig(recompute=True, norm="batchnorm")
        config = nn.ModelConfig(dim=numpy.int64(8), scale=numpy.float32(0.5), node_categories=(2,))
        self.assertIn('"scale": 0.5', config.to_json())
        config.depth = 1.5
        with self.assertRaisesRegex(floydnet.InputError, '"depth" is 1.5'):
            config.to_json()

    def test_what_is_empty_is_no_misuse(self):
        self.assertEqual(floydnet.attention(q(2, 0, 4), q(2, 2, 0, 4), q(2, 2, 0, 4), []).numel(),
     0)
        self.assertEqual(packed(sizes=[0, 3]).shape, (2, 9, 4))
        self.assertFalse(wl.compare((0, []), (0, [])))
        self.assertEqual(counting.count((0, []), "cycle3")["cycle3"].graph, 0)
        self.assertEqual(tsp.solve([[0]]).length, 0)
        # Not a number in, not a number out; nothing hangs or crashes.
        self.assertTrue(torch.isnan(packed(q_=torch.full((2, 9, 4), NAN))).any())


if __name__ == "__main__":
    unittest.main()
