"""Modules: the published block's goldens, the C++ library's files and numbers, PyG."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import numpy
import torch

import floydnet
from floydnet import nn
from support import data, program


class PublishedBlock(unittest.TestCase):
    def test_goldens_of_the_published_block(self):
        cases = json.loads(data("reference/cases.json").read_text())
        blocks = {name: options for name, options in cases.items() if name.startswith("block_")}
        self.assertEqual(len(blocks), 4)
        for name, options in blocks.items():
            file = numpy.load(data(f"reference/{name}.npz"))
            double = file["in"].dtype == numpy.float64
            block = floydnet.PivotalAttentionBlock(**options).to(
                torch.float64 if double else torch.float32)
            block.load_state_dict({key[6:]: torch.from_numpy(file[key]) for key in file.files
                                   if key.startswith("param/")})
            x = torch.from_numpy(file["in"]).requires_grad_()
            out = block(x)
            tolerance = {"rtol": 1e-10, "atol": 1e-10} if double else {"rtol": 1e-4, "atol": 1e-4}
            numpy.testing.assert_allclose(out.detach().numpy(), file["out"], **tolerance)
            out.backward(torch.from_numpy(file["grad_out"]))
            numpy.testing.assert_allclose(x.grad.numpy(), file["grad_in"], **tolerance)
            for key, parameter in block.named_parameters():
                numpy.testing.assert_allclose(parameter.grad.numpy(), file[f"grad/{key}"],
                                              err_msg=f"{name} {key}", **tolerance)

    def test_usage_of_the_published_library_runs_as_it_is(self):
        # The package has the published one's name, so not even the import changes.
        from floydnet import PivotalAttentionBlock, pivotal_attention
        x = torch.randn(2, 8, 8, 16)
        block = PivotalAttentionBlock(embed_dim=16, num_heads=4, dropout=0.1)
        mask = torch.zeros(2, 1, 8, 8, 8, dtype=torch.bool)
        self.assertEqual(block(x, mask).shape, x.shape)
        q, k1, k2, v1, v2 = (torch.randn(2, 4, 8, 8, 4) for _ in range(5))
        self.assertEqual(pivotal_attention(q, k1, k2, v1, v2).shape, q.shape)
        with self.assertRaisesRegex(ValueError, "activation_fn is 'tanh', wanted one of relu"):
            PivotalAttentionBlock(16, 4, activation_fn="tanh")

    def test_a_given_norm_is_not_shared(self):
        block = floydnet.PivotalAttentionBlock(16, 4, norm_fn=torch.nn.LayerNorm(16))
        self.assertIsNot(block.norm1.weight, block.norm2.weight)

    def test_floydblock_is_the_same_block_with_other_names(self):
        published = floydnet.PivotalAttentionBlock(12, 3, activation_fn="gelu").double()
        for parameter in published.parameters():
            torch.nn.init.normal_(parameter, std=0.3)
        ours = nn.FloydBlock(dim=12, heads=3, symmetric_mix=True, ffn_scale=True,
                             scale=8**-0.5).double()
        state = published.state_dict()
        q, k_ij, k_jk, v_ij, v_jk = state["c_qkv.weight"].chunk(5)
        renamed = {"qkv.weight": torch.cat([q, k_jk, k_ij, v_jk, v_ij]),
                   "proj.weight": state["c_proj.weight"], "mix.weight": state["c_mix.weight"],
                   "up.weight": state["ffn.0.weight"], "down.weight": state["ffn.2.weight"],
                   "ffn_scale": state["ffn_scale"]}
        for norm in ("norm1", "norm2"):
            for part in ("weight", "bias"):
                renamed[f"{norm}.{part}"] = state[f"{norm}.{part}"]
        ours.load_state_dict(renamed)
        x = torch.randn(2, 5, 5, 12, dtype=torch.float64)
        difference = ours(x.view(-1, 12), [5, 5]).view_as(x) - published(x)
        self.assertLess(difference.abs().max().item(), 1e-12)


CONFIGS = [
    {"graph_outputs": 2, "node_outputs": 1, "pair_outputs": 3},
    {"graph_outputs": 1, "supernode": True, "readout": "supernode", "node_outputs": 2,
     "pair_outputs": 1, "norm": "rmsnorm", "qk_norm": True, "head_layers": 2},
    {"order": 1, "graph_outputs": 1, "node_outputs": 1, "readout": "mean"},
    {"order": 3, "dim": 16, "graph_outputs": 1, "node_outputs": 1, "pair_outputs": 1,
     "readout": "mean", "linear_bias": True},
    {"order": 1, "graph_outputs": 1, "node_outputs": 1, "readout": "diagonal"},
    {"graph_outputs": 2, "node_outputs": 1, "pair_outputs": 1, "readout": "diagonal",
     "supernode": True, "readout_nodes": 3.5},
    {"order": 3, "dim": 16, "graph_outputs": 1, "node_outputs": 1, "pair_outputs": 1,
     "readout": "sum", "readout_nodes": 3.5},
    {"norm_position": "post", "activation": "relu", "pair_outputs": 1, "logit_cap": 4.0,
     "composition": "multiplicative", "init_layers": 1},
    {"symmetric_mix": True, "ffn_scale": True, "norm": "affine", "graph_outputs": 1,
     "readout_edges_only": True, "activation": "silu"},
]


class Network(unittest.TestCase):
    def graphs(self):
        return ["Bw", "CF", "D?{", "Ch"]

    def test_says_what_the_cpp_library_says(self):
        floydnet_program = program()
        with tempfile.TemporaryDirectory() as folder:
            graphs = pathlib.Path(folder, "graphs.g6")
            graphs.write_text("".join(text + "\n" for text in self.graphs()))
            for config in CONFIGS:
                torch.manual_seed(3)
                model = nn.FloydNet(nn.ModelConfig(**{"dim": 32, "depth": 2,
                                                      "zero_residual": False, **config})).eval()
                path = str(pathlib.Path(folder, "model.safetensors"))
                model.save(path)
                output = pathlib.Path(folder, "predictions.npz")
                subprocess.run([floydnet_program, "predict", path, str(graphs), "-o", str(output)],
                               check=True, capture_output=True)
                wanted = numpy.load(output)
                with torch.no_grad():
                    predictions = model(nn.make_batch(self.graphs()))
                for name, tensor in predictions._asdict().items():
                    if tensor is None:
                        continue
                    numpy.testing.assert_allclose(
                        tensor.numpy(), wanted[name], rtol=2e-4, atol=2e-4,
                        err_msg=f"{config} {name}")

    def test_files_go_around(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/model.safetensors"
            model = nn.FloydNet(dim=16, depth=1, graph_outputs=1, norm="batchnorm").double().eval()
            model.save(path)
            loaded = floydnet.load(path)
            self.assertFalse(loaded.training)
            batch = nn.make_batch(self.graphs())
            self.assertTrue(torch.equal(loaded(batch).graph, model(batch).graph))
            with self.assertRaisesRegex((RuntimeError, ValueError), "safetensors"):
                pathlib.Path(path).write_bytes(b"nothing")
                floydnet.load(path)

    def test_recomputing_gives_the_same_numbers(self):
        def run(recompute):
            torch.manual_seed(4)
            model = nn.FloydNet(dim=16, depth=2, zero_residual=False, graph_outputs=1, dropout=0.2,
                                attention_dropout=0.2, symmetric_mix=True, recompute=recompute)
            kept = 0

            def count(tensor):
                nonlocal kept
                kept += tensor.numel()
                return tensor

            with torch.autograd.graph.saved_tensors_hooks(count, lambda tensor: tensor):
                out = model(nn.make_batch(self.graphs())).graph
            out.sum().backward()
            return out, [parameter.grad for parameter in model.parameters()], kept

        plain, recomputed = run(False), run(True)
        self.assertTrue(torch.equal(plain[0], recomputed[0]))
        for wanted, found in zip(plain[1], recomputed[1]):
            self.assertTrue(torch.equal(wanted, found))
        self.assertLess(recomputed[2], plain[2] / 2)

    def test_attention_alone_does_not_start_at_zero(self):
        states = torch.randn(9, 64)
        attention = nn.PivotalAttention(dim=64)
        self.assertGreater(attention(states, [3]).abs().max().item(), 0)
        block = nn.FloydBlock(dim=64)
        self.assertTrue(torch.equal(block(states, [3]), states))
        self.assertEqual(set(attention.state_dict()), {"qkv.weight", "proj.weight"})

    def test_noncontiguous_states(self):
        block = nn.FloydBlock(dim=16, symmetric_mix=True, zero_residual=False)
        states = torch.randn(16, 9).t()
        self.assertTrue(torch.allclose(block(states, [3]), block(states.contiguous(), [3])))

    def test_categories_of_graphs_reach_the_model(self):
        graphs = [floydnet.Graph(3, [(0, 1)], node_categories=[2, 0, 1]),
                  floydnet.Graph(1, node_categories=[1])]
        batch = nn.make_batch(graphs)
        self.assertEqual(batch.node_categories.tolist(), [[2], [0], [1], [1]])
        model = nn.FloydNet(dim=16, depth=1, node_categories=[3], node_outputs=1)
        self.assertEqual(tuple(model(batch).node.shape), (4, 1))

    def test_is_equivariant(self):
        model = nn.FloydNet(dim=16, depth=2, zero_residual=False, pair_outputs=2).double()
        matrix = numpy.triu(numpy.random.RandomState(1).rand(6, 6) < 0.5, 1)
        matrix = (matrix | matrix.T).astype(int)
        order = numpy.random.RandomState(2).permutation(6)
        with torch.no_grad():
            out = model(nn.make_batch([matrix])).pair.view(6, 6, 2)
            renamed = model(nn.make_batch([matrix[order][:, order]])).pair.view(6, 6, 2)
        self.assertLess((out[order][:, order] - renamed).abs().max().item(), 1e-10)

    def test_learns(self):
        torch.manual_seed(1)
        graphs = [numpy.triu(numpy.random.RandomState(s).rand(6, 6) < 0.5, 1) for s in range(16)]
        graphs = [(g | g.T).astype(int) for g in graphs]
        batch = nn.make_batch(graphs)
        degrees = torch.cat([torch.from_numpy(g.sum(1)).float() for g in graphs])
        model = nn.FloydNet(dim=16, depth=1, node_outputs=1)
        optimizer = torch.optim.Adam(model.parameters(), 0.01)
        for _ in range(150):
            optimizer.zero_grad()
            loss = (model(batch).node.squeeze(1) - degrees).square().mean()
            loss.backward()
            optimizer.step()
        self.assertLess(loss.item(), 0.1)

    def test_weights_sum_to_one(self):
        model = nn.FloydNet(dim=16, depth=2, zero_residual=False, graph_outputs=1)
        batch = nn.make_batch(self.graphs())
        rows = [model.layout(batch.sizes).row(1, (0, 2)), 0]
        for block in (-1, 0):
            weights = model.attention_weights(batch, rows, block)
            self.assertEqual(tuple(weights.shape), (4, 2, 5))
            numpy.testing.assert_allclose(weights.sum(-1).numpy(), 1, rtol=1e-5)


class Pyg(unittest.TestCase):
    def setUp(self):
        try:
            from torch_geometric.data import Batch, Data
        except ImportError as error:
            self.skipTest(f"torch_geometric is absent: {error}")
        self.Batch, self.Data = Batch, Data

    def test_there_and_back(self):
        one = self.Data(x=torch.tensor([[0], [2], [1]]), edge_index=torch.tensor([[0, 1], [1, 2]]),
                        edge_attr=torch.tensor([[1.5], [2.5]]))
        two = self.Data(x=torch.tensor([[1], [1]]), edge_index=torch.tensor([[1], [0]]),
                        edge_attr=torch.tensor([[-1.0]]))
        batch = self.Batch.from_data_list([one, two])
        packed = floydnet.pyg.to_packed(batch)
        self.assertEqual(packed.sizes, [3, 2])
        self.assertEqual(packed.adjacency.tolist(), [0, 1, 0, 0, 0, 1, 0, 0, 0] + [0, 0, 1, 0])
        model = nn.FloydNet(dim=16, depth=1, node_categories=[3], pair_reals=1, node_outputs=2,
                            pair_outputs=1)
        out = model(packed)
        back = floydnet.pyg.from_packed(packed, node=out.node, pair=out.pair)
        for name in ("x", "edge_index", "edge_attr", "batch"):
            self.assertTrue(torch.equal(getattr(back, name), getattr(batch, name)), name)
        self.assertEqual(tuple(back.node_out.shape), (5, 2))
        self.assertTrue(torch.equal(back.edge_out, out.pair[[1, 5, 9 + 2]]))

    def test_edges_keep_their_order(self):
        one = self.Data(num_nodes=3, edge_index=torch.tensor([[2, 0, 1, 0], [0, 2, 0, 1]]),
                        edge_attr=torch.tensor([4.0, 3.0, 2.0, 1.0]).unsqueeze(1))
        two = self.Data(num_nodes=2, edge_index=torch.tensor([[1, 0], [0, 1]]),
                        edge_attr=torch.tensor([[6.0], [5.0]]))
        batch = self.Batch.from_data_list([one, two])
        packed = floydnet.pyg.to_packed(batch)
        back = floydnet.pyg.from_packed(packed, pair=packed.pair_reals)
        self.assertEqual(back.edge_index.tolist(), batch.edge_index.tolist())
        self.assertEqual(back.edge_attr.tolist(), batch.edge_attr.tolist())
        self.assertEqual(back.edge_out.tolist(), batch.edge_attr.tolist())
        packed.edge_index = None
        self.assertEqual(floydnet.pyg.from_packed(packed).edge_index.tolist(),
                         [[0, 0, 1, 2, 3, 4], [1, 2, 0, 0, 4, 3]])

    def test_categories_of_edges_count_from_one(self):
        graph = self.Data(num_nodes=2, edge_index=torch.tensor([[0], [1]]),
                          edge_attr=torch.tensor([[0]]))
        packed = floydnet.pyg.to_packed(graph)
        self.assertEqual(packed.pair_categories.flatten().tolist(), [0, 1, 0, 0])
        self.assertEqual(floydnet.pyg.from_packed(packed).edge_attr.tolist(), [[0]])

    def test_refusals(self):
        twice = self.Data(num_nodes=2, edge_index=torch.tensor([[0, 0], [1, 1]]))
        with self.assertRaisesRegex(floydnet.InputError, "an edge twice"):
            floydnet.pyg.to_packed(twice)
        short = self.Data(num_nodes=2, edge_index=torch.tensor([[0], [1]]), x=torch.zeros(3, 1))
        with self.assertRaisesRegex(floydnet.InputError, r"x has shape \[3, 1\], wanted 2 rows"):
            floydnet.pyg.to_packed(short)
        packed = floydnet.pyg.to_packed(self.Data(num_nodes=2, edge_index=torch.tensor([[0], [1]])))
        with self.assertRaisesRegex(floydnet.InputError, "node has shape .*, wanted 2 rows"):
            floydnet.pyg.from_packed(packed, node=torch.zeros(5, 1))
        far = self.Data(num_nodes=2, edge_index=torch.tensor([[0], [2]]))
        with self.assertRaisesRegex(floydnet.InputError, "wanted 0 to 1"):
            floydnet.pyg.to_packed(far)


if __name__ == "__main__":
    unittest.main()
