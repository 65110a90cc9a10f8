"""Compares our scores with scikit-learn's on random cases: graph_scores.py PROGRAM

Labels are missing at random, predictions have ties, and classes are absent from labels,
predictions or both."""
import json
import math
import subprocess
import sys
import warnings

CASES = 1000

try:
    import numpy as np
    from sklearn import metrics
except ImportError as error:
    print(f"[  SKIPPED ] no scikit-learn: {error}; apt-get install python3-sklearn")
    sys.exit(0)
warnings.filterwarnings("ignore")


def mean_over_columns(labels, predictions, score):
    """As OGB's evaluator: labelled rows of each column; columns without a score are left out."""
    scores = []
    for column in range(labels.shape[1]):
        there = ~np.isnan(labels[:, column])
        value = score(labels[there, column], predictions[there, column]) if there.any() else None
        if value is not None and not math.isnan(value):
            scores.append(value)
    return sum(scores) / len(scores) if scores else None


def with_both_kinds(score):
    return lambda y, p: score(y, p) if 0 < y.sum() < len(y) else None


def table(random):
    rows, width = random.integers(1, 40), random.integers(1, 5)
    # Few different values make ties.
    predictions = random.integers(0, random.choice([3, 10, 10**6]), (rows, width)) / 8
    missing = random.random((rows, width)) < random.choice([0, .2, .9])
    return predictions.astype(np.float32).astype(float), missing


def number_case(random):
    predictions, missing = table(random)
    spread = random.choice([0, 1, 100])
    labels = (random.standard_normal(predictions.shape) * spread).astype(np.float32).astype(float)
    labels[missing] = np.nan
    return "numbers", labels, predictions, {
        "mae": mean_over_columns(labels, predictions, metrics.mean_absolute_error),
        "rmse": mean_over_columns(labels, predictions,
                                  lambda y, p: metrics.mean_squared_error(y, p) ** .5),
        "r2": mean_over_columns(labels, predictions,
                                lambda y, p: metrics.r2_score(y, p) if len(y) > 1 else None)}


def binary_case(random):
    predictions, missing = table(random)
    labels = (random.random(predictions.shape) < random.choice([0, .1, .5, 1])).astype(float)
    labels[missing] = np.nan
    return "binary", labels, predictions, {
        "ap": mean_over_columns(labels, predictions,
                                with_both_kinds(metrics.average_precision_score)),
        "auc": mean_over_columns(labels, predictions, with_both_kinds(metrics.roc_auc_score))}


def class_case(random):
    rows, classes = random.integers(1, 40), random.integers(1, 12)
    labels = random.integers(0, classes, rows)
    predictions = random.integers(0, classes, rows)
    labels[random.random(rows) < random.choice([0, .3])] = -1
    there = labels >= 0
    y, p = labels[there], predictions[there]
    scores = {"accuracy": None, "macro_f1": None}
    if there.any():
        scores = {"accuracy": metrics.accuracy_score(y, p),
                  "macro_f1": metrics.f1_score(y, p, average="macro", zero_division=0)}
    return "classes", labels, predictions, scores


def line_of(kind, labels, predictions):
    plain = [None if isinstance(x, float) and math.isnan(x) else x for x in labels.ravel().tolist()]
    width = labels.shape[1] if labels.ndim == 2 else 1
    return json.dumps({"kind": kind, "width": width, "labels": plain,
                       "predictions": predictions.ravel().tolist()})


def main():
    random = np.random.default_rng(22)
    cases = [make(random) for make in (number_case, binary_case, class_case) for _ in range(CASES)]
    lines = "\n".join(line_of(*case[:3]) for case in cases)
    run = subprocess.run(sys.argv[1:], input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(cases), f"{len(answers)} answers to {len(cases)} cases"
    wrong = compared = 0
    for number, (case, answer) in enumerate(zip(cases, answers)):
        for name, wanted in case[3].items():
            got = answer[name]
            compared += wanted is not None
            same = (got is None) == (wanted is None)
            if same and wanted is not None:
                same = abs(got - wanted) <= 1e-9 * max(1, abs(wanted))
            if not same:
                wrong += 1
                print(f"case {number}: {name} is {got}, scikit-learn has {wanted}")
    print(f"{compared} scores compared, {wrong} differ")
    sys.exit(1 if wrong or compared < 5 * CASES else 0)


if __name__ == "__main__":
    main()
