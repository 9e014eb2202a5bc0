#!/usr/bin/env python3
"""realm_inspect - read, print and verify `.realm` files (file format 24; reads 10, 11 and 20-23 too).

    realm_inspect.py dump   FILE [--max N] [--all]    every node: offset, header, meaning
    realm_inspect.py json   FILE [--digest N]         all objects of all tables as canonical JSON (tables and
                                                      collections with more than N entries as count + sha256)
    realm_inspect.py check  FILE [--quiet]            verify every structural invariant; exit 0 or 1
    realm_inspect.py schema FILE                      tables and columns as JSON

Options for all: --bpnode N (default 1000; 4 for files written by test builds of the C++ engine).

A single file, standard library only, Python 3.11. Written from Documentation/Format/file-format.md; section numbers in
comments ("F3.2") refer to that document. Encrypted files are not handled: decrypt first.

Design: one generic pass finds every node reachable from the top ref (that alone rules out cycles, shared
nodes and refs outside the file). A second, typed pass interprets each node by its role and *claims* it.
A node that is reached but never claimed, or claimed twice, is a violation. Everything that `dump`, `json`,
`schema` and `check` print comes from those two passes.
"""
import base64
import hashlib
import itertools
import json
import math
import struct
import sys
from decimal import Context, Decimal, ROUND_HALF_EVEN

# ------------------------------------------------------------------------------------------ constants
HEADER_SIZE = 24
FOOTER_SIZE = 16
FOOTER_COOKIE = 0x3034125237E526C8
STREAMING_REF = 0xFFFFFFFFFFFFFFFF
READABLE_FORMATS = (10, 11, 20, 21, 22, 23, 24)

INT, BOOL, STRING, BINARY, MIXED, TIMESTAMP, FLOAT, DOUBLE, DECIMAL = 0, 1, 2, 4, 6, 8, 9, 10, 11
LINK, LINKLIST, BACKLINK, OBJECTID, TYPEDLINK, UUID = 12, 13, 14, 15, 16, 17
LIST, SET, DICTIONARY = 19, 20, 21
TYPE_NAMES = {INT: "int", BOOL: "bool", STRING: "string", BINARY: "binary", MIXED: "mixed", TIMESTAMP: "timestamp",
              FLOAT: "float", DOUBLE: "double", DECIMAL: "decimal128", LINK: "link", LINKLIST: "linkList(legacy)",
              BACKLINK: "backlink", OBJECTID: "objectId", TYPEDLINK: "typedLink", UUID: "uuid"}

A_INDEXED, A_UNIQUE, A_RESERVED, A_STRONG, A_NULLABLE = 1, 2, 4, 8, 16
A_LIST, A_DICT, A_SET, A_FULLTEXT = 32, 64, 128, 256
A_COLLECTION = A_LIST | A_DICT | A_SET

NULL_TABLE_KEY = 0x7FFFFFFF
NULL_COL_KEY = 0x7FFFFFFFFFFFFFFF
U64 = (1 << 64) - 1

HISTORY_TYPES = {0: "none", 1: "outOfRealm", 2: "inRealm", 3: "syncClient", 4: "syncServer"}
TABLE_TYPES = {0: "TopLevel", 1: "Embedded", 2: "TopLevelAsymmetric"}

TOP_SLOTS = ["table names", "tables", "logical file size", "free positions", "free lengths", "free versions",
             "version", "history type", "history", "history schema version", "sync file id", "evacuation"]
TABLE_SLOTS = ["spec", "unused (old columns)", "cluster tree", "table key", "search indexes", "column key sequence",
               "content version", "opposite tables", "opposite columns", "object key sequence", "collision map",
               "primary key column", "flags", "tombstones"]
SPEC_SLOTS = ["types", "names", "attributes", "unused (subspecs)", "enum keys", "column keys"]
MIXED_SLOTS = ["composite", "ints", "pairs", "strings", "refs", "keys"]


class Corrupt(Exception):
    """The file (or the part being read) violates the format so badly that it cannot be interpreted."""


# ------------------------------------------------------------------------------------------ small decoders
_SUB = {w: [tuple((b >> s) & ((1 << w) - 1) for s in range(0, 8, w)) for b in range(256)] for w in (1, 2, 4)}
_FMT = {8: "b", 16: "h", 32: "i", 64: "q"}
_UFMT = {8: "B", 16: "H", 32: "I", 64: "Q"}


