#!/usr/bin/env python3
"""Print the contents of a .realm.lock file (shared-info version 14).

    realm_lock.py FILE.realm.lock [--all] [--json]

The layout is chosen from the mutex size stored in the file:
40 = x86-64 glibc, 48 = arm64 glibc, 1 = platforms with emulated mutexes.
Reading is not synchronised with live participants; expect torn values on a
busy file.  See Documentation/Format/transactions.md for the meaning of each field.
"""

import argparse
import json
import struct
import sys

#              write control versions  new_commit pick_writer tickets version_list
LAYOUT = {40: (48, 88, 128, 312, 360, 408, 432),
          48: (48, 96, 144, 336, 384, 432, 456),
          1: (48, 49, 50, 104, 120, 136, 160)}
HISTORY = {0: "none", 1: "out-of-realm", 2: "in-realm", 3: "sync-client", 4: "sync-server"}
DURABILITY = {0: "full", 1: "mem-only", 2: "unsafe"}
SLOT = struct.Struct("<QQQIII4x")
NIL = 0xFFFFFFFF


def mutex(buf, at):
    word, count, owner, users, kind = struct.unpack_from("<IIiIi", buf, at)
    state = "unlocked" if word == 0 else "owner died" if word & 0x40000000 else "held by tid %d" % (word & 0x3FFFFFFF)
    if word & 0x80000000:
        state += ", waiters"
    if owner == 0x7FFFFFFF:
        state += ", inconsistent"
    return {"state": state, "word": word, "owner": owner, "kind": kind}


def read(buf):
    if len(buf) < 48:
        return {"error": "shorter than the fixed part (%d bytes)" % len(buf)}
    d = {"length": len(buf), "init_complete": buf[0], "size_of_mutex": buf[1], "size_of_condvar": buf[2],
         "commit_in_critical_phase": buf[3], "file_format": buf[4],
         "history_type": HISTORY.get(buf[5], buf[5]), "shared_info_version": struct.unpack_from("<H", buf, 6)[0]}
    dura, _, d["participants"], d["latest_version"], d["initiator_pid"], d["number_of_versions"] = \
        struct.unpack_from("<HHIQQQ", buf, 8)
    d["durability"] = DURABILITY.get(dura, dura)
    d["sync_agent"], d["daemon_started"], d["daemon_ready"] = buf[40], buf[41], buf[42]
    d["history_schema"] = struct.unpack_from("<H", buf, 44)[0]
    if d["shared_info_version"] != 14 or d["size_of_mutex"] not in LAYOUT:
        d["note"] = "rest not decoded"
        return d
    w, c, v, _, _, t, vl = LAYOUT[d["size_of_mutex"]]
    if d["size_of_mutex"] > 1:
        d["write_mutex"], d["control_mutex"], d["version_list_mutex"] = (mutex(buf, o) for o in (w, c, v))
    d["next_ticket"], d["next_served"], page, d["write_counter"] = struct.unpack_from("<IIQQ", buf, t)
    d["page_being_written"] = page - 1 if page else None
    entries, allocating, newest = struct.unpack_from("<III", buf, vl)
    d["entries"], d["allocating"], d["newest"] = entries, allocating, None if newest == NIL else newest
    d["slots"] = []
    for i in range(entries):
        at = vl + 16 + SLOT.size * i
        if at + SLOT.size > len(buf):
            d["note"] = "file too short for %d entries" % entries
            break
        ver, size, top, live, frozen, full = SLOT.unpack_from(buf, at)
        d["slots"].append({"index": i, "version": ver, "file_size": size, "top_ref": top,
                           "live": live, "frozen": frozen, "full": full})
    return d


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("file")
    ap.add_argument("--all", action="store_true", help="also print unused slots")
    ap.add_argument("--json", action="store_true")
    a = ap.parse_args()
    d = read(open(a.file, "rb").read())
    if not a.all and "slots" in d:
        d["slots"] = [s for s in d["slots"] if s["version"] or s["index"] == d["newest"]]
    if a.json:
        print(json.dumps(d, indent=1))
        return 0
    for k, v in d.items():
        if k != "slots":
            print("%-26s %s" % (k, v))
    for s in d.get("slots", []):
        print("  slot %(index)3d  version %(version)d  size %(file_size)d  top 0x%(top_ref)x  "
              "live %(live)d frozen %(frozen)d full %(full)d" % s)
    return 0


if __name__ == "__main__":
    sys.exit(main())
