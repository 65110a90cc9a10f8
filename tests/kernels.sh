#!/usr/bin/env bash
# The kernels' tests for an instruction set that is not this machine's best:
# kernels.sh TARGET SERVER PROGRAM INDEX COUNT
set -u
target=$1 server=$2
shift 2
if [ "$("$server" --simd)" = "$target" ]; then
  echo "[  SKIPPED ] $target is this machine's best: the unit tests use it"
  exit 77
fi
export FLOYDNET_SIMD=$target
if ! "$server" --simd >/dev/null 2>&1; then
  echo "[  SKIPPED ] this machine has no $target"
  exit 77
fi
exec "$(dirname "$0")/shard.sh" "$@" --gtest_filter='*Attention*:*Dense*:*FusedBlock*'
