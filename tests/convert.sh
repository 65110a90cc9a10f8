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
