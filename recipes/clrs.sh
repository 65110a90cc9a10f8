#!/usr/bin/env bash
# Trains a model for each of the 30 algorithms of CLRS, some at a time with one thread each, and puts
# the best weights where `floydnet eval clrs --all` finds them. Can be interrupted and started again:
# what is finished is left alone, what was interrupted goes on.
#
#   recipes/clrs.sh [-m MINUTES] [-j JOBS] [-o RUNS] [-w WEIGHTS] [ALGORITHM...]
#
# -m  CPU time to train each (default 30), -j  how many at a time (default 2)
# -o  folder of the runs (default runs/clrs), -w  folder of the weights (default models/clrs)
# Settings of single algorithms stand in recipes/clrs/ALGORITHM.json, if there are any.
# FLOYDNET names the program (default build/release/bin/floydnet).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${FLOYDNET:-$here/../build/release/bin/floydnet}
minutes=30 jobs=2 runs=runs/clrs weights=$here/../models/clrs

usage() {
  sed -n 's/^# \{0,1\}//; 2,11p' "$0"
}
while getopts m:j:o:w:h option; do
  case $option in
    m) minutes=$OPTARG ;;
    j) jobs=$OPTARG ;;
    o) runs=$OPTARG ;;
    w) weights=$OPTARG ;;
    h) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ -x "$program" ] || { echo "clrs.sh: $program: no such program; build it, or set FLOYDNET" >&2; exit 1; }
if [ $# -eq 0 ]; then
  mapfile -t all < <("$program" data clrs --list | grep -oE '^[a-z_]+')
  set -- "${all[@]}"
fi
mkdir -p "$runs" "$weights"

# train ALGORITHM: one run, from wherever it stands.
train() {
  local algorithm=$1 run=$runs/$1
  if [ ! -e "$run/results.json" ]; then
    if [ -e "$run/config.json" ]; then
      "$program" train --resume "$run" --threads 1
    else
      local settings=()
      [ ! -e "$here/clrs/$algorithm.json" ] || settings=(--config "$here/clrs/$algorithm.json")
      "$program" train clrs --algorithm "$algorithm" "${settings[@]}" \
        --set train.cpu_minutes="$minutes" --threads 1 --out "$run"
    fi >>"$runs/$algorithm.log" 2>&1 ||
      { echo "$algorithm: failed, see $runs/$algorithm.log" >&2; return 1; }
  fi
  cp "$run/best.safetensors" "$weights/.$algorithm.new"
  mv "$weights/.$algorithm.new" "$weights/$algorithm.safetensors"
  echo "$algorithm: $(grep -A3 '"test"' "$run/results.json" | grep -o '"score": [0-9.]*' || echo done)"
}

export -f train
export here program minutes runs weights
printf '%s\n' "$@" | xargs -P "$jobs" -I{} bash -c 'set -eu; train {}'
