#!/usr/bin/env bash
# One of several shards of a GoogleTest program, as one test of ctest: shard.sh PROGRAM INDEX COUNT [FLAGS...]
# What has failed or was skipped is listed by name. If nothing could run, all is skipped (exit code 77).
set -u
program=$1
export GTEST_SHARD_INDEX=$2 GTEST_TOTAL_SHARDS=$3
shift 3
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$program" --gtest_brief=1 "$@" >"$log" 2>&1
code=$?
cat "$log"
if [ $code -ne 0 ]; then
  # A crash leaves no list: say in which test it was.
  grep -q '^\[  FAILED  \]' "$log" || "$program" "$@" 2>&1 | grep '^\[ RUN' | tail -n 1
  exit $code
fi
grep -qE '^\[  PASSED  \] [1-9]' "$log" || { grep -q '^\[  SKIPPED \]' "$log" && exit 77; }
exit 0
