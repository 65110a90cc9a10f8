#!/usr/bin/env bash
# Data-parallel training on this machine: ranks.sh PROGRAM
#   - the same loss curve for 1, 2 and 3 ranks and for several parts a rank, within 1e-5 of the loss over 50 steps.
#     The learning rate is low, since training itself lets differences in rounding grow, however a batch is cut;
#   - running statistics are the same on all ranks;
#   - a rank that is killed, or hangs, stops the others within 30 s with a line that names it; no process is
#     left, and the run can be resumed.
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
small=(--set data.validation_graphs=12 --set data.test_graphs=12 --set data.patterns=cycle3
  --set model.dim=8 --set model.heads=2 --set model.depth=2 --set train.batch=6 --set train.warmup=5
  --set train.learning_rate=1e-4 --set train.log_every=1 --set train.evaluate_every=25 --set train.checkpoint_every=10 --threads 1)

# Masks differ from sample to sample in bridges, lengths of trajectories in dfs, sizes of graphs in counting.
clrs=(--set data.samples=2 --set data.validation_samples=2 --set data.lengths=8
  --set model.dim=8 --set model.heads=2 --set model.depth=1 --set train.batch=7 --set train.warmup=5
  --set train.learning_rate=1e-4 --set train.log_every=1 --set train.evaluate_every=25 --threads 1)
# curve NAME RANKS ACCUMULATE TASK ARGUMENTS...
curve() {
  local name=$1 ranks=$2 accumulate=$3
  shift 3
  "$program" launch -n "$ranks" -- train "$@" --set train.accumulate="$accumulate" --steps 50 \
    --out "$work/$name-$ranks-$accumulate" >/dev/null 2>"$work/log" || fail "$name: $(cat "$work/log")"
}
curves() {
  curve "$1" 1 1 "${@:2}"
  curve "$1" 2 1 "${@:2}"
  curve "$1" 3 1 "${@:2}"
}
curves counting counting "${small[@]}"
curves bfs clrs --algorithm bfs --set data.train_lengths=4,5,6,7 "${clrs[@]}"
curves bridges clrs --algorithm bridges --set data.train_lengths=4,5,6,7 "${clrs[@]}"
curve bridges 2 2 clrs --algorithm bridges --set data.train_lengths=4,5,6,7 "${clrs[@]}"
curves dfs clrs --algorithm dfs --hints encoded --set model.steps=0 --set data.train_lengths=4,5 "${clrs[@]}"
python3 - "$work" <<'PYTHON' || fail "the curves differ"
import json, sys
def losses(name, cut):
    lines = [json.loads(line) for line in open(f"{sys.argv[1]}/{name}-{cut}/metrics.jsonl")]
    return [line["loss"] for line in lines if line["kind"] == "train"]
for name in ("counting", "bfs", "bridges", "dfs"):
    one = losses(name, "1-1")
    assert len(one) == 50, len(one)
    for cut in ("2-1", "3-1", "2-2") if name == "bridges" else ("2-1", "3-1"):
        found = losses(name, cut)
        worst = max(abs(a - b) / a for a, b in zip(one, found))
        print(f"{name}, ranks-parts {cut}: losses differ by at most {worst:.1e} of the loss in 50 steps")
        assert len(found) == 50 and worst < 1e-5
PYTHON

# Running statistics: all ranks end with the same, and the weights that are kept have them.
"$program" launch -n 2 -- train counting "${small[@]}" --set model.norm=batchnorm --steps 30 --out "$work/norm" \
  >/dev/null 2>"$work/log" || fail "batchnorm: $(cat "$work/log")"
"$program" eval "$work/norm" --json >"$work/norm.json"
python3 - "$work" <<'PYTHON' || fail "two ranks have evaluated with other statistics than those that are kept"
import json, sys
ranks = json.load(open(f"{sys.argv[1]}/norm/results.json"))["splits"]
alone = json.load(open(f"{sys.argv[1]}/norm.json"))
worst = max(abs(ranks[split][name] - value) / value for split in alone for name, value in alone[split].items())
print(f"running statistics: evaluated by two ranks and by one, metrics differ by at most {worst:.1e}")
assert worst < 1e-5
PYTHON

# rank_pid LAUNCHER RANK
rank_pid() {
  local child
  for child in $(pgrep -P "$1"); do
    tr '\0' '\n' <"/proc/$child/environ" | grep -qx "RANK=$2" && echo "$child"
  done
}
# lose SIGNAL RANK: to that rank of a run of three.
lose() {
  local signal=$1 rank=$2 run="$work/lose-$1-$2" launcher start seconds code=0 children
  "$program" launch -n 3 -- train counting "${small[@]}" --steps 1000000 --out "$run" \
    >/dev/null 2>"$run.log" & launcher=$!
  for ((tries = 0; tries < 600; tries++)); do
    [ -s "$run/metrics.jsonl" ] && [ "$(wc -l <"$run/metrics.jsonl")" -gt 15 ] && break
    sleep 0.1
  done
  children=$(pgrep -P $launcher)
  kill "-$signal" "$(rank_pid $launcher "$rank")"
  start=$SECONDS
  if [ "$signal" = STOP ]; then
    # The launcher waits for the one that hangs, too; what counts is when the others stop.
    for ((tries = 0; tries < 350; tries++)); do
      grep -q 'rank [0-9] stops' "$run.log" && break
      sleep 0.1
    done
    seconds=$((SECONDS - start))
  fi
  wait $launcher || code=$?
  [ "$signal" = STOP ] || seconds=$((SECONDS - start))
  [ $code -ne 0 ] || fail "SIG$signal to rank $rank: exit code 0"
  [ "$seconds" -le 30 ] || fail "SIG$signal to rank $rank: the others took $seconds s"
  grep -qE "stops: rank $rank(, which keeps the store,)? is gone( or cut off)?" "$run.log" ||
    fail "SIG$signal to rank $rank: $(cat "$run.log")"
  for child in $children; do
    ! kill -0 "$child" 2>/dev/null || fail "SIG$signal to rank $rank: process $child is left"
  done
  "$program" train --resume "$run" --set train.steps=20 --threads 1 >/dev/null 2>"$work/resume-$1-$2" ||
    fail "resuming after SIG$signal: $(cat "$work/resume-$1-$2")"
  echo "SIG$signal to rank $rank: the others stopped after $seconds s: $(grep -m 1 'stops:' "$run.log")"
}
# They mostly wait.
lose KILL 1 & first=$!
lose KILL 0 & second=$!
lose STOP 2
wait $first && wait $second
