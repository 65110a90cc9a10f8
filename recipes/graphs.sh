#!/usr/bin/env bash
# Makes sets of molecules, trains models for them and evaluates each of them once. Can be
# interrupted and started again: what is finished is left alone, what was interrupted is resumed.
#
#   recipes/graphs.sh [-d DATA] [-s SETS] [-o RUNS] [-j JOBS] [-e "SEEDS"] [PART...]
#
# -d  folder of the sources (default $FLOYDNET_TEST_DATA/molecules, or ../shared/molecules)
# -s  folder of the sets made of them, NAME.npz (default runs/graph-sets)
# -o  folder of the runs (default runs/graphs)
# -j  how many runs at a time, one thread each (default 2)
# -e  seeds of the small sets, molesol and molfreesolv (default "1 2 3")
#
# Parts, all by default:
#   zinc          ZINC-12k, fewer than 500,000 parameters: RUNS/zinc
#   peptides      Peptides-func: states of nodes, RUNS/peptides-nodes; of pairs, RUNS/peptides-pairs
#   contacts      PCQM-Contact's rule on a sample, split 80/10/10 at random: RUNS/contacts
#   molesol       OGB's solubilities, scaffold split: RUNS/molesol/seed-*
#   molfreesolv   OGB's hydration energies, scaffold split: RUNS/molfreesolv/seed-*
#   report        curves of all runs, against CPU time, too: RUNS/report.html
#
# recipes/graphs/NAME.json has the settings of a run. Validation selects its weights; the test split
# is evaluated once, after training: results.json. DATA contains, each also compressed (.xz):
#   zinc/jtvae_smiles/{train,valid,test}.txt    zinc/{train,val,test}.index
#   peptides_func/raw/peptide_multi_class_dataset.csv.gz and splits_random_stratified_peptide.pickle
#   pcqm_contact/pcqm4mv2-2k.csv                ogb/ogbg_molesol    ogb/ogbg_molfreesolv
# FLOYDNET names the program (default build/release/bin/floydnet).
#
# recipes/graphs.sh -o results/graphs puts the runs where git keeps their configurations and scores.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${FLOYDNET:-$here/../build/release/bin/floydnet}
data=${FLOYDNET_TEST_DATA:-../shared}/molecules
sets=runs/graph-sets runs=runs/graphs jobs=2 seeds="1 2 3"

usage() {
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
}
while getopts d:s:o:j:e:h option; do
  case $option in
    d) data=$OPTARG ;;
    s) sets=$OPTARG ;;
    o) runs=$OPTARG ;;
    j) jobs=$OPTARG ;;
    e) seeds=$OPTARG ;;
    h) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ -x "$program" ] ||
  { echo "graphs.sh: $program: no such program; build it, or set FLOYDNET" >&2; exit 1; }
[ $# -gt 0 ] || set -- zinc peptides contacts molesol molfreesolv report
for part in "$@"; do
  case $part in
    zinc | peptides | contacts | molesol | molfreesolv | report) ;;
    *) echo "graphs.sh: '$part' is no part; wanted zinc, peptides, contacts, molesol, molfreesolv" \
      "or report" >&2 && exit 2 ;;
  esac
done
mkdir -p "$sets" "$runs"

# plain FILE: DATA/FILE, from FILE.xz if only that is there, as a file in SETS.
plain() {
  local to=$sets/$1
  mkdir -p "$(dirname "$to")"
  if [ -e "$data/$1" ]; then
    cp "$data/$1" "$to"
  elif [ -e "$data/$1.xz" ]; then
    xz -dc "$data/$1.xz" >"$to"
  else
    echo "graphs.sh: $data/$1: no such file (-d names the folder of the sources)" >&2
    return 1
  fi
}

# make_set NAME: SETS/NAME.npz, made once.
make_set() {
  local name=$1 file=$sets/$1.npz part
  [ ! -e "$file" ] || return 0
  case $name in
    zinc)
      for part in train valid test; do plain zinc/jtvae_smiles/$part.txt; done
      for part in train val test; do plain zinc/$part.index; done
      "$program" data zinc --smiles "$sets/zinc/jtvae_smiles" --index "$sets/zinc" --subset \
        -o "$file"
      ;;
    peptides)
      part=$data/peptides_func/raw
      "$program" data graphs --from smiles "$part/peptide_multi_class_dataset.csv.gz" \
        --target labels --split "$part/splits_random_stratified_peptide.pickle" -o "$file"
      ;;
    contacts)
      plain pcqm_contact/pcqm4mv2-2k.csv
      "$program" data graphs --from contacts "$sets/pcqm_contact/pcqm4mv2-2k.csv" \
        --smiles-column smiles --fractions 0.8,0.1,0.1 --seed 1 -o "$file"
      ;;
    *) "$program" data graphs --from ogb "$data/ogb/ogbg_$name" -o "$file" ;;
  esac
}

# train RUN SET SETTINGS SEED: one run, from wherever it stands.
train() {
  local run=$runs/$1 target=graph_y
  [ "$2" != contacts ] || target=pair_y
  mkdir -p "$(dirname "$run")"
  if [ -e "$run/results.json" ]; then
    return
  elif [ -e "$run/config.json" ]; then
    "$program" train --resume "$run" --threads 1
  else
    "$program" train graphs --data "$sets/$2.npz" --target "$target" \
      --config "$here/graphs/$3.json" --seed "$4" --threads 1 --out "$run"
  fi >>"$run.log" 2>&1 || { echo "$run: failed, see $run.log" >&2; return 1; }
  echo "$run: finished"
}
export -f train
export here program runs sets

# Arguments of train, a line a run, of the parts that are asked for.
runs_of() {
  local part seed
  for part in "$@"; do
    case $part in
      zinc | contacts) echo "$part $part $part 1" ;;
      peptides) printf '%s peptides %s 1\n' peptides-nodes{,} peptides-pairs{,} ;;
      molesol | molfreesolv)
        for seed in $seeds; do echo "$part/seed-$seed $part $part $seed"; done
        ;;
    esac
  done
}

for part in "$@"; do
  [ "$part" = report ] || make_set "$part"
done
runs_of "$@" | xargs -r -P "$jobs" -L 1 bash -c 'set -eu; train "$@"' train
for part in "$@"; do
  [ "$part" = report ] || continue
  mapfile -t finished < <(find "$runs" -name config.json -printf '%h\n' | sort)
  "$program" report "${finished[@]}" -o "$runs/report.html" --title "Molecules"
done
