#!/usr/bin/env python3
"""Show the in-Realm transaction log of a .realm file, or decode a changeset.

    realm_txlog.py dump FILE [--key HEX128] [--raw] [--json]
    realm_txlog.py decode HEXBYTES

`dump` walks the B+tree of changesets that hangs off the top array (only for
history type 2, "in-realm").  See Documentation/Format/history.md for the encoding.
"""

import argparse
import json
import struct
import sys

STREAMING = 0xFFFFFFFFFFFFFFFF

# number of integer operands following each opcode; special cases handled below
OPS = {
    1: ("InsertTable", "t"), 2: ("EraseTable", "t"), 3: ("RenameTable", "t"),
    10: ("SelectTable", "Lt"), 11: ("CreateObject", "o"), 12: ("RemoveObject", "o"),
    13: ("Set", "co"),
    20: ("InsertColumn", "c"), 21: ("EraseColumn", "c"), 22: ("RenameColumn", "c"),
    30: ("SelectCollection", "co"), 31: ("CollectionInsert", "i"), 32: ("CollectionSet", "i"),
    33: ("CollectionMove", "if"), 35: ("CollectionErase", "i"), 36: ("CollectionClear", "n"),
    37: ("DictionaryInsert*", "Si"), 38: ("DictionarySet*", "Si"), 39: ("DictionaryErase*", "Si"),
    40: ("SetInsert*", "i"), 41: ("SetErase*", "i"), 42: ("SetClear*", "n"),
    43: ("TypedLinkChange", "ct"), 44: ("DictionaryClear*", "n"),
    45: ("SelectCollectionByPath", "coP"),
}
NAMES = {"t": "table", "o": "obj", "c": "col", "i": "index", "f": "to", "n": "old_size", "L": "levels",
         "S": "key", "P": "path"}


class Bad(Exception):
    pass


def varint(buf, at):
    """Seven bits per byte, least significant first; bit 6 of the last byte is the sign."""
    value = shift = 0
    while True:
        if at >= len(buf):
            raise Bad("log ends inside an integer")
        b = buf[at]
        at += 1
        if b & 0x80:
            value |= (b & 0x7F) << shift
            shift += 7
            continue
        value |= (b & 0x3F) << shift
        return (-value - 1 if b & 0x40 else value), at


def put_varint(v):
    """Inverse of varint(); used by the self test."""
    neg, v, out = v < 0, (-v - 1 if v < 0 else v), bytearray()
    while v >> 6:
        out.append(0x80 | (v & 0x7F))
        v >>= 7
    out.append((0x40 if neg else 0) | v)
    return bytes(out)


def parse(buf):
    at, out = 0, []
    while at < len(buf):
        op = buf[at]
        start = at
        at += 1
        if op not in OPS:
            raise Bad("unknown opcode %d at byte %d" % (op, start))
        name, shape = OPS[op]
        args = {}
        for kind in shape:
            if kind == "S":
                typ, at = varint(buf, at)
                size, at = varint(buf, at)
                args["key_type"], args["key"] = typ, buf[at:at + size].decode("utf-8", "replace")
                at += size
            elif kind == "P":
                depth, at = varint(buf, at)
                steps = []
                for _ in range(depth):
                    v, at = varint(buf, at)
                    steps.append(v)
                args["path"] = steps
            else:
                v, at = varint(buf, at)
                if kind == "L":
                    if v:
                        raise Bad("SelectTable with levels %d" % v)
                    continue
                args[NAMES[kind]] = v
        out.append({"at": start, "op": op, "name": name, **args, "bytes": buf[start:at].hex(" ")})
    return out


# ---------------------------------------------------------------- file access

