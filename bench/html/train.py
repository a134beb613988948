#!/usr/bin/env python3
"""Trains the content vote of HTML pages and writes handlers/html/content/forest.txt.

    cargo build --release -p sift-handlers --features training --example blocks
    python3 bench/html/train.py CORPUS [--blocks PROGRAM] [--write]

CORPUS is a folder in the layout of WCXB: `html/KEY.html.gz` and `ground-truth/KEY.json.gz`. A block's label is the share
of its words that stand in the page's true text, found by runs of four words. Without --write only the five-fold figures
are printed: every page is read by trees that never saw it. Needs numpy and lightgbm (pip).
"""

import argparse
import gzip
import json
import pathlib
import re
import subprocess
import tempfile
from collections import Counter

import lightgbm
import numpy

WORD = re.compile(r"\w+")
# The bounds of the bar, as in vote.rs.
LOWEST, HIGHEST = 0.28, 0.45
TREES = 200
PARAMETERS = dict(
    objective="cross_entropy", learning_rate=0.05, num_leaves=24, feature_fraction=0.3, min_data_in_leaf=200,
    lambda_l2=30, path_smooth=50, bagging_fraction=0.7, bagging_freq=1, min_sum_hessian_in_leaf=1e-3, seed=1, verbose=-1,
)


HEADER = "# Written by bench/html/train.py from the development pages of WCXB (Murrough Foley, CC-BY-4.0).\n"


class Page:
    def __init__(self, truth, kind, found):
        self.kind = kind
        words = WORD.findall(truth.lower())
        self.truth, self.size = Counter(words), len(words)
        self.blocks = [WORD.findall(text.lower().replace("\u00ad", "")) for text in found["texts"]]
        self.rows = numpy.array(found["rows"], dtype=numpy.float32).reshape(len(self.blocks), len(found["names"]))
        self.labels = numpy.array(labels(self.blocks, words, truth))

    def weights(self):
        """A page counts by its truth, so that one of many blocks doesn't outvote the others."""
        words = numpy.array([max(len(block), 0.5) for block in self.blocks])
        return words / max(60, min(self.size, 3000), 0.3 * sum(map(len, self.blocks)))


def runs(words, length):
    return {tuple(words[at:at + length]) for at in range(len(words) - length + 1)}


def labels(blocks, truth, text):
    known = {length: runs(truth, length) for length in (2, 3, 4)}
    lines = {" ".join(WORD.findall(line.lower())) for line in text.split("\n")}
    found = []
    for at, block in enumerate(blocks):
        if not block:
            found.append(0.0)
        elif len(block) >= 6:
            found.append(sum(covered(block, known[4], 4)) / len(block))
        elif " ".join(block) in lines:
            found.append(1.0)
        else:
            before = blocks[at - 1][-2:] if at else []
            after = blocks[at + 1][:2] if at + 1 < len(blocks) else []
            around = before + block + after
            length = min(4, len(around))
            hits = covered(around, known.get(length, set()), length)[len(before):len(before) + len(block)]
            share = sum(hits) / len(hits)
            found.append(max(share, 0.8) if len(block) >= 3 and tuple(block[:3]) in known[3] else share)
    return found


def covered(words, known, length):
    hits = [False] * len(words)
    for at in range(len(words) - length + 1):
        if tuple(words[at:at + length]) in known:
            hits[at:at + length] = [True] * length
    return hits


def load(corpus, program):
    pages, names = [], None
    with tempfile.TemporaryDirectory() as scratch:
        for truth in sorted((corpus / "ground-truth").glob("*.json.gz")):
            key = truth.name.removesuffix(".json.gz")
            record = json.loads(gzip.decompress(truth.read_bytes()))
            file = pathlib.Path(scratch) / "page.html"
            file.write_bytes(gzip.decompress((corpus / "html" / f"{key}.html.gz").read_bytes()))
            found = json.loads(subprocess.run([program, file], capture_output=True, text=True, check=True).stdout)
            kind = record["_internal"]["page_type"]["primary"]
            pages.append(Page(record["ground_truth"].get("main_content") or "", kind, found))
            names = found["names"]
    return pages, names


def trained(pages):
    pages = [page for page in pages if len(page.blocks)]
    weights = numpy.concatenate([page.weights() for page in pages])
    data = lightgbm.Dataset(
        numpy.concatenate([page.rows for page in pages]),
        numpy.concatenate([page.labels for page in pages]),
        weight=weights / weights.mean(),
    )
    return lightgbm.train(PARAMETERS, data, TREES)


def kept(page, probabilities):
    """As vote.rs does."""
    weights = numpy.array([max(len(block), 0.3) for block in page.blocks])
    order = numpy.argsort(-probabilities)
    right = numpy.cumsum((weights * probabilities)[order])
    scores = 2 * right / (numpy.cumsum(weights[order]) + (weights * probabilities).sum())
    return probabilities >= numpy.clip(probabilities[order][scores.argmax()], LOWEST, HIGHEST)


def score(page, keep):
    words = Counter()
    for block, keeps in zip(page.blocks, keep):
        if keeps:
            words.update(block)
    hits = sum((words & page.truth).values())
    precision, recall = hits / max(1, sum(words.values())), hits / max(1, page.size)
    return 2 * precision * recall / (precision + recall) if hits else float(not words and not page.truth), recall


def validate(pages):
    fold = numpy.random.RandomState(0).permutation(len(pages)) % 5
    scores = [None] * len(pages)
    for part in range(5):
        model = trained([page for page, group in zip(pages, fold) if group != part])
        for at, page in enumerate(pages):
            if fold[at] == part:
                scores[at] = score(page, kept(page, model.predict(page.rows)) if len(page.blocks) else [])
    kinds = Counter(page.kind for page in pages)
    thin = sum(recall < 0.5 and page.size > 0 for page, (_, recall) in zip(pages, scores)) / len(pages)
    print(f"five-fold F1 {numpy.mean([f1 for f1, _ in scores]):.4f}, under half of the words {thin:.1%}")
    for kind in sorted(kinds):
        print(f"  {kind} {numpy.mean([f1 for page, (f1, _) in zip(pages, scores) if page.kind == kind]):.3f}")


def write(model, names, path):
    def nodes(tree):
        if "leaf_value" in tree:
            return [f"={tree['leaf_value']:.4g}"]
        assert tree["decision_type"] == "<=", tree
        split = f"{names[tree['split_feature']]}>{tree['threshold']:.6g}"
        return [split, *nodes(tree["left_child"]), *nodes(tree["right_child"])]

    trees = [" ".join(nodes(tree["tree_structure"])) for tree in model.dump_model()["tree_info"]]
    path.write_text(HEADER + "\n".join(trees) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--blocks", default="target/release/examples/blocks")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    pages, names = load(arguments.corpus, arguments.blocks)
    validate(pages)
    if arguments.write:
        root = pathlib.Path(__file__).resolve().parents[2]
        write(trained(pages), names, root / "handlers/html/content/forest.txt")


if __name__ == "__main__":
    main()
