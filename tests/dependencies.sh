#!/usr/bin/env bash
# Checks that includes point one way: dependencies.sh SOURCE_DIR
#   cli -> tasks -> train -> model -> attention -> (libtorch); graph, wl and weights stand beside;
#   base is below all. Kernels know no libtorch, and a task never includes another task.
set -eu
cd "$1/src"
declare -A allowed=(
  [base]="base"
  [graph]="base graph"
  [wl]="base graph wl"
  [weights]="base weights"
  [attention]="base graph attention"
  [model]="base graph weights attention model"
  [train]="base graph weights attention model train report"
  [report]="base report"
  [tasks]="base graph wl weights attention model train report tasks"
  [cli]="base graph wl weights attention model train report tasks cli"
)
wrong=0
complain() {
  echo "$*"
  wrong=1
}
while IFS=: read -r file line included; do
  from=${file%%/*}
  to=${included%%/*}
  [ -n "${allowed[$from]-}" ] || { complain "src/$file: folder '$from' has no place in the order"; continue; }
  [[ " ${allowed[$from]} " == *" $to "* ]] ||
    complain "src/$file:$line: '$from' may not include '$included'"
  if [ "$from" = tasks ] && [ "$to" = tasks ]; then
    own=$(cut -d/ -f2 <<<"$file") other=$(cut -d/ -f2 <<<"$included")
    [ "$own" = "$other" ] || complain "src/$file:$line: a task includes another, '$included'"
  fi
done < <(grep -rnE '^#include "' --include='*.h' --include='*.cc' . |
  grep -v '"floydnet/' | sed -E 's|^\./([^:]+):([0-9]+):#include "([^"]+)".*|\1:\2:\3|')
while IFS= read -r match; do
  complain "src/$match: only attention, model, train, tasks and cli may know libtorch"
done < <(grep -rnE '#include <(torch|ATen|c10)/|"floydnet/(attention|model)\.h"' \
  base graph weights attention/kernels || true)
exit $wrong
