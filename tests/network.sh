#!/usr/bin/env bash
# Two network namespaces as two hosts, without any variable but the usual five: network.sh PROGRAM
#   - they join by a name that stands for the loopback on the host of rank 0, as Debian has it;
#   - when the link is cut, every rank ends within 35 s with a line that names who is missing, and the run
#     resumes to the same curve;
#   - they train over a link with 5 % of losses and 50 ms of delay, where the kernel has netem;
#   - a rank whose peer never comes says what it waits for, and ends within 60 s.
set -eu
program=$1
tag=fn$$
a=$tag-a b=$tag-b
work=$(mktemp -d)
cleanup() {
  kill $(jobs -p) 2>/dev/null || true
  ip netns del "$a" 2>/dev/null || true
  ip netns del "$b" 2>/dev/null || true
  rm -rf "$work" "/etc/netns/$a" "/etc/netns/$b"
}
trap cleanup EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
if ! ip netns add "$a" 2>"$work/log" || ! ip netns add "$b" 2>>"$work/log" ||
  ! ip link add "$tag-0" netns "$a" type veth peer name "$tag-1" netns "$b" 2>>"$work/log"; then
  echo "[  SKIPPED ] no right to make network namespaces: $(tail -n 1 "$work/log")"
  exit 0
fi
on() { local host=$1; shift; ip netns exec "$host" "$@"; }
on "$a" ip addr add 10.77.0.1/24 dev "$tag-0"
on "$b" ip addr add 10.77.0.2/24 dev "$tag-1"
for host in "$a" "$b"; do on "$host" ip link set lo up; done
on "$a" ip link set "$tag-0" up
on "$b" ip link set "$tag-1" up
mkdir -p "/etc/netns/$a" "/etc/netns/$b"
printf '127.0.0.1 localhost\n127.0.1.1 alpha\n' >"/etc/netns/$a/hosts"
printf '127.0.0.1 localhost\n10.77.0.1 alpha\n' >"/etc/netns/$b/hosts"

small=(--set data.validation_graphs=12 --set data.test_graphs=12 --set data.patterns=cycle3
  --set model.dim=8 --set model.heads=2 --set model.depth=2 --set train.batch=6 --set train.warmup=5
  --set train.schedule=constant --set train.log_every=1 --set train.evaluate_every=1000
  --set train.checkpoint_every=20 --threads 1)
unset GLOO_SOCKET_IFNAME
# rank HOST RANK PORT ARGUMENTS...: in the background; $! is then the program.
rank() {
  local host=$1 rank=$2 port=$3
  shift 3
  RANK=$rank LOCAL_RANK=0 WORLD_SIZE=2 MASTER_ADDR=alpha MASTER_PORT=$port OMP_NUM_THREADS=1 \
    ip netns exec "$host" "$program" train "$@" >"$work/out$rank-$port" 2>"$work/log$rank-$port" &
}
# both PORT ARGUMENTS...: rank 0 on one host and rank 1 on the other, to their end.
both() {
  local port=$1 first second code=0
  shift
  rank "$a" 0 "$port" "$@"; first=$!
  rank "$b" 1 "$port" "$@"; second=$!
  wait $first || code=$?
  wait $second || code=$?
  return $code
}
logs() { cat "$work/log0-$1" "$work/log1-$1"; }
lines() { [ -s "$1/metrics.jsonl" ] && wc -l <"$1/metrics.jsonl" || echo 0; }
started() {
  for ((tries = 0; tries < 600; tries++)); do
    [ "$(lines "$1")" -gt "$2" ] && return
    sleep 0.1
  done
  fail "$1 does not get going: $(logs "$3")"
}

# Nobody comes: each waits alone, at ports of their own, while the rest is tried.
alone=$SECONDS
rank "$a" 0 29611 counting "${small[@]}" --steps 5 --out "$work/lonely0"; lonely0=$!
rank "$b" 1 29612 counting "${small[@]}" --steps 5 --out "$work/lonely1"; lonely1=$!