class File:
    def __init__(self, data):
        self.d = data
        if data[16:20] != b"T-DB":
            raise SystemExit("not a plain .realm file (encrypted? give --key)")
        sel = data[23] & 1
        self.top = struct.unpack_from("<Q", data, 8 * sel)[0]
        if sel == 0 and self.top == STREAMING:
            self.top = struct.unpack_from("<Q", data, len(data) - 16)[0]

    def node(self, ref):
        h = self.d[ref:ref + 8]
        return {"inner": bool(h[4] & 0x80), "refs": bool(h[4] & 0x40), "ctx": bool(h[4] & 0x20),
                "wtype": h[4] >> 3 & 3, "width": (1 << (h[4] & 7)) >> 1, "size": int.from_bytes(h[5:8], "big")}

    def ints(self, ref):
        n = self.node(ref)
        w, base = n["width"], ref + 8
        if w == 0:
            return [0] * n["size"]
        if w < 8:
            per = 8 // w
            return [self.d[base + i // per] >> (i % per * w) & ((1 << w) - 1) for i in range(n["size"])]
        return list(struct.unpack_from("<%d%s" % (n["size"], {8: "b", 16: "h", 32: "i", 64: "q"}[w]), self.d, base))

    def blob(self, ref):
        n = self.node(ref)
        if n["ctx"]:
            return b"".join(self.blob(r) for r in self.ints(ref))
        return self.d[ref + 8:ref + 8 + n["size"]]

    def binaries(self, ref):
        n = self.node(ref)
        if n["inner"]:
            kids = self.ints(ref)[1:-1]
            return [b for k in kids for b in self.binaries(k)]
        if n["ctx"]:
            return [self.blob(r) if r else b"" for r in self.ints(ref)]
        ends, body = self.ints(self.ints(ref)[0]), self.blob(self.ints(ref)[1]) if n["size"] else b""
        out, start = [], 0
        for e in ends:
            out.append(body[start:e])
            start = e
        return out


def load(path, key):
    data = open(path, "rb").read()
    if not key:
        return data
    import realm_crypt as rc
    keys = rc.Keys(bytes.fromhex(key))
    return b"".join((t or bytes(rc.PAGE)) for _, _, t in rc.survey(data, keys))


def dump(a):
    f = File(load(a.file, a.key))
    if f.top == 0:
        print("empty file, no top array")
        return 0
    top = f.ints(f.top)
    version = top[6] >> 1 if len(top) > 6 else 0
    htype = top[7] >> 1 if len(top) > 7 else 0
    ref = top[8] if len(top) > 8 else 0
    schema = top[9] >> 1 if len(top) > 9 else 0
    entries = f.binaries(ref) if ref and htype == 2 else []
    base = version - len(entries)
    doc = {"version": version, "history_type": htype, "history_schema": schema, "history_ref": ref,
           "base_version": base, "changesets": []}
    for i, e in enumerate(entries):
        item = {"from": base + i, "to": base + i + 1, "size": len(e)}
        if a.raw:
            item["hex"] = e.hex(" ")
        item["instructions"] = parse(e)
        doc["changesets"].append(item)
    if a.json:
        print(json.dumps(doc, indent=1))
        return 0
    print("snapshot %(version)d  history type %(history_type)d schema %(history_schema)d  base %(base_version)d" % doc)
    for c in doc["changesets"]:
        print("  %d -> %d  (%d bytes)" % (c["from"], c["to"], c["size"]))
        if a.raw:
            print("      ", c["hex"])
        for ins in c["instructions"]:
            show(ins)
    return 0


def show(ins):
    args = " ".join("%s=%s" % (k, v) for k, v in ins.items() if k not in ("at", "op", "name", "bytes"))
    print("    %4d  %-24s %-40s [%s]" % (ins["at"], ins["name"], args, ins["bytes"]))


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sub = ap.add_subparsers(dest="verb", required=True)
    p = sub.add_parser("dump")
    p.add_argument("file")
    p.add_argument("--key")
    p.add_argument("--raw", action="store_true")
    p.add_argument("--json", action="store_true")
    p = sub.add_parser("decode")
    p.add_argument("hex", nargs="+")
    a = ap.parse_args()
    if a.verb == "dump":
        return dump(a)
    for ins in parse(bytes.fromhex("".join(a.hex))):
        show(ins)
    return 0


if __name__ == "__main__":
    for probe in (0, 1, 63, 64, 127, 128, 8191, 8192, -1, -64, -65, 2**62, 2**63 - 1, -2**63):
        assert varint(put_varint(probe), 0)[0] == probe, probe
    sys.exit(main())
