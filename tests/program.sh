#!/usr/bin/env bash
# Uses the program as a person would, wrong flags included: program.sh PROGRAM [SERVER]
source "$(dirname "$0")/expect.sh"

expect 0 '^floydnet [0-9]+\.[0-9]+\.[0-9]+$' --version
expect 0 'Example: floydnet demo' demo --help
expect 0 'BLAS' doctor --threads 1
expect 0 '"blas_gflops":' doctor --json
expect 0 '^ +12( +[0-9.]+){3} +4$' \
  demo --steps 2 --lengths 12,8 --samples 4 --out "$work/demo" --threads 1
grep -q '</html>' "$work/demo/report.html" || { echo "demo wrote no whole report"; wrong=1; }
refuse 2 "unknown command 'dmeo'; did you mean 'demo'" dmeo
refuse 2 'a command is required' --threads 1
refuse 2 'seed' demo --seed -1
refuse 1 "unknown algorithm 'bsf'; did you mean 'bfs'" demo --algorithm bsf --out "$work/out"
expect 1 'holds a run already' demo --steps 1 --out "$work/demo"
expect 0 '"report": ' demo --steps 1 --lengths 8 --json --out "$work/demo-json" --threads 1
refuse 2 'not expected: .*--seeds' demo --seeds 3
refuse 2 'seed' demo --seed x
refuse 2 'checkpoint is required' convert
echo '{"n_embd": 24, "n_haed": 2}' >"$work/config.json"
echo 'not a checkpoint' >"$work/bad.pt"
refuse 1 "config.json: unknown key 'n_haed'; did you mean 'n_head'" \
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
expect 0 'not run: 3, .* nodes: would take some' brec --ids 3 --max-minutes 0.0000001
expect 0 '"not_run": 1' brec --ids 13 --max-memory 0.001 --k 4 --fwl no --json

bfs=(data clrs --algorithm bfs)
expect 0 'bfs.npz: 3 samples of bfs, 16 nodes' "${bfs[@]}" --samples 3 -o "$work/bfs.npz"
expect 0 '"steps": 5' "${bfs[@]}" --samples 2 --json -o "$work/bfs.npz"
expect 0 'Example: floydnet data clrs' data clrs --help
expect 0 'hint/pi_h +node +pointer +float64 +\[steps, samples, n\]' data clrs --list --algorithm bfs
[ "$("$program" data clrs --list | grep -c '^[a-z]')" -eq 30 ] || { echo "--list does not show 30"; wrong=1; }
refuse 1 "unknown algorithm 'bsf'; did you mean 'bfs'" data clrs --algorithm bsf -o "$work/out"
refuse 1 'length 0 is too small for bfs' "${bfs[@]}" --length 0 -o "$work/out"
refuse 1 'absent/out: cannot write: No such file' "${bfs[@]}" -o "$work/absent/out"
refuse 1 'SALSA graphs are undirected' data clrs --algorithm minimum --graphs salsa -o "$work/out"
refuse 2 '--output is required' "${bfs[@]}"
refuse 2 '--algorithm .* is required' data clrs
refuse 2 'tset not in' "${bfs[@]}" --split tset -o "$work/out"
refuse 2 'excludes' "${bfs[@]}" --split test --length 5 -o "$work/out"
refuse 2 "data: unknown command 'clsr'; did you mean 'clrs'" data clsr
refuse 2 "data: a command is required, such as 'clrs'" data

