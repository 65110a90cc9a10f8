#!/usr/bin/env bash
# The travelling salesman from the command line, bad files and interruptions included: tsp.sh PROGRAM [SERVER]
source "$(dirname "$0")/expect.sh"
complain() {
  echo "$*"
  wrong=1
}

# tsplib FILE TYPE DIMENSION LINES...: an instance of points.
tsplib() {
  local file=$1 type=$2 cities=$3
  shift 3
  { printf 'NAME : test\nTYPE : TSP\nDIMENSION : %s\nEDGE_WEIGHT_TYPE : %s\n' "$cities" "$type"
    printf '%s\n' "$@" EOF; } >"$file"
}
# weights FILE DIMENSION FORMAT WEIGHTS...: an instance of weights.
weights() {
  local file=$1 cities=$2 format=$3
  shift 3
  tsplib "$file" EXPLICIT "$cities" "EDGE_WEIGHT_FORMAT : $format" EDGE_WEIGHT_SECTION "$@"
}
# points FILE COUNT SEED: random points, by a generator of our own so that any awk will do.
points() {
  tsplib "$1" EUC_2D "$2" NODE_COORD_SECTION "$(awk -v n="$2" -v x="$3" 'BEGIN {
    for (i = 1; i <= n; i++) {
      x = (x * 16807) % 2147483647; a = x % 10000
      x = (x * 16807) % 2147483647; print i, a, x % 10000
    } }')"
}

expect 0 'Example: floydnet tsp solve' tsp solve --help
expect 0 'Example: floydnet tsp solve' tsp verify --help
expect 0 'Example: floydnet data tsp' data tsp --help
refuse 2 'tsp: a command is required' tsp
refuse 2 "tsp: unknown command 'slove'; did you mean 'solve'" tsp slove
refuse 2 'files is required' tsp solve
refuse 2 'method' tsp solve a.tsp --method magic
refuse 2 'certificate: is for --method exact' tsp solve a.tsp --method lk --certificate a.json
refuse 2 'unique: is for --method exact' tsp solve a.tsp --method lk --unique
refuse 1 'absent.tsp: cannot read: No such file' tsp solve "$work/absent.tsp"

# Solve, draw, prove, verify.
points "$work/p30.tsp" 30 7
expect 0 'p30 +30 +[0-9]+ +optimal' tsp solve "$work/p30.tsp" --tour "$work/p30.tour" \
  --certificate "$work/p30.json" --plot "$work/p30.svg" --unique
grep -q '^DIMENSION : 30$' "$work/p30.tour" || complain "no tour was written"
grep -q '</svg>' "$work/p30.svg" || complain "no picture was drawn"
length=$(grep -oE 'p30 +30 +[0-9]+' <<<"$output" | grep -oE '[0-9]+$')
expect 0 "the certificate holds: no tour is shorter than $length\$" \
  tsp verify "$work/p30.tsp" "$work/p30.json"
expect 0 '0 shorter, 1 equal, 0 longer' tsp solve "$work/p30.tsp" --reference "$work/p30.tour"
expect 0 "\"length\": $length," tsp solve "$work/p30.tsp" --json
expect 0 'Lin-Kernighan' tsp solve "$work/p30.tsp" --method lk --kicks 5
sed "s/$length/$((length - 1))/" "$work/p30.json" >"$work/tampered.json"
cmp -s "$work/p30.json" "$work/tampered.json" && complain "the certificate does not name the length"
refuse 1 'tampered.json: ' tsp verify "$work/p30.tsp" "$work/tampered.json"
head -c 100 "$work/p30.json" >"$work/cut.json"
refuse 1 'cut.json: ' tsp verify "$work/p30.tsp" "$work/cut.json"
points "$work/other.tsp" 30 8
refuse 1 'p30.json: ' tsp verify "$work/other.tsp" "$work/p30.json"
refuse 1 'has 1 instances; --index is 2' tsp verify "$work/p30.tsp" "$work/p30.json" --index 2
refuse 1 'cannot' tsp solve "$work/p30.tsp" --tour "$work/absent/p30.tour"
refuse 1 'reference' tsp solve "$work/p30.tsp" "$work/other.tsp" --reference "$work/p30.tour"
expect 0 '^2 instances, 2 proven optimal' \
  tsp solve "$work/p30.tsp" "$work/other.tsp" --tour "$work/tours" --threads 2
