#!/usr/bin/env bash
# The worked example of docs/adding-a-task.md, built into a program of its own: example.sh PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
"$program" train --help | grep -q 'common_neighbours .*Count the neighbours' || fail "train --help does not have it"
"$program" train common_neighbours --nodes 6 --steps 120 --set train.evaluate_every=60 --threads 1 --out "$work/run" \
  >/dev/null 2>"$work/log" || fail "training: $(cat "$work/log")"
"$program" eval "$work/run" --json >"$work/eval.json"
python3 - "$work" <<'PYTHON' || fail "it has learned nothing"
import json, sys
results = json.load(open(f"{sys.argv[1]}/run/results.json"))["splits"]
again = json.load(open(f"{sys.argv[1]}/eval.json"))
print(f"mean absolute errors: {results}")
assert results["validation"]["mae"] < 0.4, results
assert abs(again["test"]["mae"] - results["test"]["mae"]) < 1e-6, (again, results)
PYTHON
"$program" report "$work/run" -o "$work/report.html" | grep -q '1 run' || fail "no report"
"$program" train common_neighbours --nodes 1 --out "$work/x" 2>"$work/log" && fail "one node was accepted"
grep -q 'nodes 1: data: "nodes" is 1, wanted integer, 2 to 200' "$work/log" || fail "$(cat "$work/log")"
