#!/usr/bin/env python3
"""Compiles and runs the Swift code in the documents, as a client of the library.

    python3 Tools/snippets.py [DOCUMENT...]     # all, after `swift build`

The blocks of one document are one program, in their order, compiled in the language mode of Swift 6. What a line prints stands behind it:
`// prints: text`. Blocks that are no part of it have a word behind `swift`: `manifest` and `fragment` are not compiled, `file` is, alone, and not run.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```swift ?(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = 120


def documents():
    """Everything that people read, but for the references, whose code is not for clients."""
    found = [PACKAGE / "README.md", PACKAGE / "CONTRIBUTING.md", *PACKAGE.glob("Documentation/*.md"), *PACKAGE.glob("Documentation/Guides/*.md")]
    return sorted(found + list(PACKAGE.glob("Sources/RealmSwift/RealmSwift.docc/*.md")))


def objects_of(folder):
    """The object files of a module. SwiftPM leaves those of renamed files where they were: of Swift modules only what its last build has named counts."""
    names = folder / "output-file-map.json"
    if not names.is_file():
        return [str(path) for path in folder.rglob("*.o")]
    return [files["object"] for files in json.loads(names.read_text()).values() if "object" in files]


def compiler(build):
    """The command that compiles a client with the library's objects, as SwiftPM has left them."""
    crypto = PACKAGE / ".build/checkouts/swift-crypto/Sources"
    command = ["swiftc", "-swift-version", "6", "-I", str(build / "Modules")]
    for module in ["CCryptoBoringSSL", "CCryptoBoringSSLShims"]:
        include = crypto / module / "include"
        command += ["-Xcc", f"-fmodule-map-file={include}/module.modulemap", "-Xcc", f"-I{include}"]
    ours = ["RealmSwift", "RealmStorage", "RealmQuery", "Changesets"]
    # Only for documents that import it.
    observability = ["RealmObservability", "Logging", "CoreMetrics"]
    theirs = ["Crypto", "CryptoBoringWrapper", "CCryptoBoringSSL", "CCryptoBoringSSLShims", "CXKCP", "CXKCPShims"]
    folders = [build / f"{module}.build" for module in ours + theirs]
    missing = [folder for folder in folders if not folder.is_dir()]
    if missing:
        raise SystemExit(f"snippets: {missing[0]} is missing: run `swift build` first")

    def objects(folders):
        return [path for folder in folders for path in objects_of(folder)]

    more = {"RealmObservability": objects(build / f"{module}.build" for module in observability)}
    return command, objects(folders) + ["-lstdc++"], more


def problem(document, command, objects, more, directory):
    """What is wrong with the code of a document; None if nothing is."""
    blocks = BLOCK.findall(document.read_text())
    files = [code for kind, code in blocks if kind == "file"]
    program = "\n".join(code for kind, code in blocks if kind == "")
    for number, code in enumerate(files):
        path = directory / f"Part{number}.swift"
        path.write_text(code)
        run = subprocess.run([*command, "-parse-as-library", "-typecheck", str(path)], capture_output=True, text=True, timeout=SECONDS)
        if run.returncode:
            return run.stdout + run.stderr
    if not program:
        return None
    source, executable = directory / "main.swift", directory / "program"
    source.write_text("import Foundation\nimport RealmSwift\n\n" + program)
    objects = objects + [path for module, paths in more.items() if f"import {module}\n" in program for path in paths]
    command = [*command, "-warnings-as-errors", str(source), *objects, "-o", str(executable)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    if run.returncode:
        return run.stdout + run.stderr
    run = subprocess.run([str(executable)], cwd=directory, capture_output=True, text=True, timeout=SECONDS)
    expected = re.findall(r"// prints: (.*)$", program, re.MULTILINE)
    if run.returncode or run.stdout.splitlines() != expected:
        return f"status {run.returncode}\nprinted:  {run.stdout.splitlines()}\nexpected: {expected}\n{run.stderr}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    command, objects, more = compiler(PACKAGE / ".build/debug")
    chosen = [path.resolve() for path in arguments.documents] or documents()
    chosen = [path for path in chosen if BLOCK.search(path.read_text())]

    def check(document):
        with tempfile.TemporaryDirectory() as directory:
            return document, problem(document, command, objects, more, pathlib.Path(directory))

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for document, text in pool.map(check, chosen):
            if text:
                failed += 1
                print(f"{document.relative_to(PACKAGE)}:\n{text[:1500]}")
    print(f"snippets: {len(chosen) - failed} documents passed, {failed} failed")
    if failed or not chosen:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
