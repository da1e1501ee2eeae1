# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The checks behind script/check. Each is a function from a root folder to a list of complaints."""

import json
import pathlib
import re
import subprocess
import sys

import conformance
import features
import mutants
import source

SOURCE_FOLDERS = ("Sources", "Examples", "Benchmarks")
ALL_FOLDERS = ("Sources", "Tests", "Examples", "Benchmarks")
LINES = 300
HEADER = [
    re.compile(r"// Copyright 20\d\d the Tideline authors\.$"),
    re.compile(r"// SPDX-License-Identifier: Apache-2\.0$"),
]
# Modules of the toolchain and the platform: any target may use them.
PLATFORM = {
    "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc", "Musl", "Observation",
    "Security", "Swift", "Synchronization", "SystemPackage", "Testing", "os",
}
# The modules of other packages whose types may stand in a public signature.
PUBLIC_MODULES = {"HTTPTypes", "Logging"}


def swift_files(root, folders):
    for folder in folders:
        if (root / folder).is_dir():
            for path in sorted((root / folder).rglob("*.swift")):
                if ".build" not in path.parts:
                    yield path


def check_format(root):
    """swift-format, every rule of .swift-format, warnings are errors."""
    paths = [folder for folder in (*ALL_FOLDERS, "Package.swift") if (root / folder).exists()]
    run = subprocess.run(
        ["swift", "format", "lint", "--strict", "--parallel", "--recursive", *paths],
        cwd=root, capture_output=True, text=True,
    )
    complaints = [line for line in run.stderr.splitlines() if ": error:" in line or ": warning:" in line]
    if run.returncode != 0 and not complaints:
        complaints = run.stderr.splitlines() or [f"swift format ended with status {run.returncode}"]
    return complaints


def layers_table(root):
    """The table of docs/architecture.md: target -> (own targets, modules of other packages)."""
    table = {}
    for line in (root / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 4 or not cells[0].startswith("`"):
            continue
        own, others = (set(re.findall(r"`(\w+)`", cell)) for cell in cells[2:])
        table[cells[0].strip("`")] = (own, others)
    return table


def manifest(root):
    """The targets of the package, from a recorded dump in a fixture or from SwiftPM."""
    recorded = root / "package.json"
    if recorded.exists():
        return json.loads(recorded.read_text(encoding="utf-8"))["targets"]
    dump = subprocess.run(["swift", "package", "dump-package"], cwd=root, capture_output=True, text=True, check=True)
    return json.loads(dump.stdout)["targets"]


def check_layers(root):
    """The manifest has exactly the graph of docs/architecture.md, and sources import what it allows."""
    table = layers_table(root)
    complaints = []
    seen = set()
    for target in manifest(root):
        name = target["name"]
        if target["type"] == "test" or name == "TidelineTestSupport":
            continue
        seen.add(name)
        if name not in table:
            complaints.append(f"Package.swift: target {name} is not in the table of docs/architecture.md")
            continue
        own, others = table[name]
        by_name = {(d.get("byName") or d.get("target"))[0] for d in target["dependencies"] if "product" not in d}
        products = {d["product"][0] for d in target["dependencies"] if "product" in d}
        for dependency in sorted((by_name - own) | (products - others)):
            complaints.append(f"Package.swift: {name} depends on {dependency}, which docs/architecture.md does not allow")
        for dependency in sorted((own - by_name) | (others - products)):
            complaints.append(f"docs/architecture.md: {name} is said to use {dependency}, but Package.swift does not say so")
        folder = root / (target.get("path") or f"Sources/{name}")
        for path in sorted(folder.rglob("*.swift")):
            complaints += import_complaints(root, path, name, own, others)
    for name in sorted(set(table) - seen):
        complaints.append(f"docs/architecture.md: target {name} is not in Package.swift")
    return complaints + upward_complaints(table)


def import_complaints(root, path, name, own, others):
    complaints = []
    for number, access, module in source.imports(path.read_text(encoding="utf-8")):
        place = f"{path.relative_to(root)}:{number}"
        if module not in own | others | PLATFORM | {name}:
            complaints.append(f"{place}: {name} may not import {module}")
        elif access == "public" and module in others and module not in PUBLIC_MODULES:
            complaints.append(f"{place}: types of {module} may not stand in a public signature")
    return complaints


def upward_complaints(table):
    """The table goes from the ground up: a target uses only targets that stand above its own line."""
    complaints = []
    order = {name: place for place, name in enumerate(table)}
    for name, (own, _) in table.items():
        for dependency in sorted(own):
            if order.get(dependency, len(order)) >= order[name]:
                complaints.append(f"docs/architecture.md: {name} uses {dependency}, which does not stand below it")
    return complaints


def check_size(root):
    """No source file has more than 300 lines."""
    complaints = []
    for path in swift_files(root, SOURCE_FOLDERS):
        count = len(path.read_text(encoding="utf-8").splitlines())
        if count > LINES:
            complaints.append(f"{path.relative_to(root)}: {count} lines, more than {LINES}; split it by stage")
    return complaints


def check_header(root):
    """Every file begins with its two lines of copyright and licence."""
    complaints = []
    for path in swift_files(root, ALL_FOLDERS):
        lines = path.read_text(encoding="utf-8").splitlines()
        if lines and lines[0].startswith("// swift-tools-version"):
            lines = lines[1:]
        if len(lines) < 2 or not all(pattern.match(line) for pattern, line in zip(HEADER, lines)):
            complaints.append(f"{path.relative_to(root)}:1: the two-line header is missing")
    return complaints


def check_todo(root):
    """A TODO names the issue that will do it: TODO(#12)."""
    complaints = []
    for path in swift_files(root, ALL_FOLDERS):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search(r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))", line):
                complaints.append(f"{path.relative_to(root)}:{number}: a TODO without an issue, write TODO(#number)")
    return complaints