[ -s "$work/tours/p30.tour" ] && [ -s "$work/tours/other.tour" ] || complain "no tours in the folder"
refuse 1 'two instances would be written to p30.tour' \
  tsp solve "$work/p30.tsp" "$work/p30.tsp" --tour "$work/tours"

# The text format: real distances, references, and out again.
echo '0 0 0 1 1 1 1 0 output 1 3 2 4 1' >"$work/square.txt"
expect 0 '1 shorter, 0 equal, 0 longer' tsp solve "$work/square.txt" --text "$work/solved.txt"
expect 0 'times 1e\+07, rounded' tsp solve "$work/solved.txt"
expect 0 '0 shorter, 1 equal, 0 longer' tsp solve "$work/solved.txt"
expect 0 '"real_length": 4.0' tsp solve "$work/solved.txt" --json
weights "$work/w3.tsp" 3 UPPER_ROW '1 2' 3
refuse 1 'w3: has no coordinates' tsp solve "$work/w3.tsp" --text "$work/t"

# Small and degenerate ones.
for cities in 1 2 3; do
  points "$work/p$cities.tsp" $cities 3
  expect 0 "p$cities +$cities +[0-9]+ +optimal" tsp solve "$work/p$cities.tsp" \
    --certificate "$work/p$cities.json" --plot "$work/p$cities.svg"
  expect 0 'the certificate holds' tsp verify "$work/p$cities.tsp" "$work/p$cities.json"
done
# optimum FILE LENGTH: proven, and the proof holds.
optimum() {
  expect 0 " $2 +optimal" tsp solve "$1" --certificate "$work/proof.json"
  expect 0 "no tour is shorter than $2\$" tsp verify "$1" "$work/proof.json"
}
triangle() { awk -v n="$1" -v w="$2" 'BEGIN { for (i = 0; i < n * (n - 1) / 2; i++) print w }'; }
weights "$work/equal.tsp" 12 UPPER_ROW "$(triangle 12 5)"
weights "$work/zero.tsp" 12 UPPER_ROW "$(triangle 12 0)"
weights "$work/large.tsp" 12 UPPER_ROW "$(triangle 12 2147483647)"
optimum "$work/equal.tsp" 60
optimum "$work/zero.tsp" 0
optimum "$work/large.tsp" 25769803764
tsplib "$work/same.tsp" EUC_2D 6 NODE_COORD_SECTION '1 5 5' '2 5 5' '3 5 5' '4 8 9' '5 8 9' '6 5 5'
optimum "$work/same.tsp" 10
expect 0 'no$' tsp solve "$work/equal.tsp" --unique

# Bad files.
bad=$work/bad.tsp
weights "$bad" 3 FULL_MATRIX '0 1 2' '1 0 3' '4 3 0'
refuse 1 'bad.tsp: line 9: asymmetric: from city 1 to 3' tsp solve "$bad"
weights "$bad" 3 UPPER_ROW '1 2.5' 3
refuse 1 "bad.tsp: line 7: '2.5' is not a weight, an integer" tsp solve "$bad"
weights "$bad" 3 UPPER_ROW '1 2' -3
refuse 1 "line 8: '-3' is not a weight" tsp solve "$bad"
weights "$bad" 3 UPPER_ROW '1 2' 2147483648
refuse 1 "line 8: '2147483648' is not a weight" tsp solve "$bad"
tsplib "$bad" XRAY1 3 NODE_COORD_SECTION
refuse 1 "line 4: EDGE_WEIGHT_TYPE 'XRAY1' is not supported" tsp solve "$bad"
tsplib "$bad" EUC_2D 0 NODE_COORD_SECTION
refuse 1 "line 3: DIMENSION is '0'" tsp solve "$bad"
head -c 120 "$work/p30.tsp" >"$bad"
refuse 1 'bad.tsp: line [0-9]+: .*30 cities' tsp solve "$bad"
echo '0.5 0.5 1' >"$work/bad.txt"
refuse 1 'bad.txt: line 1: the text ends' tsp solve "$work/bad.txt"
: >"$bad"
refuse 1 'bad.tsp: ' tsp solve "$bad"
refuse 1 'a folder without .npy files' tsp solve "$work/tours"

