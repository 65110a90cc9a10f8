"""The operator by PyTorch's rules: gradients, fake kernels, compile, autocast, vmap, dropout."""

import math
import unittest

import numpy
import torch

import floydnet
from support import data, version

TORCH = version(torch)


def random(*shape, dtype=torch.float64):
    return torch.randn(*shape, dtype=dtype, requires_grad=True)


def packed(order, sizes, heads=2, dim=2, dtype=torch.float64, bias=True):
    rows = sum(n**order for n in sizes)
    tensors = (random(heads, rows, dim, dtype=dtype), random(order, heads, rows, dim, dtype=dtype),
               random(order, heads, rows, dim, dtype=dtype))
    return tensors + ((random(order, 1, rows, dtype=dtype),) if bias else ())


def published_formula(q_ik, k_ij, k_jk, v_ij, v_jk, mask=None, scale=None):
    scale = scale or 1 / math.sqrt(2 * q_ik.shape[-1])
    scores = scale * (torch.einsum("bhikd,bhijd->bhikj", q_ik, k_ij)
                      + torch.einsum("bhikd,bhjkd->bhikj", q_ik, k_jk))
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9) if mask.dtype == torch.bool else scores + mask
    weights = scores.softmax(-1)
    return (torch.einsum("bhikj,bhijd->bhikd", weights, v_ij)
            + torch.einsum("bhikj,bhjkd->bhikd", weights, v_jk))


class Gradients(unittest.TestCase):
    def test_packed_for_every_order(self):
        for order, sizes in ((1, [2, 3]), (2, [2, 3]), (3, [2, 3]), (4, [2])):
            inputs = packed(order, sizes)
            for multiplicative in (False, True):
                for cap, dropout in ((0.0, 0.0), (2.0, 0.0), (0.0, 0.3)):
                    self.assertTrue(torch.autograd.gradcheck(
                        lambda *t: floydnet.attention(*t[:3], sizes, t[3], logit_cap=cap,
                                                      dropout=dropout, seed=5,
                                                      multiplicative=multiplicative), inputs))
            print(f"pivotal_attention, order {order}: gradcheck ok")

    def test_dense_for_every_order(self):
        for order in (1, 2, 3, 4):
            lengths = [2, 3, 2, 1][:order]
            pivots = 2
            q = random(1, 2, *lengths, 2)
            roles = [random(1, 2, *lengths[:r], pivots, *lengths[r + 1:], 2)
                     for _ in range(2) for r in range(order)]
            mask = random(*lengths, pivots)
            self.assertTrue(torch.autograd.gradcheck(
                lambda q, mask, *roles: floydnet.attention_dense(
                    q, roles[:order], roles[order:], mask, logit_cap=1.5, dropout=0.3, seed=5),
                (q, mask, *roles)))
            print(f"pivotal_attention_dense, order {order}: gradcheck ok")

    def test_published_with_unequal_lengths_and_mask(self):
        inputs = (random(2, 1, 2, 3, 2), random(2, 1, 2, 4, 2), random(2, 1, 4, 3, 2),
                  random(2, 1, 2, 4, 2), random(2, 1, 4, 3, 2), random(2, 1, 2, 1, 4))
        self.assertTrue(torch.autograd.gradcheck(floydnet.pivotal_attention, inputs))
        inputs = tuple(random(1, 1, 2, 2, 2, 2) for _ in range(7))
        self.assertTrue(torch.autograd.gradcheck(floydnet.pivotal_attention3, inputs))
        print("published pivotal_attention, pivotal_attention3: gradcheck ok")

    def test_some_gradients_only(self):
        q, k, v, bias = packed(2, [3])
        wanted = torch.autograd.grad(floydnet.attention(q, k, v, [3], bias).sum(), [q, k, v, bias])
        for i, tensor in enumerate((q, k, v, bias)):
            others = [t.detach() for t in (q, k, v, bias)]
            others[i] = tensor
            found, = torch.autograd.grad(
                floydnet.attention(*others[:3], [3], others[3]).sum(), [tensor])
            self.assertTrue(torch.equal(found, wanted[i]))

    def test_second_derivatives_are_refused(self):
        q, k, v = packed(2, [3], bias=False)
        with self.assertRaisesRegex((RuntimeError, ValueError), "second derivatives"):
            torch.autograd.grad(floydnet.attention(q, k, v, [3]).sum(), q, create_graph=True)


