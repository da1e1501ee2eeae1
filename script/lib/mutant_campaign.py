# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The campaign behind script/mutants: build, run, ledger, table."""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

import detectors
import mutants

WORK = pathlib.Path(".build-mutants")
LEDGER = WORK / "ledger.json"
PAGE = pathlib.Path("docs/proof.md")
BEGIN, END = "<!-- mutants: written by script/mutants --table -->", "<!-- mutants end -->"
# The seeds that a bug with suites of its own is tried on before these.
FIRST = 10


def arguments():
    parser = argparse.ArgumentParser(
        prog="script/mutants",
        description="Tries whether the simulator and the tests find the bugs of Tests/Mutants.",
        epilog="The exit status is 0 when at most one bug is left that nothing finds.",
    )
    parser.add_argument("numbers", nargs="*", type=int, help="bugs to try once more; without any, what the ledger lacks")
    parser.add_argument("--seeds", type=int, default=300, help="the most runs of the simulator for a bug (300)")
    parser.add_argument("--fresh", action="store_true", help="forget what earlier campaigns found")
    parser.add_argument("--table", action="store_true", help="write what the ledger says into docs/proof.md, run nothing")
    parser.add_argument("--program", help="a mutated tideline that is built already")
    parser.add_argument("--tests", help="the command that runs the tests of that build, a suite's name put behind it")
    return parser.parse_args()


def build():
    """Builds the mutated program and its tests from the files that git knows."""
    folder = WORK / "package"
    files = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True).stdout.splitlines()
    for path in (folder / "Sources", folder / "Tests"):
        shutil.rmtree(path, ignore_errors=True)
    # The versions of other packages are those of the build that the bugs are compared with.
    for name in [*files, "Package.resolved"]:
        if not pathlib.Path(name).is_file():
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(name, folder / name)
    mutants.apply(folder)
    # The modules can be tested as in script/test, whose words these are; runs of tests read the manifest, too.
    os.environ["TIDELINE_TESTABLE"] = "1"
    options = ["-c", "release", "--package-path", str(folder)]
    subprocess.run(["swift", "build", "--build-tests", *options], check=True)
    test = ["swift", "test", "--skip-build", *options, "--filter"]
    return str(folder / ".build/release/tideline"), " ".join(test)


