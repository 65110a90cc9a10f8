#!/usr/bin/env bash
# Molecules from the command line, bad tables included: molecules.sh PROGRAM [SERVER]
source "$(dirname "$0")/expect.sh"
complain() {
  echo "$*"
  wrong=1
}

mols=$work/mols.csv out=$work/mols.npz
printf 's,y,note\nCCO,0.5,"alcohol, ""plain"""\nc1ccccc1,-1,\nCC(=O)O,,acid\n' >"$mols"
expect 0 'floydnet data zinc --smiles' data zinc --help
expect 0 'smiles-column' data graphs --help
output=$("$program" data graphs --from smiles "$mols" --smiles-column s -o "$out" 2>&1)
if grep -q 'built without RDKit' <<<"$output"; then
  refuse 1 'apt-get install librdkit-dev' data graphs --from smiles "$mols" --smiles-column s -o "$out"
  [ ! -e "$out" ] || complain "a file was written without RDKit"
  [ "$wrong" -eq 0 ] || exit 1
  echo '[  SKIPPED ] RDKit is absent'
  exit 0
fi

expect 0 'mols.npz|graphs' data graphs --from smiles "$mols" --smiles-column s --target y -o "$out"
expect 0 'node_x' data graphs --describe "$out"
expect 0 'graph_y' data graphs --describe "$out"
expect 0 . data graphs --from smiles "$mols" --smiles-column s --features zinc -o "$out"
expect 0 . data graphs --from smiles "$mols" --smiles-column s --split scaffold -o "$out"
rm -f "$out"

# The page of a run shows molecules as chemists draw them.
{ echo s,y; for n in 1 2 3 4 5 6 7 8 9 10; do printf 'C%.0s' $(seq $n); echo "O,$n"; done; } >"$work/alcohols.csv"
expect 0 . data graphs --from smiles "$work/alcohols.csv" --smiles-column s --target y -o "$work/alcohols.npz"
expect 0 'steps in' train graphs --data "$work/alcohols.npz" --target graph_y --steps 2 --out "$work/run" --threads 1 \
  --set model.dim=16 --set model.heads=2 --set model.depth=1 --set data.validation=0.3
expect 0 'page.html: predictions' eval "$work/run" --whole true --report "$work/page.html"
grep -q '<figcaption>graph [0-9]* <small>C*O</small></figcaption>' "$work/page.html" || complain "the page names no molecule"
[ "$(grep -c 'rdkit' "$work/page.html")" -eq 8 ] || complain "the page does not have 8 drawings by RDKit"
rm -f "$out"

# Nothing is written of what is refused.
printf 's,y\nCCO,1\nC1CC,2\nCN(C)(C)C,3\n' >"$work/bad.csv"
bad=(data graphs --from smiles "$work/bad.csv" --smiles-column s --target y -o "$out")
refuse 1 "bad.csv: line 3: RDKit refuses 'C1CC': is not SMILES: unclosed ring" "${bad[@]}"
expect 0 "left out 2 of 3 molecules; the first: line 3: RDKit refuses 'C1CC'" "${bad[@]}" --skip-invalid
rm -f "$out"
printf 's,y\nCCO,1\nC,x\n' >"$work/label.csv"
refuse 1 "label.csv: line 3: column 'y': 'x' is not a number" \
  data graphs --from smiles "$work/label.csv" --smiles-column s --target y -o "$out"
refuse 1 "has no column 'z'; its columns are 's', 'y', 'note'" \
  data graphs --from smiles "$mols" --smiles-column s --target z -o "$out"
refuse 1 'there are no coordinates' data graphs --from contacts "$mols" --smiles-column s -o "$out"
refuse 1 'absent.csv: cannot read' data graphs --from smiles "$work/absent.csv" -o "$out"
printf '\x80\x04cos\nsystem\n.' >"$work/evil.pickle"
refuse 1 "evil.pickle: byte 2: refuses the global 'os.system'" \
  data graphs --from smiles "$mols" --smiles-column s --split "$work/evil.pickle" -o "$out"
refuse 1 'train.txt: is absent' data zinc --smiles "$work" -o "$out"
[ ! -e "$out" ] || complain "a file was written of what was refused"

# A ZINC of three molecules.
mkdir "$work/zinc"
echo 'CC(C)(C)c1ccc2occ(CC(=O)Nc3ccccc3F)c2c1' >"$work/zinc/train.txt"
echo 'C[C@@H]1CC(Nc2cncc(-c3nncn3C)c2)C[C@@H](C)C1' >"$work/zinc/valid.txt"
echo 'N#Cc1ccc(-c2ccc(O[C@@H](C(=O)N3CCCC3)c3ccccc3)cc2)cc1' >"$work/zinc/test.txt"
if [ -e /usr/share/RDKit/Contrib/SA_Score/fpscores.pkl.gz ]; then
  expect 0 'zinc.npz: 3 molecules, 74 atoms, 81 bonds' data zinc --smiles "$work/zinc" -o "$work/zinc.npz"
  echo 0 | tee "$work/zinc/train.index" "$work/zinc/val.index" >"$work/zinc/test.index"
  expect 0 'zinc.npz: 3 molecules' data zinc --smiles "$work/zinc" --subset -o "$work/zinc.npz"
  echo 1 >"$work/zinc/val.index"
  refuse 1 'val.index: row 1 is not in the list' data zinc --smiles "$work/zinc" --subset -o "$work/z.npz"
fi
exit $wrong