class PublishedSignature(unittest.TestCase):
    def test_pairs_equal_the_formula(self):
        inputs = [random(2, 3, 5, 5, 4) for _ in range(5)]
        masks = [None, torch.rand(2, 1, 5, 5, 5) < 0.3, torch.randn(5, dtype=torch.float64)]
        for mask in masks:
            found = floydnet.pivotal_attention(*inputs, attn_mask=mask)
            self.assertLess((found - published_formula(*inputs, mask)).abs().max().item(), 1e-13)

    def test_noncontiguous_inputs(self):
        inputs = [random(2, 5, 5, 3, 4).permute(0, 3, 1, 2, 4) for _ in range(5)]
        found = floydnet.pivotal_attention(*inputs, scale=0.3)
        wanted = published_formula(*inputs, scale=0.3)
        self.assertLess((found - wanted).abs().max().item(), 1e-13)
        strided = [random(2, 6, 13, 8)[..., ::2] for _ in range(2)]
        q = random(6, 13, 8)[..., ::2]
        found = floydnet.attention(q, *strided, [2, 3])
        wanted = floydnet.attention(q.contiguous(), *[s.contiguous() for s in strided], [2, 3])
        self.assertTrue(torch.equal(found, wanted))

    def test_manual_seed_governs_dropout(self):
        inputs = [random(1, 1, 4, 4, 4) for _ in range(5)]

        def run(seed):
            torch.manual_seed(seed)
            return floydnet.pivotal_attention(*inputs, dropout=0.5)

        self.assertTrue(torch.equal(run(1), run(1)))
        self.assertFalse(torch.equal(run(1), run(2)))

    def test_goldens_of_the_published_library(self):
        import json
        cases = json.loads(data("reference/cases.json").read_text())
        names = {"pa2": ["q_ik", "k_ij", "k_jk", "v_ij", "v_jk"],
                 "pa3": ["q_ijk", "k_pjk", "k_ipk", "k_ijp", "v_pjk", "v_ipk", "v_ijp"]}
        checked = 0
        for case, options in cases.items():
            if case[:3] not in names:
                continue
            file = numpy.load(data(f"reference/{case}.npz"))
            given = [key[3:] for key in file.files if key.startswith("in_")]
            order = [name for name in names[case[:3]] if name in given] or given
            inputs = [torch.from_numpy(file[f"in_{name}"]).requires_grad_() for name in order]
            mask = torch.from_numpy(file["attn_mask"]) if "attn_mask" in file.files else None
            function = getattr(floydnet, "pivotal_attention" + ("3" if case[2] == "3" else ""))
            out = function(*inputs, attn_mask=mask, scale=options["scale"],
                           softmax_cap=options["softmax_cap"])
            tolerance = 1e-12 if options["dtype"] == "float64" else 2e-5
            numpy.testing.assert_allclose(out.detach().numpy(), file["out"], rtol=tolerance,
                                          atol=tolerance)
            grads = torch.autograd.grad(out, inputs, torch.from_numpy(file["grad_out"]))
            for name, grad in zip(order, grads):
                numpy.testing.assert_allclose(grad.numpy(), file[f"grad_{name}"], rtol=tolerance,
                                              atol=10 * tolerance, err_msg=f"{case} {name}")
            checked += 1
        self.assertEqual(checked, 8)


class Weights(unittest.TestCase):
    def test_rows_sum_to_one_over_real_pivots(self):
        sizes = [2, 3]
        q, k = random(2, 13, 4), random(2, 2, 13, 4)
        weights = floydnet.attention_weights(q, k, sizes, [0, 12])
        self.assertEqual(weights.shape, (2, 2, 3))
        numpy.testing.assert_allclose(weights.sum(-1).numpy(), 1, rtol=1e-14)
        self.assertEqual(weights[:, 0, 2].abs().max().item(), 0)


