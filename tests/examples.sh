#!/usr/bin/env bash
# Runs a numbered example and compares what it prints with what its comment says:
# examples.sh SOURCE PROGRAM SOURCE_DIR
set -eu
source=$1 program=$2 root=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n '/^\/\/ Prints:$/,/^#include/ s|^//   ||p' "$source" >"$work/wanted"
[ -s "$work/wanted" ] || { echo "$source: its comment does not say what it prints"; exit 1; }
arguments=()
case $(basename "$source") in
  3-*) arguments=("$root/models/clrs/bfs.safetensors") ;;
  4-*) arguments=("$work/run") ;;
esac
cp "$program" "$work/program"  # it may write beside itself
"$work/program" "${arguments[@]}" >"$work/found"
diff -u "$work/wanted" "$work/found"
