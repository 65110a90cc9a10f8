#!/usr/bin/env bash
# Sets of graphs from the command line, bad files included: graph_data.sh PROGRAM [SERVER]
source "$(dirname "$0")/expect.sh"
complain() {
  echo "$*"
  wrong=1
}
absent() {
  [ ! -e "$1" ] || complain "$1 was written"
}
data() {
  local code=$1 pattern=$2
  shift 2
  if [ "$code" -eq 0 ]; then expect "$code" "$pattern" data graphs "$@"; else refuse "$code" "$pattern" data graphs "$@"; fi
}

data 0 'Example: floydnet data graphs --from ogb' --help
data 2 'wanted --from FORMAT PATH -o FILE.npz, or --describe FILE'
data 2 "'grap6' is unknown; did you mean 'graph6'" --from grap6 a.g6 -o "$work/a.npz"
data 2 'output' --from graph6 a.g6
data 2 'fractions' --from graph6 a.g6 -o "$work/a.npz" --fractions 0.9,0.9,0
data 1 'absent.npz: cannot read: No such file' --describe "$work/absent.npz"
data 1 'absent.g6: cannot read: No such file' --from graph6 "$work/absent.g6" -o "$work/a.npz"
data 1 'cannot' --from graph6 "$work/a.g6" -o "$work/absent/a.npz"

# graph6 with labels, and a split that is drawn.
printf 'Bw\nA_\nC~\nD~{\nC]\nBW\nBo\nDhc\nCl\nEhEG\n' >"$work/a.g6"
printf '0.5\n1\n1.5\n2\n2.5\n3\n3.5\n4\n4.5\n5\n' >"$work/y.csv"
convert=(--from graph6 "$work/a.g6" --labels "$work/y.csv" --fractions 0.8,0.1,0.1)
data 0 'split: 8 train, 1 validation, 1 test, 0 in none' "${convert[@]}" -o "$work/a.npz"
data 0 'graph_y +real +10 +0' --describe "$work/a.npz"
data 0 '"graphs": 10,' --describe "$work/a.npz" --json
data 0 'again.npz: 10' "${convert[@]}" -o "$work/again.npz"
cmp -s "$work/a.npz" "$work/again.npz" || complain "the same command writes other bytes"
printf '0 1 2\n' >"$work/train.txt"; printf '3\n' >"$work/val.txt"; printf '4\n' >"$work/test.txt"
data 0 'split: 3 train, 1 validation, 1 test, 5 in none' --from graph6 "$work/a.g6" --labels "$work/y.csv" \
  --split-folder "$work" -o "$work/again.npz"
data 0 'split: 5 train, 2 validation, 3 test, 0 in none' --from npz "$work/a.npz" --fractions 0.5,0.2,0.3 \
  --seed 4 -o "$work/again.npz"

# JSON lines.
printf '%s\n' '{"nodes": 3, "edges": [[0, 1]], "graph_y": 1}' '{"nodes": 2, "edges": [[0, 2]], "graph_y": 0}' \
  >"$work/bad.jsonl"
data 1 "bad.jsonl: line 2: \"edges\": '2' is no node" --from jsonl "$work/bad.jsonl" -o "$work/bad.npz"
sed -i 's/0, 2/0, 1/' "$work/bad.jsonl"
data 0 'integer +2 +0 +2 +0 .*0:1 1:1' --from jsonl "$work/bad.jsonl" -o "$work/lines.npz"
data 0 '2 undirected graphs' --describe "$work/bad.jsonl"

# Ten lines of Python, and files as torch saves them.
if /usr/bin/python3 -c 'import torch' 2>/dev/null; then
  /usr/bin/python3 - "$work" <<'END' || complain "Python failed"
import os, pickle, sys
import numpy as np
import torch
os.chdir(sys.argv[1])
np.savez("python.npz", sizes=[3, 2], edges=[[0, 1], [1, 2], [0, 1]], edge_counts=[2, 1],
         node_x=np.array([[1.5], [2], [3], [4], [5]]), graph_y=[0, 1], split=[0, 2],
         names=["path", "edge"])
