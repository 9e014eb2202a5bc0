#!/usr/bin/env python3
"""Builds the packages in Examples/ into one shared build directory, runs each as a person would, and checks what it says.

    python3 Tools/examples.py [NAME...]             # all of them
    python3 Tools/examples.py --built DIR NAME...   # only runs programs that were built elsewhere
"""

import argparse
import http.client
import json
import os
import pathlib
import queue
import re
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = PACKAGE / ".build/examples"
SECONDS = 30


def check(condition, message):
    if not condition:
        raise SystemExit(f"examples: {message}")


def contacts(program, directory):
    """Adds, finds, completes and removes."""

    def run(*arguments, fails=False):
        process = subprocess.run([program, *arguments], cwd=directory, capture_output=True, text=True, timeout=SECONDS)
        check((process.returncode != 0) == fails, f"contacts {' '.join(arguments)}: status {process.returncode}\n{process.stderr}")
        return process.stdout.splitlines()

    run("add", "Zoë", "--email", "zoe@example.org", "--phone", "home=12")
    run("add", "Abe", "--group", "friends")
    run("add", "Zoë", "--group", "friends", "--group", "chess")
    zoe = "Zoë, zoe@example.org, home 12, #chess, #friends"
    check(run("show") == ["Abe, #friends", zoe], "everybody should be shown, by name")
    check(run("show", "--name", "zoe") == [zoe], "a name should be found without its accent")
    check(run("show", "--group", "chess") == [zoe], "a group should be found")
    run("add", "Eve", "--phone", "nonsense", fails=True)
    run("remove", "Abe")
    run("remove", "Abe", fails=True)
    check(run("show") == [zoe], "what was removed, or refused half-way, should not be there")


def two_processes(program, directory):
    """The watcher says everything that the writer, another process, commits."""
    output = subprocess.run([program], cwd=directory, capture_output=True, text=True, timeout=SECONDS, check=True).stdout
    writers = set(re.findall(r"writer (\d+): committed", output))
    watchers = set(re.findall(r"watcher (\d+): ", output))
    begun = sum(int(count) for count in re.findall(r"(\d+) to begin with", output))
    seen = re.findall(r"saw ([\d.]+) °C", output)
    check(len(writers) == 1 and len(watchers) == 1 and writers != watchers, f"two processes should have spoken:\n{output}")
    check(seen == ["20.5", "21.0", "21.5", "22.0", "22.5"][begun:], f"the watcher should have seen every reading:\n{output}")


def notes(program, directory):
    """What an app for Apple platforms and Linux keeps is there when it is started again; two modules of one name are two by an alias."""
    for _ in range(3):
        output = subprocess.run([program, "notes.realm"], cwd=directory, capture_output=True, text=True, timeout=SECONDS, check=True).stdout
    check(output.splitlines() == ["even: note 2", "odd: note 1, note 3"], f"three notes should be there:\n{output}")
    both = pathlib.Path(program).with_name("Both")
    output = subprocess.run([both], cwd=directory, capture_output=True, text=True, timeout=SECONDS, check=True).stdout
    check(output.splitlines() == ["Regnum: stored", "RealmSwift: the other one"], f"both modules should be in one program:\n{output}")


def live_service(program, directory):
    """What one client posts another one is told of by an event."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    base = f"http://127.0.0.1:{port}/todos"

    def ask(path="", method="GET", body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(base + path, data=data, method=method, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
            return json.load(response)

    def listen(events):
        try:
            with urllib.request.urlopen(base + "/live", timeout=SECONDS) as stream:
                check(stream.headers["Content-Type"] == "text/event-stream", "live lists should be server-sent events")
                for line in stream:
                    if line.startswith(b"data: "):
                        events.put(json.loads(line[6:]))
        except (OSError, http.client.HTTPException):
            pass  # The service was ended; `wait` tells if that was too soon.

    def wait(events, condition, what):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            try:
                if condition(events.get(timeout=1)):
                    return
            except queue.Empty:
                pass
        check(False, f"no event told of {what}")

    service = subprocess.Popen([program, str(directory / "todos.realm"), str(port)], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + SECONDS
        while True:
            try:
                check(ask() == [], "a new service should have nothing to do")
                break
            except OSError:
                check(service.poll() is None and time.monotonic() < end, "the service does not answer")
                time.sleep(0.1)
        events = queue.Queue()
        threading.Thread(target=listen, args=(events,), daemon=True).start()
        wait(events, lambda todos: todos == [], "the list to begin with")
        todo = ask(method="POST", body={"title": "Water the plants"})
        wait(events, lambda todos: todos == [todo], "what was added")
        ask(f"/{todo['id']}/done", "PUT")
        wait(events, lambda todos: [item["isDone"] for item in todos] == [True], "what was done")
        check(ask() == [todo | {"isDone": True}], "the list should say what was done")
        service.terminate()
        try:
            service.wait(SECONDS)
        except subprocess.TimeoutExpired:
            check(False, "the service should end when it is asked to, although a client listens")
    finally:
        service.kill()
        service.wait()


# The package, its program, and what is expected of it.
CHECKS = {
    "Contacts": ("Contacts", contacts), "TwoProcesses": ("TwoProcesses", two_processes), "LiveService": ("LiveService", live_service),
    "AppleAndLinux": ("Notes", notes),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the examples; all unless told otherwise")
    parser.add_argument("--built", type=pathlib.Path, help="where programs are that need not be built")
    options = parser.parse_args()
    for name in options.names or CHECKS:
        began = time.monotonic()
        directory = options.built
        if not directory:
            arguments = ["--package-path", str(PACKAGE / "Examples" / name), "--scratch-path", str(SCRATCH)]
            # An index is for editors.
            subprocess.run(["swift", "build", "--disable-index-store", *arguments], check=True)
            directory = SCRATCH / "debug"
        built = time.monotonic()
        with tempfile.TemporaryDirectory() as place:
            program, examine = CHECKS[name]
            examine(os.path.abspath(directory / program), pathlib.Path(place))
        print(f"{name}: fine (built in {built - began:.0f} s, ran in {time.monotonic() - built:.1f} s)", flush=True)


main()
