#!/usr/bin/env bash
# Runs the recipe for CLRS in the small, interrupted runs included: recipes.sh PROGRAM SOURCE_DIR
set -eu
export FLOYDNET=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  cat "$work"/runs/*.log
  exit 1
}
mkdir -p "$work/clrs"
cp "$2/recipes/clrs.sh" "$work"
for algorithm in bfs minimum; do
  echo '{"data": {"samples": 2, "validation_samples": 4, "train_lengths": [5]},
         "model": {"dim": 8, "heads": 2, "depth": 1}}' >"$work/clrs/$algorithm.json"
done
recipe() {
  "$work/clrs.sh" -m 0.002 -o "$work/runs" -w "$work/models/clrs" bfs minimum
}
recipe >"$work/first" || fail "the recipe failed"
[ "$(grep -c '"score": ' "$work/first")" -eq 2 ] || fail "scores of both: $(cat "$work/first")"
steps() { ls "$work/runs/bfs/checkpoints"; }
before=$(steps)
recipe >"$work/second" || fail "the recipe failed again"
cmp -s <(sort "$work/first") <(sort "$work/second") || fail "what was finished has changed"
# As if it had been interrupted before the end.
rm "$work/runs/bfs/results.json" "$work/models/clrs/bfs.safetensors"
recipe >"$work/third" || fail "an interrupted run was not gone on with"
[ -s "$work/runs/bfs/results.json" ] && [ "$(steps)" = "$before" ] || fail "it started anew"
"$FLOYDNET" report "$work/runs/bfs" "$work/runs/minimum" -o "$work/report.html" >"$work/report"
grep -q 'FloydNet offline' "$work/report.html" || fail "the report has no table of both"
FLOYDNET_MODELS=$work/models "$FLOYDNET" eval clrs --all --samples 2 |
  grep -qE '^ +bfs +[0-9.]+ ' || fail "the weights are not found"
