#!/usr/bin/env python3
"""Compares the public surface of Sources/RealmSwift and Sources/RealmOpenCombine with that of the original SDK.

    Tools/api_surface.py             fails when something of Tools/api-surface.txt is missing here
    Tools/api_surface.py --list DIR  prints the public declarations of the Swift files below a folder

Tools/api-surface.txt has one declaration of the original a line: `Container.name(label:label:)`. What is missing on purpose stands in
Tools/api-exceptions.txt, each group below a heading with words of Documentation/Compatibility.md that say why.
"""

import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODIFIERS = (
    "public|open|internal|package|private|fileprivate|static|class|final|override|convenience|required|mutating|nonmutating|lazy|weak|unowned|"
    "nonisolated|isolated|indirect|dynamic|optional|prefix|postfix|infix|consuming|borrowing|distributed"
)
DECLARATION = re.compile(
    rf"(?P<attributes>(?:@\w+(?:\([^)]*\))?\s+)*)(?P<modifiers>(?:(?:{MODIFIERS})(?:\([^)]*\))?\s+)*)"
    r"(?P<keyword>class|struct|enum|protocol|extension|actor|func|init|subscript|var|let|case|typealias|associatedtype)\b(?P<rest>[^\n]*)"
)
# What protocols of the standard library give their conformers.
STANDARD = {
    "Comparable": {"<(_:_:)", "<=(_:_:)", ">(_:_:)", ">=(_:_:)", "==(_:_:)"},
    "Equatable": {"==(_:_:)"},
    "CustomStringConvertible": {"description"},
    "Sequence": {"makeIterator()"},
    "RandomAccessCollection": {"makeIterator()", "count", "first", "startIndex", "endIndex", "subscript(_:)"},
    "ExpressibleByStringLiteral": {"ExtendedGraphemeClusterLiteralType", "UnicodeScalarLiteralType"},
}
TYPES = {"class", "struct", "enum", "protocol", "extension", "actor"}


