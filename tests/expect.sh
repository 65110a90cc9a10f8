# Sourced by tests that use the program as a person would: expect.sh PROGRAM [SERVER]
# With SERVER (tests/serve.cc) most runs of the program are forked from it, which saves loading libtorch.
set -u
program=$1 server=${2-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
if [ -n "$server" ]; then coproc SERVER { exec "$server" --serve; }; fi

# expect CODE PATTERN ARGS...: exit code, and what the output (of both kinds) must match.
expect() {
  local code=$1 pattern=$2 found
  shift 2
  if [ -n "$server" ]; then
    { env -0 | grep -z '^FLOYDNET_'; printf '\0'; printf '%s\0' "$@"; } >"$work/request"
    echo "$work/request" >&"${SERVER[1]}"
    read -r found <&"${SERVER[0]}"
    output=$(tr -d '\0' <"$work/request.out")
  else
    output=$("$program" "$@" 2>&1)
    found=$?
  fi
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
  ! grep -q 'internal error' <<<"$output" || { echo "floydnet $*: $output"; wrong=1; }
}