def check_forbidden(root):
    """No `try!`, `as!` or `fatalError`; `@unchecked Sendable` and the like only under a comment that names the guard."""
    complaints = []
    for path in swift_files(root, SOURCE_FOLDERS):
        text = path.read_text(encoding="utf-8")
        original = text.splitlines()
        for number, line in enumerate(source.without_comments_and_strings(text).splitlines(), 1):
            place = f"{path.relative_to(root)}:{number}"
            for word in re.findall(r"\btry!|\bas!|\bfatalError\b", line):
                complaints.append(f"{place}: {word} is not allowed here")
            for word in re.findall(r"@unchecked Sendable|nonisolated\(unsafe\)", line):
                above = original[number - 2].strip() if number > 1 else ""
                if not above.startswith("//") and "//" not in original[number - 1]:
                    complaints.append(f"{place}: {word} needs a comment on the line above that names the guard")
    return complaints


def check_docs(root):
    """Every public type, function, initialiser and computed property of Sources has a doc comment."""
    complaints = []
    required = set()
    for path in swift_files(root, ("Sources",)):
        required |= source.requirements(path.read_text(encoding="utf-8"))
    for path in swift_files(root, ("Sources",)):
        for number, declaration in source.undocumented(path.read_text(encoding="utf-8"), required):
            complaints.append(f"{path.relative_to(root)}:{number}: no doc comment on: {declaration}")
    return complaints


def check_features(root):
    """docs/features.md says what the `.covers` traits say."""
    path = root / "docs" / "features.md"
    if not path.exists() or path.read_text(encoding="utf-8") != features.text(root):
        return ["docs/features.md is not what the tests say; run script/features"]
    return []


def check_conformance(root):
    """docs/conformance.md says what the tests prove, and $metadata claims no other level than that."""
    path = root / "docs" / "conformance.md"
    complaints = conformance.complaints(root)
    if not path.exists() or path.read_text(encoding="utf-8") != conformance.text(root):
        complaints.append("docs/conformance.md is not what the tests say; run script/features")
    return complaints


def guides(root):
    """The pages that a reader follows word by word."""
    yield from (path for path in (root / "README.md", root / "CONTRIBUTING.md", root / "SECURITY.md") if path.exists())
    if (root / "docs").is_dir():
        yield from sorted((root / "docs").glob("*.md"))


def tool_words(root):
    """The commands of the tool, those of their own subcommands among them, and the options of all."""
    commands, options = set(), {"help", "version"}
    for path in sorted((root / "Sources" / "TidelineTool").rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        commands |= set(re.findall(r'commandName: "([\w-]+)"', text))
        options |= set(re.findall(r'customLong\("([\w-]+)"\)', text))
        for name in re.findall(r"@(?:Option|Flag)\b[^\n]*?(?:\n[^\n]*?)*?\bvar\s+(\w+)", text):
            options.add(re.sub(r"([A-Z])", lambda match: "-" + match.group(1).lower(), name))
    return commands, options


def check_commands(root):
    """Every script, command of the tool, option and page that README, CONTRIBUTING and docs name is there."""
    commands, options = tool_words(root)
    complaints = []
    for path in guides(root):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            place = f"{path.relative_to(root)}:{number}"
            for name in re.findall(r"(?<![\w/.])script/([a-z][\w-]*)", line):
                file = root / "script" / name
                if not file.exists():
                    complaints.append(f"{place}: there is no script/{name}")
                elif file.is_file() and not file.stat().st_mode & 0o111:
                    complaints.append(f"{place}: script/{name} cannot be run")
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", line):
                if not (path.parent / target).exists():
                    complaints.append(f"{place}: there is no page {target}")
            # A call begins a line of code or an inline code; what follows a path or a word in prose is no call.
            for call in re.findall(r"(?:^ {4,}|`|\|\s*|&&\s*)tideline ([^`]*)", line):
                words = call.split()
                if words and re.fullmatch(r"[a-z][a-z-]*", words[0]) and words[0] not in commands | {"help"}:
                    complaints.append(f"{place}: tideline has no command {words[0]}")
                for option in re.findall(r"(?<!\S)--([a-z][\w-]*)", call.split("#")[0]):
                    if option not in options:
                        complaints.append(f"{place}: tideline has no option --{option}")
    return complaints


HELP_COLUMNS = 80


def check_help(root):
    """No line of a command's explanation is broken by a terminal of 80 columns."""
    complaints = []
    for path in swift_files(root, SOURCE_FOLDERS):
        lines = path.read_text(encoding="utf-8").splitlines()
        begun = None
        for number, line in enumerate(lines, 1):
            if re.search(r'\bdiscussion: """$', line):
                begun = number
            elif begun and line.lstrip().startswith('"""'):
                indent = len(line) - len(line.lstrip())
                for place, words in enumerate(lines[begun : number - 1], begun + 1):
                    if len(words) - indent > HELP_COLUMNS:
                        complaints.append(
                            f"{path.relative_to(root)}:{place}: {len(words) - indent} columns of help, at most {HELP_COLUMNS}"
                        )
                begun = None
    return complaints


def machine_rows(text):
    """The rows of the tables of states and events in doc comments: (line, "state, event")."""
    rows = []
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r"\s*///\s+\|(.*)\|\s*$", line)
        cells = [cell.strip() for cell in match.group(1).split("|")] if match else []
        if cells[:2] == ["state", "event"]:
            inside = True
        elif not cells:
            inside = False
        elif inside and not set(cells[0]) <= {"-"}:
            rows.append((number, f"{cells[0]}, {cells[1]}"))
    return rows


