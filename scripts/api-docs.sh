#!/usr/bin/env bash
# The API pages are made without a warning: api-docs.sh SOURCE_DIR OUTPUT_DIR
set -eu
command -v doxygen >/dev/null || { echo "[  SKIPPED ] doxygen is absent"; exit 0; }
root=$1 output=$2
mkdir -p "$output"
sed -e "s|@root@|$root|g" -e "s|@output@|$output|g" "$root/docs/api/Doxyfile.in" >"$output/Doxyfile"
doxygen -q "$output/Doxyfile" 2>"$output/warnings.txt" || { cat "$output/warnings.txt"; exit 1; }
if [ -s "$output/warnings.txt" ]; then
  cat "$output/warnings.txt"
  exit 1
fi
[ -s "$output/html/index.html" ] || { echo "no pages"; exit 1; }
echo "$output/html/index.html"
