#!/usr/bin/env bash
# Converts the published models in $FLOYDNET_TEST_DATA: convert.sh PROGRAM SOURCE_DIR
set -u
program=$1 data=${FLOYDNET_TEST_DATA:-$2/../shared}/reference
if [ ! -d "$data" ]; then
  echo "[  SKIPPED ] no golden data: $data is absent; set FLOYDNET_TEST_DATA"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for model in tsp_model count_model lrgb_model; do
  output=$("$program" convert "$data/$model/epoch_00004.pt" \
    --config "$data/$model/model_config.json" -o "$work/$model.safetensors" 2>&1) ||
    { echo "$output"; exit 1; }
  echo "$output"
  grep -qE 'blocks, [0-9]+ parameters$' <<<"$output" || exit 1
  [ -s "$work/$model.safetensors" ] || exit 1
  # What it computes is what the published code does.
  /usr/bin/python3 - "$data/$model/io.npz" "$work/batch.npz" <<'END' || exit 1
import sys, numpy as np
io = np.load(sys.argv[1])
first = 1 if "lrgb" in sys.argv[1] else 0  # node 0 is the SuperNode there
sizes = io["pair_mask"][:, 0].sum(-1).astype(np.int64).reshape(-1) - first
pairs = lambda a: np.concatenate([a[g, first:first + n, first:first + n].reshape(n * n, -1) for g, n in enumerate(sizes)])
nodes = lambda a: np.concatenate([a[g, first:first + n].reshape(n, -1) for g, n in enumerate(sizes)])
batch = {"sizes": sizes}
for name, ours, pack in [("adj", "adjacency", pairs), ("adj_attr", "pair_categories", pairs), ("xt", "pair_reals", pairs),
                         ("x", "node_categories", nodes), ("alpha_bar_t", "alpha_bar", lambda a: a)]:
    if name in io:
        batch[ours] = pack(io[name])
        if ours == "adjacency": batch[ours] = batch[ours].astype(np.int64)
np.savez(sys.argv[2], **batch)
wanted = {"sizes": sizes}
for name, ours, pack in [("pred_g", "graph", lambda a: a), ("pred_v", "node", nodes), ("pred_e", "pair", pairs)]:
    if name in io: wanted[ours] = pack(io[name])
np.savez(sys.argv[2] + ".wanted.npz", **wanted)
END
  "$program" predict "$work/$model.safetensors" "$work/batch.npz" -o "$work/out.npz" || exit 1
  /usr/bin/python3 - "$work/out.npz" "$work/batch.npz.wanted.npz" <<'END' || exit 1
import sys, numpy as np
found, wanted = (np.load(name) for name in sys.argv[1:])
assert set(found) == set(wanted), (set(found), set(wanted))
worst = max(np.abs(found[name] - wanted[name].reshape(found[name].shape)).max() for name in wanted)
print(f"predict: as published within {worst:.1e}")
assert worst < 1e-4
END
  refusal=$("$program" eval "$work/$model.safetensors" 2>&1)
  [ $? -eq 1 ] && grep -q 'floydnet predict' <<<"$refusal" || { echo "eval: $refusal"; exit 1; }
  # A checkpoint with another model's configuration is refused in one line.
  for other in tsp_model count_model lrgb_model; do
    [ "$other" != "$model" ] || continue
    refusal=$("$program" convert "$data/$model/epoch_00004.pt" \
      --config "$data/$other/model_config.json" -o "$work/wrong.safetensors" 2>&1)
    [ $? -eq 1 ] && [ "$(wc -l <<<"$refusal")" -eq 1 ] && [ ! -e "$work/wrong.safetensors" ] ||
      { echo "wrong configuration: $refusal"; exit 1; }
    echo "$refusal"
  done
done
