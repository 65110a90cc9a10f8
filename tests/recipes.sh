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
small='"data": {"samples": 2, "validation_samples": 4, "train_lengths": [5]}'
model='"dim": 8, "heads": 2, "depth": 1'
echo "{$small, \"model\": {$model}}" >"$work/clrs/bfs.plain.json"
echo "{$small, \"model\": {$model, \"hints\": \"transitions\"}}" >"$work/clrs/bfs.transitions.json"
echo "{$small, \"model\": {$model}, \"train\": {\"cpu_minutes\": 0.001}}" >"$work/clrs/minimum.plain.json"
recipe() {
  "$work/clrs.sh" -m 0.002 -l 5,6 -o "$work/runs" "$@" bfs minimum
}
recipe -t -s 1 >"$work/trained" || fail "the recipe failed without the test"
grep -qE '^bfs: (plain|transitions), n=48 [0-9.]+$' "$work/trained" ||
  fail "the score at n = 48: $(cat "$work/trained")"
grep -qE '^\| bfs \| transitions \| [0-9.]+ \|$' "$work/runs/candidates.md" ||
  fail "$(cat "$work/runs/candidates.md")"
[ -z "$(find "$work/runs" -name test.json)" ] || fail "-t has looked at the test"
mkdir "$work/runs/bfs/chosen/seed-9"  # not judged yet
recipe -g -s "1 2" >"$work/first" || fail "the recipe failed"
grep -qE '^\| bfs \| [0-9.]+ \| [0-9.]+ \|$' "$work/runs/salsa.md" || fail "$(cat "$work/runs/salsa.md")"
grep -qE '^bfs: (plain|transitions), test [0-9.]+ [0-9.]+$' "$work/first" ||
  fail "scores of both seeds: $(cat "$work/first")"
grep -qE '^\| bfs \| [0-9.]+ \| [0-9.]+ ' "$work/runs/table.md" || fail "$(cat "$work/runs/table.md")"
grep -qE '^ *minimum +[0-9.]+ +[0-9.]+$' "$work/runs/lengths.txt" || fail "$(cat "$work/runs/lengths.txt")"
grep -q 'Graphs' "$work/runs/lengths.svg" || fail "no figure of lengths"
grep -q '"test_seed": 1002' "$work/runs/bfs/plain/seed-1/config.json" || fail "judged by the test"
chosen=$work/runs/bfs/chosen
steps() { ls "$chosen/seed-2/checkpoints"; }
before=$(steps)
recipe -g -s "1 2" >"$work/second" || fail "the recipe failed again"
cmp -s <(sort "$work/first") <(sort "$work/second") || fail "what was finished has changed"
# As if it had been interrupted before the end.
rm "$chosen/seed-2/results.json" "$chosen/seed-2/test.json" "$work/runs/weights/bfs.safetensors"
recipe -s "1 2" >"$work/third" || fail "an interrupted run was not resumed"
[ -s "$chosen/seed-2/results.json" ] && [ "$(steps)" = "$before" ] || fail "it started anew"
# As git keeps runs: without weights.
rm -r "$chosen/seed-2/checkpoints" "$chosen/seed-2/best.safetensors" "$chosen/seed-2/test.json"
recipe -s "1 2" >"$work/fourth" || fail "a record without weights was not trained again"
[ -s "$chosen/seed-2/test.json" ] && [ -s "$chosen/seed-2/best.safetensors" ] ||
  fail "it was not judged"
echo "data.finite_samples=3" >"$work/clrs/few.variant"
recipe -v few >"$work/few" || fail "a variant failed"
grep -qE '^bfs: (plain|transitions)-few, test [0-9.]+$' "$work/few" || fail "$(cat "$work/few")"
grep -q '"finite_samples": 3' "$(readlink -f "$chosen")-few/seed-1/config.json" ||
  fail "the variant's settings are not used"
grep -qE '^\| minimum \| [0-9.]+ \| [0-9.]+ \|' "$work/runs/few.md" || fail "$(cat "$work/runs/few.md")"
recipe -v many 2>"$work/many" && fail "a variant that there is not"
"$FLOYDNET" report "$chosen/seed-1" "$work/runs/minimum/chosen/seed-1" -o "$work/report.html" \
  >"$work/report"
mkdir -p "$work/models"
mv "$work/runs/weights" "$work/models/clrs"
FLOYDNET_MODELS=$work/models "$FLOYDNET" eval clrs --all --samples 2 |
  grep -qE '^ +bfs +[0-9.]+ ' || fail "the weights are not found"
