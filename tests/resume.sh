#!/usr/bin/env bash
# Training survives what can happen to it: resume.sh PROGRAM [KILLS [TERMS]]
#   - a run stopped and resumed ends in the same bits as one that was not, with one and two ranks;
#   - KILLS times SIGKILL at a random moment: the newest checkpoint can always be loaded;
#   - TERMS times SIGTERM: the run always says where it stopped, exits with 143 and can be resumed;
#   - SIGHUP stops a run likewise, and a pipe that nobody reads does not;
#   - a full disk keeps the checkpoint before and is reported.
set -eu
program=$1 kills=${2:-3} terms=${3:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
# A model that takes milliseconds a step.
small=(--set data.validation_graphs=8 --set data.test_graphs=8 --set data.patterns=cycle3
  --set model.dim=8 --set model.heads=2 --set model.depth=1 --set train.batch=4
  --set train.log_every=1 --set train.evaluate_every=20 --set train.checkpoint_every=5
  --threads 1)
# The tensors of a run's newest checkpoint: the file behind its header, which holds times.
digest() {
  local file
  file=$(ls "$1"/checkpoints/step-*.safetensors | tail -n 1)
  python3 - "$file" <<'PYTHON'
import hashlib, struct, sys
data = open(sys.argv[1], "rb").read()
print(hashlib.sha256(data[8 + struct.unpack("<Q", data[:8])[0]:]).hexdigest())
PYTHON
}
train() { "$program" train counting "${small[@]}" "$@" >/dev/null 2>"$work/log"; }
resume() { "$program" train --resume "$@" --threads 1 >/dev/null 2>"$work/log"; }
# background COMMAND...: $pid is then the program's, not a shell's.
background() { "$@" >/dev/null 2>"$work/log" & pid=$!; }
# started RUN: waits until it has trained some steps.
started() {
  for ((tries = 0; tries < 600; tries++)); do
    [ -s "$1/metrics.jsonl" ] && [ "$(wc -l <"$1/metrics.jsonl")" -gt "${2:-7}" ] && return
    sleep 0.1
  done
  fail "$1 does not get going: $(cat "$work/log")"
}
random_pause() { sleep "$((RANDOM % 2)).$(printf '%03d' $((RANDOM % 1000)))"; }

train --steps 60 --out "$work/whole" || fail "training: $(cat "$work/log")"
background "$program" train counting "${small[@]}" --steps 60 --out "$work/cut"
started "$work/cut"
kill -TERM $pid 2>/dev/null || true
code=0; wait $pid || code=$?
[ $code -eq 143 ] || [ $code -eq 0 ] || fail "SIGTERM gave exit code $code: $(cat "$work/log")"
resume "$work/cut" || fail "resuming: $(cat "$work/log")"
[ "$(digest "$work/whole")" = "$(digest "$work/cut")" ] || fail "resumed and uninterrupted runs differ"
echo "resumed = uninterrupted: $(digest "$work/cut")"

ranks=("$program" launch -n 2 -- train)
"${ranks[@]}" counting "${small[@]}" --steps 60 --out "$work/two" >/dev/null 2>"$work/log" ||
  fail "two ranks: $(cat "$work/log")"
background "${ranks[@]}" counting "${small[@]}" --steps 60 --out "$work/two-cut"
started "$work/two-cut"
kill -TERM $pid 2>/dev/null || true
code=0; wait $pid || code=$?
[ $code -eq 143 ] || [ $code -eq 0 ] || fail "SIGTERM to two ranks gave exit code $code: $(cat "$work/log")"
"${ranks[@]}" --resume "$work/two-cut" --threads 1 >/dev/null 2>"$work/log" || fail "resuming two ranks: $(cat "$work/log")"
[ "$(digest "$work/two")" = "$(digest "$work/two-cut")" ] || fail "two ranks: resumed and uninterrupted differ"
echo "the same with two ranks: $(digest "$work/two")"

# step_of RUN: where its newest checkpoint stands.
step_of() { ls "$1"/checkpoints | grep -c . >/dev/null && ls "$1"/checkpoints | tail -n 1; }

background "$program" train counting "${small[@]}" --steps 1000000 --out "$work/killed"
started "$work/killed"
for ((i = 0; i < kills; i++)); do
  random_pause
  kill -KILL $pid 2>/dev/null || fail "kill $i: the run had ended: $(cat "$work/log")"
  wait $pid 2>/dev/null || true
  background "$program" train --resume "$work/killed" --threads 1
done
lines=$(wc -l <"$work/killed/metrics.jsonl")
started "$work/killed" $((lines + 20))
kill -TERM $pid
code=0; wait $pid || code=$?
[ $code -eq 143 ] || fail "after $kills kills, SIGTERM gave $code: $(cat "$work/log")"
echo "$kills times SIGKILL, every time resumed; now at $(step_of "$work/killed")"

for ((i = 0; i < terms; i++)); do
  background "$program" train --resume "$work/killed" --threads 1
  started "$work/killed" $(($(wc -l <"$work/killed/metrics.jsonl") + 5))
  random_pause
  kill -TERM $pid
  code=0; wait $pid || code=$?
  [ $code -eq 143 ] || fail "SIGTERM $i gave exit code $code: $(cat "$work/log")"
  grep -q 'resume with: floydnet train --resume' "$work/log" || fail "SIGTERM $i: $(cat "$work/log")"
done
echo "$terms times SIGTERM, every time resumed; now at $(step_of "$work/killed")"

# A terminal that is closed, and a reader that goes away.
background "$program" train --resume "$work/killed" --threads 1
started "$work/killed" $(($(wc -l <"$work/killed/metrics.jsonl") + 5))
kill -HUP $pid
code=0; wait $pid || code=$?
[ $code -eq 129 ] && grep -q 'resume with: floydnet train --resume' "$work/log" ||
  fail "SIGHUP gave exit code $code: $(cat "$work/log")"
"$program" train counting "${small[@]}" --steps 40 --out "$work/pipe" 2>&1 >/dev/null | head -n 1 >/dev/null || true
[ -s "$work/pipe/results.json" ] || fail "a pipe that nobody reads ended training"
echo "SIGHUP: stopped and can be resumed; SIGPIPE: went on to the end"

if mkdir "$work/small" && mount -t tmpfs -o size=600k tmpfs "$work/small" 2>/dev/null; then
  trap 'umount "$work/small"; rm -rf "$work"' EXIT
  code=0
  train --steps 20 --out "$work/small/run" --set train.keep=1 --set model.dim=16 || code=$?
  head -c 1000000 /dev/zero >"$work/small/filler" 2>/dev/null || true
  before=$(ls "$work/small/run/checkpoints")
  code=0
  resume "$work/small/run" --set train.steps=60 || code=$?
  [ $code -eq 1 ] || fail "a full disk gave exit code $code"
  grep -q 'No space left' "$work/log" || fail "a full disk: $(cat "$work/log")"
  [ "$(ls "$work/small/run/checkpoints")" = "$before" ] || fail "a full disk: $before is gone"
  rm "$work/small/filler"
  resume "$work/small/run" --set train.steps=60 || fail "after a full disk: $(cat "$work/log")"
  echo "a full disk: the checkpoint before was kept, and the run went on when there was room"
else
  echo "a full disk: not tested, no right to mount a tmpfs"
fi
