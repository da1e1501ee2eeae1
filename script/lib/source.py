# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Reads Swift source by its lines, as far as the checks need it."""

import re

IMPORT = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(public|package|internal|private|fileprivate)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)"
)
PUBLIC = re.compile(
    r"^\s*(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:(?:final|static|class|nonisolated|override|indirect|mutating|consuming|convenience"
    r"|required|lazy|weak|borrowing)\s+)*(?:public|open)(?:\(set\))?\s+"
    r"(?!import\b|extension\b)(.*)"
)
# Members that a standard protocol asks for: the protocol documents them.
INHERITED = re.compile(
    r"\b(func (==|<|hash|encode|next|makeAsyncIterator|makeIterator|callAsFunction|index|formIndex|visitAny|run|expansion)\b"
    r"|func (==|<) ?\(|var (description|debugDescription|hashValue|errorDescription|startIndex|endIndex|id|rawValue)\b"
    r"|init\(from |init\((string|integer|float|boolean|unicodeScalar|array|dictionary)Literal|init\(stringInterpolation"
    r"|init\(nilLiteral|init\(rawValue|typealias \w+ =)"
)
# A stored property whose name and type say all may stand under the doc comment of its type.
STORED = re.compile(r"^(?:nonisolated )?(let|var) \w+(: [^{=]+)?(= [^{]+)?$")
ASSIGNMENT = re.compile(r"^(self\.)?(\w+) = [\w.()\[\]? :,]+$")


def imports(text):
    """(line, access or None, module) of each import."""
    for number, line in enumerate(text.splitlines(), 1):
        match = IMPORT.match(line.strip())
        if match:
            yield number, match.group(1), match.group(2)


def without_comments_and_strings(text):
    """The text with comments and the content of string literals blanked; lines keep their numbers."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|#"""(?:.|\n)*?"""#|"""(?:.|\n)*?"""|#"(?:[^"\n]|"(?!#))*"#|"(?:\\.|[^"\\\n])*"', re.DOTALL
    )
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)


def is_memberwise(lines, start):
    """Whether the initialiser that begins at `start` only stores its arguments: the properties document it."""
    depth = 0
    body = []
    opened = False
    for line in lines[start:]:
        depth += line.count("{") - line.count("}")
        if opened:
            if depth <= 0:
                break
            body.append(line.strip())
        elif "{" in line:
            opened = True
            if depth <= 0:
                body.append(line[line.index("{") + 1 : line.rindex("}")].strip())
                break
    return all(not line or ASSIGNMENT.match(line) for line in body)


def conformances(plain):
    """For each line whether it stands in an extension that declares a conformance: the protocol documents the members."""
    inside = []
    depth = 0
    end = None
    opening = False
    for line in plain:
        if end is None and re.match(r"(?:@\w+\s+)*extension\b[^{]*:", line):
            opening = True
            end = depth
        inside.append(end is not None)
        depth += line.count("{") - line.count("}")
        if "{" in line:
            opening = False
        if end is not None and not opening and depth <= end:
            end = None
    return inside


def requirements(text):
    """The names that protocols ask for: members of that name are documented there."""
    names = set()
    depth = None
    level = 0
    for line in without_comments_and_strings(text).splitlines():
        if depth is None and re.match(r"\s*(?:public|package)\s+protocol\b", line):
            depth = level
        if depth is not None:
            match = re.match(r"\s*(?:mutating\s+|static\s+)*(?:func|var)\s+(\w+)", line)
            if match:
                names.add(match.group(1))
        level += line.count("{") - line.count("}")
        if depth is not None and level <= depth and "}" in line:
            depth = None
    return names


def undocumented(text, required=frozenset()):
    """(line, declaration) of each public declaration without a doc comment."""
    lines = text.splitlines()
    plain = without_comments_and_strings(text).splitlines()
    inherited = conformances(plain)
    for place, line in enumerate(plain):
        match = PUBLIC.match(line)
        if not match or inherited[place] or INHERITED.search(line) or STORED.match(match.group(1).strip()):
            continue
        name = re.match(r"(?:mutating\s+|static\s+|nonisolated\s+)*(?:func|var|let)\s+(\w+)", match.group(1))
        if name and name.group(1) in required:
            continue
        above = place - 1
        if above >= 0 and lines[above].strip() == ")":
            while above >= 0 and not lines[above].lstrip().startswith("@"):
                above -= 1
        while above >= 0 and (lines[above].strip().startswith("@") or lines[above].strip().startswith("#if")):
            above -= 1
        if above >= 0 and lines[above].strip().startswith("///"):
            continue
        if re.match(r"init\b", match.group(1)) and is_memberwise(plain, place):
            continue
        yield place + 1, lines[place].strip()
