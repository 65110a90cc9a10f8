#!/usr/bin/env python3
"""CLRS data of this project beside the official package (pip install dm-clrs), in one process.

Both sides make the same samples, which are compared, in turn; rates are the best of all turns.

    bench/compare_clrs.py
    bench/compare_clrs.py --algorithms bfs,quicksort --length 64 --seconds 2
"""

import argparse
import os
import pathlib
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy

try:
    import floydnet
except ImportError:
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
    import floydnet

DEFAULT = "bfs,dijkstra,floyd_warshall,insertion_sort,kmp_matcher,optimal_bst,graham_scan"


def official_sampler(clrs, name, length, seed):
    sampler, _ = clrs.build_sampler(name, seed=seed, num_samples=-1, length=length)
    return sampler


def same(ours, theirs):
    """Whether inputs and outputs are equal to the last bit."""
    pairs = [(ours.inputs, theirs.features.inputs), (ours.outputs, theirs.outputs)]
    return all(numpy.array_equal(own[probe.name], probe.data)
               for own, probes in pairs for probe in probes)


def rate(make, batch, seconds):
    """Samples per second, the best of several turns."""
    best, end = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        make(batch)
        best = max(best, batch / (time.perf_counter() - start))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algorithms", default=DEFAULT, help="with commas between them")
    parser.add_argument("--length", type=int, default=16)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=1, help="a side and algorithm")
    options = parser.parse_args()
    try:
        import clrs
    except ImportError as error:
        sys.exit(f"compare_clrs.py: the official package is absent ({error}); pip install dm-clrs")
    print(f"CLRS data, length {options.length}, batches of {options.batch}, with hints; "
          f"dm-clrs {clrs.__version__}, NumPy {numpy.__version__}\n")
    print(f"{'algorithm':<24}{'floydnet/s':>12}{'dm-clrs/s':>12}{'ratio':>8}  same", flush=True)
    for name in options.algorithms.split(","):
        ours = floydnet.clrs.samples(name, length=options.length, seed=1)
        theirs = official_sampler(clrs, name, options.length, 1)
        for _ in range(10):
            ours.next(100)  # which the official sampler has drawn to estimate how long hints get
        equal = same(ours.next(options.batch), theirs.next(options.batch))
        rates = [rate(side.next, options.batch, options.seconds) for side in (ours, theirs)]
        print(f"{name:<24}{rates[0]:>12.0f}{rates[1]:>12.0f}{rates[0] / rates[1]:>8.1f}  "
              f"{'yes' if equal else 'NO'}", flush=True)


if __name__ == "__main__":
    main()
