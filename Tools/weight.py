#!/usr/bin/env python3
"""What the library weighs for a program that uses it, with and without the package trait `Encryption`.

Publishes the working tree as version 1.0.0 in a temporary directory, writes a small client of it there for each case, builds that from nothing and prints
  * the packages that were fetched for it, which are no other than it uses,
  * the processor time of its clean debug build, and
  * with --release the size of its stripped release build.
Fails when a goal below is missed by far, when cryptography reaches a client that does not ask for it, or when such a client accepts a key.

    python3 Tools/weight.py [--release] [--only plain|encrypted]
"""

import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
# Goals in megabytes of 1,000,000 bytes and in seconds of processor time on an idle machine; a run fails at twice the size,
# and at four times the time: one machine has taken 88 s on one day and 214 s on the next for the same build.
SIZE_GOAL = {"plain": 4.0, "encrypted": 6.0}
TIME_GOAL = {"plain": 60.0, "encrypted": 160.0}

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "weight",
  dependencies: [.package(url: "file://{repository}", from: "1.0.0"{traits})],
  targets: [.executableTarget(name: "Hello", dependencies: [.product(name: "RealmSwift", package: "regnum")])]
)
"""

HELLO = """import Foundation
import RealmSwift

class Greeting: Object {
  @Persisted var text: String
}

let place = FileManager.default.temporaryDirectory.appendingPathComponent("weight-\\(UUID()).realm")
let realm = try Realm(configuration: .init(fileURL: place))
try realm.write { realm.add(Greeting(value: ["text": "hello"])) }
print(realm.objects(Greeting.self).first!.text)
do {
  _ = try Realm(configuration: .init(fileURL: place.appendingPathExtension("key"), encryptionKey: Data(repeating: 7, count: 64)))
  print("took a key")
} catch {
  print("refused a key: \\(error.localizedDescription)")
}
"""


def publish(directory):
    """A repository with the files of the working tree as version 1.0.0, which clients depend on as they would on the real one."""
    repository = directory / "regnum"
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z", "Package.swift", "Sources"], cwd=PACKAGE, check=True, stdout=subprocess.PIPE)
    for name in files.stdout.decode().split("\0"):
        if name and (PACKAGE / name).is_file():
            (repository / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(PACKAGE / name, repository / name)
    git = ["git", "-C", repository, "-c", "user.name=weight", "-c", "user.email=weight@localhost"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "The working tree"], ["tag", "1.0.0"]):
        subprocess.run([*git, *command], check=True)
    return repository


def build(client, scratch, configuration):
    """The processor time, in seconds, of a build from nothing."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Linux links Foundation dynamically; the size is that of what is the library's own.
    command = ["swift", "build", "--package-path", client, "--scratch-path", scratch, "-c", configuration]
    # As somebody builds it who is not our CI.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("REGNUM_")}
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    if run.returncode:
        sys.exit(f"the client does not build:\n{run.stdout[-4000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(name, repository, directory, with_release):
    """Builds one client, prints what it weighs, and returns what is wrong with that."""
    problems = []
    client, scratch = directory / name, directory / f"{name}-build"
    (client / "Sources/Hello").mkdir(parents=True)
    traits = "" if name == "encrypted" else ", traits: []"
    (client / "Package.swift").write_text(MANIFEST.format(repository=repository, traits=traits))
    (client / "Sources/Hello/main.swift").write_text(HELLO)
    # Fetching is not counted.
    subprocess.run(["swift", "package", "--package-path", client, "--scratch-path", scratch, "resolve"], check=True, capture_output=True)
    fetched = sorted(path.name for path in (scratch / "checkouts").iterdir()) if (scratch / "checkouts").exists() else []
    print(f"{name}: fetched {', '.join(fetched) or 'nothing'}")
    seconds = build(client, scratch, "debug")
    print(f"{name}: clean debug build {seconds:.0f} s of processor time, goal {TIME_GOAL[name]:.0f}", flush=True)
    if seconds > 4 * TIME_GOAL[name]:
        problems.append(f"{name}: the clean build takes {seconds:.0f} s of processor time")
    said = subprocess.run([scratch / "debug/Hello"], capture_output=True, text=True, check=True, env={**os.environ, "TMPDIR": str(directory)}).stdout
    print("".join(f"{name}: says {line}\n" for line in said.splitlines()), end="")
    if "hello" not in said.splitlines():
        problems.append(f"{name}: does not work")
    if name == "encrypted":
        if "took a key" not in said:
            problems.append(f"{name}: refuses a key")
    else:
        if "trait 'Encryption'" not in said:
            problems.append(f"{name}: does not say how to get encryption")
    strangers = set(fetched) - {"regnum"} - ({"swift-crypto", "swift-asn1"} if name == "encrypted" else set())
    if strangers:
        problems.append(f"{name}: fetches {', '.join(sorted(strangers))}, which it does not ask for")
    if with_release:
        build(client, scratch, "release")
        program = directory / f"{name}-hello"
        subprocess.run(["strip", "-o", program, scratch / "release/Hello"], check=True)
        size = program.stat().st_size / 1e6
        print(f"{name}: stripped release build {size:.2f} MB, goal {SIZE_GOAL[name]:.1f}")
        if size > 2 * SIZE_GOAL[name]:
            problems.append(f"{name}: the program has {size:.2f} MB")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", action="store_true", help="the size of a stripped release build, too")
    parser.add_argument("--only", choices=["plain", "encrypted"])
    arguments = parser.parse_args()
    directory = pathlib.Path(tempfile.mkdtemp(prefix="regnum-weight-"))
    problems = []
    try:
        repository = publish(directory)
        for name in ["plain", "encrypted"]:
            if arguments.only in (None, name):
                problems += measure(name, repository, directory, arguments.release)
    finally:
        shutil.rmtree(directory)
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


main()