class FakeTensors(unittest.TestCase):
    def test_meta_tensors_have_the_right_shapes(self):
        q, k, v, bias = (t.detach().to("meta") for t in packed(2, [2, 3]))
        self.assertEqual(floydnet.attention(q, k, v, [2, 3], bias).shape, q.shape)
        dense = [torch.empty(1, 2, 3, 3, 4, device="meta") for _ in range(5)]
        self.assertEqual(floydnet.pivotal_attention(*dense).shape, dense[0].shape)
        weights = floydnet.attention_weights(q, k, [2, 3], [0, 12])
        self.assertEqual(tuple(weights.shape), (2, 2, 3))

    @unittest.skipUnless(hasattr(torch.library, "opcheck"), "torch.library.opcheck is of 2.4")
    def test_opcheck(self):
        for order, sizes in ((1, [3, 4]), (2, [3, 4]), (3, [2, 3]), (4, [2, 1])):
            for dtype in (torch.float32, torch.float64):
                for bias in (False, True):
                    inputs = packed(order, sizes, dtype=dtype, bias=bias)
                    given = (*inputs[:3], sizes, inputs[3] if bias else None)
                    for options in ({}, {"multiplicative": True, "logit_cap": 3.0},
                                    {"dropout": 0.25, "seed": torch.tensor(7)}):
                        results = torch.library.opcheck(
                            torch.ops.floydnet.pivotal_attention.default, given, options)
                        self.assertEqual(set(results.values()), {"SUCCESS"})
        print("opcheck pivotal_attention:", results)
        for order in (1, 2, 3, 4):
            shape = (1, 2, *[2] * order, 4)
            q, *roles = (random(*shape, dtype=torch.float32) for _ in range(1 + 2 * order))
            masks = [None, random(*shape[2:-1], 2, dtype=torch.float32),
                     torch.rand(*shape[:-1], 2) < 0.2]
            for mask in masks:
                results = torch.library.opcheck(
                    torch.ops.floydnet.pivotal_attention_dense.default,
                    (q, roles[:order], roles[order:], mask, -1e9), {"scale": 0.4})
                self.assertEqual(set(results.values()), {"SUCCESS"})
        print("opcheck pivotal_attention_dense:", results)
        q, k, _ = packed(2, [2, 3], bias=False)
        results = torch.library.opcheck(torch.ops.floydnet.attention_weights.default,
                                        (q.detach(), k.detach(), [2, 3], [0, 5]))
        self.assertEqual(set(results.values()), {"SUCCESS"})
        print("opcheck attention_weights:", results)


@unittest.skipUnless(hasattr(torch, "compile"), "torch.compile is of 2.0")
class Compiled(unittest.TestCase):
    def check(self, function, inputs):
        """Outputs and gradients are the same with and without compiling."""
        import torch._dynamo
        torch._dynamo.reset()
        compiled = torch.compile(function, fullgraph=True)
        out, wanted = compiled(*inputs), function(*inputs)
        difference = (out - wanted).abs().max().item()
        self.assertLess(difference, 1e-5)
        gradient = torch.randn_like(wanted)
        leaves = [t for t in inputs if t.requires_grad]
        for found, known in zip(torch.autograd.grad(out, leaves, gradient),
                                torch.autograd.grad(wanted, leaves, gradient)):
            difference = max(difference, (found - known).abs().max().item())
        self.assertLess(difference, 1e-5)
        return difference

    def test_fullgraph_gives_the_same_numbers(self):
        differences = []
        for order, sizes in ((1, [5, 4]), (2, [3, 4]), (3, [3, 2]), (4, [2, 2])):
            for options in ({}, {"logit_cap": 2.0, "multiplicative": True},
                            {"dropout": 0.2, "seed": 3}):
                inputs = packed(order, sizes, dim=4, dtype=torch.float32)
                differences.append(self.check(
                    lambda q, k, v, bias: torch.relu(floydnet.attention(
                        2 * q, k, v, sizes, bias, **options)), inputs))
        inputs = [random(2, 2, 4, 4, 8, dtype=torch.float32) for _ in range(5)]
        differences.append(self.check(floydnet.pivotal_attention, inputs))
        print(f"torch.compile(fullgraph=True): largest difference {max(differences):.1e} "
              f"in {len(differences)} cases")

    def test_dropout_differs_in_every_call(self):
        import torch._dynamo
        sizes = [3, 4]
        inputs = [t.detach() for t in packed(2, sizes, dim=4, dtype=torch.float32)]
        dense = [torch.randn(1, 2, 4, 4, 4) for _ in range(5)]
        q, k, v, bias = inputs
        v.requires_grad_()
        dense[3].requires_grad_()
        functions = [
            (lambda: floydnet.attention(q, k, v, sizes, bias, dropout=0.5), [v]),
            (lambda: floydnet.pivotal_attention(*dense, dropout=0.5), [dense[3]]),
        ]
        for function, leaves in functions:
            torch._dynamo.reset()
            both = torch.compile(lambda: (function(), function()), fullgraph=True)
            torch.manual_seed(1)
            first, second = both()
            self.assertFalse(torch.equal(first, second))
            other, _ = both()
            self.assertFalse(torch.equal(first, other))
            torch.manual_seed(1)
            self.assertTrue(torch.equal(both()[0], first))

    def test_backward_of_dropout_is_of_its_forward(self):
        import torch._dynamo
        torch._dynamo.reset()
        sizes = [3, 4]
        q, k, v = packed(2, sizes, dim=4, bias=False)
        compiled = torch.compile(lambda: floydnet.attention(q, k, v, sizes, dropout=0.5),
                                 fullgraph=True)
        out = compiled()
        gradient, = torch.autograd.grad(out.sum(), v)
        # The result is linear in v.
        self.assertAlmostEqual((gradient * v).sum().item(), out.sum().item(), places=10)

    def test_a_block_compiles(self):
        block = floydnet.nn.FloydBlock(dim=16, heads=2, zero_residual=False)
        states = random(25, 16, dtype=torch.float32)
        self.check(lambda x: block(x, [3, 4]), [states])