for fault, arrays in {"range": {"edges": [[0, 1], [1, 3], [0, 1]]}, "empty": {"sizes": [3, 0]},
                      "rows": {"graph_y": [1]}, "infinite": {"graph_y": [1, np.inf]}}.items():
    np.savez(fault + ".npz", **{**np.load("python.npz"), **arrays})
def graph(n):
    edges = torch.tensor([[i, i + 1] for i in range(n - 1)]).T.reshape(2, -1)
    both = torch.cat([edges, edges.flip(0)], 1)
    features = torch.arange(n - 1).repeat(2).reshape(-1, 1).expand(-1, 3)
    return torch.arange(9 * n).reshape(n, 9), features, both
graphs = [graph(n) for n in (4, 5, 6)]
func = [(*g, torch.tensor([[0., 1, float("nan")]])) for g in graphs]
pixels = [(g[0].float(), g[1].float(), g[2], torch.arange(len(g[0]))) for g in graphs]
contacts = [(*g, torch.tensor([[0, 3], [3, 0]]), torch.tensor([1, 1])) for g in graphs]
for folder, rows in (("func", func), ("contacts", contacts), ("pixels", pixels)):
    os.mkdir(folder)
    for part in ("train", "val", "test"):
        if folder == "pixels":
            pickle.dump(rows, open(f"{folder}/{part}.pickle", "wb"))
        else:
            torch.save(rows, f"{folder}/{part}.pt")
class Attack:
    def __reduce__(self):
        return os.system, ("touch attacked",)
pickle.dump([Attack()], open("attack.pickle", "wb"))
torch.save([Attack()], "attack.pt")
END
  # The script of docs/graphs.md, with graphs for it.
  { echo 'my_graphs = [(3, [(0, 1), (1, 2)], [[1, 2], [3, 4], [5, 6]], .5), (1, [], [[7, 8]], 1.5)]'
    sed -n '/^```python$/,/^```$/p' "$(dirname "$0")/../docs/graphs.md" | grep -v '^```'; } >"$work/script.py"
  (cd "$work" && /usr/bin/python3 script.py) || complain "the script of docs/graphs.md fails"
  data 0 'mine.npz: 2 undirected graphs' --describe "$work/mine.npz"
  grep -qE 'node_x\[1\] +integer +4 ' <<<"$output" && grep -qE 'edges: 2 in all' <<<"$output" ||
    complain "mine.npz: $output"
  data 0 '2 undirected graphs with names' --describe "$work/python.npz"
  data 1 'range.npz: edges: graph 0, edge 1: .1, 3. is out of range, the graph has 3 nodes' \
    --describe "$work/range.npz"
  data 1 'empty.npz: sizes: graph 1 has 0 nodes' --describe "$work/empty.npz"
  data 1 'rows.npz: graph_y: 1 rows of 1, wanted 2' --describe "$work/rows.npz"
  data 1 'infinite.npz: graph_y' --describe "$work/infinite.npz"
  data 0 'func.npz: 9 undirected graphs' --from lrgb "$work/func" -o "$work/func.npz"
  grep -qE 'nodes: 45 in all' <<<"$output" && grep -qE 'edges: 36 in all' <<<"$output" &&
    grep -qE 'split: 3 train, 3 validation, 3 test' <<<"$output" && grep -qE 'graph_y\[2\] +real +9 +9' <<<"$output" ||
    complain "func: $output"
  data 0 'pairs listed: 18' --from lrgb "$work/contacts" -o "$work/contacts.npz"
  data 0 'node_y +integer +45' --from lrgb "$work/pixels" -o "$work/pixels.npz"
  for attack in attack.pickle attack.pt; do
    data 1 "refuses the global '(posix|os).system'" --from lrgb "$work/$attack" -o "$work/attack.npz"
  done
  absent "$work/attacked"
  absent "$work/attack.npz"
else
  echo "python3-torch is absent: files as torch saves them are left out"
fi
absent "$work/bad.npz"
exit $wrong
