#!/usr/bin/env bash
# Graphs of one's own from the command line, from a Python script to predictions: graphs.sh PROGRAM [SERVER]
source "$(dirname "$0")/expect.sh"
complain() {
  echo "$*"
  wrong=1
}

# The script of docs/graph-prediction.md: random graphs, and how many edges they have.
cat >"$work/make.py" <<'PYTHON'
import sys
import numpy as np
rng = np.random.default_rng(int(sys.argv[2]))
sizes = rng.integers(4, 10, 300)
edges = [np.argwhere(np.triu(rng.random((n, n)) < 0.4, 1)) for n in sizes]
np.savez(sys.argv[1], sizes=sizes, edges=np.concatenate(edges),
         edge_counts=np.array([len(e) for e in edges]),
         node_x=rng.integers(0, 3, sizes.sum()),
         graph_y=np.array([len(e) for e in edges], np.float32))
PYTHON
python3 "$work/make.py" "$work/mine.npz" 1 || complain "no mine.npz"
python3 "$work/make.py" "$work/new.npz" 2 || complain "no new.npz"
small=(--set model.dim=16 --set model.heads=2 --set model.depth=2 --set train.warmup=10
  --set train.learning_rate=0.01 --set train.average=0 --threads 1)

expect 0 'Example: floydnet train graphs' train graphs --help
expect 0 'mae' train graphs --data "$work/mine.npz" --target graph_y --steps 300 --out "$work/run" \
  "${small[@]}" --set model.readout=sum --set train.evaluate_every=100
expect 0 'mae +[0-9.]+ +[0-9.]+' eval "$work/run"
expect 0 '"all"' eval "$work/run" --data "$work/new.npz" --whole true --json
expect 0 'predictions.csv: 300 graphs; graph_y' predict --run "$work/run" --data "$work/new.npz" -o "$work/predictions.csv"
expect 0 '"columns"' predict "$work/run" "$work/new.npz" -o "$work/predictions.npz" --json
python3 - "$work" <<'PYTHON' || complain "predictions are wrong"
import csv, json, sys
import numpy as np
work = sys.argv[1]
rows = list(csv.DictReader(open(f"{work}/predictions.csv")))
new = np.load(f"{work}/new.npz")
found = np.array([float(row["y"]) for row in rows])
assert [int(row["graph"]) for row in rows] == list(range(300))
assert np.allclose([float(row["y_true"]) for row in rows], new["graph_y"])
error = np.abs(found - new["graph_y"]).mean()
print(f"mean absolute error {error:.3f}, of the mean {np.abs(new['graph_y'] - new['graph_y'].mean()).mean():.3f}")
assert error < 0.5, error
archive = np.load(f"{work}/predictions.npz")
assert np.allclose(archive["graph_y"][:, 0], found, atol=1e-4)
results = json.load(open(f"{work}/run/results.json"))
assert abs(results["splits"]["test"]["mae"]) < 0.5, results
PYTHON

# Stopped and resumed: the same weights as in one go.
for name in whole halves; do
  steps=40
  [ "$name" = halves ] && steps=20
  expect 0 'steps in' train graphs --data "$work/mine.npz" --target graph_y --steps $steps --out "$work/$name" \
    "${small[@]}" --set train.schedule=constant --set train.evaluate_every=20 --set train.checkpoint_every=20
done
expect 0 'steps in' train --resume "$work/halves" --steps 40 --threads 1
python3 - "$work" <<'PYTHON' || complain "resuming changes what is learned"
import json, sys
a, b = (json.load(open(f"{sys.argv[1]}/{name}/results.json"))["splits"] for name in ("whole", "halves"))
assert a == b, (a, b)
PYTHON