class Autocast(unittest.TestCase):
    def test_bfloat16_in_float32_inside(self):
        tensors = packed(2, [3, 4], dim=8, dtype=torch.float32)
        narrow = [t.detach().bfloat16().requires_grad_() for t in tensors]
        wide = [t.detach().float().requires_grad_() for t in narrow]
        wanted = floydnet.attention(*wide[:3], [3, 4], wide[3])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = floydnet.attention(*narrow[:3], [3, 4], narrow[3])
        self.assertEqual(found.dtype, torch.bfloat16)
        self.assertTrue(torch.equal(found, wanted.bfloat16()))  # rounded once, at the end
        gradient = torch.randn_like(wanted).bfloat16()
        for a, b in zip(torch.autograd.grad(found, narrow, gradient),
                        torch.autograd.grad(wanted, wide, gradient.float())):
            self.assertEqual(a.dtype, torch.bfloat16)
            self.assertTrue(torch.equal(a, b.bfloat16()))
        dense = [t.detach().bfloat16() for t in (random(1, 2, 3, 3, 4) for _ in range(5))]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = floydnet.pivotal_attention(*dense)
        self.assertTrue(torch.equal(
            found, floydnet.pivotal_attention(*[t.float() for t in dense]).bfloat16()))
        print("autocast: bfloat16 in and out, float32 inside")

    def test_a_block_under_autocast(self):
        block = floydnet.nn.FloydBlock(dim=16, heads=2, zero_residual=False)
        states = random(25, 16, dtype=torch.float32)
        wanted = block(states, [3, 4])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = block(states, [3, 4])
        self.assertLess((found - wanted).abs().max().item(), 0.1)

    def test_without_autocast_narrow_numbers_are_refused(self):
        q, k, v = (t.detach().bfloat16() for t in packed(2, [3], bias=False))
        with self.assertRaisesRegex((RuntimeError, ValueError), "BFloat16, wanted float32"):
            floydnet.attention(q, k, v, [3])


class Vmap(unittest.TestCase):
    def test_is_refused_clearly(self):
        vmap = getattr(torch, "vmap", None) or __import__("functorch").vmap
        if TORCH < (2, 0):
            try:
                from functorch import vmap
            except ImportError:
                self.skipTest("functorch is absent")
        q, k, v = (t.detach() for t in packed(2, [3], bias=False))
        with self.assertRaisesRegex((RuntimeError, ValueError), "vmap is not supported; pass"):
            vmap(lambda q: floydnet.attention(q, k, v, [3]))(torch.stack([q, q]))


class Modes(unittest.TestCase):
    def test_inference_mode_and_no_grad(self):
        q, k, v, bias = packed(2, [3, 4])
        wanted = floydnet.attention(q, k, v, [3, 4], bias)
        self.assertTrue(wanted.requires_grad)
        with torch.no_grad():
            found = floydnet.attention(q, k, v, [3, 4], bias)
        self.assertFalse(found.requires_grad)
        self.assertTrue(torch.equal(found, wanted))
        with torch.inference_mode():
            self.assertTrue(torch.equal(floydnet.attention(q, k, v, [3, 4], bias), wanted))


if __name__ == "__main__":
    unittest.main()
