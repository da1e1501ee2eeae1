# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/conformance.md from docs/conformance-items.txt and the `.covers` traits of the tests."""

import features

HEAD = """# Conformance to OData 4.01

Made by `script/features` from `docs/conformance-items.txt` and from the tests that name an item in `.covers`; not edited
by hand. An item is proved when a test names it. A level is not claimed before all of its MUSTs are proved.

"""


def items(root):
    """(section heading or None, identifier, level, words) of each line of the list."""
    for line in (root / "docs" / "conformance-items.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("= "):
            yield line[2:], None, None, None
        else:
            identifier, level, words = line.split(" ", 2)
            yield None, identifier, level, words


def text(root):
    """The whole of docs/conformance.md."""
    tests = {}
    for row, target, name in features.rows(root):
        tests.setdefault(row, []).append(f"{target}: {name}")
    summary = []
    body = []
    for heading, identifier, level, words in items(root):
        if heading:
            section, title = heading.split(" ", 1)
            summary.append([title, {}])
            body.append(f"\n## {section}: {title}\n\n| Item | Level | What | Proved by |\n|---|---|---|---|\n")
            continue
        proofs = sorted(tests.get(identifier, []))
        counts = summary[-1][1].setdefault(level, [0, 0])
        counts[0] += 1 if proofs else 0
        counts[1] += 1
        more = f" (and {len(proofs) - 1} more)" if len(proofs) > 1 else ""
        proof = proofs[0] + more if proofs else "no test yet"
        body.append(f"| {identifier} | {level} | {words} | {proof} |\n")
    lines = ["| Section | MUST | SHOULD | MAY |\n|---|---|---|---|\n"]
    for title, counts in summary:
        cells = ["{} of {}".format(*counts[level]) if level in counts else "" for level in ("MUST", "SHOULD", "MAY")]
        lines.append(f"| {title} | {' | '.join(cells)} |\n")
    return HEAD + "".join(lines) + "".join(body)


def unknown(root):
    """Identifiers of these sections that tests name and the list does not have."""
    known = {identifier for _, identifier, _, _ in items(root) if identifier}
    sections = tuple(heading.split(" ", 1)[0] + "." for heading, _, _, _ in items(root) if heading)
    named = {row for row, _, _ in features.rows(root) if row.startswith(sections)}
    return sorted(named - known)
