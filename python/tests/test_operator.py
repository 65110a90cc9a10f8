"""The operator from Python: gradients, the published signature, dropout, messages."""

import math
import os
import unittest

import numpy
import torch

import floydnet


def random(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


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
        sizes = [2, 3]
        for order in (1, 2, 3, 4):
            rows = sum(n**order for n in sizes)
            if order == 4:
                sizes, rows = [2], 16
            q, k, v = random(2, rows, 2), random(order, 2, rows, 2), random(order, 2, rows, 2)
            bias = random(order, 1, rows)
            for multiplicative in (False, True):
                self.assertTrue(torch.autograd.gradcheck(
                    lambda *t: floydnet.attention(*t[:3], sizes, t[3], logit_cap=2.0,
                                                  multiplicative=multiplicative),
                    (q, k, v, bias)))

    def test_dense_with_unequal_lengths_and_mask(self):
        inputs = (random(2, 1, 2, 3, 2), random(2, 1, 2, 4, 2), random(2, 1, 4, 3, 2),
                  random(2, 1, 2, 4, 2), random(2, 1, 4, 3, 2), random(2, 1, 2, 1, 4))
        self.assertTrue(torch.autograd.gradcheck(floydnet.pivotal_attention, inputs))

    def test_triples(self):
        inputs = tuple(random(1, 1, 2, 2, 2, 2) for _ in range(7))
        self.assertTrue(torch.autograd.gradcheck(floydnet.pivotal_attention3, inputs))


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

    def test_manual_seed_governs_dropout(self):
        inputs = [random(1, 1, 4, 4, 4) for _ in range(5)]

        def run(seed):
            torch.manual_seed(seed)
            return floydnet.pivotal_attention(*inputs, dropout=0.5)

        self.assertTrue(torch.equal(run(1), run(1)))
        self.assertFalse(torch.equal(run(1), run(2)))


class Weights(unittest.TestCase):
    def test_rows_sum_to_one_over_real_pivots(self):
        sizes = [2, 3]
        q, k = random(2, 13, 4), random(2, 2, 13, 4)
        weights = floydnet.attention_weights(q, k, sizes, [0, 12])
        self.assertEqual(weights.shape, (2, 2, 3))
        numpy.testing.assert_allclose(weights.sum(-1).numpy(), 1, rtol=1e-14)
        self.assertEqual(weights[:, 0, 2].abs().max().item(), 0)


class Messages(unittest.TestCase):
    def test_wrong_shapes_are_named(self):
        with self.assertRaisesRegex(Exception, r"k has shape \[2, 1, 5, 3\], wanted \[2, 1, 4, 3\]"):
            floydnet.attention(random(1, 4, 3), random(2, 1, 5, 3), random(2, 1, 4, 3), [2])


class Readme(unittest.TestCase):
    def test_example_runs(self):
        path = os.path.join(os.path.dirname(__file__), "../../README.md")
        text = open(path, encoding="utf-8").read()
        code = text.split("```python\n")[1].split("```")[0]
        self.assertLessEqual(code.count("\n"), 14)
        exec(compile(code, "README.md", "exec"), {})


if __name__ == "__main__":
    unittest.main()
