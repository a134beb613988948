#!/usr/bin/env python3
"""Cost of HTML pages by their size, from 10 kB to 5 MB: CPU seconds and peak memory of `sift extract`, as a table and a plot.

    python3 bench/html/cost.py --sift target/release/sift [--svg bench/html/cost.svg]

The pages are one article of headings, paragraphs with links, lists, a table and code, as often as it takes; each size is
read five times, and the fastest counts. The start of the program (an empty page) is taken off.
"""

import argparse
import os
import pathlib
import tempfile

SIZES = [10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000]
SECTION = """<section><h2 id="s{n}">Section {n} of the manual</h2>
<p class="lead">The quick brown fox <a href="/fox/{n}">studies retrieval systems</a> and writes <em>long</em>, plain sentences &amp; notes, so that
there is enough prose, with commas and ordinary words, to call this the main content of the page.</p>
<ul class="list"><li>first item of {n}</li><li>second item with <code>code_{n}()</code></li></ul>
<table><tr><th>Name</th><th>Value</th></tr><tr><td>row {n}</td><td>{n}</td></tr></table>
<pre><code class="language-rust">fn main() {{ println!("{n}"); }}</code></pre></section>
"""


def page(size):
    parts, length, n = [], 0, 0
    while length < size - 400:
        parts.append(SECTION.format(n=n))
        length, n = length + len(parts[-1]), n + 1
    return f"<!doctype html><html><head><title>Manual</title></head><body><nav><a href=/>Home</a></nav><main><h1>Manual</h1>{''.join(parts)}</main></body></html>"


def run(command):
    """CPU seconds and peak MB."""
    child = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, used = os.wait4(child, 0)
    if status:
        raise SystemExit(f"{command} ended with {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(sift, path):
    runs = [run([sift, "extract", "--json", "--kind", "html", "--max-chars", "all", str(path)]) for _ in range(5)]
    return min(cpu for cpu, _ in runs), max(memory for _, memory in runs)


def svg(rows):
    width, height, left, bottom = 640, 360, 70, 50
    most = max(cpu for _, cpu, _ in rows)
    place = lambda size, cpu: (left + (width - left - 20) * size / SIZES[-1], height - bottom - (height - bottom - 20) * cpu / most)
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(size, cpu) for size, cpu, _ in rows))
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in (place(size, cpu) for size, cpu, _ in rows))
    ticks = "".join(f'<text x="{place(mb * 1e6, 0)[0]:.0f}" y="{height - bottom + 18}" text-anchor="middle">{mb} MB</text>' for mb in range(6))
    marks = "".join(f'<text x="{left - 8}" y="{place(0, most * part / 4)[1] + 4:.0f}" text-anchor="end">{most * part / 4 * 1000:.0f} ms</text>' for part in range(5))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
            f'<rect width="{width}" height="{height}" fill="white"/><path d="M{left} 20V{height - bottom}H{width - 20}" fill="none" stroke="#888"/>'
            f'<polyline points="{line}" fill="none" stroke="#06c" stroke-width="2"/><g fill="#06c">{dots}</g>{ticks}{marks}'
            f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">CPU time of an HTML page by its size</text></svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sift", default="target/release/sift")
    parser.add_argument("--svg", type=pathlib.Path)
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "page.html"
        path.write_text("")
        start, _ = measure(arguments.sift, path)
        for size in SIZES:
            path.write_text(page(size))
            cpu, memory = measure(arguments.sift, path)
            rows.append((size, max(0, cpu - start), memory))
            print(f"{size / 1000:7.0f} kB  {(cpu - start) * 1000:7.1f} ms  {(cpu - start) / size * 1e9:6.1f} ns a byte  {memory:5.0f} MB")
    if arguments.svg:
        arguments.svg.write_text(svg(rows))


if __name__ == "__main__":
    main()