# A shell has its background jobs ignore SIGINT, and so would the program.
interruptible() { exec env --default-signal=INT "$program" "$@"; }

# Limits and interruptions: the best tour and a bound all the same.
points "$work/p2000.tsp" 2000 5
started=$(date +%s%N)
expect 0 'p2000 +2000 +[0-9]+ +[0-9.]+ %' tsp solve "$work/p2000.tsp" --time-limit 2
[ $((($(date +%s%N) - started) / 1000000)) -lt 4000 ] || complain "a limit of 2 s was passed by 2 s and more"
expect 1 'p2000: not proven optimal, so there is no certificate' \
  tsp solve "$work/p2000.tsp" --time-limit 0.5 --certificate "$work/none.json"
[ ! -e "$work/none.json" ] || complain "a certificate of nothing"
interruptible tsp solve "$work/p2000.tsp" --tour "$work/p2000.tour" >"$work/out" 2>"$work/log" & pid=$!
sleep 3
kill -INT $pid
code=0; wait $pid || code=$?
[ $code -eq 130 ] && grep -qE 'p2000 +2000 ' "$work/out" && [ -s "$work/p2000.tour" ] ||
  complain "Ctrl-C: exit $code: $(cat "$work/out" "$work/log")"

# Data: the same for any number of threads, interrupted or not; parts.
data=(data tsp --type euclidean --sizes 8-10 --per-size 6 --seed 3 --filter unique)
expect 0 '  9 ' "${data[@]}" -o "$work/one" --threads 1
expect 0 '  9 ' "${data[@]}" -o "$work/two" --threads 2
interruptible "${data[@]}" --threads 1 -o "$work/cut" >/dev/null 2>&1 & pid=$!
for ((i = 0; i < 200; i++)); do
  [ -e "$work/cut/options.json" ] && break
  sleep 0.02
done
kill -INT $pid 2>/dev/null
code=0; wait $pid || code=$?
[ $code -eq 130 ] || [ $code -eq 0 ] || complain "Ctrl-C of data: exit $code"
expect 0 '  9 ' "${data[@]}" -o "$work/cut" --threads 2
for other in two cut; do
  diff -r "$work/one" "$work/$other" >/dev/null || complain "sets 'one' and '$other' differ"
