#!/usr/bin/python3
"""Pivotal Attention of this project beside the published formula in PyTorch, in one process.

Both sides run in turn; times are minima. The operator is that of the installed package, of
whichever PyTorch the Python has that runs this; where none is installed, that of the source tree,
which is built for Debian's.

    bench/compare_pytorch.py --seconds 1
    bench/compare_pytorch.py --nodes 32 --dim 16 --heads 4 --batch 8 --json
"""

import argparse
import dataclasses
import json
import os
import pathlib
import statistics
import sys
import time

import torch

try:
    import floydnet
except ImportError:
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
    import floydnet


@dataclasses.dataclass
class Case:
    k: int = 2
    batch: int = 1
    heads: int = 6
    dim: int = 64
    nodes: int = 64
    multiplicative: bool = False

    def name(self):
        words = [f"k{self.k}"] if self.k != 2 else []
        words += [f"B{self.batch}"] if self.batch != 1 else []
        words += [f"H{self.heads} d{self.dim} N{self.nodes}"]
        words += ["mult"] if self.multiplicative else []
        return " ".join(words)

    def einsum_bytes(self, backward):
        """Estimate of what the published formula holds beyond inputs, outputs and gradients."""
        scores = 4 * self.batch * self.heads * self.nodes ** (self.k + 1)
        if self.multiplicative:
            return (2 * self.k if backward else 2) * scores * self.dim
        return (self.k + (2 if backward else 1)) * scores


CASES = [Case(), Case(nodes=128), Case(nodes=256), Case(batch=4, heads=4, dim=16),
         Case(batch=32, heads=4, dim=16, nodes=16), Case(k=3, heads=4, dim=16, nodes=32),
         Case(k=4, heads=4, dim=16, nodes=16), Case(multiplicative=True)]


def einsum_attention(q, keys, values, multiplicative):
    """q, keys[r], values[r]: (H, B, N, ..., N, d); the pivot stands at coordinate r."""
    order = len(keys)
    target = "stuv"[:order]
    roles = ["xy" + target[:r] + "p" + target[r + 1:] + "d" for r in range(order)]
    state, score = f"xy{target}d", f"xy{target}p"

    def contracted(left, left_letters, tensors, result):
        if multiplicative:
            return torch.einsum(f"{left_letters},{','.join(roles)}->{result}", left, *tensors)
        return sum(torch.einsum(f"{left_letters},{role}->{result}", left, tensor)
                   for role, tensor in zip(roles, tensors))

    scores = contracted(q * q.shape[-1] ** -0.5, state, keys, score)
    return contracted(torch.softmax(scores, -1), score, values, state)


def sides_of(case):
    """Functions for the fused and the published form, each of which takes `backward`."""
    torch.manual_seed(1)
    rows = case.batch * case.nodes ** case.k
    q = torch.randn(case.heads, rows, case.dim, requires_grad=True)
    k, v = (torch.randn(case.k, case.heads, rows, case.dim, requires_grad=True) for _ in range(2))
    dout = torch.randn_like(q)
    shape = (case.heads, case.batch) + (case.nodes,) * case.k + (case.dim,)

    def leaf(tensor):
        return tensor.detach().view(shape).requires_grad_()

    dense_q = leaf(q)
    keys, values = [leaf(role) for role in k], [leaf(role) for role in v]
    sizes = [case.nodes] * case.batch

    def run(forward, leaves, gradient, backward):
        with torch.set_grad_enabled(backward):
            out = forward()
        return [out] + list(torch.autograd.grad(out, leaves, gradient) if backward else [])

    def fused(backward):
        return run(lambda: floydnet.attention(q, k, v, sizes, multiplicative=case.multiplicative),
                   [q, k, v], dout, backward)

    def published(backward):
        return run(lambda: einsum_attention(dense_q, keys, values, case.multiplicative),
                   [dense_q, *keys, *values], dout.view(shape), backward)

    return fused, published


def measure(sides, seconds, rounds=3, turn_seconds=0.01):
    """Times of each side, which run in turn; a short one repeats within its turn."""
    for side in sides:
        side()
    times = [[] for _ in sides]
    done = 0
    start = time.perf_counter()
    while done < rounds or time.perf_counter() - start < seconds:
        for own, side in zip(times, sides):
            turn_start = now = time.perf_counter()
            while True:
                run_start = now
                side()
                now = time.perf_counter()
                own.append(now - run_start)
                if now - turn_start >= turn_seconds:
                    break
        done += 1
    return times


def largest_difference(fused, published):
    """Relative to the largest output; gradients are compared in the same way."""
    ours = [fused[0]] + [fused[1]] + list(fused[2]) + list(fused[3]) if len(fused) > 1 else fused
    return max(float((a.reshape(-1) - b.reshape(-1)).abs().max() / b.abs().max())
               for a, b in zip(ours, published))


def compare(case, backward, options):
    fused, published = sides_of(case)
    fits = case.einsum_bytes(backward) <= options.memory_limit * 2**30
    sides = [lambda: fused(backward)] + ([lambda: published(backward)] if fits else [])
    difference = largest_difference(fused(backward), published(backward)) if fits else None
    times = measure(sides, options.seconds)
    ms = [1e3 * min(own) for own in times]
    return {"case": case.name(), "direction": "forward+backward" if backward else "forward",
            "ms": ms[0], "median_ms": 1e3 * statistics.median(times[0]),
            "einsum_ms": ms[1] if fits else None,
            "ratio_vs_einsum": ms[1] / ms[0] if fits else None, "largest_difference": difference,
            "threads": torch.get_num_threads(), "torch": torch.__version__}


def print_row(row):
    def cell(value, width, form):
        return f"{'-' if value is None else format(value, form):>{width}}"

    print(f"{row['case']:<24}{row['direction']:<17}" + cell(row["ms"], 10, ".3f") +
          cell(row["median_ms"], 10, ".3f") + cell(row["einsum_ms"], 11, ".3f") +
          cell(row["ratio_vs_einsum"], 11, ".2f") + cell(row["largest_difference"], 12, ".1e"),
          flush=True)


def count(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not at least 1")
    return value


def positive(text):
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def read_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--k", type=count, choices=range(1, 5), help="order of the tuples")
    for name in ("batch", "heads", "dim", "nodes"):
        parser.add_argument(f"--{name}", type=count, help="of a case of one's own")
    parser.add_argument("--multiplicative", action="store_true", default=None)
    parser.add_argument("--direction", choices=["forward", "forward+backward", "both"],
                        default="both")
    parser.add_argument("--seconds", type=positive, default=2, help="for each case and direction")
    parser.add_argument("--threads", type=count, default=os.cpu_count())
    parser.add_argument("--memory-limit", type=positive, default=2,
                        help="GB; larger baselines are left out")
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    return parser.parse_args()


def main():
    options = read_options()
    torch.set_num_threads(options.threads)
    own = {field.name: getattr(options, field.name) for field in dataclasses.fields(Case)
           if getattr(options, field.name) is not None}
    cases = [Case(**own)] if own else CASES
    directions = {"forward": [False], "forward+backward": [True], "both": [False, True]}
    rows = []
    if not options.json:
        print(f"PyTorch {torch.__version__}, {options.threads} threads\n")
        print(f"{'case':<24}{'direction':<17}{'ms':>10}{'median':>10}{'einsum ms':>11}"
              f"{'vs einsum':>11}{'difference':>12}", flush=True)
    for case in cases:
        for backward in directions[options.direction]:
            rows.append(compare(case, backward, options))
            if not options.json:
                print_row(rows[-1])
    if options.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