def without_comments_and_texts(source):
    """The code with comments and the contents of string literals blanked out."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
    return pattern.sub(lambda m: '""' if m.group().startswith('"') else " ", source)


def closing(text, start):
    """The position of the bracket that closes the one at `start`."""
    pairs = {"(": ")", "[": "]", "{": "}", "<": ">"}
    depth, opening, end = 0, text[start], pairs[text[start]]
    for position in range(start, len(text)):
        if text[position] == opening:
            depth += 1
        elif text[position] == end and text[position - 1] != "-":
            depth -= 1
            if depth == 0:
                return position
    return len(text) - 1


def parts(text):
    """What commas on the outermost level separate."""
    depth, current, found = 0, "", []
    for index, character in enumerate(text):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[index - 1] != "-"):
            depth -= 1
        if character == "," and depth == 0:
            found.append(current)
            current = ""
        else:
            current += character
    return found + [current] if current.strip() else found


def labels(text, start, is_subscript=False):
    """The labels of a parameter list that begins at `start`."""
    names = []
    for parameter in parts(text[start + 1 : closing(text, start)]):
        words = re.sub(r"@\w+(\([^)]*\))?", "", parameter.split(":")[0]).split()
        if not words:
            continue
        names.append("_" if is_subscript and len(words) == 1 else words[0])
    return "".join(name.strip("`") + ":" for name in names)


def inherited(clause):
    """The types of an inheritance clause."""
    clause = re.split(r"\swhere\s", clause)[0].split("{")[0]
    return [re.sub(r"<.*", "", name).strip().split(".")[-1].split()[-1] for name in re.split(r"[,&]", clause) if name.strip()]


class Reader:
    """Finds the public declarations of Swift files, and what types conform to."""

    def __init__(self):
        self.declarations = set()
        self.conformances = {}

    def read(self, path):
        self.text = without_comments_and_texts(path.read_text(encoding="utf-8"))
        self.scope(0, len(self.text), "", False, None)

    def scope(self, start, end, container, everything_is_public, kind):
        position = start
        while position < end:
            match = DECLARATION.search(self.text, position, end)
            if not match:
                return
            # Braces before the declaration belong to bodies and accessors, which are skipped below.
            position = self.declaration(match, end, container, everything_is_public, kind)

    def declaration(self, match, end, container, everything_is_public, kind):
        keyword, modifiers = match["keyword"], match["modifiers"].split()
        after = match.end("keyword")
        is_public = "public" in modifiers or "open" in modifiers or (
            everything_is_public and not {"private", "fileprivate", "internal", "package"} & set(modifiers)
        )
        unavailable = "unavailable" in match["attributes"]
        if keyword in TYPES:
            return self.type(match, end, container, is_public, everything_is_public, unavailable)
        line = self.text[after:end]
        if keyword in ("func", "init", "subscript"):
            return self.function(keyword, line, after, end, container, is_public and not unavailable)
        names = self.names(keyword, line)
        if keyword == "typealias" and is_public:
            self.alias(names, line, container)
        if is_public or (keyword == "case" and kind == "public enum"):
            if not unavailable:
                for name in names:
                    self.add(container, name)
        return self.skip_body(after, end)

    def alias(self, names, line, container):
        """Another name of a type has the members of that type."""
        target = re.match(r"\s*`?\w+`?\s*(?:<[^=]*>)?\s*=\s*([\w.]+)", line)
        for name in names if target else []:
            full = f"{container}.{name}" if container else name
            self.conformances.setdefault(full, set()).update({target[1], f"{container}.{target[1]}"})

    def names(self, keyword, line):
        first = line.split("\n")[0]
        if keyword == "case":
            return [re.match(r"\s*`?(\w+)", part).group(1) for part in parts(first) if re.match(r"\s*`?\w", part)]
        match = re.match(r"\s*`?(\w+)", first)
        return [match.group(1)] if match else []

    def function(self, keyword, line, after, end, container, is_public):
        opening = line.find("(")
        name = keyword
        if keyword == "func":
            head = line[:opening].strip()
            name = re.sub(r"<.*", "", head).strip().strip("`") if re.match(r"[\w`]", head) else head.split("<")[0].strip() or head
        if is_public and opening >= 0:
            # Operators go by position.
            found = labels(line, opening, keyword == "subscript")
            self.add(container, f"{name}({found if re.match(r'[A-Za-z_]', name) else '_:' * found.count(':')})")
        return self.skip_body(after + closing(line, opening) + 1 if opening >= 0 else after, end)

    def skip_body(self, position, end):
        """Behind the body that follows on the same line or the next, if there is one."""
        while position < end:
            character = self.text[position]
            if character == "{":
                return closing(self.text, position) + 1
            if character in "([":
                position = closing(self.text, position)
            elif character == "\n":
                rest = self.text[position:end].lstrip()
                if not re.match(r"where\b|->|\{|throws\b|async\b|rethrows\b|[,:=&|?+]|\.", rest):
                    return position + 1
                position = end - len(rest) - 1 if rest else end
            elif character == "}":
                return position
            position += 1
        return end

    def type(self, match, end, container, is_public, everything_is_public, unavailable):
        keyword, line = match["keyword"], self.text[match.end("keyword") : end]
        body = line.find("{")
        head = line[:body]
        name = re.match(r"\s*`?([\w.]+)", head)
        if not name or body < 0:
            return match.end()
        full = name.group(1) if keyword == "extension" else ".".join(filter(None, [container, name.group(1)]))
        full = full.removeprefix("RealmSwift.")
        if is_public and keyword != "extension" and not unavailable:
            self.declarations.add(full)
        rest = head[name.end() :]
        if rest.lstrip().startswith("<"):
            rest = rest[closing(rest, rest.index("<")) + 1 :]
        if ":" in re.split(r"\swhere\s", rest)[0]:
            self.conformances.setdefault(full, set()).update(inherited(rest.split(":", 1)[1]))
        start = match.end("keyword") + body
        last = closing(self.text, start)
        inner_public = (keyword == "protocol" and is_public) or (keyword == "extension" and "public" in match["modifiers"].split())
        self.scope(start + 1, last, full, inner_public, "public enum" if keyword == "enum" and is_public else None)
        return last + 1

    def add(self, container, name):
        if not name.startswith("_") or name.startswith(("_name", "_realmObjectName", "_realmIgnoreClass")):
            self.declarations.add(f"{container}.{name}" if container else name)

    def reachable(self, container, seen=None):
        """A type and all that it conforms to or derives from."""
        seen = seen if seen is not None else set()
        if container not in seen:
            seen.add(container)
            for other in self.conformances.get(container, ()):
                self.reachable(other, seen)
        return seen


def surface(folder):
    reader = Reader()
    for path in sorted(folder.rglob("*.swift")):
        reader.read(path)
    return reader


def is_present(declaration, reader):
    if declaration in reader.declarations:
        return True
    container, _, name = split(declaration)
    reachable = reader.reachable(container)
    return any(f"{other}.{name}" in reader.declarations or name in STANDARD.get(other, ()) for other in reachable)


def split(declaration):
    head, bracket, rest = declaration.partition("(")
    container, dot, name = head.rpartition(".")
    return container, dot, name + bracket + rest


def exceptions(path, compatibility):
    """Patterns, and complaints about headings that the documentation does not have."""
    patterns, complaints = [], []
    heading = None
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if line.startswith("## "):
            heading = line[3:]
            if " ".join(heading.split()) not in compatibility:
                complaints.append(f"Documentation/Compatibility.md does not say: {heading}")
        elif line and not line.startswith("#"):
            if heading is None:
                complaints.append(f"{line} stands below no reason")
            patterns.append(line)
    return patterns, complaints


def main():
    if sys.argv[1:2] == ["--list"]:
        print("\n".join(sorted(surface(pathlib.Path(sys.argv[2])).declarations)))
        return 0
    reader = Reader()
    for module in ("RealmSwift", "RealmOpenCombine"):
        for path in sorted((ROOT / "Sources" / module).rglob("*.swift")):
            reader.read(path)
    compatibility = " ".join((ROOT / "Documentation" / "Compatibility.md").read_text(encoding="utf-8").split())
    patterns, complaints = exceptions(ROOT / "Tools" / "api-exceptions.txt", compatibility)
    wanted = [line for line in (ROOT / "Tools" / "api-surface.txt").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    missing = [declaration for declaration in wanted if not is_present(declaration, reader)]
    used = set()
    for declaration in missing:
        fitting = [pattern for pattern in patterns if fnmatch.fnmatchcase(declaration, pattern.replace("[", "[[]"))]
        used.update(fitting)
        if not fitting:
            complaints.append(f"missing: {declaration}")
    complaints += [f"no longer missing: {pattern}" for pattern in patterns if pattern not in used]
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    unexplained = sum(complaint.startswith("missing:") for complaint in complaints)
    print(
        f"{len(wanted) - len(missing)} of {len(wanted)} public declarations of the original are here, "
        f"{len(missing) - unexplained} are missing for a reason, {unexplained} without."
    )
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