def _unpack_ints(data, pos, size, width, unsigned=False):
    """F2.3: elements of a bit-width array. Widths below 8 are unsigned, 8 and above two's complement."""
    if width == 0:
        return [0] * size
    if width < 8:
        raw = data[pos:pos + (size * width + 7) // 8]
        return list(itertools.chain.from_iterable(map(_SUB[width].__getitem__, raw)))[:size]
    fmt = (_UFMT if unsigned else _FMT)[width]
    return list(struct.unpack_from("<%d%s" % (size, fmt), data, pos))


def _s64(x):
    x &= U64
    return x - (1 << 64) if x >> 63 else x


class Dec:
    """A decimal128 value: kind 'n' (sign, coefficient, exponent), 'i' infinity, 'q'/'s' NaN. Exact, keeps the cohort."""
    __slots__ = ("kind", "sign", "coef", "exp", "raw")

    def __init__(self, kind, sign, coef, exp, raw):
        self.kind, self.sign, self.coef, self.exp, self.raw = kind, sign, coef, exp, raw

    def __str__(self):
        sg = "-" if self.sign else ""
        if self.kind == "n":
            return "%s%dE%d" % (sg, self.coef, self.exp)
        if self.kind == "i":
            return sg + "Inf"
        return sg + ("NaN" if self.kind == "q" else "sNaN") + ("(%x)" % self.raw[0] if self.raw[0] else "")

    def is_nan(self):
        return self.kind in "qs"

    def num(self):
        if self.kind == "i":
            return Decimal("-Infinity" if self.sign else "Infinity")
        return Decimal((self.sign, tuple(int(c) for c in str(self.coef)), self.exp))


DECIMAL_NULL = (0xAA, 0x7C00000000000000)


def _dec128(lo, hi):
    lo &= U64
    hi &= U64
    sign = hi >> 63
    if (hi >> 58) & 31 == 31:
        return Dec("s" if hi & 0x0200000000000000 else "q", sign, 0, 0, (lo, hi))
    if (hi >> 59) & 15 == 15:
        return Dec("i", sign, 0, 0, (lo, hi))
    if (hi >> 61) & 3 == 3:                            # non-canonical: reads as zero
        return Dec("n", sign, 0, ((hi >> 47) & 0x3FFF) - 6176, (lo, hi))
    coef = ((hi & ((1 << 49) - 1)) << 64) | lo
    if coef >= 10 ** 34:                               # non-canonical: reads as zero
        coef = 0
    return Dec("n", sign, coef, ((hi >> 49) & 0x3FFF) - 6176, (lo, hi))


def _to128(sign, coef, exp):
    hi = (sign << 63) | ((exp + 6176) << 49) | (coef >> 64)
    return (coef & U64, hi)


def _dec32(x):
    if x == 0x7C0000AA:
        return None
    sign = x >> 31
    if (x >> 26) & 31 == 31:
        return Dec("q", sign, 0, 0, (0, 0x7C00000000000000 | (sign << 63)))
    if (x >> 27) & 15 == 15:
        return Dec("i", sign, 0, 0, (0, 0x7800000000000000 | (sign << 63)))
    if (x >> 29) & 3 == 3:
        coef, exp = (x & 0x1FFFFF) | 0x800000, ((x >> 21) & 0xFF) - 101
    else:
        coef, exp = x & 0x7FFFFF, ((x >> 23) & 0xFF) - 101
    if coef > 9999999:
        coef = 0
    return Dec("n", sign, coef, exp, _to128(sign, coef, exp))


def _dec64(x):
    if x == 0x7C000000000000AA:
        return None
    sign = x >> 63
    if (x >> 58) & 31 == 31:
        return Dec("q", sign, 0, 0, (0, 0x7C00000000000000 | (sign << 63)))
    if (x >> 59) & 15 == 15:
        return Dec("i", sign, 0, 0, (0, 0x7800000000000000 | (sign << 63)))
    if (x >> 61) & 3 == 3:
        coef, exp = (x & ((1 << 51) - 1)) | (1 << 53), ((x >> 51) & 0x3FF) - 398
    else:
        coef, exp = x & ((1 << 53) - 1), ((x >> 53) & 0x3FF) - 398
    if coef > 9999999999999999:
        coef = 0
    return Dec("n", sign, coef, exp, _to128(sign, coef, exp))


class F32:
    """A float kept as its 32 bits (so that every NaN survives)."""
    __slots__ = ("bits",)

    def __init__(self, bits):
        self.bits = bits & 0xFFFFFFFF

    def f(self):
        return struct.unpack("<f", struct.pack("<I", self.bits))[0]


class F64:
    __slots__ = ("bits",)

    def __init__(self, bits):
        self.bits = bits & U64

    def f(self):
        return struct.unpack("<d", struct.pack("<Q", self.bits))[0]


def _float_text(v):
    if isinstance(v, F32):
        if v.bits & 0x7F800000 == 0x7F800000 and v.bits & 0x7FFFFF:
            return "NaN" if v.bits == 0x7FC00000 else "NaN(%08x)" % v.bits
        f = v.f()
        if math.isinf(f):
            return "Inf" if f > 0 else "-Inf"
        for digits in range(1, 10):                    # shortest text that reads back as the same float
            s = float("%.*g" % (digits, f))
            try:
                if struct.pack("<f", s) == struct.pack("<f", f):
                    return repr(s)
            except OverflowError:                      # rounded up beyond the largest float
                pass
        return repr(f)
    if v.bits & 0x7FF0000000000000 == 0x7FF0000000000000 and v.bits & 0xFFFFFFFFFFFFF:
        return "NaN" if v.bits == 0x7FF8000000000000 else "NaN(%016x)" % v.bits
    f = v.f()
    if math.isinf(f):
        return "Inf" if f > 0 else "-Inf"
    return repr(f)


# Values of a Mixed (and of every column when a uniform shape is handy): (type, payload) or None for null.
#   collections: (LIST, [values]) and (DICTIONARY, [(key, value), ...]); links: (TYPEDLINK, (table key, object key))


# ------------------------------------------------------------------------------------------ comparisons (F6.3)
_RANK = {BOOL: 0, INT: 1, FLOAT: 1, DOUBLE: 1, DECIMAL: 1, STRING: 2, BINARY: 3, TIMESTAMP: 4, OBJECTID: 5, UUID: 6,
         TYPEDLINK: 7, LINK: 8, LIST: 9, SET: 10, DICTIONARY: 11}
_NUMERIC = (INT, FLOAT, DOUBLE, DECIMAL)
_CTX34 = Context(prec=34, rounding=ROUND_HALF_EVEN)
_WIDE = Context(prec=1200, Emax=99999999, Emin=-99999999)


def _cmp(a, b):
    return (a > b) - (a < b)


def _cmp_float(a, b):
    """a, b: F32 or F64 of the same width class; NaN sorts first, NaNs among themselves by unsigned bits."""
    fa, fb = a.f(), b.f()
    na, nb = math.isnan(fa), math.isnan(fb)
    if not na and not nb:
        return _cmp(fa, fb)
    if na and nb:
        return _cmp(a.bits, b.bits)
    return -1 if na else 1


def _cmp_int_double(i, d):
    f = d.f()
    if math.isnan(f):
        return 1
    if -(1 << 53) <= i <= (1 << 53):
        return _cmp(float(i), f)
    if f >= 2.0 ** 63:
        return -1
    if f < -(2.0 ** 63):
        return 1
    return _cmp(i, int(f))


def _nan_raw(v):
    """The words (low, high) of the decimal NaN that a binary one becomes: sign and payload, which has 33 digits at most."""
    payload = (v.bits & 0x7FFFFFFFFFFFF) << 59
    if payload >= 10 ** 33:
        payload = 0
    return payload & U64, 0x7C00000000000000 | (v.bits >> 63) << 63 | payload >> 64


def _double_to_dec(v, digits):
    f = v.f()
    if math.isinf(f):
        return Decimal("Infinity") if f > 0 else Decimal("-Infinity")
    exact = _CTX34.create_decimal(Decimal(f))
    return Context(prec=digits, rounding=ROUND_HALF_EVEN).create_decimal(exact)


def _as_dec(t, v):
    """-> a Decimal, or the words (low, high) of a NaN"""
    if t == INT:
        return Decimal(v)
    if t in (FLOAT, DOUBLE):
        wide = _widen(v)
        return _nan_raw(wide) if math.isnan(wide.f()) else _double_to_dec(wide, 7 if t == FLOAT else 15)
    return v.raw if v.is_nan() else v.num()


def _widen(v):
    """A float as a double; a NaN becomes a quiet one."""
    if isinstance(v, F64):
        return v
    if math.isnan(v.f()):
        return F64((v.bits >> 31) << 63 | 0x7FF8000000000000 | (v.bits & 0x7FFFFF) << 29)
    return F64(struct.unpack("<Q", struct.pack("<d", v.f()))[0])


def _cmp_num(ta, a, tb, b):
    if DECIMAL in (ta, tb):
        x, y = _as_dec(ta, a), _as_dec(tb, b)
        if isinstance(x, tuple) and isinstance(y, tuple):
            return _cmp((x[1], x[0]), (y[1], y[0]))
        if isinstance(x, tuple) or isinstance(y, tuple):
            return -1 if isinstance(x, tuple) else 1
        return int(_WIDE.compare(x, y))
    if ta == INT and tb == INT:
        return _cmp(a, b)
    if ta == INT:
        return _cmp_int_double(a, b)
    if tb == INT:
        return -_cmp_int_double(b, a)
    if ta == FLOAT and tb == FLOAT:
        return _cmp_float(a, b)
    return _cmp_float(_widen(a), _widen(b))


def mixed_compare(x, y):
    if x is None or y is None:
        return 0 if x is y else (-1 if x is None else 1)
    (ta, a), (tb, b) = x, y
    if ta in _NUMERIC and tb in _NUMERIC:
        return _cmp_num(ta, a, tb, b)
    if ta == tb:
        if ta in (LIST, DICTIONARY, SET):
            return 0
        return _cmp(a, b)
    return _cmp(_RANK[ta], _RANK[tb])


# ------------------------------------------------------------------------------------------ search index keys (F9)
def _create_key(data, offset):
    """F9.2: four bytes of the value starting at offset, big-endian, as a signed 32-bit number."""
    if data is None or offset > len(data):
        return 0
    tail = data[offset:offset + 4]
    if len(tail) < 4 and len(data) - offset <= 3:
        tail = (tail + b"X").ljust(4, b"\0")
    v = int.from_bytes(tail, "big")
    return v - (1 << 32) if v >> 31 else v


def index_data(value):
    """F9.1: the byte string under which a value is stored in a general search index; None for null."""
    if value is None:
        return None
    t, v = value
    if t == INT:
        return struct.pack("<q", v)
    if t == BOOL:
        return struct.pack("<q", 1 if v else 0)
    if t in (FLOAT, DOUBLE):
        f = v.f()
        if not math.isnan(f) and not math.isinf(f) and -2147483648 <= f <= 2147483647 and int(f) == f:
            return struct.pack("<q", int(f))
        return struct.pack("<I", v.bits) if t == FLOAT else struct.pack("<Q", v.bits)
    if t in (STRING, BINARY, OBJECTID, UUID):
        return v
    if t == TIMESTAMP:
        return struct.pack("<qi", v[0], v[1])
    if t == DECIMAL:
        if v.kind == "n" and (v.coef == 0 or len(str(v.coef)) + v.exp < 21):
            n = v.coef * 10 ** v.exp if v.exp >= 0 else v.coef // 10 ** -v.exp if v.exp > -40 else 0
            n = -n if v.sign else n                     # truncated towards zero
            if -(1 << 63) <= n < (1 << 63):
                return struct.pack("<q", n)
        return struct.pack("<QQ", *v.raw)
    if t == TYPEDLINK:
        return struct.pack("<Iq", v[0], v[1])
    if t == LIST:
        return b"__List__"
    if t == DICTIONARY:
        return b"__Dictionary__"
    raise Corrupt("value of type %d cannot be indexed" % t)


_LATIN = bytes.fromhex(                                  # U+00C0..U+00FF without diacritics, lower case; 0 = dropped
    "6161616161e5e663" "6565656569696969" "f06e6f6f6f6f6f00" "f87575757579fedf"
    "6161616161e5e663" "6565656569696969" "f06e6f6f6f6f6f00" "f87575757579feff")


def tokenize(data):
    """F9.6: the set of full-text tokens of a UTF-8 string (bytes in, set of bytes out)."""
    out, buf, building, i, n = set(), bytearray(), False, 0, len(data)
    while i < n:
        c = data[i]
        alnum = False
        if 0x30 <= c <= 0x39 or 0x61 <= c <= 0x7A:
            alnum = True
            if len(buf) < 64:
                buf.append(c)
        elif 0x41 <= c <= 0x5A:
            alnum = True
            if len(buf) < 64:
                buf.append(c + 0x20)
        elif c > 0x7F:
            if c & 0xE0 == 0xC0:
                i += 1
                nxt = data[i] if i < n else 0
                u = ((c << 6) + (nxt & 0x3F)) & 0x7FF
                if 0xC0 <= u < 0xFF:
                    alnum = True
                    o = _LATIN[u & 0x3F]
                    if o:
                        if o < 0x80:
                            if len(buf) < 64:
                                buf.append(o)
                        elif len(buf) < 63:
                            buf += bytes(((o >> 6) | 0xC0, (o & 0x3F) | 0x80))
            elif c & 0xF0 == 0xE0:
                i += 2
            elif c & 0xF8 == 0xF0:
                i += 3
        if alnum:
            building = True
        elif building:
            out.add(bytes(buf))
            buf, building = bytearray(), False
        i += 1
    if building:
        out.add(bytes(buf))
    return out


# ------------------------------------------------------------------------------------------ nodes
class Node:
    """F2.1: the eight byte header of a node and what follows from it."""
    __slots__ = ("ref", "size", "width", "wtype", "inner", "refs", "ctx", "nbytes", "mark")

    def __init__(self, data, ref, limit):
        if ref & 7:
            raise Corrupt("ref %#x is not a multiple of 8" % ref)
        if ref < HEADER_SIZE:
            raise Corrupt("ref %#x lies inside the file header" % ref)
        if ref + 8 > limit:
            raise Corrupt("ref %#x lies outside the file (limit %#x)" % (ref, limit))
        flags = data[ref + 4]
        self.ref = ref
        self.mark = data[ref:ref + 4]
        self.inner = bool(flags & 0x80)
        self.refs = bool(flags & 0x40)
        self.ctx = bool(flags & 0x20)
        self.wtype = (flags >> 3) & 3
        self.width = (1 << (flags & 7)) >> 1
        self.size = int.from_bytes(data[ref + 5:ref + 8], "big")
        if self.wtype == 0:
            n = (self.size * self.width + 7) >> 3
        elif self.wtype == 1:
            n = self.size * self.width
        elif self.wtype == 2:
            n = self.size
        else:
            raise Corrupt("node %#x has width scheme 3, which format 24 does not define" % ref)
        self.nbytes = 8 + ((n + 7) & ~7)
        if ref + self.nbytes > limit:
            raise Corrupt("node %#x (%d bytes) extends beyond the file (limit %#x)" % (ref, self.nbytes, limit))

    def flag_text(self):
        s = ["inner" if self.inner else "", "refs" if self.refs else "", "ctx" if self.ctx else ""]
        w = {0: "bits", 1: "bytes", 2: "blob"}[self.wtype]
        return "%s width=%d %s size=%d bytes=%d" % ("+".join(x for x in s if x) or "-", self.width, w, self.size, self.nbytes)


class Column:
    __slots__ = ("key", "name", "type", "attrs", "spec_type", "spec_attrs", "index", "public", "enum_ref", "enum", "tag",
                 "key_type", "spec_ndx", "opp_table", "opp_col", "index_ref", "values")

    def __init__(self):
        self.opp_table, self.opp_col, self.index_ref, self.values, self.enum = NULL_TABLE_KEY, NULL_COL_KEY, 0, None, None

    def has(self, attr):
        return bool(self.attrs & attr)

    @property
    def nullable(self):
        return bool(self.attrs & A_NULLABLE)

    @property
    def collection(self):
        return self.attrs & A_COLLECTION


class Table:
    def __init__(self):
        self.name = None
        self.ndx = 0
        self.key = NULL_TABLE_KEY
        self.type = 0
        self.cols = []          # spec order
        self.by_index = {}
        self.pk = None
        self.keys = []          # live object keys, ascending
        self.tomb_keys = []
        self.tomb_values = {}
        self.has_tombstones = False
        self.collisions = []
        self.sequence = 0
        self.ok = False         # set once the table's own arrays have been read

    def by_key(self, colkey):
        for c in self.cols:
            if c.key == colkey:
                return c
        return None


class Realm:
    def __init__(self, data, bpnode=1000, strict=True):
        self.data = data
        self.bpnode = bpnode
        self.shift = 8 if bpnode > 256 else 2
        self.cluster_max = 1 << self.shift
        self.errors = []
        self.notes = []
        self.strict = strict
        self.nodes = {}
        self.claimed = {}
        self.order = []         # claims in order: (depth, ref, label, slots)
        self.tables = []
        self.table_slots = []
        self._vals = {}
        self.links = {}         # (target table, target key, origin table, origin col) -> [origin keys]
        self._cur = None        # (table, column, object key) while collections are read
        self.top_ref = 0
        self.version = 0
        self.history_type = 0
        self.history_schema = 0
        self.free = []
        self.logical = 0

    # --- error handling
    def err(self, msg):
        if len(self.errors) < 5000:
            self.errors.append(msg)

    def note(self, msg):
        if len(self.notes) < 5000:
            self.notes.append(msg)

    def guard(self, what, fn, *a):
        """Run fn; in collecting mode turn Corrupt into a recorded violation."""
        try:
            return fn(*a)
        except Corrupt as e:
            if self.strict:
                raise Corrupt("%s: %s" % (what, e))
            self.err("%s: %s" % (what, e))
            return None

    # --- F1: file header
    def open(self):
        d = self.data
        n = len(d)
        if n == 0:
            raise Corrupt("file is empty (0 bytes): a brand-new Realm that was never initialised")
        if n < HEADER_SIZE:
            raise Corrupt("file has %d bytes, less than the %d byte header" % (n, HEADER_SIZE))
        if n % 8:
            raise Corrupt("file size %d is not a multiple of 8" % n)
        if d[16:20] != b"T-DB":
            raise Corrupt("mnemonic is %r, not 'T-DB' (not a Realm file, or encrypted)" % bytes(d[16:20]))
        self.top_refs = struct.unpack_from("<QQ", d, 0)
        self.formats = (d[20], d[21])
        self.reserved, self.flags = d[22], d[23]
        slot = self.slot = self.flags & 1
        if self.flags & ~1:
            self.note("header flags %#x: bits other than the select bit are set" % self.flags)
        if self.reserved:
            self.note("reserved header byte is %d" % self.reserved)
        top = self.top_refs[slot]
        self.streaming = slot == 0 and top == STREAMING_REF
        self.format = self.formats[slot]
        self.limit = n
        if self.streaming:
            if n < HEADER_SIZE + FOOTER_SIZE:
                raise Corrupt("streaming form but only %d bytes" % n)
            top, cookie = struct.unpack_from("<QQ", d, n - FOOTER_SIZE)
            if cookie != FOOTER_COOKIE:
                raise Corrupt("streaming form with a wrong footer cookie %#018x (truncated file?)" % cookie)
            self.limit = n - FOOTER_SIZE
        if top % 8:
            raise Corrupt("top ref %#x is not aligned" % top)
        if top >= n:
            raise Corrupt("top ref %#x is outside the file (%d bytes)" % (top, n))
        self.top_ref = top
        if self.format == 0:
            if top:
                raise Corrupt("file format 0 (undecided) with a non-zero top ref")
        elif self.format not in READABLE_FORMATS:
            raise Corrupt("file format version %d is not readable (accepted: %s)" % (self.format, READABLE_FORMATS))
        return self

    # --- node access
    def vals(self, node):
        v = self._vals.get(node.ref)
        if v is None:
            if node.wtype != 0:
                raise Corrupt("node %#x: integers expected, width scheme is %d" % (node.ref, node.wtype))
            v = _unpack_ints(self.data, node.ref + 8, node.size, node.width)
            if node.refs or node.size <= 64:
                self._vals[node.ref] = v
        return v

    def uvals(self, node):
        """F2.4: the same bits read as unsigned (key and offset arrays)."""
        if node.wtype != 0:
            raise Corrupt("node %#x: unsigned array expected, width scheme is %d" % (node.ref, node.wtype))
        return _unpack_ints(self.data, node.ref + 8, node.size, node.width, True)

    def node(self, ref):
        n = self.nodes.get(ref)
        if n is None:
            raise Corrupt("ref %#x is not a node of the tree" % ref)
        return n

    def claim(self, ref, label, depth, slots=None):
        n = self.node(ref)
        if ref in self.claimed:
            raise Corrupt("node %#x is used twice: as %s and as %s" % (ref, self.claimed[ref], label))
        self.claimed[ref] = label
        self.order.append((depth, ref, label, slots))
        return n

    def claim_all(self, ref, label, depth):
        """Claim a whole subtree without interpreting it (history, evacuation data)."""
        stack = [(ref, label, depth)]
        while stack:
            r, lab, dep = stack.pop()
            n = self.claim(r, lab, dep)
            if n.refs:
                kids = [(v, "%s[%d]" % (lab, i), dep + 1) for i, v in enumerate(self.vals(n)) if v and not v & 1]
                stack.extend(reversed(kids))

    # --- pass 1: everything reachable
    def reach(self):
        if not self.top_ref:
            return
        # The logical size (slot 2 of the top array) bounds everything else.
        top = Node(self.data, self.top_ref, self.limit)
        limit = self.limit
        if top.wtype != 0 or not top.refs or top.inner:
            raise Corrupt("top array %#x has wrong flags (%s)" % (self.top_ref, top.flag_text()))
        tv = _unpack_ints(self.data, top.ref + 8, min(top.size, 16), top.width)
        if len(tv) > 2 and tv[2] & 1:
            self.logical = tv[2] >> 1
            if HEADER_SIZE <= self.logical <= limit:
                limit = self.logical
            else:
                self.err("logical file size %d is outside [24, %d]" % (self.logical, limit))
        else:
            self.err("top array slot 2 (logical file size) is not a tagged integer")
        stack = [(self.top_ref, None, -1)]
        nodes = self.nodes
        while stack:
            ref, parent, slot = stack.pop()
            try:
                if ref in nodes:
                    raise Corrupt("node %#x is reachable twice (again from %#x[%d])" % (ref, parent or 0, slot))
                n = Node(self.data, ref, limit)
                if n.refs and n.wtype != 0:
                    raise Corrupt("node %#x has the refs flag but width scheme %d" % (ref, n.wtype))
                if n.inner and not n.refs:
                    raise Corrupt("node %#x is an inner node without the refs flag" % ref)
            except Corrupt as e:
                msg = str(e) if parent is None else "%s (child %d of node %#x)" % (e, slot, parent)
                self.err(msg)
                continue
            nodes[ref] = n
            if n.refs and n.width:
                v = self.vals(n)
                for i in range(len(v) - 1, -1, -1):
                    x = v[i]
                    if x and not x & 1:
                        if x < 0:
                            self.err("node %#x[%d] holds the negative ref %d" % (ref, i, x))
                        else:
                            stack.append((x, ref, i))
        prev_end, prev = HEADER_SIZE, None
        for ref in sorted(nodes):
            if ref < prev_end:
                self.err("node %#x overlaps node %#x" % (ref, prev))
            prev, prev_end = ref, max(prev_end, ref + nodes[ref].nbytes)

    # --- pass 2: typed
    def load(self, objects=True):
        if not self.top_ref:
            return self
        if self.top_ref not in self.nodes:
            raise Corrupt("top array %#x cannot be read" % self.top_ref)
        top = self.claim(self.top_ref, "group top", 0, TOP_SLOTS)
        tv = self.vals(top)
        if top.size not in (3, 5, 7, 9, 10, 11, 12):
            raise Corrupt("top array has %d slots (valid: 3, 5, 7, 9, 10, 11, 12)" % top.size)

        def tagged(i, name, default=0):
            if i >= len(tv):
                return default
            if not tv[i] & 1:
                if tv[i] == 0:
                    return default
                raise Corrupt("top array slot %d (%s) is not a tagged integer" % (i, name))
            return (tv[i] & U64) >> 1
        for i in (0, 1):
            if tv[i] <= 0 or tv[i] & 7:
                raise Corrupt("top array slot %d (%s) is not a ref" % (i, TOP_SLOTS[i]))
        self.top_values = tv
        self.version = tagged(6, "version")
        self.history_type = tagged(7, "history type")
        self.history_schema = tagged(9, "history schema version")
        self.sync_file_id = tagged(10, "sync file id")
        names = self.short_strings(self.claim(tv[0], "table names", 1), nullable=False)
        tabs = self.claim(tv[1], "tables", 1)
        tabv = self.vals(tabs)
        if not tabs.refs or tabs.inner:
            raise Corrupt("tables array has wrong flags")
        if len(names) != len(tabv):
            raise Corrupt("%d table names but %d table slots" % (len(names), len(tabv)))
        self.read_free_lists(tv)
        if len(tv) > 8 and tv[8]:
            if tv[8] & 1:
                raise Corrupt("top array slot 8 (history) is not a ref")
            self.guard("history", self.read_history, tv[8])
        if len(tv) > 11 and tv[11] and not tv[11] & 1:
            self.guard("evacuation info", self.claim_all, tv[11], "evacuation info", 1)
        for i, x in enumerate(tabv):
            if x & 1 or x == 0:
                self.table_slots.append(("free", (x & U64) >> 1 if x & 1 else None))
                continue
            t = Table()
            t.ndx, t.name = i, (names[i] or b"").decode("utf-8", "replace")
            self.table_slots.append(("table", t))
            self.tables.append(t)
            self.guard("table %r" % t.name, self.read_table, t, x)
        self.table_by_key = {t.key: t for t in self.tables}
        if objects:
            for t in self.tables:
                if t.ok:
                    self.guard("table %r" % t.name, self.read_objects, t)
        return self

    def read_free_lists(self, tv):
        if len(tv) <= 4:
            return
        arrs = []
        for i in (3, 4, 5):
            if i < len(tv) and tv[i]:
                n = self.claim(tv[i], TOP_SLOTS[i], 1)
                if n.refs:
                    raise Corrupt("%s has the refs flag" % TOP_SLOTS[i])
                arrs.append(self.vals(n))
            else:
                arrs.append(None)
        pos, length, ver = arrs
        if pos is None or length is None:
            if pos is not length:
                raise Corrupt("only one of free positions / free lengths is present")
            return
        if len(pos) != len(length) or (ver is not None and len(ver) != len(pos)):
            raise Corrupt("free list arrays differ in size: %d, %d, %s" % (len(pos), len(length), ver and len(ver)))
        self.free = list(zip(pos, length, ver or [0] * len(pos)))

    def read_history(self, ref):
        if self.history_type == 2:                      # F8.4: a B+ tree of binary changesets
            self.history = self.bptree(ref, BINARY, True, "history (changesets)", 1)
        else:
            self.claim_all(ref, "history", 1)

    # --- F4: table
    def read_table(self, t, ref):
        top = self.claim(ref, "table %r" % t.name, 2, TABLE_SLOTS)
        v = self.vals(top)
        if not top.refs or top.inner:
            raise Corrupt("table top array has wrong flags")
        if len(v) < 10 or len(v) > 14:
            raise Corrupt("table top array has %d slots" % len(v))
        v = v + [0] * (14 - len(v))
        t.top = v

        def tag(i, default):
            if v[i] & 1:
                return (v[i] & U64) >> 1
            if v[i] == 0:
                return default
            raise Corrupt("table slot %d (%s) is not a tagged integer" % (i, TABLE_SLOTS[i]))
        if v[1]:
            raise Corrupt("table slot 1 (unused) is %#x" % v[1])
        t.key = tag(3, t.ndx)
        if t.key & 0xFFFF != t.ndx:
            self.err("table %r: key %#x does not name slot %d" % (t.name, t.key, t.ndx))
        t.col_seq = tag(5, 0)
        t.content_version = tag(6, 0)
        t.sequence = tag(9, 0)
        pk = tag(11, None)
        t.flags = tag(12, 0)
        t.type = t.flags & 3
        if t.type == 3 or t.flags & ~3:
            self.err("table %r: flags %#x" % (t.name, t.flags))
        self.read_spec(t, v[0])
        ncols = 1 + max([c.index for c in t.cols], default=-1)
        idx, opt, opc = (self.claim(v[i], TABLE_SLOTS[i], 3) if v[i] else None for i in (4, 7, 8))
        t.idx_refs = self.vals(idx) if idx else [0] * ncols
        t.opp_t = self.vals(opt) if opt else [NULL_TABLE_KEY] * ncols
        t.opp_c = self.vals(opc) if opc else [NULL_COL_KEY] * ncols
        if idx and not idx.refs:
            self.err("table %r: search index array lacks the refs flag" % t.name)
        if not (len(t.idx_refs) == len(t.opp_t) == len(t.opp_c)) or len(t.idx_refs) < ncols:
            raise Corrupt("index/opposite arrays have %d, %d, %d entries for %d columns" %
                          (len(t.idx_refs), len(t.opp_t), len(t.opp_c), ncols))
        for c in t.cols:
            c.opp_table, c.opp_col, c.index_ref = t.opp_t[c.index], t.opp_c[c.index], t.idx_refs[c.index]
            c.opp_table &= 0xFFFFFFFF
        for i in range(len(t.idx_refs)):
            if i not in t.by_index:
                if t.idx_refs[i]:
                    self.err("table %r: search index for the vacant column slot %d" % (t.name, i))
                if t.opp_t[i] != NULL_TABLE_KEY or t.opp_c[i] != NULL_COL_KEY:
                    self.err("table %r: opposite entry for the vacant column slot %d" % (t.name, i))
        if pk is not None:
            t.pk = t.by_key(pk)
            if t.pk is None:
                self.err("table %r: primary key column %#x does not exist" % (t.name, pk))
        if v[10]:
            self.guard("collision map", self.read_collisions, t, v[10])
        t.ok = True

    def read_collisions(self, t, ref):
        n = self.claim(ref, "collision map", 3, ["lo", "hi", "local id"])
        v = self.vals(n)
        if len(v) != 3:
            raise Corrupt("collision map has %d arrays" % len(v))
        lo, hi, loc = (self.vals(self.claim(v[i], "collision %s" % s, 4)) for i, s in enumerate(("lo", "hi", "local id")))
        if not len(hi) == len(lo) == len(loc):
            raise Corrupt("collision map arrays differ in size")
        t.collisions = list(zip(hi, lo, loc))

    # --- F4.2: spec
    def read_spec(self, t, ref):
        n = self.claim(ref, "spec", 3, SPEC_SLOTS)
        v = self.vals(n)
        if len(v) != 6:
            raise Corrupt("spec has %d slots (6 expected)" % len(v))
        types = self.vals(self.claim(v[0], "column types", 4))
        names = self.short_strings(self.claim(v[1], "column names", 4), nullable=False)
        attrs = self.vals(self.claim(v[2], "column attributes", 4))
        if v[3]:
            raise Corrupt("spec slot 3 (unused) is %#x" % v[3])
        enum = None
        if v[4]:
            en = self.claim(v[4], "enum keys", 4)
            enum = self.vals(en)
        keys = self.vals(self.claim(v[5], "column keys", 4))
        if not len(types) == len(attrs) == len(keys):
            raise Corrupt("spec arrays differ in size: types %d, attributes %d, keys %d" % (len(types), len(attrs), len(keys)))
        npublic = len(types)
        while npublic and types[npublic - 1] & 0xFFFF == BACKLINK:
            npublic -= 1
        if len(names) != npublic:
            raise Corrupt("%d column names for %d public columns" % (len(names), npublic))
        if enum is not None and len(enum) != npublic:
            raise Corrupt("enum keys array has %d entries for %d public columns" % (len(enum), npublic))
        for i in range(len(types)):
            c = Column()
            c.spec_ndx = i
            c.public = i < npublic
            c.name = (names[i] or b"").decode("utf-8", "replace") if c.public else ""
            c.key = keys[i]
            c.index = c.key & 0xFFFF
            c.type = (c.key >> 16) & 0x3F
            c.attrs = (c.key >> 22) & 0xFF
            c.tag = (c.key >> 30) & 0xFFFFFFFF
            c.spec_type = types[i] & 0xFFFF
            c.key_type = types[i] >> 16
            c.spec_attrs = attrs[i]
            c.enum_ref = enum[i] if enum is not None and c.public else 0
            if c.type == LINKLIST:                       # formats below 24
                c.type = LINK
                c.attrs |= A_LIST
            if c.type not in TYPE_NAMES:
                raise Corrupt("column %r has unknown type %d" % (c.name, c.type))
            if c.index in t.by_index:
                raise Corrupt("two columns use leaf index %d" % c.index)
            if c.enum_ref:
                if c.type != STRING or c.collection:
                    raise Corrupt("column %r has enum keys but is not a plain string column" % c.name)
                c.enum = self.strings(c.enum_ref, "enum keys of %r" % c.name, 5)
            t.by_index[c.index] = c
            t.cols.append(c)

    # --- F3: leaf arrays ------------------------------------------------------------------
    def short_strings(self, n, nullable):
        if n.wtype != 1 or n.refs:
            raise Corrupt("node %#x is not a short string array" % n.ref)
        w, out, d, p = n.width, [], self.data, n.ref + 8
        if w == 0:
            return [None if nullable else b""] * n.size
        if w > 64:
            raise Corrupt("short string array %#x with width %d" % (n.ref, w))
        for i in range(n.size):
            pad = d[p + w - 1]
            if pad == w:
                out.append(None if nullable else b"")
            elif pad > w:
                raise Corrupt("short string array %#x: element %d has pad byte %d, width %d" % (n.ref, i, pad, w))
            else:
                end = p + w - 1 - pad
                if d[end] != 0 or any(d[end:p + w - 1]):
                    raise Corrupt("short string array %#x: element %d is not zero padded" % (n.ref, i))
                out.append(d[p:end])
            p += w
        return out

    def small_blobs(self, n, label, depth, terminated):
        v = self.vals(n)
        if len(v) != 3:
            raise Corrupt("%s: small blob array has %d parts" % (label, len(v)))
        off = self.vals(self.claim(v[0], label + " offsets", depth + 1))
        blob = self.claim(v[1], label + " blob", depth + 1)
        nulls = self.vals(self.claim(v[2], label + " nulls", depth + 1))
        if blob.wtype != 2 or blob.refs:
            raise Corrupt("%s: blob node has wrong flags" % label)
        if len(off) != len(nulls):
            raise Corrupt("%s: %d offsets but %d null flags" % (label, len(off), len(nulls)))
        out, begin, base = [], 0, blob.ref + 8
        for i, end in enumerate(off):
            if end < begin or end > blob.size:
                raise Corrupt("%s: offset %d of element %d is out of order" % (label, end, i))
            if nulls[i]:
                if nulls[i] != 1:
                    raise Corrupt("%s: null flag %d" % (label, nulls[i]))
                out.append(None)
            elif terminated:
                if end == begin or self.data[base + end - 1]:
                    raise Corrupt("%s: element %d is not zero terminated" % (label, i))
                out.append(self.data[base + begin:base + end - 1])
            else:
                out.append(self.data[base + begin:base + end])
            begin = end
        if begin != blob.size:
            raise Corrupt("%s: blob has %d bytes, offsets end at %d" % (label, blob.size, begin))
        return out

    def big_blobs(self, n, label, depth, terminated):
        out = []
        for i, r in enumerate(self.vals(n)):
            if r == 0:
                out.append(None)
                continue
            lab = "%s[%d]" % (label, i)
            b = self.claim(r, lab, depth + 1)
            if b.ctx:                                    # F3.8: more than 0xFFFFF0 bytes, in chunks
                if not b.refs:
                    raise Corrupt("%s: chunked blob without refs" % lab)
                raw = b""
                for j, cr in enumerate(self.vals(b)):
                    ch = self.claim(cr, "%s chunk %d" % (lab, j), depth + 2)
                    if ch.wtype != 2 or ch.refs:
                        raise Corrupt("%s: chunk has wrong flags" % lab)
                    raw += self.data[cr + 8:cr + 8 + ch.size]
            else:
                if b.wtype != 2 or b.refs:
                    raise Corrupt("%s: blob has wrong flags" % lab)
                raw = self.data[r + 8:r + 8 + b.size]
            if terminated:
                if not raw or raw[-1]:
                    raise Corrupt("%s: not zero terminated" % lab)
                raw = raw[:-1]
            out.append(raw)
        return out

    def strings(self, ref, label, depth, enum=None):
        n = self.claim(ref, label, depth)
        if not n.refs:
            if n.wtype == 1:
                return self.short_strings(n, True)
            if n.wtype == 0 and enum is not None:
                out = []
                for x in self.vals(n):
                    if not 0 <= x < len(enum):
                        raise Corrupt("%s: enum index %d of %d" % (label, x, len(enum)))
                    out.append(enum[x])
                return out
            raise Corrupt("%s: not a string array (%s)" % (label, n.flag_text()))
        if n.ctx:
            return self.big_blobs(n, label, depth, True)
        return self.small_blobs(n, label, depth, True)

    def binaries(self, ref, label, depth):
        n = self.claim(ref, label, depth)
        if not n.refs:
            raise Corrupt("%s: not a binary array (%s)" % (label, n.flag_text()))
        return self.big_blobs(n, label, depth, False) if n.ctx else self.small_blobs(n, label, depth, False)

    def int_leaf(self, ref, label, depth):
        n = self.claim(ref, label, depth)
        if n.refs:
            raise Corrupt("%s: integer leaf with the refs flag" % label)
        return self.vals(n)

    def null_ints(self, ref, label, depth):
        v = self.int_leaf(ref, label, depth)
        if not v:
            raise Corrupt("%s: nullable integer leaf without its null slot" % label)
        nul = v[0]
        return [None if x == nul else x for x in v[1:]]

    def fixed_bytes(self, ref, label, depth, esize):
        n = self.claim(ref, label, depth)
        if n.wtype != 1 or n.refs or (n.size and n.width != 1):
            raise Corrupt("%s: not a fixed-bytes array (%s)" % (label, n.flag_text()))
        block = 8 * esize + 1
        count = (n.size - (n.size + block - 1) // block) // esize
        if count * esize + (count + 7) // 8 != n.size:
            raise Corrupt("%s: %d bytes is no whole number of elements" % (label, n.size))
        d, out = self.data, []
        for i in range(count):
            b = n.ref + 8 + (i // 8) * block
            if d[b] >> (i & 7) & 1:
                out.append(None)
            else:
                p = b + 1 + (i & 7) * esize
                out.append(d[p:p + esize])
        return out

    def decimals(self, ref, label, depth):
        n = self.claim(ref, label, depth)
        if n.wtype != 1 or n.refs or n.width not in (0, 4, 8, 16):
            raise Corrupt("%s: not a decimal array (%s)" % (label, n.flag_text()))
        p = n.ref + 8
        if n.width == 0:
            return [Dec("n", 0, 0, 0, _to128(0, 0, 0)) if n.ctx else None] * n.size
        if n.width == 4:
            return [_dec32(x) for x in struct.unpack_from("<%dI" % n.size, self.data, p)]
        if n.width == 8:
            return [_dec64(x) for x in struct.unpack_from("<%dQ" % n.size, self.data, p)]
        w = struct.unpack_from("<%dQ" % (2 * n.size), self.data, p)
        return [None if w[i:i + 2] == DECIMAL_NULL else _dec128(w[i], w[i + 1]) for i in range(0, len(w), 2)]

    def floats(self, ref, label, depth, double):
        n = self.claim(ref, label, depth)
        es = 8 if double else 4
        if n.wtype != 1 or n.refs or n.width != es:
            raise Corrupt("%s: not a %s array (%s)" % (label, "double" if double else "float", n.flag_text()))
        raw = struct.unpack_from("<%d%s" % (n.size, "Q" if double else "I"), self.data, n.ref + 8)
        nul = 0x7FF80000000000AA if double else 0x7FC000AA
        cls = F64 if double else F32
        return [None if x == nul else cls(x) for x in raw]

    def timestamps(self, ref, label, depth):
        n = self.claim(ref, label, depth)
        v = self.vals(n)
        if not n.refs or len(v) != 2:
            raise Corrupt("%s: not a timestamp array" % label)
        sec = self.null_ints(v[0], label + " seconds", depth + 1)
        ns = self.int_leaf(v[1], label + " nanoseconds", depth + 1)
        if len(sec) != len(ns):
            raise Corrupt("%s: %d seconds, %d nanoseconds" % (label, len(sec), len(ns)))
        out = []
        for s, x in zip(sec, ns):
            if s is None:
                out.append(None)
                continue
            if not -1000000000 < x < 1000000000 or (s > 0 and x < 0) or (s < 0 and x > 0):
                self.err("%s: timestamp (%d, %d) is not canonical" % (label, s, x))
            out.append((s, x))
        return out

    def mixeds(self, ref, label, depth, known=None):
        """known: keys of nested collections in the leaves of the same B+ tree; None in a cluster, where they need not differ (F3.15)."""
        n = self.claim(ref, label, depth, MIXED_SLOTS)
        v = self.vals(n)
        if not n.refs or n.inner or len(v) not in (4, 5, 6):
            raise Corrupt("%s: not a mixed array (%s)" % (label, n.flag_text()))
        v = v + [0] * (6 - len(v))
        comp = self.vals(self.claim(v[0], label + " composite", depth + 1))
        ints = self.vals(self.claim(v[1], label + " ints", depth + 1)) if v[1] else []
        pairs = self.vals(self.claim(v[2], label + " pairs", depth + 1)) if v[2] else []
        strs = self.strings(v[3], label + " strings", depth + 1) if v[3] else []
        refs = []
        if v[4]:
            rn = self.claim(v[4], label + " refs", depth + 1)
            if not rn.refs:
                raise Corrupt("%s: refs array without the refs flag" % label)
            refs = self.vals(rn)
        keys = self.vals(self.claim(v[5], label + " keys", depth + 1)) if v[5] else []
        if len(keys) > len(comp):
            self.err("%s: %d keys for %d values" % (label, len(keys), len(comp)))
        elif keys and len(keys) < len(comp):            # F3.15: legal to read, dangerous to hand to the C++ engine
            self.note("%s: %d keys for %d values" % (label, len(keys), len(comp)))
        if known is not None:
            salts = [x for x in keys if x]
            if len(salts) != len(set(salts)) or not known.isdisjoint(salts):
                self.err("%s: two nested collections have the same key" % label)
            known.update(salts)
        used = {1: set(), 2: set(), 3: set(), 4: set()}
        sizes = {1: len(ints), 2: len(pairs) // 2, 3: len(strs), 4: len(refs)}
        if len(pairs) & 1:
            raise Corrupt("%s: odd number of entries in the pair array" % label)
        out = []
        for i, c in enumerate(comp):
            if c == 0:
                out.append(None)
                continue
            t, where, x = (c & 31) - 1, (c >> 5) & 7, c >> 8
            if where:
                if where > 4 or not 0 <= x < sizes[where]:
                    raise Corrupt("%s: value %d points to entry %d of payload %d" % (label, i, x, where))
                if x in used[where]:
                    raise Corrupt("%s: payload %d entry %d is used twice" % (label, where, x))
                used[where].add(x)
            need = {INT: (0, 1), BOOL: (0,), FLOAT: (1,), DOUBLE: (1,), LINK: (1,), STRING: (3,), BINARY: (3,), OBJECTID: (3,),
                    UUID: (3,), TIMESTAMP: (2,), DECIMAL: (2,), TYPEDLINK: (2,), LIST: (4,), DICTIONARY: (4,)}.get(t)
            if need is None or where not in need:
                raise Corrupt("%s: value %d has type %d in payload %d" % (label, i, t, where))
            if t == INT:
                out.append((INT, ints[x] if where else x))
            elif t == BOOL:
                out.append((BOOL, x != 0))
            elif t == FLOAT:
                out.append((FLOAT, F32(ints[x])))
            elif t == DOUBLE:
                out.append((DOUBLE, F64(ints[x])))
            elif t == LINK:
                out.append((LINK, ints[x]))
            elif where == 3:
                s = strs[x]
                if s is None or (t == OBJECTID and len(s) != 12) or (t == UUID and len(s) != 16):
                    raise Corrupt("%s: value %d has a bad string payload" % (label, i))
                out.append((t, s))
            elif t == TIMESTAMP:
                out.append((t, (pairs[2 * x], pairs[2 * x + 1])))
            elif t == DECIMAL:
                out.append((t, _dec128(pairs[2 * x], pairs[2 * x + 1])))
            elif t == TYPEDLINK:
                out.append((t, (pairs[2 * x] & 0xFFFFFFFF, pairs[2 * x + 1])))
                self.link(out[-1][1])
            else:
                lab = "%s[%d]" % (label, i)
                if not (keys[i] if i < len(keys) else 0):
                    self.err("%s: nested collection without a key" % lab)
                if depth > 400:
                    raise Corrupt("%s: collections nested too deep" % lab)
                if t == LIST:
                    out.append((LIST, self.bptree(refs[x], MIXED, True, lab, depth + 1) if refs[x] else []))
                else:
                    out.append((DICTIONARY, self.dictionary(refs[x], STRING, lab, depth + 1) if refs[x] else []))
        for w in used:
            if len(used[w]) != sizes[w]:
                self.err("%s: payload %d has %d entries, %d used" % (label, w, sizes[w], len(used[w])))
        return out

    def link(self, tl):
        """Record a forward link of the object being read (for the backlink check)."""
        if self._cur:
            t, c, k = self._cur
            self.links.setdefault((tl[0], t.key, c.key), {}).setdefault(tl[1], []).append(k)

    def leaf(self, ref, typ, nullable, label, depth, enum=None, in_cluster=False, known=None):
        """Decode one leaf of any payload type to a list of Python values."""
        if typ == INT:
            return self.null_ints(ref, label, depth) if nullable else self.int_leaf(ref, label, depth)
        if typ == BOOL:
            v = self.int_leaf(ref, label, depth)
            for x in v:
                if x not in (0, 1, 3):
                    raise Corrupt("%s: boolean value %d" % (label, x))
            return [None if x == 3 else x != 0 for x in v]
        if typ == STRING:
            return self.strings(ref, label, depth, enum)
        if typ == BINARY:
            return self.binaries(ref, label, depth)
        if typ == FLOAT or typ == DOUBLE:
            return self.floats(ref, label, depth, typ == DOUBLE)
        if typ == TIMESTAMP:
            return self.timestamps(ref, label, depth)
        if typ == DECIMAL:
            return self.decimals(ref, label, depth)
        if typ == OBJECTID:
            return self.fixed_bytes(ref, label, depth, 12)
        if typ == UUID:
            return self.fixed_bytes(ref, label, depth, 16)
        if typ == MIXED:
            return self.mixeds(ref, label, depth, known)
        if typ == LINK:
            v = self.int_leaf(ref, label, depth)
            return [x - 1 for x in v] if in_cluster else v    # F3.12: offset by one only in clusters
        if typ == TYPEDLINK:
            v = self.int_leaf(ref, label, depth)
            if len(v) & 1:
                raise Corrupt("%s: odd number of entries" % label)
            return [None if v[i] == 0 else ((v[i] - 1) & 0x7FFFFFFF, v[i + 1] - 1) for i in range(0, len(v), 2)]
        raise Corrupt("%s: no leaf of type %d" % (label, typ))

    # --- F5: B+ tree
    def bptree(self, ref, typ, nullable, label, depth):
        root = self.node(ref)
        if not root.inner:
            return self.leaf(ref, typ, nullable, label, depth, known=set())
        out = []
        self._bp_inner(ref, typ, nullable, label, depth, out, set())
        return out

    def _bp_inner(self, ref, typ, nullable, label, depth, out, known, level=0):
        if level > 12:
            raise Corrupt("%s: B+ tree too deep" % label)
        n = self.claim(ref, label + " (B+ tree inner)", depth)
        v = self.vals(n)
        kids = v[1:-1]
        if len(v) < 3:
            raise Corrupt("%s: inner node with %d slots" % (label, len(v)))
        if len(kids) > self.bpnode:
            self.err("%s: inner node with %d children" % (label, len(kids)))
        if not v[-1] & 1:
            raise Corrupt("%s: total count is not tagged" % label)
        total = v[-1] >> 1
        offsets = per_child = None
        if v[0] & 1:
            per_child = v[0] >> 1
            p = per_child
            while p > 1 and p % self.bpnode == 0:
                p //= self.bpnode
            if p != 1 or per_child < self.bpnode:
                self.err("%s: elements per child is %d, not a power of %d" % (label, per_child, self.bpnode))
        else:
            offsets = self.uvals(self.claim(v[0], label + " offsets", depth + 1))
            if len(offsets) != len(kids) - 1:
                raise Corrupt("%s: %d offsets for %d children" % (label, len(offsets), len(kids)))
        start = len(out)
        depths = set()
        for i, r in enumerate(kids):
            if r & 1 or r == 0:
                raise Corrupt("%s: child %d is not a ref" % (label, i))
            c = self.node(r)
            before = len(out)
            lab = "%s/%d" % (label, i)
            if c.inner:
                depths.add(1 + self._bp_inner(r, typ, nullable, lab, depth + 1, out, known, level + 1))
            else:
                depths.add(1)
                vals = self.leaf(r, typ, nullable, lab, depth + 1, known=known)
                if len(vals) > self.bpnode:
                    self.err("%s: leaf with %d elements" % (lab, len(vals)))
                out.extend(vals)
            got = len(out) - before
            if got == 0:
                self.err("%s: empty child" % lab)
            last = i == len(kids) - 1
            if per_child is not None:
                if got > per_child or (not last and got != per_child):
                    self.err("%s: %d elements, compact form demands %s%d" % (lab, got, "at most " if last else "", per_child))
            elif not last and offsets[i] != len(out) - start:
                self.err("%s: offset %d, but %d elements precede the next child" % (lab, offsets[i], len(out) - start))
        if total != len(out) - start:
            self.err("%s: total count %d, found %d" % (label, total, len(out) - start))
        if len(depths) > 1:
            self.err("%s: leaves at different depths" % label)
        return max(depths)

    def dictionary(self, ref, key_type, label, depth):
        """F6.4. In formats 21 and 22 a dictionary was a small cluster tree instead."""
        if self.format < 23:
            return self.legacy_dictionary(ref, label, depth)
        n = self.claim(ref, label, depth, ["keys", "values"])
        v = self.vals(n)
        if not n.refs or n.inner or len(v) != 2 or not v[0] or not v[1]:
            raise Corrupt("%s: not a dictionary (%s)" % (label, n.flag_text()))
        kt = key_type if key_type in (INT, STRING) else STRING
        keys = self.bptree(v[0], kt, False, label + " keys", depth + 1)
        vals = self.bptree(v[1], MIXED, True, label + " values", depth + 1)
        if len(keys) != len(vals):
            raise Corrupt("%s: %d keys, %d values" % (label, len(keys), len(vals)))
        for a, b in zip(keys, keys[1:]):
            if a is None or b is None or not a < b:
                self.err("%s: keys are not strictly ascending at %r" % (label, b))
                break
        return list(zip(keys, vals))

    def legacy_dictionary(self, ref, label, depth):
        out = []

        def leaf(node, v, keys):
            ks = self.strings(v[1], label + " keys", depth + 2)
            vs = self.mixeds(v[2], label + " values", depth + 2)
            if not len(ks) == len(vs) == len(keys):
                raise Corrupt("%s: dictionary cluster with %d, %d, %d entries" % (label, len(keys), len(ks), len(vs)))
            out.extend(zip(ks, vs))
        self.cluster_tree(ref, label, depth, leaf)
        out.sort(key=lambda kv: kv[0] or b"")
        return out

    # --- F7: cluster tree
    def cluster_tree(self, ref, label, depth, on_leaf, base=0, level=0, expect_depth=None):
        if level > 10:
            raise Corrupt("%s: cluster tree too deep" % label)
        n = self.node(ref)
        v = self.vals(n)
        if not n.refs:
            raise Corrupt("%s: cluster node without the refs flag" % label)
        if not n.inner:
            self.claim(ref, label + " leaf", depth, ["keys or size"])
            if expect_depth not in (None, 0):
                self.err("%s: leaf at depth %d above the bottom" % (label, expect_depth))
            if not v:
                raise Corrupt("%s: empty cluster array" % label)
            if v[0] & 1:
                size = v[0] >> 1
                if size > self.cluster_max:
                    raise Corrupt("%s: cluster with %d objects" % (label, size))
                keys = list(range(base, base + size))
            else:
                ks = self.uvals(self.claim(v[0], label + " keys", depth + 1))
                if len(ks) > self.cluster_max:
                    raise Corrupt("%s: cluster with %d objects" % (label, len(ks)))
                keys = [base + k for k in ks]
            if level and not keys:
                self.err("%s: empty leaf below the root" % label)
            on_leaf(n, v, keys)
            return len(keys)
        self.claim(ref, label + " inner", depth, ["keys", "depth", "objects"])
        if len(v) < 4 or not v[1] & 1 or not v[2] & 1:
            raise Corrupt("%s: malformed inner cluster node" % label)
        d, total, kids = v[1] >> 1, v[2] >> 1, v[3:]
        if expect_depth is not None and d != expect_depth:
            self.err("%s: depth %d, %d expected" % (label, d, expect_depth))
        if not 1 <= d <= 10 or len(kids) > self.cluster_max:
            raise Corrupt("%s: inner cluster node with depth %d and %d children" % (label, d, len(kids)))
        if v[0]:
            ks = self.uvals(self.claim(v[0], label + " keys", depth + 1))
            if len(ks) != len(kids):
                raise Corrupt("%s: %d keys for %d children" % (label, len(ks), len(kids)))
            if ks[0] != 0:
                self.note("%s: first key offset is %d, not 0" % (label, ks[0]))
        else:
            ks = [i << (self.shift * d) for i in range(len(kids))]
        for a, b in zip(ks, ks[1:]):
            if a >= b:
                raise Corrupt("%s: key offsets not ascending" % label)
        got = 0
        for i, r in enumerate(kids):
            if r & 1 or r == 0:
                raise Corrupt("%s: child %d is not a ref" % (label, i))
            got += self.cluster_tree(r, "%s/%d" % (label, i), depth + 1, on_leaf, base + ks[i], level + 1, d - 1)
        if got != total:
            self.err("%s: object count %d, found %d" % (label, total, got))
        return got

    def read_objects(self, t):
        for c in t.cols:
            c.values = []
        t.keys = []
        self._read_cluster_objects(t, t.top[2], "objects", t.keys, {c.index: c.values for c in t.cols}, False)
        for c in t.cols:
            if len(c.values) != len(t.keys):
                self.err("table %r column %r: %d values for %d objects" % (t.name, c.name, len(c.values), len(t.keys)))
                c.values = (c.values + [None] * len(t.keys))[:len(t.keys)]
        if t.top[13]:
            t.has_tombstones = True
            store = {c.index: [] for c in t.cols}
            self._read_cluster_objects(t, t.top[13], "tombstones", t.tomb_keys, store, True)
            t.tomb_values = store

    def _read_cluster_objects(self, t, ref, label, keys_out, store, tomb):
        ncols = 1 + max(t.by_index, default=-1)

        def on_leaf(n, v, keys):
            if tomb:
                keys = [_s64(k) for k in keys]
            if len(v) < ncols + 1:
                raise Corrupt("%s: cluster %#x has %d slots for %d columns" % (label, n.ref, len(v), ncols))
            for i in range(1, len(v)):
                c = t.by_index.get(i - 1)
                if c is None:
                    if v[i]:
                        self.err("table %r: cluster %#x slot %d is in use but there is no such column" % (t.name, n.ref, i))
                    continue
                if v[i] & 1 or v[i] == 0:
                    raise Corrupt("%s: cluster %#x slot %d (column %r) is not a ref" % (label, n.ref, i, c.name))
                lab = "%s column %d %r" % (label, c.index, c.name or "(backlinks)")
                vals = self.guard("table %r %s" % (t.name, lab), self._column, t, c, v[i], lab, keys)
                if vals is None:
                    vals = [None] * len(keys)
                elif len(vals) != len(keys):
                    self.err("table %r: %s in cluster %#x has %d values for %d objects" % (t.name, lab, n.ref, len(vals), len(keys)))
                    vals = (vals + [None] * len(keys))[:len(keys)]
                store[c.index].extend(vals)
            keys_out.extend(keys)
        self.cluster_tree(ref, "%s of %r" % (label, t.name), 3, on_leaf)

    def _column(self, t, c, ref, label, keys):
        if c.type == BACKLINK:
            n = self.claim(ref, label, 6)
            if not n.refs:
                raise Corrupt("backlink array without the refs flag")
            out = []
            for i, x in enumerate(self.vals(n)):
                if x == 0:
                    out.append([])
                elif x & 1:
                    out.append([(x & U64) >> 1])
                else:
                    lst = self.backlink_list(x, "%s[%d]" % (label, i), 7)
                    if len(lst) < 2:
                        self.err("%s[%d]: backlink list with %d entries" % (label, i, len(lst)))
                    out.append(lst)
            return out
        if c.collection:
            n = self.claim(ref, label, 6)
            if not n.refs or n.inner:
                raise Corrupt("collection column without refs (%s)" % n.flag_text())
            out = []
            for i, r in enumerate(self.vals(n)):
                self._cur = (t, c, keys[i] if i < len(keys) else 0)
                if r & 1:
                    raise Corrupt("collection %d is not a ref" % i)
                lab = "%s[%d]" % (label, i)
                if r == 0:
                    out.append(None)
                elif c.has(A_DICT):
                    out.append(self.dictionary(r, c.key_type, lab, 7))
                else:
                    vals = self.bptree(r, c.type, c.nullable, lab, 7)
                    if c.type == LINK:
                        for k in vals:
                            self.link((c_opp(t, c), k))
                        unresolved = any(k <= -2 for k in vals)
                        if unresolved != self.nodes[r].ctx:
                            self.err("%s: context flag is %s but unresolved links are %s" %
                                     (lab, self.nodes[r].ctx, unresolved))
                    elif c.type == TYPEDLINK:
                        for k in vals:
                            if k is not None:
                                self.link(k)
                    out.append(vals)
            self._cur = None
            return out
        if c.type == MIXED:
            # links inside one Mixed leaf belong to different objects: read twice as cheap pieces
            return self._mixed_column(t, c, ref, label, keys)
        vals = self.leaf(ref, c.type, c.nullable, label, 6, c.enum, True)
        if c.type == LINK:
            for k, x in zip(keys, vals):
                if x != -1:
                    self._cur = (t, c, k)
                    self.link((c_opp(t, c), x))
            self._cur = None
        elif c.type == TYPEDLINK:
            for k, x in zip(keys, vals):
                if x is not None:
                    self._cur = (t, c, k)
                    self.link(x)
            self._cur = None
        elif not c.nullable and None in vals and c.type in (BOOL, STRING, BINARY, TIMESTAMP, DECIMAL, OBJECTID, UUID, FLOAT, DOUBLE):
            self.err("%s: null in a non-nullable column" % label)
        return vals

    def _mixed_column(self, t, c, ref, label, keys):
        vals = self.mixeds(ref, label, 6)

        def walk(x):
            if x is None:
                return
            if x[0] == TYPEDLINK:
                self.link(x[1])
            elif x[0] == LIST:
                for y in x[1]:
                    walk(y)
            elif x[0] == DICTIONARY:
                for _, y in x[1]:
                    walk(y)
        for k, x in zip(keys, vals):
            self._cur = (t, c, k)
            walk(x)
        self._cur = None
        return vals

    def backlink_list(self, ref, label, depth):
        """F3.13: since format 24 a B+ tree; before that (and until next touched) a flat array of any length."""
        n = self.node(ref)
        if n.inner:
            return self.bptree(ref, INT, False, label, depth)
        return self.int_leaf(ref, label, depth)


def c_opp(t, c):
    return t.opp_t[c.index] & 0xFFFFFFFF


# ------------------------------------------------------------------------------------------ check
class Checker:
    def __init__(self, r):
        self.r = r
        self.err = r.err
        self.note = r.note

    def run(self):
        r = self.r
        if not r.top_ref:
            return
        self.space()
        for t in r.tables:
            if t.ok:
                self.table(t)
                self.objects(t)
        self.backlinks()
        for t in r.tables:
            if t.ok:
                for c in t.cols:
                    if c.index_ref and c.values is not None:
                        r.guard("table %r index of %r" % (t.name, c.name), self.index, t, c)
        for ref, n in r.nodes.items():
            if ref not in r.claimed:
                self.err("node %#x (%s) is reachable but has no known role" % (ref, n.flag_text()))
        odd = sum(1 for n in r.nodes.values() if n.mark != b"AAAA")
        if odd:
            self.note("%d nodes whose first four bytes are not 'AAAA'" % odd)

    # F8: free space
    def space(self):
        r = self.r
        if r.top_values and len(r.top_values) > 6 and not r.streaming and r.free is None:
            self.err("no free list")
        end = r.logical
        spans = [(ref, ref + n.nbytes, "node") for ref, n in r.nodes.items()]
        prev = 0
        for i, (pos, length, ver) in enumerate(r.free):
            if pos & 7 or length & 7 or length <= 0:
                self.err("free entry %d: [%#x, +%d] is not aligned or empty" % (i, pos, length))
                continue
            if pos < HEADER_SIZE or pos + length > end:
                self.err("free entry %d: [%#x, +%d] lies outside the logical file" % (i, pos, length))
                continue
            if pos < prev:
                self.err("free entry %d: position %#x is out of order or overlaps" % (i, pos))
            if ver < 0 or ver > r.version:
                self.err("free entry %d: version %d is later than the file's version %d" % (i, ver, r.version))
            prev = pos + length
            spans.append((pos, pos + length, "free"))
        spans.sort()
        at, leaked, overlaps = HEADER_SIZE, 0, 0
        last = "header"
        for a, b, kind in spans:
            if a < at:
                if kind != last or kind == "free":
                    overlaps += 1
                    if overlaps < 20:
                        self.err("%s [%#x, %#x) overlaps %s ending at %#x" % (kind, a, b, last, at))
            elif a > at:
                leaked += a - at
                self.err("bytes [%#x, %#x) are neither reachable nor free (%d leaked)" % (at, a, a - at))
            if b > at:
                at, last = b, kind
        if at < end:
            leaked += end - at
            self.err("bytes [%#x, %#x) are neither reachable nor free (%d leaked)" % (at, end, end - at))
        r.leaked = leaked
        r.used = sum(n.nbytes for n in r.nodes.values())
        if r.streaming and len(r.data) < end + FOOTER_SIZE:
            self.err("streaming file: logical size %d leaves no room for the footer" % end)

    # F4: table and spec
    def table(self, t):
        r = self.r
        names = set()
        if not t.name:
            self.err("table in slot %d has no name" % t.ndx)
        elif len(t.name.encode()) > 63:
            self.err("table name %r is longer than 63 bytes" % t.name)
        for c in t.cols:
            where = "table %r column %r" % (t.name, c.name or c.key)
            if c.public:
                if not c.name:
                    self.err(where + ": empty name")
                if c.name in names:
                    self.err(where + ": name used twice")
                names.add(c.name)
            if (c.type == BACKLINK) == c.public:
                self.err(where + ": backlink columns must follow all public columns")
            st = LINK if c.spec_type == LINKLIST else c.spec_type
            if st != c.type:
                self.err(where + ": type %d in the types array, %d in the column key" % (c.spec_type, c.type))
            core = c.spec_attrs & 0xFF & ~(A_INDEXED | A_UNIQUE)
            if core != c.attrs:
                self.err(where + ": attributes %#x in the spec, %#x in the column key" % (c.spec_attrs, c.attrs))
            if bin(c.attrs & A_COLLECTION).count("1") > 1:
                self.err(where + ": more than one collection attribute")
            if c.has(A_DICT) and c.key_type not in (STRING, INT):
                self.err(where + ": dictionary key type %d" % c.key_type)
            if not c.has(A_DICT) and c.key_type:
                self.err(where + ": key type on a column that is no dictionary")
            indexed = bool(c.spec_attrs & (A_INDEXED | A_FULLTEXT))
            is_pk = t.pk is c
            if indexed and not c.index_ref:
                self.err(where + ": marked as indexed but has no index")
            if c.index_ref and not indexed and not is_pk:
                self.note(where + ": has an index but no index attribute, as after the C++ engine made it optional")
            if is_pk and not c.index_ref and r.format >= 22:
                self.err(where + ": primary key column without a search index")
            if is_pk and c.type not in (INT, STRING, OBJECTID, UUID):
                self.err(where + ": primary key of type %s" % TYPE_NAMES[c.type])
            if c.type == LINK:
                self.opposite(t, c, where, BACKLINK)
            elif c.type == BACKLINK:
                self.opposite(t, c, where, None)
            elif c.opp_table != NULL_TABLE_KEY or c.opp_col != NULL_COL_KEY:
                self.err(where + ": opposite entries on a column that is no link")
        if t.type == 1 and t.pk is not None:
            self.err("embedded table %r has a primary key" % t.name)

    def opposite(self, t, c, where, want):
        r = self.r
        ot = r.table_by_key.get(c.opp_table)
        if ot is None:
            self.err(where + ": opposite table key %#x does not exist" % c.opp_table)
            return
        oc = ot.by_key(c.opp_col)
        if oc is None:
            (self.err if want else self.note)(where + ": opposite column %#x does not exist in %r" % (c.opp_col, ot.name))
            return
        if want == BACKLINK:
            if oc.type != BACKLINK or oc.opp_table != t.key or oc.opp_col != c.key:
                self.err(where + ": opposite column does not point back")
        else:
            if oc.type not in (LINK, MIXED, TYPEDLINK):
                self.err(where + ": backlinks of a column of type %s" % TYPE_NAMES[oc.type])
            elif oc.type == LINK and (oc.opp_table != t.key or oc.opp_col != c.key):
                self.err(where + ": opposite column does not point back")

    # F6, F7: objects and collections
    def objects(self, t):
        for a, b in zip(t.keys, t.keys[1:]):
            if a >= b:
                self.err("table %r: object keys %d, %d are not ascending" % (t.name, a, b))
                break
        if t.keys and (t.keys[0] < 0 or t.keys[-1] >= 1 << 63):
            self.err("table %r: live object key out of range" % t.name)
        for k in t.tomb_keys:
            if k > -2:
                self.err("table %r: tombstone with key %d" % (t.name, k))
        if t.pk is not None and t.pk.values:
            seen = set()
            for k, v in zip(t.keys, t.pk.values):
                if v in seen:
                    self.err("table %r: primary key %r is used twice" % (t.name, v))
                seen.add(v)
        for c in t.cols:
            if c.has(A_SET) and c.values:
                for k, vals in zip(t.keys, c.values):
                    if vals:
                        self.set_order(t, c, k, vals)
        for hi, lo, loc in t.collisions:
            if -2 - loc not in t.tomb_keys:
                self.note("table %r: collision map entry for the local id %d without a tombstone" % (t.name, loc))
        order = [(hi, lo & U64) for hi, lo, _ in t.collisions]
        if order != sorted(order):
            self.err("table %r: collision map is not sorted" % t.name)
        if t.pk is not None and t.tomb_keys:                # F7.4
            known = {(hi & U64, lo & U64): loc for hi, lo, loc in t.collisions}
            for k, v in zip(t.tomb_keys, t.tomb_values[t.pk.index]):
                hi, lo = global_key(t.pk.type, v)
                local = known.get((hi, lo), lo & 0x3FFFFFFFFFFFFFFF)
                if k != -2 - local:
                    self.err("table %r: tombstone %d belongs to primary key %r, whose key is %d" % (t.name, k, v, -2 - local))

    def set_order(self, t, c, key, vals):
        where = "table %r object %d set %r" % (t.name, key, c.name)
        typ = c.type
        if self.r.format < 24 and typ in (STRING, BINARY, MIXED):
            return

        def less(a, b):
            if typ == DECIMAL:                       # null takes part as the NaN that stands for it
                a, b = (Dec("q", 0, 0, 0, DECIMAL_NULL) if v is None else v for v in (a, b))
                return _cmp_num(DECIMAL, a, DECIMAL, b) < 0
            if a is None or b is None:
                return a is None and b is not None
            if typ in (FLOAT, DOUBLE):
                fa, fb = a.f(), b.f()
                return True if math.isnan(fa) or math.isnan(fb) else fa < fb
            if typ == MIXED:
                return mixed_compare(a, b) < 0
            return a < b
        if typ == MIXED:
            lt = lambda a, b: mixed_compare(a, b) < 0
        else:
            lt = less
        for a, b in zip(vals, vals[1:]):
            if not lt(a, b):
                self.err(where + ": not strictly ascending at %r, %r" % (js_any(self.r, typ, a), js_any(self.r, typ, b)))
                return

    # F3.13, F7.5: backlinks mirror forward links
    def backlinks(self):
        r = self.r
        fwd = r.links
        seen = set()
        for t in r.tables:
            if not t.ok:
                continue
            live = set(t.keys)
            tombs = set(t.tomb_keys)
            per_object = {}
            for c in t.cols:
                if c.type != BACKLINK or c.values is None:
                    continue
                want = fwd.get((t.key, c.opp_table, c.opp_col), {})
                seen.add((t.key, c.opp_table, c.opp_col))
                where = "table %r backlinks of %#x.%#x" % (t.name, c.opp_table, c.opp_col)
                ot = r.table_by_key.get(c.opp_table)
                dangling = ot is None or ot.by_key(c.opp_col) is None
                have_objs = list(zip(t.keys, c.values)) + list(zip(t.tomb_keys, t.tomb_values.get(c.index, [])))
                found = set()
                for k, lst in have_objs:
                    lst = lst or []
                    if t.type == 1:
                        per_object[k] = per_object.get(k, 0) + len(lst)
                    w = want.get(k, [])
                    found.add(k)
                    if len(lst) == len(w) and (lst == w or sorted(lst) == sorted(w)):
                        continue
                    (self.note if dangling else self.err)(where + ": object %d has backlinks %s, forward links come from %s" %
                                                          (k, short(sorted(lst)), short(sorted(w))))
                for k in want:
                    if k not in found:
                        self.err(where + ": link to object %d, which does not exist" % k)
                    elif k <= -2 and k not in tombs or k >= 0 and k not in live:
                        self.err(where + ": link to object %d in the wrong tree" % k)
            if t.type == 1:
                for k in t.keys:
                    if per_object.get(k, 0) != 1:         # none: the original leaves orphans behind when an owning column, table or dictionary goes
                        (self.note if per_object.get(k, 0) == 0 else self.err)("embedded table %r: object %d has %d incoming links" % (t.name, k, per_object.get(k, 0)))
        for key, targets in fwd.items():
            if key not in seen:
                self.err("links from table %#x column %#x to table %#x have no backlink column" % (key[1], key[2], key[0]))

    # F9: search index
    def index(self, t, c):
        r = self.r
        fulltext = bool(c.spec_attrs & A_FULLTEXT)
        full_word = fulltext or bool(c.collection)
        expect = {}                                     # object key -> value(s)
        typ = c.type
        for k, v in zip(t.keys, c.values):
            if fulltext:
                if v is not None:
                    expect[k] = {x: 1 for x in tokenize(v)}
                else:
                    expect[k] = {}
            elif c.collection:
                expect[k] = {x: 1 for x in (v or [])}
            elif typ == MIXED:
                if v is not None and v[0] == TYPEDLINK and v[1][1] <= -2:
                    v = None
                expect[k] = v
            else:
                expect[k] = None if v is None else (typ, v)
        self.ix_name = "table %r index of %r" % (t.name, c.name)
        self.ix_list = bool(c.collection)
        if full_word:
            where = {}                                   # path -> {object keys}
            self._walk_index(c.index_ref, (), 0, None, where, 5)
            remaining = {}
            for k, words in expect.items():
                for w in words:
                    remaining.setdefault(w, set()).add(k)
            for w, ks in remaining.items():
                paths = index_paths(w)
                hit = [p for p in paths if p in where]
                if len(hit) != 1:
                    self.err("%s: %r is stored in %d places" % (self.ix_name, w, len(hit)))
                    continue
                got = where.pop(hit[0])
                if got != sorted(ks):
                    self.err("%s: %r lists objects %s, expected %s" % (self.ix_name, w, short(got), short(sorted(ks))))
            for p in where:
                self.err("%s: entry %s for a word that no object has" % (self.ix_name, p))
            return
        seen = {}
        self._walk_index(c.index_ref, (), 0, (expect, seen), None, 5)
        for k in expect:
            if k not in seen:
                self.err("%s: object %d is missing" % (self.ix_name, k))

    def _walk_index(self, ref, path, offset, plain, words, depth):
        """One (sub)index: a B+ tree of leaf nodes keyed by four bytes of the value."""
        r = self.r
        if len(path) > 60:
            raise Corrupt("index nested too deep")
        stack = [(ref, None, True, depth)]
        prev = None
        leaf_depths = set()
        while stack:
            nref, expect_last, is_root, dep = stack.pop()
            n = r.claim(nref, "index node" if is_root and path else "index root" if is_root else "index inner child", dep, ["keys"])
            v = r.vals(n)
            if not n.ctx or not n.refs or not v:
                raise Corrupt("index node %#x has wrong flags (%s)" % (nref, n.flag_text()))
            kn = r.claim(v[0], "index keys", dep + 1)
            if kn.refs or kn.wtype or kn.width != 32:          # also when empty: F9.3
                raise Corrupt("index keys %#x are not 32 bits wide (%s)" % (kn.ref, kn.flag_text()))
            keys = r.vals(kn)
            if len(keys) != len(v) - 1:
                raise Corrupt("index node %#x: %d keys for %d entries" % (nref, len(keys), len(v) - 1))
            if len(keys) > r.bpnode:
                self.err("%s: node %#x has %d entries" % (self.ix_name, nref, len(keys)))
            if expect_last is not None and (not keys or keys[-1] != expect_last):
                self.err("%s: node %#x ends with key %s, its parent says %d" % (self.ix_name, nref, keys[-1] if keys else None, expect_last))
            if not keys and not (is_root and not path):
                self.err("%s: empty node %#x" % (self.ix_name, nref))
            if n.inner:
                for i in range(len(keys) - 1, -1, -1):
                    stack.append((v[i + 1], keys[i], False, dep + 1))
                for a, b in zip(keys, keys[1:]):
                    if a >= b:
                        self.err("%s: inner node %#x keys not ascending" % (self.ix_name, nref))
                continue
            leaf_depths.add(dep)
            for k, e in zip(keys, v[1:]):
                if prev is not None and k <= prev:
                    self.err("%s: key %d after %d in node %#x" % (self.ix_name, k, prev, nref))
                prev = k
                p = path + (k,)
                if e & 1:
                    self._entry([(e & U64) >> 1], p, plain, words)
                    continue
                if e == 0:
                    raise Corrupt("index node %#x has a zero entry" % nref)
                child = r.node(e)
                if child.ctx:
                    self._walk_index(e, p, offset + 4, plain, words, dep + 1)
                else:
                    lst = r.bptree(e, INT, False, "index list", dep + 1)
                    if len(lst) == 0:
                        self.err("%s: empty list under %s" % (self.ix_name, p))
                    self._entry(lst, p, plain, words)
        if len(leaf_depths) > 1:
            self.err("%s: leaves at different depths" % self.ix_name)

    def _entry(self, keys, path, plain, words):
        if words is not None:
            if sorted(set(keys)) != keys:
                # F9.5: the C++ engine repeats a key when one object's list holds a word twice
                (self.note if sorted(keys) == keys and self.ix_list else self.err)(
                    "%s: list under %s is not strictly ascending" % (self.ix_name, path))
                keys = sorted(set(keys))
            if path in words:
                self.err("%s: path %s occurs twice" % (self.ix_name, path))
            words[path] = keys
            return
        expect, seen = plain
        last = None
        datas = set()
        for k in keys:
            if k not in expect:
                self.err("%s: entry for object %d, which does not exist" % (self.ix_name, k))
                continue
            if k in seen:
                self.err("%s: object %d occurs twice" % (self.ix_name, k))
            seen[k] = True
            v = expect[k]
            data = index_data(v)
            datas.add(data)
            for i, part in enumerate(path):
                if _create_key(data, 4 * i) != part:
                    self.err("%s: object %d is filed under %s but its value is %s" %
                             (self.ix_name, k, path, short(data)))
                    break
            if last is not None:
                cmpv = mixed_compare(last[1], v)
                if cmpv > 0:
                    self.note("%s: list under %s is not sorted by value (allowed after an upgrade)" % (self.ix_name, path))
                elif cmpv == 0 and last[0] >= k:
                    self.err("%s: equal values not ordered by object key under %s" % (self.ix_name, path))
            last = (k, v)
        if len(datas) > 1 and 4 * len(path) <= 200:
            self.err("%s: different values share a list at depth %d" % (self.ix_name, len(path)))


def index_paths(word):
    """F9.5: the places where a full-word index may keep a word."""
    keys, off = [], 0
    while True:
        keys.append(_create_key(word, off))
        if off + 4 >= len(word):
            break
        off += 4
    p = tuple(keys)
    return [p, p + (_create_key(word, off + 4),)]


def global_key(typ, v):
    """F7.4: the 128-bit global key (hi, lo) of a primary key value."""
    if v is None:
        return 1, 0
    if typ == INT:
        return 0, v & U64
    raw = v if typ == UUID else hashlib.sha1(v).digest()
    a, b = struct.unpack_from("<QQ", raw)
    return (a, b) if typ == UUID else (b, a)


def short(x, n=200):
    s = repr(x)
    return s if len(s) <= n else s[:n] + "..."


# ------------------------------------------------------------------------------------------ JSON
def js_string(b):
    try:
        return b.decode("utf-8")
    except UnicodeDecodeError:
        return {"$invalidUtf8": base64.b64encode(b).decode()}


def js_uuid(b):
    h = b.hex()
    return "-".join((h[:8], h[8:12], h[12:16], h[16:20], h[20:]))


def js_link(r, tk, ok):
    t = r.table_by_key.get(tk)
    return {"$link": {"table": t.name if t else "#%d" % tk, "key": ok}}


def js_value(r, typ, v):
    if v is None:
        return None
    if typ in (INT, BOOL):
        return v
    if typ == STRING:
        return js_string(v)
    if typ == BINARY:
        return {"$binary": base64.b64encode(v).decode()}
    if typ == FLOAT:
        return {"$float": _float_text(v)}
    if typ == DOUBLE:
        return {"$double": _float_text(v)}
    if typ == TIMESTAMP:
        return {"$timestamp": "%d:%d" % v}
    if typ == DECIMAL:
        return {"$decimal": str(v)}
    if typ == OBJECTID:
        return {"$oid": v.hex()}
    if typ == UUID:
        return {"$uuid": js_uuid(v)}
    if typ == TYPEDLINK:
        return js_link(r, v[0], v[1])
    if typ == LINK:
        return {"$key": v}
    if typ == LIST:
        return [js_any(r, MIXED, x) for x in v]
    if typ == DICTIONARY:
        return {"$dictionary": [[js_string(k) if isinstance(k, bytes) else k, js_any(r, MIXED, x)] for k, x in v]}
    raise Corrupt("no JSON form for type %d" % typ)


def js_any(r, typ, v):
    if typ == MIXED:
        return None if v is None else js_value(r, v[0], v[1])
    return js_value(r, typ, v)


def js_digest(items):
    """The short form of a long sequence: count, hash of the canonical element lines, three elements at each end."""
    h = hashlib.sha256()
    for x in items:
        h.update(dumps(x).encode() + b"\n")
    return {"$digest": {"count": len(items), "sha256": h.hexdigest(), "first": items[:3], "last": items[-3:]}}


def js_field(r, t, c, v, digest=None):
    if c.collection:
        if v is None:
            v = []
        if c.has(A_DICT):
            items = js_value(r, DICTIONARY, v)["$dictionary"]
        elif c.type == LINK:
            items = [None if k == -1 else js_link(r, c.opp_table, k) for k in v]
        else:
            items = [js_any(r, c.type, x) for x in v]
        if digest is not None and len(items) > digest:
            items = js_digest(items)
        return {"$dictionary": items} if c.has(A_DICT) else {"$set": items} if c.has(A_SET) else items
    if c.type == LINK:
        return None if v == -1 or v is None else js_link(r, c.opp_table, v)
    return js_any(r, c.type, v)


def js_column(r, t, c):
    d = {"name": c.name, "type": TYPE_NAMES[c.type]}
    if c.nullable:
        d["nullable"] = True
    if c.has(A_LIST):
        d["collection"] = "list"
    elif c.has(A_SET):
        d["collection"] = "set"
    elif c.has(A_DICT):
        d["collection"] = "dictionary"
        d["keyType"] = TYPE_NAMES.get(c.key_type, c.key_type)
    if c.type == LINK:
        ot = r.table_by_key.get(c.opp_table)
        d["target"] = ot.name if ot else None
    if t.pk is c:
        d["primaryKey"] = True
    if c.spec_attrs & A_INDEXED or c.index_ref and t.pk is not c and not c.spec_attrs & A_FULLTEXT:
        d["indexed"] = True
    if c.spec_attrs & A_FULLTEXT:
        d["fulltext"] = True
    if c.enum_ref:
        d["enumerated"] = True
    return d


def dumps(x):
    return json.dumps(x, ensure_ascii=False, separators=(",", ":"))


def cmd_json(r, out, digest=None):
    w = out.write
    w('{"fileFormat":%d,"tables":[' % r.format)
    for ti, t in enumerate(r.tables):
        w("%s\n{\"name\":%s,\"key\":%d,\"type\":%s,\"columns\":[" %
          ("," if ti else "", dumps(t.name), t.key, dumps(TABLE_TYPES.get(t.type, "?"))))
        cols = [c for c in t.cols if c.public]
        w(",".join("\n " + dumps(js_column(r, t, c)) for c in cols))
        w('],"objectCount":%d,' % len(t.keys))

        def line(k, get):
            vals = {c.name: js_field(r, t, c, get(c), digest) for c in cols}
            return dumps({"key": k, "values": vals})
        if digest is not None and len(t.keys) > digest:
            h = hashlib.sha256()
            first, lastq = [], []
            for i, k in enumerate(t.keys):
                s = line(k, lambda c: c.values[i])
                h.update(s.encode() + b"\n")
                if i < 3:
                    first.append(s)
                if i >= len(t.keys) - 3:
                    lastq.append(s)
            w('"objectsDigest":"%s","firstObjects":[' % h.hexdigest())
            w(",".join("\n " + s for s in first) + '],"lastObjects":[' + ",".join("\n " + s for s in lastq) + "]")
        else:
            w('"objects":[')
            w(",".join("\n " + line(k, lambda c, i=i: c.values[i]) for i, k in enumerate(t.keys)))
            w("]")
        if t.tomb_keys:
            w(',"tombstones":[')
            w(",".join("\n " + dumps({"key": k, "primaryKey": js_field(r, t, t.pk, t.tomb_values[t.pk.index][i]) if t.pk else None})
                       for i, k in enumerate(t.tomb_keys)))
            w("]")
        w("}")
    w("\n]}\n")


def cmd_schema(r, out):
    doc = {"fileFormat": r.format, "streamingForm": r.streaming, "version": r.version,
           "historyType": HISTORY_TYPES.get(r.history_type, r.history_type), "historySchemaVersion": r.history_schema,
           "tables": []}
    for kind, t in r.table_slots:
        if kind == "free":
            doc["tables"].append({"free": True, "nextTag": t})
            continue
        d = {"name": t.name, "key": t.key, "type": TABLE_TYPES.get(t.type, t.type), "columns": []}
        if t.pk:
            d["primaryKey"] = t.pk.name
        for c in t.cols:
            e = js_column(r, t, c)
            e["columnKey"] = "%#x" % c.key
            e["leafIndex"] = c.index
            e["tag"] = c.tag
            if not c.public:
                ot = r.table_by_key.get(c.opp_table)
                oc = ot.by_key(c.opp_col) if ot else None
                e["origin"] = "%s.%s" % (ot.name if ot else "?", oc.name if oc else "?")
            d["columns"].append(e)
        doc["tables"].append(d)
    out.write("{\n")
    items = [(k, v) for k, v in doc.items() if k != "tables"]
    for k, v in items:
        out.write(" %s: %s,\n" % (dumps(k), dumps(v)))
    out.write(' "tables": [')
    for i, d in enumerate(doc["tables"]):
        cols = d.pop("columns", None)
        out.write(("," if i else "") + "\n  " + dumps(d)[:-1])
        if cols is not None:
            out.write(',"columns":[' + ",".join("\n   " + dumps(c) for c in cols) + "]")
        out.write("}")
    out.write("\n ]\n}\n")


# ------------------------------------------------------------------------------------------ dump
def preview(r, n, limit):
    d = r.data
    try:
        if n.wtype == 0:
            v = r.vals(n)[:limit]
            if n.refs:
                parts = ["0" if x == 0 else "#%d" % ((x & U64) >> 1) if x & 1 else "@%#x" % x for x in v]
            else:
                parts = [str(x) for x in v]
        elif n.wtype == 1:
            if n.width == 0:
                parts = ["-"] * min(n.size, limit)
            else:
                parts = [d[n.ref + 8 + i * n.width:n.ref + 8 + (i + 1) * n.width].hex() for i in range(min(n.size, limit))]
                if n.width == 1:
                    parts = ["".join(parts)]
        else:
            raw = bytes(d[n.ref + 8:n.ref + 8 + min(n.size, 4 * limit)])
            parts = [repr(raw)[1:]]
    except Corrupt as e:
        return "!! %s" % e
    more = " ..." if n.size > limit and n.wtype != 2 else ""
    return "[" + " ".join(parts) + more + "]"


def cmd_dump(r, out, limit, everything):
    w = out.write
    w("header\n")
    w("  @0x00 top ref 0: %#x%s\n" % (r.top_refs[0], "   (streaming form: top ref is in the footer)" if r.streaming else ""))
    w("  @0x08 top ref 1: %#x\n" % r.top_refs[1])
    w("  @0x10 mnemonic 'T-DB', formats %d/%d, reserved %d, flags %#x -> slot %d, format %d\n" %
      (r.formats[0], r.formats[1], r.reserved, r.flags, r.slot, r.format))
    w("  file size %d, logical size %d, top ref %#x\n" % (len(r.data), r.logical, r.top_ref))
    if not r.top_ref:
        w("  no top array: nothing was committed yet\n")
        return
    w("nodes: @ref, '#n' is the tagged integer n, '@x' a ref\n")
    count = 0
    for depth, ref, label, slots in r.order:
        n = r.nodes[ref]
        count += 1
        if count > 20000 and not everything:
            w("... (%d more nodes; --all prints them)\n" % (len(r.order) - 20000))
            break
        w("%s@%#x %s: %s\n" % ("  " * depth, ref, label, n.flag_text()))
        if slots:
            v = r.vals(n)
            for i in range(min(len(v), max(len(slots), limit))):
                name = slots[i] if i < len(slots) else "slot %d" % i
                x = v[i]
                w("%s    [%d] %s = %s\n" % ("  " * depth, i, name,
                                            "0" if x == 0 else "%d (tagged)" % ((x & U64) >> 1) if x & 1 else "@%#x" % x))
        elif n.size:
            w("%s    %s\n" % ("  " * depth, preview(r, n, limit)))
    left = [ref for ref in sorted(r.nodes) if ref not in r.claimed]
    if left:
        w("nodes without a known role\n")
        for ref in left:
            n = r.nodes[ref]
            w("  @%#x %s\n      %s\n" % (ref, n.flag_text(), preview(r, n, limit)))
    if r.free:
        w("free list (%d entries, %d bytes)\n" % (len(r.free), sum(x[1] for x in r.free)))
        for pos, length, ver in r.free[:limit if not everything else None]:
            w("  [%#x, %#x) %d bytes, freed in version %d\n" % (pos, pos + length, length, ver))


# ------------------------------------------------------------------------------------------ main
def run(argv, out=sys.stdout):
    args = list(argv)
    opts = {"--bpnode": 1000, "--max": 16, "--digest": None}
    flags = set()
    pos = []
    while args:
        a = args.pop(0)
        if a in opts:
            if not args:
                raise SystemExit("option %s needs a number" % a)
            try:
                opts[a] = int(args.pop(0), 0)
            except ValueError:
                raise SystemExit("option %s needs a number" % a)
        elif a in ("--all", "--quiet", "--objects"):
            flags.add(a)
        elif a.startswith("--"):
            raise SystemExit("unknown option %s\n%s" % (a, __doc__))
        else:
            pos.append(a)
    if len(pos) != 2 or pos[0] not in ("dump", "json", "check", "schema"):
        raise SystemExit(__doc__)
    cmd, path = pos
    try:
        with open(path, "rb") as f:
            data = f.read()
    except OSError as e:
        print("error: %s" % e, file=sys.stderr)
        return 2
    sys.setrecursionlimit(20000)
    r = Realm(data, opts["--bpnode"], strict=cmd in ("json", "schema"))
    try:
        r.open()
        r.reach()
        if r.errors and cmd in ("json", "schema"):
            raise Corrupt(r.errors[0])
        r.top_values = None
        r.leaked = 0
        r.used = 0
        if cmd in ("json", "schema"):
            r.load(objects=cmd == "json")
            if r.errors and cmd == "json":
                raise Corrupt(r.errors[0])
        else:
            try:
                r.load()
                if cmd == "dump" and not r.errors:
                    Checker(r).run()
            except Corrupt as e:
                r.err(str(e))
        if cmd == "json":
            cmd_json(r, out, opts["--digest"])
        elif cmd == "schema":
            if not r.top_ref:
                out.write('{"fileFormat":%d,"tables":[]}\n' % r.format)
            else:
                cmd_schema(r, out)
        elif cmd == "dump":
            cmd_dump(r, out, opts["--max"], "--all" in flags)
            if r.errors:
                out.write("VIOLATIONS (%d)\n" % len(r.errors) + "".join("  %s\n" % e for e in r.errors[:50]))
        else:
            if r.top_values is not None:
                Checker(r).run()
            for e in r.errors:
                out.write("VIOLATION %s\n" % e)
            if "--quiet" not in flags:
                for e in r.notes[:50]:
                    out.write("note: %s\n" % e)
                out.write("%s: format %d%s, version %d, %d tables, %d objects, %d nodes, logical size %d, used %d, free %d, leaked %d: %s\n" %
                          (path, r.format, " (streaming form)" if r.streaming else "", r.version, len(r.tables),
                           sum(len(t.keys) for t in r.tables), len(r.nodes), r.logical, r.used,
                           sum(x[1] for x in r.free), r.leaked, "OK" if not r.errors else "%d violations" % len(r.errors)))
            return 1 if r.errors else 0
        return 0
    except Corrupt as e:
        print("VIOLATION %s" % e if cmd == "check" else "error: %s" % e, file=out if cmd == "check" else sys.stderr)
        return 1
    except (RecursionError, MemoryError, struct.error, IndexError, ValueError, KeyError, TypeError, OverflowError, AttributeError) as e:
        msg = "the file is damaged in a way this tool cannot interpret (%s: %s)" % (type(e).__name__, e)
        print("VIOLATION %s" % msg if cmd == "check" else "error: %s" % msg, file=out if cmd == "check" else sys.stderr)
        return 1


if __name__ == "__main__":
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        code = 141
        sys.stderr.close()
    sys.exit(code)
