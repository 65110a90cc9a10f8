#!/usr/bin/env bash
# Trains, chooses and judges models for the 30 algorithms of CLRS, some at a time with one thread
# each, and writes a table. Can be interrupted and started again: what is finished is left alone,
# what was interrupted is resumed.
#
#   recipes/clrs.sh [-m MINUTES] [-s SEEDS] [-j JOBS] [-o RUNS] [-w WEIGHTS] [-l LENGTHS] [-g]
#                   [-t] [-v VARIANT] [ALGORITHM...]
#
# -m  CPU time of a run, where its settings name none (default 6), -s  seeds (default "1 2 3")
# -j  how many algorithms at a time (default 2), -o  folder of the runs (default runs/clrs)
# -w  folder for the weights with the first seed (default RUNS/weights)
# -l  lengths, such as 16,32,64,128,256, at which 16 samples judge the first seed, too: RUNS/lengths.svg
# -g  16 of SALSA's graphs, with n = 160, judge the first seed of bfs, dfs, dijkstra and mst_prim, too:
#     RUNS/salsa.md
# -t  train and choose only: the official test is not looked at
# -v  instead of all that: what another setting would give. Runs of the first seed, made as the chosen
#     ones but for the settings in recipes/clrs/VARIANT.variant, are judged and put beside them in
#     RUNS/VARIANT.md. Variants: offline (the official 1000 training samples) and published-features
#     (without those that the published encoders do not have)
#
# For each algorithm, in RUNS/ALGORITHM:
#   1. Every candidate, recipes/clrs/ALGORITHM.CANDIDATE.json, is trained with the first seed; an
#      algorithm without candidates has one, the defaults. Weights are chosen by samples with n = 32,
#      candidates by samples with n = 48, from seeds that no official split has.
#   2. The chosen one is trained with the other seeds.
#   3. All its seeds are judged by the official test split: test.json, made once.
# RUNS/table.md has all that is finished, RUNS/candidates.md what was chosen from. FLOYDNET names the
# program (default build/release/bin/floydnet).
#
# recipes/clrs.sh -o results/clrs -w models/clrs puts the runs where git keeps their configurations and
# scores, and the weights among those that come with the program: finished algorithms are left alone
# on another machine, too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${FLOYDNET:-$here/../build/release/bin/floydnet}
minutes=6 seeds="1 2 3" jobs=2 runs=runs/clrs weights= lengths= salsa= judges=yes variant=

usage() {
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
}
while getopts m:s:j:o:w:l:v:gth option; do
  case $option in
    m) minutes=$OPTARG ;;
    s) seeds=$OPTARG ;;
    j) jobs=$OPTARG ;;
    o) runs=$OPTARG ;;
    w) weights=$OPTARG ;;
    l) lengths=$OPTARG ;;
    g) salsa=yes ;;
    t) judges= ;;
    v) variant=$OPTARG ;;
    h) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ -x "$program" ] || { echo "clrs.sh: $program: no such program; build it, or set FLOYDNET" >&2; exit 1; }
[ -z "$variant" ] || [ -e "$here/clrs/$variant.variant" ] ||
  { echo "clrs.sh: -v $variant: no such variant" >&2; exit 2; }
