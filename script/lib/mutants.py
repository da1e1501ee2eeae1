# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The seeded bugs of Tests/Mutants: how they are read, checked, and put into a copy of the sources.

A file has bugs one after another, a blank line between them:

    7 What is wrong, in a sentence
    tests: Target.Suite, Target.Suite
    --- Sources/Target/File.swift
     a line that stays
    -a line that goes
    +a line that comes, in which isMutant is true in the run of this bug alone

`tests` names the suites that shall find what no run of the simulator can meet. The lines that stay and go stand in
the file in that order, in one place exactly."""

import dataclasses
import pathlib
import re

FOLDER = "Tests/Mutants"
# The source that a mutated build has beside those of the product, in its lowest module.
SWITCH_FILE = "Sources/TidelineModel/Mutant.swift"
SWITCH_MODULE = "TidelineModel"
SWITCH = """\
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

private let chosen: Int = unsafe getenv("TIDELINE_MUTANT").flatMap { unsafe Int(String(cString: $0)) } ?? 0

/// Whether this process runs with the bug of that number.
package func mutant(_ number: Int) -> Bool { number == chosen }
"""


@dataclasses.dataclass
class Edit:
    path: str
    old: str = ""
    new: str = ""


@dataclasses.dataclass
class Mutant:
    number: int
    bug: str
    place: str
    tests: list = dataclasses.field(default_factory=list)
    edits: list = dataclasses.field(default_factory=list)


def read(root):
    """All bugs, by number, and complaints about what cannot be read."""
    found, complaints = [], []
    for path in sorted((root / FOLDER).glob("*.mutants")):
        current = edit = None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            place = f"{path.relative_to(root)}:{number}"
            head = re.match(r"(\d+) (.+)", line)
            if not line or line.startswith("#"):
                edit = None
            elif head:
                current, edit = Mutant(int(head[1]), head[2], place), None
                found.append(current)
            elif current is None:
                complaints.append(f"{place}: a bug begins with its number")
            elif line.startswith("tests: "):
                current.tests = [name.strip() for name in line.removeprefix("tests: ").split(",")]
            elif line.startswith("--- "):
                edit = Edit(line.removeprefix("--- "))
                current.edits.append(edit)
            elif edit is None:
                complaints.append(f"{place}: no file is named for this line")
            else:
                if line[0] in " -":
                    edit.old += line[1:] + "\n"
                if line[0] in " +":
                    edit.new += line[1:].replace("isMutant", f"mutant({current.number})") + "\n"
    return sorted(found, key=lambda one: one.number), complaints


def spans(text, old):
    """Where whole lines stand in a text."""
    found, place = [], text.find(old)
    while place >= 0:
        if place == 0 or text[place - 1] == "\n":
            found.append((place, place + len(old)))
        place = text.find(old, place + 1)
    return found


def complaints(root):
    """What keeps the bugs from being put into the sources."""
    mutants, found = read(root)
    numbers = {}
    taken = {}
    for mutant in mutants:
        if mutant.number in numbers:
            found.append(f"{mutant.place}: the bug at {numbers[mutant.number]} has the number {mutant.number}, too")
        numbers.setdefault(mutant.number, mutant.place)
        if not mutant.edits:
            found.append(f"{mutant.place}: the bug {mutant.number} changes nothing")
        for edit in mutant.edits:
            file = root / edit.path
            if not file.exists():
                found.append(f"{mutant.place}: there is no {edit.path}")
                continue
            if "mutant(" not in edit.new:
                found.append(f"{mutant.place}: the bug {mutant.number} does not ask for isMutant in {edit.path}")
            places = spans(file.read_text(encoding="utf-8"), edit.old) if edit.old else []
            if len(places) != 1:
                found.append(f"{mutant.place}: the lines stand {len(places)} times in {edit.path}, not once")
                continue
            for begin, end, other in taken.setdefault(edit.path, []):
                if places[0][0] < end and begin < places[0][1]:
                    found.append(f"{mutant.place}: the lines are those of the bug {other} in {edit.path}")
            taken[edit.path].append((*places[0], mutant.number))
        for name in mutant.tests:
            target, _, suite = name.partition(".")
            files = sorted((root / "Tests" / target).rglob("*.swift"))
            if not any(re.search(rf"\bstruct {suite}\b", file.read_text(encoding="utf-8")) for file in files):
                found.append(f"{mutant.place}: there is no suite {name}")
    return found


def apply(root):
    """Puts all bugs into the sources below a folder, each behind its number."""
    mutants, faults = read(root)
    faults = faults or complaints(root)
    if faults:
        raise SystemExit("\n".join(faults))
    texts = {}
    for mutant in mutants:
        for edit in mutant.edits:
            text = texts.get(edit.path) or (root / edit.path).read_text(encoding="utf-8")
            begin, end = spans(text, edit.old)[0]
            texts[edit.path] = text[:begin] + edit.new + text[end:]
    header = "".join((root / "Package.swift").read_text(encoding="utf-8").splitlines(True)[1:3]) + "\n"
    for path, text in texts.items():
        module = path.split("/")[1]
        if module != SWITCH_MODULE and not re.search(rf"^(\w+ )?import {SWITCH_MODULE}$", text, re.M):
            text = text.replace("\n\n", f"\n\nimport {SWITCH_MODULE}\n", 1)
        (root / path).write_text(text, encoding="utf-8")
    (root / SWITCH_FILE).write_text(header + SWITCH, encoding="utf-8")
    return mutants