class Campaign:
    def __init__(self, options, program, command):
        self.options = options
        self.simulator = detectors.Simulator(program)
        self.tests = detectors.Tests(command)
        digest = hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()
        self.ledger = {"program": digest, "seeds": {}, "suites": {}, "bugs": {}}
        if LEDGER.exists() and not options.fresh:
            known = json.loads(LEDGER.read_text(encoding="utf-8"))
            if known["program"] == digest:
                self.ledger = known

    def save(self):
        LEDGER.parent.mkdir(exist_ok=True)
        LEDGER.write_text(json.dumps(self.ledger, indent=1) + "\n", encoding="utf-8")

    def holds(self, seed):
        """Whether a seed holds without a bug: only such a one tells something about a bug."""
        seeds = self.ledger["seeds"]
        if str(seed) not in seeds:
            first = seed - (seed - 1) % detectors.SHARE
            for one, violation in self.simulator.runs(0, first, detectors.SHARE):
                seeds[str(one)] = violation or ""
                if violation:
                    print(f"seed {one} is left out, it fails without a bug: {violation}", flush=True)
            self.save()
        return seeds[str(seed)] == ""

    def passes(self, suite):
        """Whether a suite passes without a bug."""
        suites = self.ledger["suites"]
        if suite not in suites:
            failure = self.tests.failure(0, suite)
            suites[suite] = failure is None
            if failure:
                print(f"{suite} is left out, it fails without a bug: {failure}", flush=True)
            self.save()
        return suites[suite]

    def simulated(self, number, first, last):
        """The first seed that fails with a bug and holds without, as (seed, violation, seeds run); else `None`."""
        count = 0
        for seed in range(first, last + 1):
            self.holds(seed)
        for seed, violation in self.simulator.runs(number, first, last + 1 - first):
            if not self.holds(seed):
                continue
            count += 1
            if violation:
                return seed, violation, count
        return None

    def attempt(self, mutant):
        """What finds a bug."""
        result = {"bug": mutant.bug, "caught": False}
        parts = [(1, self.options.seeds)]
        if mutant.tests:
            parts = [(1, min(FIRST, self.options.seeds)), (FIRST + 1, self.options.seeds)]
        for turn, (first, last) in enumerate(parts):
            for begin in range(first, last + 1, detectors.SHARE):
                found = self.simulated(mutant.number, begin, min(begin + detectors.SHARE - 1, last))
                if found:
                    seed, violation, _ = found
                    held = sum(1 for one in range(1, seed + 1) if self.holds(one))
                    return {**result, "caught": True, "seed": seed, "violation": violation, "seeds": held}
            for suite in mutant.tests if turn == 0 else []:
                failure = self.tests.failure(mutant.number, suite) if self.passes(suite) else None
                if failure:
                    return {**result, "caught": True, "suite": suite, "test": failure}
        return result

    def run(self, table):
        chosen = set(self.options.numbers)
        for mutant in table:
            known = self.ledger["bugs"].get(str(mutant.number), {"bug": ""})
            wanted = mutant.number in chosen if chosen else known["bug"] != mutant.bug or not known["caught"]
            if not wanted:
                continue
            result = self.attempt(mutant)
            self.ledger["bugs"][str(mutant.number)] = result
            self.save()
            print(f"{mutant.number}  {mutant.bug}: {by(result)}", flush=True)
        left = [one for one in table if not self.ledger["bugs"].get(str(one.number), {}).get("caught")]
        print(f"{len(table)} bugs, {len(table) - len(left)} found, {len(left)} not found or not tried")
        return 0 if len(left) <= 1 else 1


def by(result):
    """What found a bug, in a few words."""
    if result is None:
        return "not tried"
    if "suite" in result:
        return f"`{result['suite']}`: {result['test']}"
    if "seed" in result:
        words = result["violation"].split(" at ")[0] if re.match(r"\w+ at ", result["violation"]) else result["violation"]
        return f"{words}, seed {result['seed']}"
    return "**not found**"


def write_table(table):
    """Puts the ledger's findings into the page."""
    bugs = json.loads(LEDGER.read_text(encoding="utf-8"))["bugs"] if LEDGER.exists() else {}
    results = [(one, bugs.get(str(one.number))) for one in table]
    # What was found of a bug that has changed since tells nothing.
    results = [(one, result if result and result["bug"] == one.bug else None) for one, result in results]
    tried = [result for _, result in results if result]
    seeds = [result["seeds"] for result in tried if "seeds" in result]
    suites = sum(1 for result in tried if "suite" in result)
    left = sum(1 for result in tried if not result["caught"])
    missing = f"; {len(table) - len(tried)} not tried yet" if len(tried) < len(table) else ""
    text = [
        BEGIN,
        f"{len(table)} bugs: {len(seeds)} found by the simulator, half of them within {int(statistics.median(seeds or [0]))} "
        f"seeds and all within {max(seeds or [0])}; {suites} by the tests that are named; {left} not found{missing}.",
        "",
        "| | Bug | Found by |",
        "|---|---|---|",
        *(f"| {one.number} | {one.bug} | {by(result)} |" for one, result in results),
        END,
    ]
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + "\n".join(text) + rest.split(END)[1], encoding="utf-8")


def main():
    options = arguments()
    table, faults = mutants.read(pathlib.Path("."))
    faults = faults or mutants.complaints(pathlib.Path("."))
    if faults:
        raise SystemExit("\n".join(faults))
    if options.table:
        return write_table(table)
    if (options.program is None) != (options.tests is None):
        raise SystemExit("script/mutants: --program and --tests belong together")
    program, command = (options.program, options.tests) if options.program else build()
    return Campaign(options, program, command).run(table)


if __name__ == "__main__":
    sys.exit(main())
