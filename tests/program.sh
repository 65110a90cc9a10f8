#!/usr/bin/env bash
# Uses the program as a person would, wrong flags included: program.sh PROGRAM
set -u
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0

# expect CODE PATTERN ARGS...: exit code, and what the output (of both kinds) must match.
expect() {
  local code=$1 pattern=$2
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
  lines=$(wc -l <<<"$output")
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

# bench: what it prints is JSON with the fields, and the signature does not depend on threads.
# fields FILE NAMES...: the file is a list of objects with values for these keys.
fields() {
  /usr/bin/python3 - "$@" <<'END' || { echo "$1: not the JSON that was wanted"; cat "$1"; wrong=1; }
import json, sys
rows = json.load(open(sys.argv[1]))
missing = [key for key in sys.argv[2:] for row in rows if row.get(key) is None]
sys.exit(f"missing: {missing}" if missing or not rows else 0)
END
}
"$program" bench attention --nodes 8 --dim 8 --heads 1 --batch 1 --direction forward --threads 1 \
  --seconds 0.1 --json >"$work/attention.json"
fields "$work/attention.json" case direction ms median_ms gflops percent_of_peak ratio_vs_einsum \
  ratio_vs_naive extra_mb einsum_extra_mb threads simd peak_gflops
"$program" bench train-step --dim 8 --heads 2 --nodes 4 --batch 2 --depth 1 --threads 1 \
  --seconds 0.1 --json >"$work/train.json"
fields "$work/train.json" ms examples_per_second ratio_vs_einsum
expect 0 '^time +fused N\^.* einsum N\^' bench scaling --dim 16 --max-nodes 96 --direction forward \
  --threads 1 --seconds 0.05 --memory-limit 0.02 --plot "$work/plot.svg"
grep -qE 'N96 +forward .*x +- ' <<<"$output" || { echo "a baseline beyond the limit ran: $output"; wrong=1; }
grep -q '^</svg>$' "$work/plot.svg" || { echo "bench scaling wrote no whole plot"; wrong=1; }
for threads in 1 2 4; do
  "$program" bench attention --signature --nodes 17 --dim 8 --heads 3 --batch 2 --threads $threads
done | grep '^all' | sort -u >"$work/signatures"
[ "$(wc -l <"$work/signatures")" -eq 1 ] || { echo "signatures differ:"; cat "$work/signatures"; wrong=1; }
expect 0 'Examples: floydnet bench attention' bench attention --help
refuse 2 'subcommand is required' bench
refuse 2 '--k: Value 5 not in range' bench attention --k 5
refuse 2 '--nodes: Value 0 not in range' bench attention --nodes 0
refuse 2 '--heads: Value -1 not in range' bench block --heads -1
refuse 2 '--composition' bench attention --composition sum
refuse 1 'not divisible' bench block --dim 10 --heads 3
refuse 1 'needs .* GB, but the machine has' bench attention --nodes 65536 --heads 64
refuse 1 'absent/plot.svg: cannot write: No such file' bench scaling --plot "$work/absent/plot.svg"
if [ -w /dev/full ]; then
  "$program" --version >/dev/full 2>"$work/full" && { echo "--version to a full disk succeeded"; wrong=1; }
  "$program" doctor >/dev/full 2>>"$work/full" && { echo "doctor to a full disk succeeded"; wrong=1; }
  [ "$(wc -l <"$work/full")" -eq 2 ] || { echo "a full disk is not said in one line:"; cat "$work/full"; wrong=1; }
fi
[ ! -e "$work/out" ] || { echo "a refused conversion left a file"; wrong=1; }
exit $wrong
