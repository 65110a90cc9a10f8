#!/usr/bin/env bash
# Runs the recipe for tours in the small, an interrupted run included: tsp_recipe.sh PROGRAM SOURCE_DIR
set -eu
export FLOYDNET=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  cat "$work"/runs/*.log
  exit 1
}
mkdir -p "$work/tsp"
cp "$2/recipes/tsp.sh" "$work"
for config in main scaling; do
  echo '{"model": {"dim": 8, "heads": 2, "depth": 1}, "train": {"steps": 2, "batch": 4},
    "data": {"sizes": [6, 7], "validation_size": 6, "validation_instances": 2, "test_sizes": [8],
    "test_instances": 2, "sampling_steps": 2}}' >"$work/tsp/$config.json"
done
recipe() {
  "$work/tsp.sh" -o "$work/runs" -s 2 -n 1 "$@"
}
recipe >"$work/out" || fail "the recipe failed"
grep -q 'judged/euclidean-unique.html' "$work/out" || fail "$(cat "$work/out")"
grep -q 'optimal of 10' "$work/runs/judged/explicit-none.json" || fail "no table"
grep -q '"steps": 50' "$work/runs/judged/steps-50.json" || fail "no samples of 50 steps"
[ -s "$work/runs/choices.html" ] || fail "no page of choices"
grep -q 'optimal against model.depth' "$work/runs/depth.html" || fail "no figure of depth"
grep -q 'optimal against data.instances' "$work/runs/data.html" || fail "no figure of data"
# As if one run had been interrupted before its end; the others are left alone.
rm "$work/runs/depth-2/results.json"
touch "$work/before"
recipe scaling || fail "an interrupted run was not resumed"
[ -s "$work/runs/depth-2/results.json" ] || fail "not resumed"
[ "$work/before" -nt "$work/runs/depth-4/results.json" ] || fail "a finished run was trained again"
code=0
recipe nonsense 2>"$work/error" || code=$?
[ $code -eq 2 ] && grep -q "'nonsense' is no part" "$work/error" || fail "nonsense was accepted"
