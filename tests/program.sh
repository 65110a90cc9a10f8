#!/usr/bin/env bash
# Uses the program as a person would, wrong flags included: program.sh PROGRAM
set -u
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0

# expect CODE PATTERN ARGS...: exit code, and what the output (of both kinds) must match.
expect() {
  local code=$1 pattern=$2 output
  shift 2
  output=$("$program" "$@" 2>&1)
  local found=$?
  if [ "$found" -ne "$code" ] || ! grep -qE -- "$pattern" <<<"$output"; then
    echo "floydnet $*: exit $found, wanted $code; output, wanted to match '$pattern':"
    echo "$output"
    wrong=1
  fi
}
# refuse CODE PATTERN ARGS...: as above, and in one line.
refuse() {
  expect "$@"
  shift 2
  local lines
  lines=$("$program" "$@" 2>&1 | wc -l)
  [ "$lines" -eq 1 ] || { echo "floydnet $*: $lines lines of error, wanted 1"; wrong=1; }
}

expect 0 '^floydnet [0-9]+\.[0-9]+\.[0-9]+$' --version
expect 0 'Example: floydnet demo' demo --help
expect 0 'BLAS' doctor --threads 1
expect 0 '"blas_gflops":' doctor --json
expect 0 '10 of 10 verdicts as theory says' demo
refuse 2 "unknown command 'dmeo'; did you mean 'demo'" dmeo
refuse 2 'a command is required' --threads 1
refuse 2 'seed' demo --seed -1
expect 0 '"verdicts"' demo --json
refuse 2 'not expected: .*--seeds' demo --seeds 3
refuse 2 'seed' demo --seed x
refuse 2 'checkpoint is required' convert
echo '{"n_embd": 24, "n_haed": 2}' >"$work/config.json"
echo 'not a checkpoint' >"$work/bad.pt"
refuse 1 'config.json: unknown key "n_haed"; did you mean "n_head"' \
  convert "$work/bad.pt" --config "$work/config.json" -o "$work/out"
echo '{"n_embd": 24, "n_head": 2}' >"$work/config.json"
refuse 1 'bad.pt: ' convert "$work/bad.pt" --config "$work/config.json" -o "$work/out"
refuse 1 'absent.pt: cannot read: No such file' \
  convert "$work/absent.pt" --config "$work/config.json" -o "$work/out"

# The 4x4 rook's graph and the Shrikhande graph, one a file, and both in one.
echo 'O~`HW}GPHDaNaGPCcPWaN' >"$work/rook.g6"
echo 'OlfJHsHBGK_\oHWKeBK_\' >"$work/shrikhande.g6"
cat "$work/rook.g6" "$work/shrikhande.g6" >"$work/pairs.g6"
cat "$work/pairs.g6" "$work/rook.g6" >"$work/odd.g6"
echo 'Bw' >"$work/triangle.g6"
echo 'O~~~' >"$work/damaged.g6"
: >"$work/empty.g6"
expect 0 '^same: ' wl --k 2 "$work/rook.g6" "$work/shrikhande.g6"
expect 0 '^different: 1 round, ' wl --k 3 "$work/rook.g6" "$work/shrikhande.g6" --threads 2
expect 0 '"verdict": "same"' wl --json --k 1 --pairs "$work/pairs.g6"
expect 0 'Example: floydnet wl' wl --help
expect 0 'the numbers of nodes differ' wl "$work/rook.g6" "$work/triangle.g6"
refuse 2 'not in range 1 to 4' wl --k 5 "$work/rook.g6" "$work/rook.g6"
refuse 2 'wanted two files' wl "$work/rook.g6"
refuse 2 'ids' wl --ids 3-1 --brec "$work"
refuse 1 'empty.g6: no graphs' wl "$work/rook.g6" "$work/empty.g6"
refuse 1 'damaged.g6: line 1: byte 4: the text ends early' wl "$work/rook.g6" "$work/damaged.g6"
refuse 1 'odd.g6: 3 graphs' wl --pairs "$work/odd.g6"
refuse 1 'needs 8.5 MiB, the limit is 1.0 MiB' \
  wl --k 4 --max-memory 0.001 "$work/rook.g6" "$work/shrikhande.g6"
refuse 1 'basic.npy: ' wl --brec "$work"
expect 0 'Example: floydnet brec' brec --help
expect 0 '"disagreements": \[\]' brec --ids 0-2 --json --out "$work/brec"
expect 0 'told apart: 0-2' brec --ids 0-2 --out "$work/brec"
refuse 1 'holds results with depth = ' brec --ids 0-2 --depth 3 --out "$work/brec"
refuse 2 'not in range 1 to 4' brec --k 5
refuse 2 'ids: 399, but the embedded suite has' brec --ids 399
refuse 2 'ids' brec --data "$work" --ids 400
refuse 1 'absent: ' brec --data "$work/absent"
refuse 2 'not a multiple of 3 heads' brec --heads 3

if [ -w /dev/full ]; then
  "$program" --version >/dev/full 2>"$work/full" && { echo "--version to a full disk succeeded"; wrong=1; }
  "$program" doctor >/dev/full 2>>"$work/full" && { echo "doctor to a full disk succeeded"; wrong=1; }
  [ "$(wc -l <"$work/full")" -eq 2 ] || { echo "a full disk is not said in one line:"; cat "$work/full"; wrong=1; }
fi
[ ! -e "$work/out" ] || { echo "a refused conversion left a file"; wrong=1; }
exit $wrong
