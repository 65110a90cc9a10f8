#!/usr/bin/env bash
# Runs the recipe for sets of molecules in the small, an interrupted run included:
# graphs_recipe.sh PROGRAM SOURCE_DIR
set -eu
export FLOYDNET=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  cat "$work"/runs/*/*.log
  exit 1
}
mkdir -p "$work/graphs"
cp "$2/recipes/graphs.sh" "$work"
for config in "$2"/recipes/graphs/*.json; do
  echo '{"model": {"dim": 8, "heads": 2, "depth": 1}, "train": {"steps": 2, "batch": 4}}' \
    >"$work/graphs/$(basename "$config")"
done
# Folders of paths with 2 to 13 nodes, as OGB has them.
for name in molesol molfreesolv; do
  ogb=$work/data/ogb/ogbg_$name
  mkdir -p "$ogb/raw" "$ogb/split/scaffold" "$ogb/mapping"
  for nodes in {2..13}; do
    echo "$nodes" >&3
    echo $((nodes - 1)) >&4
    for ((i = 0; i < nodes; ++i)); do echo 5,0,4,5,2,0,2,0,0; done >&5
    for ((i = 1; i < nodes; ++i)); do echo "$((i - 1)),$i" >&6; echo 0,0,0 >&7; done
    echo "-0.$nodes" >&8
  done 3>"$ogb/raw/num-node-list.csv" 4>"$ogb/raw/num-edge-list.csv" 5>"$ogb/raw/node-feat.csv" \
    6>"$ogb/raw/edge.csv" 7>"$ogb/raw/edge-feat.csv" 8>"$ogb/raw/graph-label.csv"
  seq 0 7 >"$ogb/split/scaffold/train.csv"
  seq 8 9 >"$ogb/split/scaffold/valid.csv"
  seq 10 11 >"$ogb/split/scaffold/test.csv"
  { echo y,smiles,mol_id && for i in {1..12}; do echo "0,C,$i"; done; } >"$ogb/mapping/mol.csv"
  gzip "$ogb"/*/*.csv "$ogb"/split/scaffold/*.csv
done
recipe() {
  "$work/graphs.sh" -d "$work/data" -s "$work/sets" -o "$work/runs" -e "1 2" "$@"
}
recipe molesol molfreesolv report >"$work/out" || fail "the recipe failed"
for run in molesol/seed-{1,2} molfreesolv/seed-{1,2}; do
  grep -q '"test"' "$work/runs/$run/results.json" || fail "$run: no test split"
done
grep -q 'molfreesolv/seed-2: finished' "$work/out" || fail "$(cat "$work/out")"
grep -q 'seed-2' "$work/runs/report.html" || fail "no page"
# As if one run had been interrupted before its end; the others are left alone.
rm "$work/runs/molesol/seed-2/results.json"
touch "$work/before"
recipe molesol >/dev/null || fail "an interrupted run was not resumed"
[ -s "$work/runs/molesol/seed-2/results.json" ] || fail "not resumed"
[ "$work/before" -nt "$work/runs/molesol/seed-1/results.json" ] ||
  fail "a finished run was trained again"
code=0
recipe nonsense 2>"$work/error" || code=$?
[ $code -eq 2 ] && grep -q "'nonsense' is no part" "$work/error" || fail "nonsense was accepted"
code=0
recipe zinc 2>"$work/error" || code=$?
[ $code -eq 1 ] && grep -q "zinc/jtvae_smiles/train.txt: no such file" "$work/error" ||
  fail "a missing source was not named"