if [ $# -eq 0 ]; then
  mapfile -t all < <("$program" data clrs --list | grep -oE '^[a-z_]+')
  set -- "${all[@]}"
fi
weights=${weights:-$runs/weights}
mkdir -p "$runs" "$weights"

# train ALGORITHM CANDIDATE SEED [VARIANT]: one run, from wherever it stands.
train() {
  local run=$runs/$1/$2${4+-$4}/seed-$3 setting
  if [ -e "$run/results.json" ]; then
    return
  elif [ -e "$run/checkpoints" ]; then
    "$program" train --resume "$run" --threads 1
  else
    local file=$here/clrs/$1.$2.json settings=()
    [ ! -e "$file" ] || settings=(--config "$file")
    grep -qs '"cpu_minutes"' "$file" || settings+=(--set train.cpu_minutes="$minutes")
    grep -qs '"evaluate_every"' "$file" || settings+=(--set train.evaluate_every=500)
    for setting in ${4+$(cat "$here/clrs/$4.variant")}; do settings+=(--set "$setting"); done
    rm -rf "$run"  # a record of an unfinished run, without its checkpoints
    "$program" train clrs --algorithm "$1" "${settings[@]}" --seed "$3" --threads 1 --out "$run" \
      --set data.validation_length=32 --set data.validation_seed=1001 \
      --set data.lengths=48 --set data.test_seed=1002 --set data.samples=64
  fi
}

# score_at SPLIT FILE [NAME]: the score, or the metric NAME
score_at() {
  grep -A6 "\"$1\"" "$2" | grep -m1 -oE "\"${3-score}\": [0-9.e+-]+" | cut -d' ' -f2
}

# choose ALGORITHM CANDIDATE...: the one with the best score at n = 48.
choose() {
  local algorithm=$1 candidate
  shift
  for candidate in "$@"; do
    echo "$(score_at n=48 "$runs/$algorithm/$candidate/seed-${seeds%% *}/results.json") $candidate"
  done | sort -s -k1,1 -gr | head -n 1 | cut -d' ' -f2
}

# judge ALGORITHM CANDIDATE SEED [VARIANT]: by the official test split, once. Records that came
# without their weights are of no use then: the run is repeated.
judge() {
  local run=$runs/$1/$2${4+-$4}/seed-$3
  [ -e "$run/test.json" ] && return
  if [ ! -e "$run/best.safetensors" ]; then
    rm "$run/results.json"
    train "$@"
  fi
  "$program" eval "$run" --lengths 64 --samples 0 --set data.test_seed=3 --threads 1 --json \
    >"$run/.test.json"
  mv "$run/.test.json" "$run/test.json"
}

# judge_lengths RUN WEIGHTS
judge_lengths() {
  [ -z "$lengths" ] || [ -e "$1/lengths.json" ] && return
  "$program" eval "$2" --lengths "$lengths" --samples 16 --set data.test_seed=3 --threads 1 --json \
    >"$1/.lengths.json"
  mv "$1/.lengths.json" "$1/lengths.json"
}

# judge_salsa ALGORITHM RUN WEIGHTS
judge_salsa() {
  case $1 in bfs | dfs | dijkstra | mst_prim) ;; *) return 0 ;; esac
  [ -z "$salsa" ] || [ -e "$2/salsa.json" ] && return
  "$program" eval "$3" --graphs salsa --lengths 160 --samples 16 --set data.test_seed=3 --threads 1 \
    --json >"$2/.salsa.json"
  mv "$2/.salsa.json" "$2/salsa.json"
}

# keep_weights ALGORITHM FILE: records without weights, as results/clrs has them, leave them alone.
keep_weights() {
  [ -e "$2" ] || return 0
  cp "$2" "$weights/.$1.new"
  mv "$weights/.$1.new" "$weights/$1.safetensors"
}