def check_machines(root):
    """Each row of a machine's table of states and events has a test named by its words: `state, event: ...`."""
    complaints = []
    for path in swift_files(root, ("Sources",)):
        rows = machine_rows(path.read_text(encoding="utf-8"))
        if not rows:
            continue
        name = f"{path.stem}Tests.swift"
        names = []
        for tests in sorted((root / "Tests").rglob(name)):
            names += re.findall(r"func `([^`]+)`", tests.read_text(encoding="utf-8"))
        for number, words in rows:
            if not any(name.startswith(words + ":") for name in names):
                complaints.append(f"{path.relative_to(root)}:{number}: no test of {name} begins with `{words}: `")
    return complaints


def check_promises(root):
    """Every test that docs/promises.md and docs/proof.md name is there, in the file that they name behind it."""
    complaints = []
    for page in (root / "docs" / "promises.md", root / "docs" / "proof.md"):
        if not page.exists():
            continue
        text = page.read_text(encoding="utf-8")
        for tested in re.findall(r"^Tested: .*?(?=\n\n|\Z)", text, re.M | re.S):
            # Names gather until the file that they stand in.
            names = []
            for name, file in re.findall(r"`([^`]+)`|\((Tests/[^)]+)\)", tested):
                if name:
                    names.append(" ".join(name.split()))
                    continue
                files = [root / part for part in re.findall(r"Tests/\S+\.swift", file)]
                for path in (path for path in files if not path.exists()):
                    complaints.append(f"{page.relative_to(root)}: there is no {path.relative_to(root)}")
                found = "".join(path.read_text(encoding="utf-8") for path in files if path.exists())
                for known in (known for known in names if f"func `{known}`" not in found):
                    complaints.append(f"{page.relative_to(root)}: no test is called `{known}`")
                names = []
            for name in names:
                complaints.append(f"{page.relative_to(root)}: `{name}` has no file behind it")
    return complaints


def check_mutants(root):
    """The bugs of Tests/Mutants can be put into the sources: their lines are there once, and nobody else's."""
    return mutants.complaints(root)


CHECKS = {
    "header": check_header,
    "size": check_size,
    "todo": check_todo,
    "forbidden": check_forbidden,
    "docs": check_docs,
    "machines": check_machines,
    "promises": check_promises,
    "mutants": check_mutants,
    "features": check_features,
    "commands": check_commands,
    "help": check_help,
    "conformance": check_conformance,
    "layers": check_layers,
    "format": check_format,
}


def self_test(root):
    """Runs each check over its bad tree: what `expected` says must be found, in that order and nothing else."""
    failures = 0
    for name, check in CHECKS.items():
        fixture = root / "script" / "fixtures" / name
        expected = fixture / "expected"
        if not expected.exists():
            print(f"{name}: has no fixture, so nobody knows that it can fail")
            failures += 1
            continue
        wanted = expected.read_text(encoding="utf-8").splitlines()
        got = check(fixture)
        missing = [text for text in wanted if not any(text in complaint for complaint in got)]
        surplus = [text for text in got if not any(part in text for part in wanted)]
        for text in missing:
            print(f"{name}: did not find: {text}")
        for text in surplus:
            print(f"{name}: found what is no fault: {text}")
        failures += len(missing) + len(surplus)
    print(f"script/check: {len(CHECKS)} checks tested on their fixtures, {failures} faults")
    return 1 if failures else 0


def main(arguments):
    root = pathlib.Path(".")
    if arguments == ["--self-test"]:
        return self_test(root)
    unknown = [name for name in arguments if name not in CHECKS]
    if unknown:
        print(f"script/check: no check is called {unknown[0]}; there are {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    total = 0
    for name in arguments or CHECKS:
        complaints = CHECKS[name](root)
        for complaint in complaints:
            print(complaint)
        total += len(complaints)
        print(f"{name}: {'in order' if not complaints else f'{len(complaints)} complaints'}")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
