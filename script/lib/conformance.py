# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/conformance.md from docs/conformance-items.txt and the `.covers` traits of the tests."""

import re

import features

HEAD = """# Conformance to OData 4.01

Made by `script/features` from `docs/conformance-items.txt` and from the tests that name an item in `.covers`; not edited
by hand. An item is proved when a test names it, and one that stands for others when all of those are. A level is not
claimed before all of its MUSTs are proved.

"""
# The levels of OData 4.01, from the highest, with the section that each needs whole, and the name that $metadata says.
LEVELS = [("OD-1.6", "Advanced"), ("OD-1.5", "Intermediate"), ("OD-1.4", "Minimal")]
CLAIM = "Sources/TidelineOData/CSDL/Capabilities/ServiceCapabilities.swift"


class Item:
    """One line of the list."""

    def __init__(self, section, line):
        self.section = section
        self.identifier, self.level, words = line.split(" ", 2)
        declined = re.fullmatch(r"(.*) \{not done: ([^}]*)\}", words)
        # Why it is not done, for what is no MUST.
        self.reason = declined.group(2) if declined else None
        words = declined.group(1) if declined else words
        composed = re.fullmatch(r"(.*) \[(OD-[^\]]*)\]", words)
        self.words = composed.group(1) if composed else words
        # The items and sections that it stands for.
        self.parts = composed.group(2).split() if composed else []


def items(root):
    """(heading of a section or None, item or None) of each line of the list."""
    section = ""
    for line in (root / "docs" / "conformance-items.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("= "):
            section = line[2:].split(" ", 1)[0]
            yield line[2:], None
        else:
            yield None, Item(section, line)


class Proofs:
    """Which items are proved, and by what."""

    def __init__(self, root):
        self.items = {item.identifier: item for _, item in items(root) if item}
        self.tests = {}
        for row, target, name in features.rows(root):
            self.tests.setdefault(row, []).append(f"{target}: {name}")

    def behind(self, item, part):
        """The items that a part of a composed item means: itself, or the MUSTs below or in a section."""
        known = self.items.get(part)
        if known and known is not item:
            return [known]
        return [
            other
            for other in self.items.values()
            if other.identifier.startswith(part + ".") and other.level == "MUST" and other is not item
        ]

    def missing(self, item):
        """The items without proof that keep this one from being proved, itself included."""
        if not item.parts:
            return [] if self.tests.get(item.identifier) else [item.identifier]
        missing = []
        for part in item.parts:
            others = self.behind(item, part)
            for name in [name for other in others for name in self.missing(other)] if others else [part]:
                if name not in missing:
                    missing.append(name)
        return missing

    def said(self, item):
        """The words of the last column."""
        missing = self.missing(item)
        if item.parts:
            if missing:
                more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
                return f"not yet: {', '.join(missing[:3])}{more}"
            return "all of " + ", ".join(item.parts)
        if missing:
            return f"not done: {item.reason}" if item.reason else "no test yet"
        proofs = sorted(self.tests[item.identifier])
        return proofs[0] + (f" (and {len(proofs) - 1} more)" if len(proofs) > 1 else "")

    def level(self):
        """The highest level of 4.01 all of whose MUSTs are proved, or None."""
        for section, name in LEVELS:
            needed = [item for item in self.items.values() if item.section == section and item.level == "MUST"]
            if needed and not any(self.missing(item) for item in needed):
                return name
        return None


def text(root):
    """The whole of docs/conformance.md."""
    proofs = Proofs(root)
    summary = []
    body = []
    for heading, item in items(root):
        if heading:
            section, title = heading.split(" ", 1)
            summary.append([title, {}])
            body.append(f"\n## {section}: {title}\n\n| Item | Level | What | Proved by |\n|---|---|---|---|\n")
            continue
        counts = summary[-1][1].setdefault(item.level, [0, 0])
        counts[0] += 0 if proofs.missing(item) else 1
        counts[1] += 1
        body.append(f"| {item.identifier} | {item.level} | {item.words} | {proofs.said(item)} |\n")
    lines = ["| Section | MUST | SHOULD | MAY |\n|---|---|---|---|\n"]
    for title, counts in summary:
        cells = ["{} of {}".format(*counts[level]) if level in counts else "" for level in ("MUST", "SHOULD", "MAY")]
        lines.append(f"| {title} | {' | '.join(cells)} |\n")
    level = proofs.level()
    claim = f"\nThe level that is proved: {f'4.01 {level}' if level else 'none yet'}.\n"
    return HEAD + "".join(lines) + claim + "".join(body)


def complaints(root):
    """What tests name that the list does not have, what they may not name, and a claim that is not the proved level."""
    proofs = Proofs(root)
    sections = tuple(heading.split(" ", 1)[0] + "." for heading, _ in items(root) if heading)
    named = sorted({row for row in proofs.tests if row.startswith(sections)})
    found = [f"{row} is named by a test but is no item of docs/conformance-items.txt" for row in named if row not in proofs.items]
    found += [
        f"{row} stands for others and is proved by them, but a test names it"
        for row in named
        if row in proofs.items and proofs.items[row].parts
    ]
    for row in proofs.items.values():
        if row.reason and row.level == "MUST":
            found.append(f"{row.identifier} is a MUST: that it is not done is no choice")
        if row.reason and proofs.tests.get(row.identifier):
            found.append(f"{row.identifier} is said not to be done, but a test proves it")
    claimed = re.search(r"conformance = Conformance\.(\w+)", (root / CLAIM).read_text(encoding="utf-8"))
    claimed = claimed.group(1).capitalize() if claimed else "nothing"
    proved = proofs.level() or "nothing"
    if claimed != proved:
        found.append(f"{CLAIM} claims {claimed}, but what is proved is {proved}")
    return found
