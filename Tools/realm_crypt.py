#!/usr/bin/env python3
"""Inspect, decrypt and create encrypted .realm files.

    realm_crypt.py decrypt IN OUT --key HEX128 [--lenient]
    realm_crypt.py encrypt IN OUT --key HEX128 [--counter N]
    realm_crypt.py check   IN     --key HEX128 [--pages] [--json]

The key is 64 bytes given as 128 hexadecimal digits (or @FILE for a binary key
file).  Needs the PyPI package "cryptography".  The file layout implemented
here is described in Documentation/Format/encryption.md.

Exit status: 0 all pages good, 1 damaged or undecryptable pages, 2 usage error.
"""

import argparse
import hashlib
import hmac
import json
import struct
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

PAGE = 4096                      # unit of encryption, whatever the system page size
SLOTS = 64                       # data pages covered by one metadata page
GROUP = (SLOTS + 1) * PAGE       # bytes in the file per metadata page + its data pages
ENTRY = struct.Struct("<I28sI28s")   # counter1, mac1, counter2, mac2
FOOTER_COOKIE = 0x3034125237E526C8
STREAMING = 0xFFFFFFFFFFFFFFFF


# ---------------------------------------------------------------- geometry

def entry_offset(page):
    """File offset of the 64-byte metadata entry of a data page."""
    return (page // SLOTS) * GROUP + (page % SLOTS) * ENTRY.size


def cipher_offset(page):
    """File offset of the 4096 ciphertext bytes of a data page."""
    return (page // SLOTS) * GROUP + PAGE + (page % SLOTS) * PAGE


def plain_size(file_size):
    """Number of plaintext bytes a file of this physical size is taken to hold."""
    if file_size == 0:
        return 0
    metadata_pages = (file_size // PAGE + SLOTS) // (SLOTS + 1)
    return file_size - metadata_pages * PAGE


def physical_size(data_size):
    """Physical size realm-core gives to a file of this plaintext size.

    A plaintext size that is an exact multiple of 64 pages already owns the
    metadata page of the next group.
    """
    rounded = -(-data_size // PAGE) * PAGE
    return rounded + (rounded // PAGE // SLOTS + 1) * PAGE


# ---------------------------------------------------------------- one page

class Keys:
    def __init__(self, raw):
        if len(raw) != 64:
            raise ValueError("the key must be exactly 64 bytes, got %d" % len(raw))
        self.aes, self.mac = raw[:32], raw[32:]

    def tag(self, ciphertext):
        return hmac.new(self.mac, ciphertext, hashlib.sha224).digest()

    def _cipher(self, page, counter):
        iv = struct.pack("<IQI", counter, page * PAGE, 0)
        return Cipher(algorithms.AES(self.aes), modes.CBC(iv))

    def open_page(self, page, counter, ciphertext):
        d = self._cipher(page, counter).decryptor()
        return d.update(ciphertext) + d.finalize()

    def seal_page(self, page, counter, plaintext):
        e = self._cipher(page, counter).encryptor()
        return e.update(plaintext) + e.finalize()


GOOD = ("current", "previous")
EMPTY = ("unwritten", "zero-extended")


def read_page(blob, keys, page):
    """Return (state, counter, plaintext or None)."""
    at = entry_offset(page)
    if at + ENTRY.size > len(blob):
        return "past-end", 0, None
    c1, m1, c2, m2 = ENTRY.unpack_from(blob, at)
    if c1 == 0:
        return "unwritten", 0, bytes(PAGE)
    at = cipher_offset(page)
    body = blob[at:at + PAGE]
    if len(body) < PAGE:
        return "past-end", c1, None
    tag = keys.tag(body)
    if hmac.compare_digest(tag, m1):
        return "current", c1, keys.open_page(page, c1, body)
    if c2 == 0:
        # The entry was written but the very first data write never happened.
        return "first-write-interrupted", c1, None
    if hmac.compare_digest(tag, m2):
        # The entry was advanced but the data write never happened.
        return "previous", c2, keys.open_page(page, c2, body)
    if not any(body):
        return "zero-extended", c1, bytes(PAGE)
    return "bad", c1, None


# ---------------------------------------------------------------- whole file

def survey(blob, keys):
    pages = -(-plain_size(len(blob)) // PAGE)
    return [read_page(blob, keys, n) for n in range(pages)]


def header_summary(plain, tail=None):
    """Describe the 24-byte header; `tail` is the end of the file if `plain` is only its start."""
    if len(plain) < 24:
        return None
    tail = plain if tail is None else tail
    ref0, ref1, magic, f0, f1, _, flags = struct.unpack_from("<QQ4sBBBB", plain, 0)
    if magic != b"T-DB":
        return {"mnemonic": magic.hex(), "valid": False}
    slot = flags & 1
    top = (ref0, ref1)[slot]
    info = {"valid": True, "select": slot, "file_format": (f0, f1)[slot],
            "streaming": slot == 0 and top == STREAMING}
    if info["streaming"] and len(tail) >= 16:
        top, cookie = struct.unpack_from("<QQ", tail, len(tail) - 16)
        info["footer_ok"] = cookie == FOOTER_COOKIE
    info["top_ref"] = top
    return info


def decrypt(src, keys, lenient):
    out, trouble = bytearray(), []
    blob = open(src, "rb").read()
    for n, (state, counter, text) in enumerate(survey(blob, keys)):
        if text is None:
            trouble.append((n, state, counter))
            text = bytes(PAGE)
        out += text
    if trouble and not lenient:
        n, state, counter = trouble[0]
        raise SystemExit("page %d: %s (counter %d); %d of %d pages unreadable"
                         % (n, state, counter, len(trouble), len(out) // PAGE))
    return bytes(out[:plain_size(len(blob))]), trouble


def pad_plain(plain):
    """Round up to whole pages, keeping a streaming footer at the very end."""
    short = -len(plain) % PAGE
    if not short:
        return plain
    info = header_summary(plain)
    if info and info.get("streaming"):
        return plain[:-16] + bytes(short) + plain[-16:]
    return plain + bytes(short)


def encrypt(plain, keys, counter):
    plain = pad_plain(plain)
    out = bytearray(physical_size(len(plain)))
    for n in range(len(plain) // PAGE):
        body = keys.seal_page(n, counter, plain[n * PAGE:(n + 1) * PAGE])
        out[cipher_offset(n):cipher_offset(n) + PAGE] = body
        ENTRY.pack_into(out, entry_offset(n), counter, keys.tag(body), 0, bytes(28))
    return bytes(out)


def check(src, keys, list_pages, as_json):
    blob = open(src, "rb").read()
    rows = survey(blob, keys)
    tally = {}
    for state, _, _ in rows:
        tally[state] = tally.get(state, 0) + 1
    first = rows[0][2] if rows else None
    last = rows[-1][2] if rows else None
    report = {
        "file": src, "physical_size": len(blob), "data_size": plain_size(len(blob)),
        "data_pages": len(rows), "states": tally,
        "max_counter": max((c for _, c, _ in rows), default=0),
        "header": header_summary(first, last or b"") if first is not None else None,
    }
    if list_pages:
        report["pages"] = [{"page": n, "entry_at": entry_offset(n), "cipher_at": cipher_offset(n),
                            "state": s, "counter": c} for n, (s, c, _) in enumerate(rows)]
    if as_json:
        print(json.dumps(report, indent=2))
    else:
        for k, v in report.items():
            if k == "pages":
                for row in v:
                    print("  page %(page)5d  entry 0x%(entry_at)08x  data 0x%(cipher_at)08x  "
                          "counter %(counter)6d  %(state)s" % row)
            else:
                print("%-14s %s" % (k, v))
    return 0 if all(s in GOOD + EMPTY for s, _, _ in rows) else 1


def main(argv=None):
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sub = ap.add_subparsers(dest="verb", required=True)
    for verb in ("decrypt", "encrypt", "check"):
        p = sub.add_parser(verb)
        p.add_argument("src")
        if verb != "check":
            p.add_argument("dst")
        p.add_argument("--key", required=True, help="128 hex digits, or @file with 64 raw bytes")
        if verb == "decrypt":
            p.add_argument("--lenient", action="store_true", help="zero-fill unreadable pages")
        if verb == "encrypt":
            p.add_argument("--counter", type=int, default=1, help="write counter to store (default 1)")
        if verb == "check":
            p.add_argument("--pages", action="store_true")
            p.add_argument("--json", action="store_true")
    a = ap.parse_args(argv)
    try:
        keys = Keys(open(a.key[1:], "rb").read() if a.key.startswith("@") else bytes.fromhex(a.key))
    except ValueError as e:
        ap.error(str(e))
    if a.verb == "check":
        return check(a.src, keys, a.pages, a.json)
    if a.verb == "decrypt":
        plain, trouble = decrypt(a.src, keys, a.lenient)
        open(a.dst, "wb").write(plain)
        return 1 if trouble else 0
    if not 1 <= a.counter <= 0xFFFFFFFF:
        ap.error("--counter must be 1..4294967295")
    open(a.dst, "wb").write(encrypt(open(a.src, "rb").read(), keys, a.counter))
    return 0


if __name__ == "__main__":
    sys.exit(main())