# algorithm NAME: all three steps.
algorithm() {
  local name=$1 candidates=() file seed chosen first
  for file in "$here/clrs/$name".*.json; do
    [ ! -e "$file" ] || candidates+=("$(basename "${file#"$here/clrs/$name."}" .json)")
  done
  [ ${#candidates[@]} -gt 0 ] || candidates=(default)
  mkdir -p "$runs/$name"
  for candidate in "${candidates[@]}"; do train "$name" "$candidate" "${seeds%% *}"; done
  chosen=$(choose "$name" "${candidates[@]}")
  for seed in $seeds; do train "$name" "$chosen" "$seed"; done
  ln -sfn "$chosen" "$runs/$name/chosen"
  [ -n "$judges" ] || return 0
  for seed in $seeds; do judge "$name" "$chosen" "$seed"; done
  first=$runs/$name/$chosen/seed-${seeds%% *}
  keep_weights "$name" "$first/best.safetensors"
  judge_lengths "$first" "$weights/$name.safetensors"
  judge_salsa "$name" "$first" "$weights/$name.safetensors"
}

# varied NAME: a run with the variant's settings.
varied() {
  local chosen
  chosen=$(readlink "$runs/$1/chosen") || { echo "clrs.sh: $1: nothing is chosen yet" >&2; return 1; }
  train "$1" "$chosen" "${seeds%% *}" "$variant"
  judge "$1" "$chosen" "${seeds%% *}" "$variant"
}

# scores_of CHOSEN: of all its seeds.
scores_of() {
  local split=test file=test seed
  [ -n "$judges" ] || { split=n=48 file=results; }
  echo "$split" $(for seed in $seeds; do score_at $split "$1/seed-$seed/$file.json"; done)
}

# logged STEPS NAME: STEPS is algorithm or varied.
logged() {
  local run
  # In a shell of its own: a function that is a condition goes on after an error.
  if bash -euo pipefail -c '"$0" "$1"' "$1" "$2" >>"$runs/$2.log" 2>&1; then
    run=$runs/$2/$(readlink "$runs/$2/chosen")${variant:+-$variant}
    echo "$2: ${run##*/}, $(scores_of "$run")"
  else
    echo "$2: failed, see $runs/$2.log" >&2
    return 1
  fi
}

# all_logged STEPS NAME...
all_logged() {
  local steps=$1
  shift
  printf '%s\n' "$@" | xargs -P "$jobs" -I{} bash -euc 'logged "$0" {}' "$steps"
}

# compare_variant: of all that have it.
compare_variant() {
  local run beside=()
  for run in "$runs"/*/*-"$variant"/seed-"${seeds%% *}"; do
    beside+=("chosen=${run/-$variant\/seed/\/seed}" "$variant=$run")
  done
  "$program" clrs compare "${beside[@]}" -o "$runs/$variant.md" >/dev/null
  echo "$runs/$variant.md"
}

# chosen_with FILE: the chosen runs that have it.
chosen_with() {
  local file
  for file in "$runs"/*/chosen/seed-*/"$1"; do
    [ ! -e "$file" ] || dirname "$file"
  done
}

# candidates_table: of algorithms that have several, the scores at n = 48.
candidates_table() {
  local folder name candidate file
  printf '| algorithm | candidate | n = 48 |\n|---|---|---|\n'
  for folder in "$runs"/*/; do
    name=$(basename "$folder")
    [ "$(find "$here/clrs" -name "$name.*.json" | wc -l)" -gt 1 ] || continue
    for candidate in "$here/clrs/$name".*.json; do
      candidate=$(basename "${candidate#"$here/clrs/$name."}" .json)
      file=$folder$candidate/seed-${seeds%% *}/results.json
      [ ! -e "$file" ] || echo "| $name | $candidate | $(score_at n=48 "$file") |"
    done
  done
}

salsa_table() {
  local run
  printf '| algorithm | nodes right | graphs right |\n|---|---|---|\n'
  for run in $(chosen_with salsa.json); do
    echo "| $(basename "${run%/chosen/*}") | $(score_at 'salsa n=160' "$run/salsa.json") |" \
      "$(score_at 'salsa n=160' "$run/salsa.json" whole) |"
  done
}

export -f train score_at choose judge judge_lengths judge_salsa keep_weights algorithm varied \
  scores_of logged
export here program minutes seeds runs weights lengths salsa judges variant
if [ -n "$variant" ]; then
  seeds=${seeds%% *}
  all_logged varied "$@"
  compare_variant
  exit
fi
all_logged algorithm "$@"
candidates_table >"$runs/candidates.md"
[ -n "$judges" ] || exit 0
mapfile -t judged < <(chosen_with test.json)
"$program" clrs table "${judged[@]}" -o "$runs/table.md" >/dev/null
echo "$runs/table.md"
if [ -n "$lengths" ]; then
  mapfile -t judged < <(chosen_with lengths.json)
  "$program" clrs lengths "${judged[@]}" --plot "$runs/lengths.svg" >"$runs/lengths.txt"
  echo "$runs/lengths.svg"
fi
if [ -n "$salsa" ]; then
  salsa_table >"$runs/salsa.md"
  echo "$runs/salsa.md"
fi