done
expect 0 '^18 instances, 18 proven.*' tsp solve "$work"/one/*.npz --summary
expect 0 '0 shorter, 18 equal, 0 longer' tsp solve "$work"/one/*.npz --summary \
  --instance "$work/instances" --tour "$work/tours"
[ "$(ls "$work/instances" | wc -l)" -eq 18 ] || complain "instances: $(ls "$work/instances")"
expect 0 '1 equal' tsp solve "$work/instances/008-1.tsp" --reference "$work/tours/008-1.tour"
refuse 1 'holds results with seed = 3, not 4' \
  data tsp --type euclidean --sizes 8 --per-size 6 --seed 4 --filter unique -o "$work/one"
for part in 1/2 2/2; do expect 0 '  9 ' "${data[@]}" --shard $part -o "$work/parts"; done
[ "$(ls "$work"/parts/*.npz | wc -l)" -eq 6 ] || complain "parts: $(ls "$work/parts")"
expect 0 '"unique": ' data tsp --type explicit --sizes 9 --per-size 5 --filter perturb --json -o "$work/perturb"
refuse 2 'wanted I/N' data tsp --type explicit --shard 3/2 -o "$work/x"
refuse 2 "sizes: '0' is not a number in 4..499" data tsp --type explicit --sizes 0-9 -o "$work/x"
refuse 2 'type' data tsp -o "$work/x"

# Learn a little, from new instances and from a set; draw tours and judge them.
train=(train tsp --steps 3 --threads 1 --set model.depth=1 --set model.dim=16 --set model.heads=2
  --set data.sizes=[6,7] --set train.batch=4 --set data.validation_size=6 --set data.validation_instances=2
  --set data.test_sizes=[8] --set data.test_instances=2 --set data.sampling_steps=2)
expect 0 'greedy_gap' "${train[@]}" --out "$work/run"
# As if it had been killed after its first checkpoint; headers hold times, tensors stand at the end.
expect 0 'greedy_gap' "${train[@]}" --set train.checkpoint_every=2 --out "$work/whole"
cp -r "$work/whole" "$work/resumed"
rm "$work/resumed/results.json" "$work/resumed"/checkpoints/step-*3.safetensors
expect 0 'greedy_gap' train --resume "$work/resumed" --threads 1
cmp -s <(tail -c 4000 "$work"/whole/checkpoints/step-*3.safetensors) \
  <(tail -c 4000 "$work"/resumed/checkpoints/step-*3.safetensors) || complain "resumed and whole runs differ"
expect 0 'greedy_gap' "${train[@]}" --mode one-shot --type euclidean --set data.sizes=[8,9] \
  --sets "$work/one" --out "$work/shot"
refuse 1 'one: has no instances of the sizes wanted' "${train[@]}" --type euclidean --sets "$work/one" \
  --out "$work/none"
refuse 1 'has euclidean instances, wanted explicit' "${train[@]}" --set data.sizes=[8] --sets "$work/one" \
  --out "$work/none"
expect 0 'n=9' eval "$work/run" --sizes '[9]'
expect 0 'Example: floydnet tsp sample' tsp sample --help
expect 0 'optimal of 5' tsp sample "$work/one/008.npz" "$work/one/009.npz" --run "$work/run" \
  --samples 5 --steps 2 --csv "$work/samples.csv" --plot "$work/samples.svg" \
  --report "$work/samples.html"
for part in 'Optimal tours' 'gap to LK' 'img src="data:image/svg'; do
  grep -q "$part" "$work/samples.html" || complain "the page lacks '$part'"
done
[ "$(wc -l <"$work/samples.csv")" -eq 61 ] || complain "samples: $(wc -l <"$work/samples.csv") lines"
grep -q 'trained with 6 to 7 cities' "$work/samples.svg" || complain "the figure does not say what was trained"
expect 0 '"optimal of 1"' tsp sample "$work/p30.tsp" --run "$work/shot/best.safetensors" --json
refuse 2 'checkpoint requires --config' tsp sample "$work/p30.tsp" --checkpoint a.pt
refuse 2 'run excludes --checkpoint' tsp sample "$work/p30.tsp" --checkpoint a.pt --config b --run c
# The bundled weights find the optimal tours of small instances.
for set in one perturb; do
  expect 0 '^ +9 +[56] +[0-9.]+ +100.00 ' tsp sample "$work/$set/009.npz" --samples 10 --steps 10
done
FLOYDNET_MODELS=$work refuse 1 'tsp/euclidean.safetensors: no such file' tsp sample "$work/p30.tsp"
refuse 1 'x/t.html: cannot' tsp sample "$work/p30.tsp" --run "$work/run" --report "$work/x/t.html"
refuse 1 'absent: cannot read' tsp sample "$work/p30.tsp" --run "$work/absent"

exit $wrong
