#!/usr/bin/env python3
"""Runs every benchmark that has a peer or a bar and prints one table: ours beside SQLite, LMDB and GRDB, each ratio from one run of one process.

    python3 all.py [--quick] [--json FILE] [--svg FILE]

--quick measures 100,000 rows instead of a million and takes less than a minute when everything is built. TMPDIR says where the files go.
Ends with 1 when a bar is missed.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import time

PACKAGE = pathlib.Path(__file__).resolve().parent
PEERS = ["SQLite", "LMDB", "GRDB"]
# What the picture shows: programs' names for it, and those of people.
PICTURE = {
    "bulkInsert": "insert in bulk", "pointLookup": "look up by key", "pointLookupRandomKeys": "look up by random key", "updateRandom": "update at random",
    "deleteRandom": "delete at random", "fullScan": "scan a property", "intRange": "count a range of integers", "stringEquality": "count equal texts",
    "contains": "count texts that contain", "threePredicates": "count by three properties", "linkFilter": "count over a link", "sumInt": "sum of integers",
    "sortString": "sort by text", "openFirstReadClose": "open, read, close", "bulk add / Codable record insert": "add objects",
    "iterate, three properties / GRDB row cursor": "iterate objects", "object(forPrimaryKey:) / fetchOne": "object by key",
    "whole class, property set": "tell an observer",
}


def commands(quick):
    """What runs, each printing one JSON object for each figure."""
    if quick:
        return [
            ["benchmarks", "--json", "--rows", "100000", "--repetitions", "3"], ["sdk-benchmarks", "100000", "--json"], ["live-benchmarks", "--quick", "--json"],
            ["reader-benchmarks", "--json", "--rows", "100000", "--large", "1000000"],
        ]
    return [
        ["benchmarks", "--json"], ["sdk-benchmarks", "1000000", "--json"], ["live-benchmarks", "--json"], ["reader-benchmarks", "--json"],
    ]


def measure(quick):
    """All figures; those of one workload at one size are put together."""
    figures = {}
    for number, (program, *arguments) in enumerate(commands(quick)):
        print(f"{program} …", file=sys.stderr)
        start = time.monotonic()
        with subprocess.Popen([PACKAGE / ".build/release" / program, *arguments], stdout=subprocess.PIPE, text=True) as run:
            for line in run.stdout:
                figure = json.loads(line)
                known = figures.setdefault((number, figure["workload"], figure["rows"]), figure)
                known["processor"] = {**known["processor"], **figure["processor"]}
        if run.returncode not in (0, 1):
            sys.exit(f"{program} ended with {run.returncode}")
        print(f"{program}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    return list(figures.values())


def text(value):
    """A figure with three digits that count."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def ratio(figure, peer):
    ours, theirs = figure["processor"].get("Regnum"), figure["processor"].get(peer)
    return theirs / ours if ours and theirs else None


def table(figures):
    yield f"{'workload':46}{'rows':>11}{'unit':>10}{'Regnum':>10}" + "".join(f"{peer:>10}" for peer in PEERS) + "".join(f"{'x ' + peer:>10}" for peer in PEERS) + "  bar"
    for figure in figures:
        verdict = {True: "met", False: "MISSED", None: ""}[figure["passes"]]
        yield (
            f"{figure['workload']:46}{figure['rows']:11,}{figure['unit']:>10}{text(figure['processor'].get('Regnum')):>10}"
            + "".join(f"{text(figure['processor'].get(peer)):>10}" for peer in PEERS) + "".join(f"{text(ratio(figure, peer)):>10}" for peer in PEERS)
            + f"  {figure['bar']} {verdict}".rstrip()
        )


def picture(figures):
    """How many times as fast as its peers we are, as bars on a logarithmic scale."""
    largest = max(figure["rows"] for figure in figures if figure["workload"] in PICTURE)
    rows = [figure for figure in figures if figure["workload"] in PICTURE and figure["rows"] == largest]
    left, width, bar, gap = 210, 480, 11, 9
    top = 64
    lowest, highest = 0.25, 1024
    scale = lambda value: left + width * (math.log2(min(max(value, lowest), highest) / lowest) / math.log2(highest / lowest))
    colours = {"SQLite": "#4878a8", "LMDB": "#d08830", "GRDB": "#589058"}
    parts, y = [], top
    for figure in rows:
        present = [peer for peer in PEERS if ratio(figure, peer)]
        middle = y + len(present) * bar / 2 + 4
        parts.append(f'<text x="{left - 8}" y="{middle:.0f}" text-anchor="end">{PICTURE[figure["workload"]]}</text>')
        for peer in present:
            value = ratio(figure, peer)
            begin, end = sorted((scale(1), scale(value)))
            parts.append(f'<rect x="{begin:.1f}" y="{y}" width="{max(end - begin, 1):.1f}" height="{bar - 1}" fill="{colours[peer]}"/>')
            parts.append(f'<text class="value" x="{end + 4:.1f}" y="{y + 9}">{value:.{0 if value >= 10 else 1 if value >= 1.05 else 2}f}</text>')
            y += bar
        y += gap
    lines = [
        f'<line x1="{scale(mark):.1f}" x2="{scale(mark):.1f}" y1="{top - 8}" y2="{y - gap + 4}" class="{"one" if mark == 1 else "mark"}"/>'
        f'<text class="value" x="{scale(mark):.1f}" y="{top - 12}" text-anchor="middle">{mark:g}x</text>' for mark in (0.25, 1, 4, 16, 64, 256, 1024)
    ]
    legend = "".join(
        f'<rect x="{left + 150 * index}" y="14" width="11" height="11" fill="{colours[peer]}"/><text x="{left + 16 + 150 * index}" y="24">beside {peer}</text>'
        for index, peer in enumerate(PEERS))
    style = (
        "text{font:12px sans-serif;fill:#222}.value{font-size:10px;fill:#555}.mark{stroke:#ddd}.one{stroke:#444}.ground{fill:#fff}"
        "@media(prefers-color-scheme:dark){text{fill:#ddd}.value{fill:#aaa}.mark{stroke:#333}.one{stroke:#bbb}.ground{fill:#0d1117}}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 50} {y + 4}" role="img" aria-label="How many times as fast as SQLite, LMDB and GRDB, '
        f'at {largest:,} rows"><style>{style}</style><rect class="ground" width="100%" height="100%"/>' + legend + "".join(lines) + "".join(parts) + "</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller tables: less than a minute")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures into this file, too")
    parser.add_argument("--svg", type=pathlib.Path, help="draw the ratios into this file")
    parser.add_argument("--from", dest="source", type=pathlib.Path, help="measure nothing; take the figures that --json has written")
    arguments = parser.parse_args()
    if arguments.source:
        figures = json.loads(arguments.source.read_text())
    else:
        # Several products one after the other: the package manager takes one at a time.
        for product in dict.fromkeys(command[0] for command in commands(arguments.quick)):
            build = ["swift", "build", "-c", "release", "--package-path", PACKAGE, "--product", product]
            subprocess.run(build, check=True, stdout=sys.stderr)
        figures = measure(arguments.quick)
    for line in table(figures):
        print(line)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")
    if arguments.svg:
        arguments.svg.write_text(picture(figures))
    missed = [figure for figure in figures if figure["passes"] is False]
    print(f"{len(figures)} figures, {len(missed)} bars missed")
    sys.exit(1 if missed else 0)


main()