# Every level at once, predictions of all of them.
python3 - "$work" <<'PYTHON'
import sys
import numpy as np
rng = np.random.default_rng(3)
sizes = rng.integers(4, 8, 60)
edges = [np.argwhere(np.triu(rng.random((n, n)) < 0.5, 1)) for n in sizes]
count = sum(len(e) for e in edges)
y = rng.random((60, 2)).astype(np.float32)
y[::3, 1] = np.nan
arrays = dict(sizes=sizes, edges=np.concatenate(edges), edge_counts=np.array([len(e) for e in edges]),
              node_x=rng.random((sizes.sum(), 2)).astype(np.float32), edge_kind=rng.integers(0, 4, count),
              graph_y=y, node_y=rng.integers(0, 3, sizes.sum()), edge_y=rng.integers(0, 2, count),
              pair_y=rng.random((sizes**2).sum()).astype(np.float32))
work = sys.argv[1]
np.savez(f"{work}/levels.npz", **arrays)
np.savez(f"{work}/unlabelled.npz", **{k: v for k, v in arrays.items() if not k.endswith("_y")})
np.savez(f"{work}/lacking.npz", **{k: v for k, v in arrays.items() if k != "edge_kind"})
np.savez(f"{work}/kinds.npz", **{**arrays, "edge_kind": arrays["edge_kind"] + 1})
wrong_edge = arrays["edges"].copy()
wrong_edge[0] = (0, 99)
np.savez(f"{work}/edge.npz", **{**arrays, "edges": wrong_edge})
np.savez(f"{work}/empty.npz", **{**arrays, "sizes": np.where(np.arange(60) == 5, 0, sizes)})
x = arrays["node_x"].copy()
x[3, 1] = np.nan
np.savez(f"{work}/nan.npz", **{**arrays, "node_x": x})
np.savez(f"{work}/unknown.npz", **{**arrays, "graph_y": np.full((60, 2), np.nan, np.float32)})
PYTHON
expect 0 'steps in' train graphs --data "$work/levels.npz" --target graph_y,node_y,edge_y,pair_y --steps 4 \
  --out "$work/levels" "${small[@]}"
expect 0 'graph_y, node_y, edge_y, pair_y' predict "$work/levels" "$work/unlabelled.npz" -o "$work/levels-out.npz"
python3 - "$work" <<'PYTHON' || complain "predictions of levels have other shapes"
import sys
import numpy as np
out, given = np.load(f"{sys.argv[1]}/levels-out.npz"), np.load(f"{sys.argv[1]}/levels.npz")
for name, width in (("graph_y", 2), ("node_y", 3), ("edge_y", 1), ("pair_y", 1)):
    assert out[name].shape == (len(given[name]), width), (name, out[name].shape)
    assert np.isfinite(out[name]).all()
assert np.allclose(out["node_y"].sum(1), 1, atol=1e-5)
PYTHON
expect 0 'steps in' train graphs --data "$work/levels.npz" --target edge_y --steps 4 --out "$work/edges" "${small[@]}"
expect 0 'edge_y' predict "$work/edges" "$work/unlabelled.npz" -o "$work/edges.csv"
head -1 "$work/edges.csv" | grep -qx 'graph,from,to,y' || complain "edges.csv begins with $(head -1 "$work/edges.csv")"

# The page of a run's predictions: figures, and the worst cases with the numbers that predict writes.
expect 0 'run.html: predictions beside labels' eval "$work/run" --data "$work/new.npz" --whole true --report "$work/run.html"
expect 0 '"all"' eval "$work/run" --data "$work/new.npz" --whole true --json --report "$work/again.html"
cmp -s "$work/run.html" "$work/again.html" || complain "the same predictions made another page"
expect 0 'levels.html' eval "$work/levels" --report "$work/levels.html"
python3 - "$work" <<'PYTHON' || complain "a page of predictions is wrong"
import csv, re, sys
work = sys.argv[1]
page = open(f"{work}/run.html").read()
assert page.endswith("</html>\n") and "://" not in page.replace("http://www.w3.org", "").replace("http%3A", "")
for part in ("Predicted against true", "Error by size", "Worst predictions", 'class="diagonal"'):
    assert part in page, part