# Runs and their weights.
expect 0 '^ +8( +[0-9.]+){3} +4$' eval "$work/demo" --lengths 8,12
expect 0 '"n=9": \{' eval "$work/demo/best.safetensors" --lengths 9 --samples 3 --json
expect 0 'the prediction as it forms' eval "$work/demo" --probe "$work/probe.svg"
grep -q '^</svg>$' "$work/probe.svg" || { echo "eval --probe wrote no whole picture"; wrong=1; }
refuse 1 'report: this task has no page' eval "$work/demo" --report "$work/out"
refuse 2 'excludes' eval clrs --all --report "$work/out"
refuse 1 'length 0 is too small for bfs' eval "$work/demo" --lengths 0
refuse 1 '"lengths" is "x", wanted list' eval "$work/demo" --lengths x
refuse 1 'has learned bfs, not dfs' eval "$work/demo" --algorithm dfs
refuse 1 "did you mean 'bfs'" train clrs --algorithm bsf --out "$work/out"
refuse 1 'not a run: it has no config.json' eval "$work/absent"
mkdir -p "$work/models/clrs" "$work/damaged"
cp "$work/demo/best.safetensors" "$work/models/clrs/bfs.safetensors"
head -c 3000 "$work/demo/best.safetensors" >"$work/damaged/best.safetensors"
cp "$work/demo/config.json" "$work/damaged"
refuse 1 'damaged/best.safetensors: ' eval "$work/damaged"
sed 's/"bfs"/"dfs"/' "$work/demo/config.json" >"$work/damaged/config.json"
cp "$work/demo/best.safetensors" "$work/damaged"
refuse 1 'weights of another run, of clrs bfs' eval "$work/damaged"
export FLOYDNET_MODELS="$work/models"
expect 0 '^ +64( +[0-9.]+){3} +2$' eval clrs --algorithm bfs --lengths 64 --samples 2
# Its run was judged by fewer.
expect 0 '^ +64( +[0-9.]+){3} +32$' eval clrs --algorithm bfs
expect 0 '^ +Total +- +80.04 +82.89 +90.13 +96.64$' eval clrs --all --lengths 64 --samples 2
refuse 1 'dfs.safetensors: no such file: dfs has no stored weights' eval clrs --algorithm dfs
refuse 1 "'dsf' is unknown; did you mean 'dfs'" eval clrs --algorithm dsf
refuse 1 'no weights of this task are stored' eval counting
# Flags and --set both count; a flag means what the task says.
expect 0 'bfs: scores' eval clrs --algorithm bfs --set data.samples=2
expect 0 '^ +64( +[0-9.]+){3} +2$' eval clrs --algorithm bfs --set data.samples=2
refuse 1 'dfs.safetensors: no such file' eval clrs --algorithm dfs --set data.samples=2
refuse 1 '--samples: given twice, by --set data.samples=2 too' eval clrs --samples 3 --set data.samples=2
refuse 1 '--all: evaluates every model; leave out what asks for dfs' eval clrs --all --algorithm dfs
refuse 1 '--all wants the name of a task' eval "$work/demo" --all
refuse 1 'needs [0-9.]+ GB, but the machine has' eval clrs --algorithm bfs --lengths 16384
# Weights that are not numbers.
/usr/bin/python3 - "$work/demo/best.safetensors" "$work/nan.safetensors" <<'END'
import json, struct, sys
data = open(sys.argv[1], "rb").read()
size = struct.unpack("<Q", data[:8])[0]
header = json.loads(data[8:8 + size])
header["__metadata__"].pop("floydnet.crc32", None)
text = json.dumps(header).encode()
open(sys.argv[2], "wb").write(struct.pack("<Q", len(text)) + text + data[8 + size:-4] + struct.pack("<f", float("nan")))
END
refuse 1 'nan.safetensors: tensor ".*" has values that are not finite' eval "$work/nan.safetensors"
unset FLOYDNET_MODELS

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
refuse 2 'a command is required' bench
refuse 2 '--k: Value 5 not in range' bench attention --k 5
refuse 2 '--nodes: Value 0 not in range' bench attention --nodes 0
refuse 2 '--heads: Value -1 not in range' bench block --heads -1
refuse 2 '--composition' bench attention --composition sum
refuse 1 'not divisible' bench block --dim 10 --heads 3
refuse 1 'needs .* GB, but the machine has' bench attention --nodes 65536 --heads 64
refuse 1 'absent/plot.svg: cannot write: No such file' bench scaling --plot "$work/absent/plot.svg"

counting=(data counting --graphs "$work/pairs.g6")
expect 0 '^cycle3 +copies +32.000 +0.000 +32 +32$' "${counting[@]}"
expect 0 '2 graphs, 2 patterns, counted in .* written to .*counts.npz' \
  "${counting[@]}" --patterns 'cycle6,hom:C~' --compress -o "$work/counts.npz"
