#!/usr/bin/env python3
"""Which tests take the processor time of a run.

The times that a run prints say little: tests run beside each other, and most of them wait for the processor until the end. This samples the run with
perf and counts each sample for the test whose function is on the stack, and those of other programs (the tools that tests run) for these. Needs
perf (package linux-perf), the right to use it, and tests that are built: `swift build --build-tests`.

    python3 Tools/test_times.py [--filter NAME] [--top 40]
"""

import argparse
import collections
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = PACKAGE / ".build/debug/regnumPackageTests.xctest"
SAMPLES_A_SECOND = 49
# `RealmStorageTests.CommitTests.aCommitIsSeen(Swift.Int)`, also within the names of closures and of parts of asynchronous functions.
TEST = re.compile(r"\b(\w+Tests)\.(\w+)\.(\w+)\(")
# The name of a thread, which perf gives instead of the program's, ends with that of its queue.
OWN_THREADS = re.compile(r"qos|regnumPackageTe|SWT ExT|NSThread|Thread-")


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def record(data, name_filter):
    """Runs the tests under perf. Returns the processor time that they took, in seconds, and whether they passed."""
    command = ["perf", "record", "-q", "-F", str(SAMPLES_A_SECOND), "--call-graph", "fp", "-o", data, PROGRAM, "--testing-library", "swift-testing"]
    before = processor_time()
    run = subprocess.run(command + (["--filter", name_filter] if name_filter else []), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if not data.exists():
        sys.exit(f"perf recorded nothing:\n{run.stderr[-2000:]}")
    return processor_time() - before, run.returncode == 0


def stacks(lines):
    """The thread and what can name a test on the stack, from the outermost frame on, of each sample of `perf script`: a line that names the thread, the
    frames from the innermost on, and an empty line."""
    thread, frames = None, []
    for line in lines:
        if not line.strip():
            if thread is not None:
                yield thread, tuple(reversed(frames))
            thread, frames = None, []
        elif thread is None:
            thread = line.rsplit(None, 1)[0].strip()
        elif "Tests" in line:
            frames.append(line.split(None, 1)[-1].strip())
    if thread is not None:
        yield thread, tuple(reversed(frames))


def demangled(names):
    names = list(names)
    said = subprocess.run(["swift", "demangle", "--compact"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    return dict(zip(names, said.splitlines()))


def by_owner(samples):
    """How many samples count for what. The outermost function of a test is the test."""
    words = demangled({frame for _, frames in samples for frame in frames})
    counts = collections.Counter()
    for (thread, frames), count in samples.items():
        found = next(filter(None, (TEST.search(words[frame]) for frame in frames)), None)
        nobody = "(no test on the stack)" if OWN_THREADS.search(thread) else f"(program {thread})"
        counts[".".join(found.groups()) if found else nobody] += count
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filter", help="as that of `swift test`")
    parser.add_argument("--top", type=int, default=40, help="so many tests and programs are printed")
    arguments = parser.parse_args()
    if not PROGRAM.exists():
        sys.exit(f"{PROGRAM}: not built; run 'swift build --build-tests' first")
    with tempfile.TemporaryDirectory(prefix="regnum-test-times-") as directory:
        data = pathlib.Path(directory) / "perf.data"
        seconds, passed = record(data, arguments.filter)
        script = subprocess.Popen(["perf", "script", "-i", data, "-F", "comm,pid,ip,sym"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        counts = by_owner(collections.Counter(stacks(script.stdout)))
    total = counts.total()
    print(f"{seconds:.0f} s of processor time, {total} samples" + ("" if passed else "; tests failed"))
    for name, count in counts.most_common(arguments.top):
        print(f"{count / total * seconds:8.1f} s {count / total * 100:5.1f} %  {name}")


if __name__ == "__main__":
    main()
