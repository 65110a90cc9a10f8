#!/usr/bin/env bash
# Installs the library to a new prefix, builds the README's C++ example and a program in C against it
# as a project of their own, and runs them: run.sh SOURCE_DIR BUILD_DIR
set -eu
source_dir=$1 build_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build_dir" --prefix "$work/prefix" >"$work/install.log"
awk '/^```cpp$/ {on=1; next} /^```$/ {if (on) exit} on' "$source_dir/README.md" >"$work/example.cc"
[ -s "$work/example.cc" ] || { echo "README.md has no C++ example"; exit 1; }
cmake -G Ninja -S "$source_dir/tests/consumer" -B "$work/build" -DREADME_EXAMPLE="$work/example.cc" \
  -DCMAKE_PREFIX_PATH="$work/prefix" ${CXXFLAGS:+-DCMAKE_CXX_FLAGS="$CXXFLAGS"} >"$work/configure.log"
cmake --build "$work/build"
"$work/build/consumer"
[ "$("$work/build/c_consumer")" = "1 triangle" ] || { echo "the C program is wrong"; exit 1; }
"$work/prefix/bin/floydnet" --version
