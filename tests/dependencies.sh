#!/usr/bin/env bash
# Checks that includes point one way: dependencies.sh SOURCE_DIR
#   cli -> tasks -> console -> train -> model -> attention -> kernels; bench stands beside tasks, and graph, wl,
#   weights and report beside attention; base is below all. A task never includes another task. Kernels and the
#   subfolders of tasks know no libtorch.
set -eu
cd "$1"
declare -A allowed=(
  [base]="base"
  [graph]="base graph"
  [wl]="base graph wl"
  [weights]="base weights"
  [kernels]="base kernels graph"
  [attention]="base graph kernels attention"
  [model]="base graph weights kernels attention model"
  [train]="base graph weights attention model train record report"
  [record]="base record"
  [report]="base record report"
  [console]="base train console"
  [registry]="train registry"
  [tasks]="base graph wl weights attention model train record report console registry tasks"
  [c_api]="base graph wl record tasks c_api"
  [bench]="base graph kernels attention model train record report console bench"
  [cli]="base graph wl weights kernels attention model train record report console registry tasks bench cli"
)
# The module of a path below src/ or include/: its folder, or what a public header belongs to.
module_of() {
  case $1 in
    floydnet/error.h | floydnet/export.h | floydnet/version.h) echo base ;;
    floydnet/results.h) echo record ;;
    floydnet/c.h) echo c_api ;;
    floydnet/clrs.h | floydnet/clrs_data.h | floydnet/counting.h | floydnet/tsp.h | \
      floydnet/tsp_model.h | floydnet/graphs_model.h) echo tasks ;;
    tasks/*.h | tasks/*.cc)
      case ${1#tasks/} in */*) echo tasks ;; *) echo registry ;; esac ;;
    floydnet/memory.h) echo model ;;
    floydnet/graph.h | floydnet/graph_io.h) echo graph ;;
    floydnet/*.h) basename "$1" .h ;;
    *) echo "${1%%/*}" ;;
  esac
}
# The task of a path below src/tasks/ or of a public header: clrs of floydnet/clrs_data.h.
task_of() {
  local name=${1#*/}
  case $1 in floydnet/*) name=${name%%_*} ;; esac
  name=${name%%/*}
  echo "${name%.h}"
}
wrong=0
complain() {
  echo "$*"
  wrong=1
}
while IFS=: read -r file line included; do
  from=$(module_of "${file#*/}")
  to=$(module_of "$included")
  if [ -z "${allowed[$from]-}" ]; then
    complain "$file: '$from' has no place in the order"
  elif [[ " ${allowed[$from]} " != *" $to "* ]]; then
    complain "$file:$line: '$from' may not include '$included'"
  elif [ "$from" = tasks ] && [ "$to" = tasks ]; then
    [ "$(task_of "${file#*/}")" = "$(task_of "$included")" ] ||
      complain "$file:$line: a task includes another, '$included'"
  fi
done < <(grep -rnE '^#include "' --include='*.h' --include='*.cc' src include |
  sed -E 's|^([^:]+):([0-9]+):#include "([^"]+)".*|\1:\2:\3|')
# The library has no terminal.
while IFS= read -r match; do
  complain "$match: of a task, only *commands.cc may include console"
done < <(grep -rnE '#include "console/' src/tasks | grep -v 'commands\.\(cc\|h\):' || true)
while IFS= read -r match; do
  complain "$match: only attention, model, train, tasks, bench and cli may know libtorch"
done < <(grep -rnE '#include <(torch|ATen|c10)/' src/base src/graph src/weights src/wl src/report src/c_api \
  src/kernels include/floydnet/wl.h src/tasks/*/*/ \
  include/floydnet/error.h include/floydnet/graph.h include/floydnet/graph_io.h \
  include/floydnet/weights.h include/floydnet/{c,clrs_data,counting,tsp,results}.h || true)
exit $wrong