[ -s "$work/counts.npz" ] || { echo "data counting wrote nothing"; wrong=1; }
expect 0 '"output": null' "${counting[@]}" --json --levels graph
expect 0 '^3 graphs, 13 patterns' data counting --generate 3 --seed 5 --threads 1
expect 0 'Example: floydnet data counting' data counting --help
expect 0 '^boat +homomorphisms +E.* 01 02 12 13 24 34 35 45$' data counting --list
expect 0 '"graph6": "Bw"' data counting --list --json --patterns cycle3
refuse 2 "did you mean 'cycle5'" "${counting[@]}" --patterns cyle5
refuse 2 'wanted --graphs FILE, --generate N or --list' data counting
refuse 2 '--seed requires --generate' "${counting[@]}" --seed 1
refuse 2 'excludes' "${counting[@]}" --generate 2
refuse 2 'Value 0 not in range' data counting --generate 0
refuse 1 'empty.g6: no graphs' data counting --graphs "$work/empty.g6"
refuse 1 'absent/out: cannot write: No such file' "${counting[@]}" -o "$work/absent/out"
echo '&AG' >"$work/directed.g6"
refuse 1 'directed.g6: graph 0: the graph is directed' data counting --graphs "$work/directed.g6"

# report: a run that has ended and one that was interrupted while it wrote.
mkdir -p "$work/runs/a" "$work/runs/b" "$work/runs/none"
echo '{"task": "counting", "train": {"steps": 20}}' | tee "$work/runs/a/config.json" >"$work/runs/b/config.json"
echo '{"kind": "train", "step": 10, "seconds": 1, "loss": 0.5}' | tee "$work/runs/a/metrics.jsonl" >"$work/runs/b/metrics.jsonl"
printf '{"kind": "tra' >>"$work/runs/b/metrics.jsonl"
echo '{"step": 10, "seconds": 1, "splits": {"test": {"mae": 0.25}}}' >"$work/runs/a/results.json"
expect 0 'report.html: 2 runs, [0-9]+ KB' report "$work/runs/a" "$work/runs/b" -o "$work/report.html"
grep -q '^</html>$' "$work/report.html" || { echo "report wrote no whole page"; wrong=1; }
expect 0 '"runs": 1' report "$work/runs/a" --title A --json -o "$work/report.html"
expect 0 'Example: floydnet report' report --help
refuse 2 '--output is required' report "$work/runs/a"
refuse 2 'runs is required' report -o "$work/out"
refuse 1 'absent: not a folder' report "$work/absent" -o "$work/out"
refuse 1 'none: no config.json' report "$work/runs/none" -o "$work/out"
refuse 1 'a/: given twice' report "$work/runs/a" "$work/runs/a/" -o "$work/out"
refuse 1 'absent/out: cannot write: No such file' report "$work/runs/a" -o "$work/absent/out"
echo >>"$work/runs/b/metrics.jsonl"
refuse 1 'b/metrics.jsonl: line 2: not JSON' report "$work/runs/b" -o "$work/out"

# Names and values from hostile hands.
long=$(printf 'x%.0s' {1..300})
ln -s loop "$work/loop"
refuse 1 'File name too long' train --resume "$long"
refuse 1 'File name too long' eval "$long"
refuse 1 'Too many levels of symbolic links' train --resume "$work/loop"
refuse 1 'Too many levels of symbolic links' brec --ids 0 --out "$work/loop"
refuse 1 'a needle length of -9223372036854775808 is not in' \
  data clrs --algorithm kmp_matcher --needle-length -9223372036854775808 -o "$work/out"
refuse 1 'would take [0-9.]+ GB, but [0-9.]+ GB are free there' "${bfs[@]}" --samples 1099511627776 -o "$work/out"
FLOYDNET_SIMD=foo refuse 1 "FLOYDNET_SIMD is 'foo'; this machine has " \
  bench attention --nodes 8 --dim 8 --heads 1 --batch 1 --signature
expect 0 '"output": ".*"' "${bfs[@]}" --samples 1 --json -o "$work/$(printf 'f\xff')"
expect 0 'threads 1024: the machine has [0-9]+, which are used' doctor --threads 1024
# Terminated while it writes: nothing is left.
mkdir "$work/terminated"
"$program" "${bfs[@]}" --length 64 --samples 100000 -o "$work/terminated/out.npz" 2>/dev/null & pid=$!
sleep 1
kill -TERM $pid
wait $pid 2>/dev/null
[ -z "$(ls -A "$work/terminated")" ] || { echo "terminated: $(ls -A "$work/terminated") is left"; wrong=1; }

