#!/usr/bin/env python3
"""Counts what fixed workloads cost and compares it with `expected-counts.json`: barriers, calls of the system, bytes written, allocations, and
(with valgrind) instructions. Other work on the machine changes none of them. Ends with 1 when one is worse than expected by more than its tolerance.

    python3 counts.py [--update] [--without-instructions]
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PACKAGE = pathlib.Path(__file__).resolve().parent
EXPECTED = PACKAGE / "expected-counts.json"
# By which part of what is expected, and by how many, a figure may be worse. The seeds of hash tables differ from run to run.
TOLERANCES = {"barriers": (0, 0), "calls": (0.02, 2), "bytes": (0.01, 64), "allocations": (0.03, 20), "instructions": (0.03, 10_000)}


def instructions(program):
    """Those of each workload, in their order."""
    with tempfile.TemporaryDirectory() as directory:
        # valgrind cannot read what the compiler says to debuggers, and needs no more than the names.
        stripped = pathlib.Path(directory) / "program"
        subprocess.run(["strip", "--strip-debug", "-o", stripped, program], check=True)
        command = [
            "valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=counters_region", "--dump-after=counters_region",
            f"--callgrind-out-file={directory}/counts", stripped,
        ]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"valgrind failed:\n{run.stderr[-2000:]}")
        numbered = {int(path.suffix[1:]): path for path in pathlib.Path(directory).glob("counts.*") if path.suffix[1:].isdigit()}
        return [int(re.search(r"^(?:totals|summary): (\d+)", numbered[part].read_text(), re.M).group(1)) for part in sorted(numbered)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="expect from now on what is counted now")
    parser.add_argument("--without-instructions", action="store_true", help="do without valgrind")
    arguments = parser.parse_args()
    build = ["swift", "build", "-c", "release", "--package-path", PACKAGE, "--product", "count-benchmarks"]
    subprocess.run(build, check=True, stdout=sys.stderr)
    program = PACKAGE / ".build/release/count-benchmarks"
    counted = json.loads(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    if arguments.without_instructions:
        print("Instructions are not counted.", file=sys.stderr)
    elif not shutil.which("valgrind"):
        print("Instructions are not counted: there is no valgrind (apt-get install valgrind).", file=sys.stderr)
    else:
        for workload, count in zip(counted, instructions(program), strict=True):
            workload["instructions"] = count
    kinds = [kind for kind in TOLERANCES if kind in counted[0]]
    print(f"{'':46}" + "".join(f"{kind:>13}" for kind in kinds))
    for workload in counted:
        print(f"{workload['workload']:46}" + "".join(f"{workload[kind]:13,}" for kind in kinds))
    if arguments.update:
        EXPECTED.write_text(json.dumps({workload.pop("workload"): workload for workload in counted}, indent=1, sort_keys=True) + "\n")
        return
    expected = json.loads(EXPECTED.read_text())
    worse, better = [], []
    for workload in counted:
        name = workload["workload"]
        before = expected.get(name)
        if before is None:
            worse.append(f"{name}: nothing is expected yet")
            continue
        for kind in kinds:
            now, then = workload[kind], before.get(kind, workload[kind])
            allowed = then * TOLERANCES[kind][0] + TOLERANCES[kind][1]
            if abs(now - then) > allowed:
                (worse if now > then else better).append(f"{name}: {now:,} {kind} instead of {then:,}")
    for line in worse + better:
        print(line)
    print(f"counts: {len(counted)} workloads, {len(worse)} figures worse, {len(better)} better than expected")
    if worse or better:
        print("If this is meant to be so: counts.py --update, and commit expected-counts.json with the reason.")
    sys.exit(1 if worse else 0)


main()