rows = list(csv.DictReader(open(f"{work}/predictions.csv")))
errors = {int(row["graph"]): abs(float(row["y"]) - float(row["y_true"])) for row in rows}
worst = sorted(errors, key=errors.get, reverse=True)[:8]
cases = re.findall(r"<figcaption>graph (\d+)</figcaption>.*?error ([0-9.]+)</p>", page, re.S)
assert sorted(worst) == sorted(int(graph) for graph, _ in cases), (worst, cases)
for graph, error in cases:
    assert abs(float(error) - errors[int(graph)]) < 1e-3, (graph, error)
assert page.count("<img") == 8
levels = open(f"{work}/levels.html").read()
for part in ("<h2>graph_y</h2>", "<h2>node_y</h2>", "<h2>edge_y</h2>", "<h2>pair_y</h2>", "column 1</figcaption>",
             "True classes against predicted ones", "Probability of yes by label", "wrong; node ",
             "wrong; edge ", "; pair "):
    assert part in levels, part
PYTHON

# Bad input: one line, nothing half-written.
train=(train graphs --steps 2 --out "$work/refused")
refuse 1 "data: not given" "${train[@]}" --target graph_y
refuse 1 'absent.npz: cannot read' "${train[@]}" --data "$work/absent.npz" --target graph_y
refuse 1 'target: not given; .*levels.npz has edge_kind' "${train[@]}" --data "$work/levels.npz"
refuse 1 "no column 'graph_z'; did you mean 'graph_y'" "${train[@]}" --data "$work/levels.npz" --target graph_z
refuse 1 "edges: graph 0, .*\\(0, 99\\)" "${train[@]}" --data "$work/edge.npz" --target graph_y
refuse 1 "graph 5 has 0 nodes" "${train[@]}" --data "$work/empty.npz" --target graph_y
refuse 1 'node_x: row 3, of graph 0: NaN' "${train[@]}" --data "$work/nan.npz" --target graph_y
refuse 1 'graph_y: no training graph has a label' "${train[@]}" --data "$work/unknown.npz" --target graph_y
refuse 1 "'mrr' is unknown" "${train[@]}" --data "$work/levels.npz" --target graph_y --metric mrr
refuse 1 'suits no target' "${train[@]}" --data "$work/levels.npz" --target graph_y --loss bce
refuse 1 'is 1, but edge_y needs states of pairs' "${train[@]}" --data "$work/levels.npz" --target edge_y --set model.order=1
[ ! -e "$work/refused" ] || complain "a refused run left a folder"
out=(-o "$work/refused.npz")
refuse 1 "no column 'edge_kind', which the run was trained with" predict "$work/levels" "$work/lacking.npz" "${out[@]}"
refuse 1 'edge_kind, column 0: category 4, the run knows 0 to 3' predict "$work/levels" "$work/kinds.npz" "${out[@]}"
refuse 1 'CSV has no place for predictions of graphs and nodes' predict "$work/levels" "$work/levels.npz" -o "$work/refused.csv"
refuse 1 'absent: .*' predict "$work/absent" "$work/levels.npz" "${out[@]}"
[ ! -e "$work/refused.npz" ] && [ ! -e "$work/refused.csv" ] || complain "a refused prediction left a file"
refuse 1 'absent/page.html: cannot write' eval "$work/run" --report "$work/absent/page.html"
refuse 1 "no column 'graph_y'" eval "$work/levels" --data "$work/unlabelled.npz" --report "$work/refused.html"
refuse 2 'excludes' eval "$work/run" --report "$work/refused.html" --probe "$work/refused.svg"
refuse 1 'no picture of what happens inside' eval "$work/run" --probe "$work/refused.svg"
[ ! -e "$work/refused.html" ] && [ ! -e "$work/refused.svg" ] || complain "a refused page left a file"
exit $wrong