if [ -w /dev/full ]; then
  refuse 1 '/dev/full: cannot write: No space left' "${bfs[@]}" -o /dev/full
  "$program" --version >/dev/full 2>"$work/full" && { echo "--version to a full disk succeeded"; wrong=1; }
  "$program" doctor >/dev/full 2>>"$work/full" && { echo "doctor to a full disk succeeded"; wrong=1; }
  [ "$(wc -l <"$work/full")" -eq 2 ] || { echo "a full disk is not said in one line:"; cat "$work/full"; wrong=1; }
fi
[ ! -e "$work/out" ] || { echo "a refused command left a file"; wrong=1; }
# Training: what is wrong is said in one line, and nothing is written for it.
refuse 2 "train: unknown command 'countin'; did you mean 'counting'" train countin
refuse 2 '.*--out is required' train counting
refuse 1 "unknown key 'dept'; did you mean 'depth'" train counting --out "$work/run" --set model.dept=3
refuse 1 "pattern 'cycle99'" train counting --out "$work/run" --task cycle99
refuse 1 'not a run: it has no config.json' train --resume "$work/absent"
refuse 1 'not a run: it has no config.json' eval "$work/absent"
refuse 2 'command is required' launch -n 2
refuse 2 "unknown command 'xyz'; there are demo, " xyz
refuse 1 'absent.g6: cannot read' train counting --out "$work/run" --graphs "$work/absent.g6"
refuse 1 '--steps abc: train: "steps" is "abc", wanted integer' train counting --steps abc --out "$work/run"
refuse 1 'demo/config.json: "task" is "clrs", but .counting. is to be trained' \
  train counting --config "$work/demo/config.json" --out "$work/run"
refuse 1 'training needs [0-9.]+ GB, but the machine has' train clrs --lengths 16384 --out "$work/run"
refuse 1 'training needs [0-9.]+ GB, but the machine has' \
  train counting --set model.dim=4096 --set model.depth=1000 --out "$work/run"
refuse 1 'train.batch: is 1, less than the 2 parts of 2 ranks' \
  launch -n 2 -- train counting --set train.batch=1 --task cycle3 --out "$work/run"
[ ! -e "$work/run" ] || { echo "a refused run left $work/run"; wrong=1; }

# Training goes on without standard error, and says what it does on resuming.
small=(--set data.validation_graphs=4 --set data.test_graphs=4 --task cycle3 --set model.dim=8
  --set model.heads=2 --set model.depth=1 --set train.batch=2 --steps 3)
"$program" train counting "${small[@]}" --out "$work/closed" --threads 1 >/dev/null 2>&- ||
  { echo "a closed standard error ended training"; wrong=1; }
[ -s "$work/closed/results.json" ] && [ ! -s "$work/closed/.lock" ] ||
  { echo "a closed standard error: $(cat "$work/closed/.lock")"; wrong=1; }
if [ -w /dev/full ]; then
  "$program" train counting "${small[@]}" --out "$work/full-run" --threads 1 >/dev/null 2>/dev/full &&
    [ -s "$work/full-run/results.json" ] || { echo "a full standard error ended training"; wrong=1; }
fi
rm "$work"/closed/checkpoints/*
expect 0 'closed: no checkpoint is left; training starts again at step 1' train --resume "$work/closed"
expect 0 'outputs of graphs 1, of nodes 1, of pairs 1$' \
  predict "$work/closed/best.safetensors" "$work/pairs.g6" -o "$work/predictions.npz"
[ -s "$work/predictions.npz" ] || { echo "predict wrote nothing"; wrong=1; }
expect 0 '"graphs": 2' predict "$work/closed/best.safetensors" "$work/pairs.g6" --json -o "$work/predictions.npz"
expect 0 'Example: floydnet predict' predict --help
refuse 1 'damaged.g6: line 1: byte 4: the text ends early' \
  predict "$work/closed/best.safetensors" "$work/damaged.g6" -o "$work/out"
refuse 1 'has no array "sizes"' predict "$work/closed/best.safetensors" "$work/bfs.npz" -o "$work/out"
refuse 1 'clrs::Solver' predict "$work/demo/best.safetensors" "$work/pairs.g6" -o "$work/out"
# Without "--" too: what follows the command's name is its own.
expect 0 '3 steps in ' launch -n 2 train counting "${small[@]}" --out "$work/launched" --threads 1

exit $wrong
