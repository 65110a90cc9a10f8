#!/usr/bin/env bash
# Trains models of tours, judges them by sets of their own and draws how they scale. Can be
# interrupted and started again: what is finished is left alone, what was interrupted is resumed.
#
#   recipes/tsp.sh [-o RUNS] [-j JOBS] [-s STEPS] [-n INSTANCES] [PART...]
#
# -o  folder of the runs (default runs/tsp), -j  how many runs at a time, one thread each (default 2)
# -s  steps of diffusion when models are judged (default 10), -n  instances of each size (default 200)
#
# Parts, in the order in which they need each other; all by default:
#   main     one model for explicit and one for Euclidean instances: RUNS/explicit, RUNS/euclidean
#   scaling  explicit instances: depths 1 to 16, RUNS/depth-*; sizes of the data, RUNS/data-*
#   choices  the runs with 8 blocks with other encodings, losses and modes: RUNS/choice-*
#   judge    tables and pages of main, by instances that no run has seen: RUNS/judged
#   steps    one sample of the explicit model in 1 to 50 steps: RUNS/judged/steps-*.json
#   report   how final metrics scale: RUNS/depth.html, RUNS/data.html, RUNS/choices.html
# FLOYDNET names the program (default build/release/bin/floydnet).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${FLOYDNET:-$here/../build/release/bin/floydnet}
runs=runs/tsp jobs=2 steps=10 instances=200

usage() {
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
}
while getopts o:j:s:n:h option; do
  case $option in
    o) runs=$OPTARG ;;
    j) jobs=$OPTARG ;;
    s) steps=$OPTARG ;;
    n) instances=$OPTARG ;;
    h) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ -x "$program" ] || { echo "tsp.sh: $program: no such program; build it, or set FLOYDNET" >&2; exit 1; }
[ $# -gt 0 ] || set -- main scaling choices judge steps report
mkdir -p "$runs"

# train NAME CONFIG SETTING...: one run, from wherever it stands.
train() {
  local run=$runs/$1 config=$here/tsp/$2.json
  shift 2
  if [ -e "$run/results.json" ]; then
    return
  elif [ -e "$run/config.json" ]; then
    "$program" train --resume "$run" --threads 1
  else
    "$program" train tsp --config "$config" "${@/#/--set=}" --threads 1 --out "$run"
  fi >>"$run.log" 2>&1 || { echo "$run: failed, see $run.log" >&2; return 1; }
}
export -f train
export here program runs

# Each line of the input is the arguments of train.
train_all() {
  xargs -P "$jobs" -L 1 bash -c 'set -eu; train "$@"' train
}

# make_set TYPE FILTER: instances that no run has seen, in RUNS/sets.
make_set() {
  "$program" data tsp --type "$1" --filter "$2" --sizes 10,15,20,25,30,40 --per-size "$instances" \
    --seed 77 --max-attempts 100000 -o "$runs/sets/$1-$2" >/dev/null
}

# sample NAME ARGUMENT...: RUNS/judged/NAME.json, made once.
sample() {
  local file=$runs/judged/$1.json
  shift
  [ ! -e "$file" ] || return 0
  mkdir -p "$runs/judged"
  "$program" tsp sample "$@" --json >"$file.new"
  mv "$file.new" "$file"
}

# judge TYPE FILTER: by ten samples of each instance.
judge() {
  local page=$runs/judged/$1-$2
  make_set "$1" "$2"
  sample "$1-$2" "$runs/sets/$1-$2" --run "$runs/$1" --samples 10 --steps "$steps" \
    --csv "$page.csv" --plot "$page.svg" --report "$page.html"
  echo "$page.html"
}

for part in "$@"; do
  case $part in
    main) printf '%s main data.kind=%s\n' explicit explicit euclidean euclidean | train_all ;;
    scaling)
      {
        printf 'depth-%s scaling model.depth=%s\n' 16 16 8 8 4 4 2 2 1 1
        printf 'data-%s scaling data.instances=%s\n' 250 250 1000 1000 4000 4000 16000 16000
      } | train_all
      ;;
    choices)
      {
        echo 'choice-categories scaling edges.weights=categories'
        echo 'choice-squared scaling edges.loss=squared'
        echo 'choice-one-shot scaling edges.mode=one-shot'
      } | train_all
      ;;
    judge)
      for type in explicit euclidean; do
        for filter in none unique; do judge $type $filter; done
      done
      ;;
    steps)
      make_set explicit none
      for count in 1 2 5 10 50; do
        sample "steps-$count" "$runs"/sets/explicit-none/0{20,30}.npz --run "$runs/explicit" \
          --steps $count
      done
      ;;
    report)
      depths=("$runs"/depth-*/) data=("$runs"/data-*/) choices=("$runs"/depth-8/ "$runs"/choice-*/)
      "$program" report "${depths[@]%/}" -o "$runs/depth.html" --against model.depth \
        --title "Tours: depth"
      "$program" report "${data[@]%/}" -o "$runs/data.html" --against data.instances \
        --title "Tours: instances to learn from"
      "$program" report "${choices[@]%/}" -o "$runs/choices.html" --title "Tours: encodings and losses"
      ;;
    *) echo "tsp.sh: '$part' is no part; wanted main, scaling, choices, judge, steps or report" >&2; exit 2 ;;
  esac
done
