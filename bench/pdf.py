#!/usr/bin/env python3
"""PDF text of sift beside its peers, as Markdown tables: words, order and CPU time, all in one run.

  python3 bench/pdf.py [--sift target/release/sift] [--repeat 3] FOLDER|FILE...

Needs Python 3.11 and `pdftotext` (poppler-utils), whose `-layout` is the reference for the words; `mutool` (mupdf-tools) and the Python modules
pypdfium2 and fitz (PyMuPDF) are measured when they are there, with the start of Python in their time. Files of more than 160 pages count for cost
only, one row each.
Words are runs of letters and digits after NFKC, a CJK character alone; recall and precision count them as multisets, macro mean over files. Order is
twice the longest common subsequence by the words of both, page by page, against whichever reference (-layout, plain pdftotext, PDFium) agrees most.
"""
import argparse
import collections
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

LONG = 160  # pages
IN_PYTHON = {
    "pdfium": "import sys,pypdfium2 as m\nfor p in m.PdfDocument(sys.argv[1]): print(p.get_textpage().get_text_range(),end='\\f')",
    "pymupdf": "import sys,fitz\nfor p in fitz.open(sys.argv[1]): print(p.get_text(),end='\\f')",
}
WORD = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|(?:(?![\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff])[^\W_])+")


def commands(sift):
    """How each engine is called, of those that are here; the file's name is the last word, or it comes on stdin."""
    found = {"sift": [sift, "pdftext", "--max-pages", "10000"]}
    if shutil.which("pdftotext"):
        found["pdftotext -layout"] = ["pdftotext", "-q", "-layout", "{}", "-"]
        found["pdftotext"] = ["pdftotext", "-q", "{}", "-"]
    else:
        sys.exit("pdftotext is needed: its text is the reference")
    if shutil.which("mutool"):
        found["mutool"] = ["mutool", "draw", "-q", "-F", "txt", "{}"]
    for name, program in IN_PYTHON.items():
        module = re.search(r"(pypdfium2|fitz)", program).group()
        if subprocess.run([sys.executable, "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode == 0:
            found[name] = [sys.executable, "-c", program, "{}"]
    missing = {"mutool", *IN_PYTHON} - found.keys()
    if missing:
        print("skipped, not installed:", ", ".join(sorted(missing)), file=sys.stderr)
    return found


def run(command, path):
    """(pages or None, CPU seconds) of one process."""
    with open(path, "rb") as source, tempfile.TemporaryFile() as out:
        argv = [str(path) if word == "{}" else word for word in command]
        process = subprocess.Popen(argv, stdin=source, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        raw = out.read().decode("utf-8", "replace")
    if process.returncode != 0:
        return None, usage.ru_utime + usage.ru_stime
    if command[1:2] == ["pdftext"]:
        lines = [json.loads(line) for line in raw.splitlines()]
        pages = [line.get("text", "") for line in lines if "page" in line]
    else:
        pages = raw.split("\f")
    return pages, usage.ru_utime + usage.ru_stime


def words(page):
    return WORD.findall(unicodedata.normalize("NFKC", page).replace("\u00ad", ""))


def recall_precision(got, want):
    common = sum((collections.Counter(got) & collections.Counter(want)).values())
    return common / len(want), common / max(len(got), 1)


def common_length(one, other):
    """The length of the longest common subsequence: a row of the table is one big number."""
    places = collections.defaultdict(int)
    for at, word in enumerate(one):
        places[word] |= 1 << at
    row = 0
    for word in other:
        matched = places[word] | row
        row = matched & ~(matched - ((row << 1) | 1))
    return row.bit_count()


def order(got, want):
    pages = max(len(got), len(want))
    got, want = (side + [[]] * (pages - len(side)) for side in (got, want))
    common = sum(common_length(a, b) for a, b in zip(got, want))
    return 2 * common / max(sum(map(len, got)) + sum(map(len, want)), 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sift", default="target/release/sift")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each engine on each file; the cheapest counts")
    parser.add_argument("paths", nargs="*", default=["tests/testdata/pdf"])
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    files = [file for path in map(Path, options.paths) for file in (sorted(path.glob("*.pdf")) if path.is_dir() else [path])]
    engines = commands(options.sift)
    quality, cost, long = collections.defaultdict(list), collections.defaultdict(float), {}
    for file in files:
        results = {}
        for name, command in engines.items():
            runs = [run(command, file) for _ in range(options.repeat)]
            results[name] = min(runs, key=lambda one: one[1])
        if any(pages is None for pages, _ in results.values()):
            continue
        if len(results["sift"][0]) > LONG:
            long[file.name] = {name: cpu for name, (_, cpu) in results.items()}
            continue
        texts = {name: [words(page) for page in pages] for name, (pages, _) in results.items()}
        want = [word for page in texts["pdftotext -layout"] for word in page]
        for name, pages in texts.items():
            cost[name] += results[name][1]
            if len(want) >= 5:
                got = [word for page in pages for word in page]
                others = [texts[other] for other in ("pdftotext -layout", "pdftotext", "pdfium") if other in texts and other != name]
                quality[name].append((*recall_precision(got, want), max(order(pages, other) for other in others)))
    print("| engine | recall | precision | best order | CPU s | beside sift |\n|---|---|---|---|---|---|")
    for name in engines:
        if quality[name]:
            means = " | ".join(f"{sum(column) / len(column):.3f}" for column in zip(*quality[name]))
            print(f"| {name} | {means} | {cost[name]:.2f} | {cost[name] / cost['sift']:.2f} |")
    print(f"\n{len(quality['sift'])} files that every engine reads")
    if long:
        print("\n| CPU s | " + " | ".join(engines) + " |\n|" + "---|" * (len(engines) + 1))
        for name, row in long.items():
            print(f"| {name} | " + " | ".join(f"{row[engine]:.2f}" for engine in engines) + " |")


if __name__ == "__main__":
    main()
