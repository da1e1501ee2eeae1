# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/features.md from the `.covers` traits of the tests, and from the `# covers:` lines of those of pages."""

import pathlib
import re
import sys

COVERS = re.compile(r"\.covers\(([^)]*)\)")
NAME = re.compile(r"\b(?:func|struct|class|enum)\s+(?:`([^`]+)`|(\w+))")

# A test of pages, in Python: the rows stand in the line above it.
PYTHON = re.compile(r"^# covers: (.+)\n(?:@.*\n)*(?:async )?def test_(\w+)", re.MULTILINE)

HEAD = """# What is proved

Made by `script/features` from what the tests name; not edited by hand. A row of the specification stands
here when a test proves it, and only then.

| Row | Test |
|---|---|
"""


def rows(root):
    """Every (row of the specification, test target, name of the test or suite) under Tests and Examples, sorted."""
    found = set()
    for folder in ("Tests", "Examples"):
        for path in sorted((root / folder).rglob("*.swift")):
            text = path.read_text(encoding="utf-8")
            for match in COVERS.finditer(text):
                identifiers = re.findall(r'"([^"]+)"', match.group(1))
                name = NAME.search(text, match.end())
                if not identifiers or name is None:
                    continue
                target = path.relative_to(root / folder).parts[0]
                for identifier in identifiers:
                    found.add((identifier, target, name.group(1) or name.group(2)))
    for path in sorted((root / "Tests").rglob("test_*.py")):
        for match in PYTHON.finditer(path.read_text(encoding="utf-8")):
            target = path.relative_to(root / "Tests").parts[0]
            for identifier in re.findall(r"[A-Z]+-\w+", match.group(1)):
                found.add((identifier, target, match.group(2).replace("_", " ")))
    return sorted(found)


def text(root):
    """The whole of docs/features.md."""
    lines = [f"| {row} | {target}: {name} |\n" for row, target, name in rows(root)]
    return HEAD + "".join(lines)


def main():
    root = pathlib.Path(".")
    path = root / "docs" / "features.md"
    path.write_text(text(root), encoding="utf-8")
    print(f"{path}: {len(rows(root))} rows")
    import conformance

    (root / "docs" / "conformance.md").write_text(conformance.text(root), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