both 29601 counting "${small[@]}" --steps 40 --out "$work/joined" || fail "joining by name: $(logs 29601)"
echo "joined by a name that is 127.0.1.1 on the host of rank 0"

rank "$a" 0 29602 counting "${small[@]}" --steps 1000000 --out "$work/cut"; first=$!
rank "$b" 1 29602 counting "${small[@]}" --steps 1000000 --out "$work/cut"; second=$!
started "$work/cut" 60 29602
on "$a" ip link set "$tag-0" down
start=$SECONDS
code=0; wait $first || code=$?
[ $code -eq 1 ] || fail "cut: rank 0 ended with $code"
code=0; wait $second || code=$?
[ $code -eq 1 ] || fail "cut: rank 1 ended with $code"
[ $((SECONDS - start)) -le 35 ] || fail "cut: the ranks took $((SECONDS - start)) s to end"
grep -q 'rank 0 stops: rank 1 is gone or cut off' "$work/log0-29602" || fail "cut: $(logs 29602)"
grep -q 'rank 1 stops: rank 0.* is gone or cut off' "$work/log1-29602" || fail "cut: $(logs 29602)"
echo "cut: both ended within $((SECONDS - start)) s: $(grep -h stops: "$work"/log?-29602 | paste -sd';')"
on "$a" ip link set "$tag-0" up
steps=$(($(lines "$work/cut") + 20))
both 29603 --resume "$work/cut" --set train.steps=$steps --threads 1 || fail "resuming after the cut: $(logs 29603)"
both 29604 counting "${small[@]}" --steps $steps --out "$work/whole" || fail "uninterrupted: $(logs 29604)"
python3 - "$work" <<'PYTHON' || fail "the curve after the cut is another"
import json, sys
def losses(run):
    lines = [json.loads(line) for line in open(f"{sys.argv[1]}/{run}/metrics.jsonl")]
    return {line["step"]: line["loss"] for line in lines if line["kind"] == "train"}
cut, whole = losses("cut"), losses("whole")
assert cut == whole, [step for step in whole if cut.get(step) != whole[step]][:5]
print(f"resumed after the cut: the same {len(whole)} losses")
PYTHON

if on "$a" tc qdisc add dev "$tag-0" root netem loss 5% delay 50ms 2>"$work/tc"; then
  both 29605 counting "${small[@]}" --steps 10 --out "$work/slow" || fail "losses and delay: $(logs 29605)"
  echo "trained with 5 % of losses and 50 ms of delay"
else
  echo "losses and delay: not tested, the kernel has no netem: $(tail -n 1 "$work/tc")"
fi

code=0; wait $lonely0 || code=$?
[ $code -eq 1 ] || fail "rank 0 alone: exit code $code"
code=0; wait $lonely1 || code=$?
[ $code -eq 1 ] || fail "rank 1 alone: exit code $code"
[ $((SECONDS - alone)) -le 100 ] || fail "alone: ended after $((SECONDS - alone)) s"
grep -q 'rank 0 of 2: waiting for rank 1' "$work/log0-29611" || fail "rank 0 alone: $(cat "$work/log0-29611")"
grep -q 'rank 0 cannot join the 2 ranks at alpha:29611: rank 1 did not come' "$work/log0-29611" ||
  fail "rank 0 alone: $(cat "$work/log0-29611")"
grep -q 'rank 1 of 2: looking for rank 0 at alpha:29612' "$work/log1-29612" || fail "rank 1 alone: $(cat "$work/log1-29612")"
grep -q 'rank 1 cannot join the 2 ranks at alpha:29612' "$work/log1-29612" || fail "rank 1 alone: $(cat "$work/log1-29612")"
[ ! -e "$work/lonely0" ] && [ ! -e "$work/lonely1" ] || fail "a run that never began left a folder"
echo "alone: $(tail -qn 1 "$work/log0-29611" "$work/log1-29612" | paste -sd';')"
