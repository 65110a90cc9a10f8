#!/usr/bin/env bash
# Checks that a shared library exports the functions that its headers declare and nothing else, and
# that all of it is in namespace floydnet or begins with floydnet_: symbols.sh LIBRARY INCLUDE_DIR
set -eu
library=$1 include=$2
wrong=0
count=0
cat "$include"/floydnet/*.h >"${TMPDIR:-/tmp}/headers.$$"
trap 'rm -f "${TMPDIR:-/tmp}/headers.$$"' EXIT
complain() {
  echo "$library: $*"
  wrong=1
}
# The name that a header has to declare: of a function its own, of a table its class.
declared_name() {
  local name=$1
  name=${name#*vtable for }
  name=${name#*typeinfo for }
  name=${name#*typeinfo name for }
  name=${name%%(*}            # arguments
  name=${name%%\[abi:*}       # tags
  while [[ $name == *'<'* ]]; do name=${name%%<*}; done
  name=${name##* }            # the type of a template's result
  name=${name##*::}
  echo "${name#\~}"
}
while IFS= read -r symbol; do
  count=$((count + 1))
  case $symbol in
    FLOYDNET_0*) continue ;;
    *floydnet::* | floydnet_*) ;;
    *) complain "not ours: $symbol"; continue ;;
  esac
  symbol=${symbol%%@@*}
  case $symbol in *operator==*) name='operator==' ;; *) name=$(declared_name "$symbol") ;; esac
  grep -qE -- "(^|[^A-Za-z0-9_])$name([^A-Za-z0-9_]|$)" "${TMPDIR:-/tmp}/headers.$$" ||
    complain "no header declares '$name': $symbol"
done < <(nm -DC --defined-only "$library" | cut -c20-)
[ "$count" -gt 10 ] || complain "exports next to nothing"
# The C functions are in a library of their own.
case $(basename "$library") in
  libfloydnet_c.*) headers=("$include/floydnet/c.h") ;;
  *) mapfile -t headers < <(ls "$include"/floydnet/*.h | grep -vE '/(c|export)\.h$') ;;
esac
exported=$(nm -DC --defined-only "$library" | cut -c20-)
while IFS= read -r name; do
  grep -qE -- "(^|[^A-Za-z0-9_])$name(\(|\[abi:|@@|<|$)" <<<"$exported" ||
    complain "a header declares '$name', which is not exported"
done < <(cat "${headers[@]}" | tr '\n' ' ' | grep -oE 'FLOYDNET_EXPORT [^;{(]*\(' |
  sed -E 's/ *\($//; s/.*[ *&]//' | sort -u)
echo "$(basename "$library"): $count symbols"
exit $wrong
