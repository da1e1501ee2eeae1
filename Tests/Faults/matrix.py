# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The matrix of runs behind script/faults: classes of faults by databases, added up in a ledger."""

import argparse
import asyncio
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

from databases import Postgres, SQLite
from faults import CLASSES
from run import BOUND, Run

STORES = {store.name: store for store in (SQLite, Postgres)}
EMPTY = {"runs": 0, "safety": 0, "liveness": 0, "transactions": 0, "faults": 0, "longest": 0.0}


class Ledger:
    """What was run, by class and database; in a file, so that the next campaign goes on where this one ends."""

    def __init__(self, path):
        self.path = path and pathlib.Path(path)
        self.cells = json.loads(self.path.read_text()) if self.path and self.path.exists() else {}

    def cell(self, fault, store):
        return self.cells.setdefault(f"{fault} {store}", dict(EMPTY))

    def add(self, run):
        cell = self.cell(run.fault, run.store.name)
        cell["runs"] += 1
        cell["safety"] += bool(run.safety)
        cell["liveness"] += bool(run.liveness)
        cell["transactions"] += run.transactions
        cell["faults"] += run.acts
        cell["longest"] = max(cell["longest"], run.settled_after)
        if self.path:
            new = self.path.with_suffix(".new")
            new.write_text(json.dumps(self.cells, indent=1))
            new.replace(self.path)

    def table(self, faults, stores):
        """The table of docs/proof.md."""
        lines = [
            "| Class | Database | Runs | Transactions | Faults | Safety failures | Liveness failures "
            "| Longest until at rest |",
            "|---|---|--:|--:|--:|--:|--:|--:|",
        ]
        chosen = [(fault, store, self.cell(fault, store)) for fault in faults for store in stores]
        for fault, store, cell in chosen:
            lines.append(row(fault, store, cell))
        total = {key: sum(cell[key] for _, _, cell in chosen) for key in EMPTY}
        total["longest"] = max((cell["longest"] for _, _, cell in chosen), default=0.0)
        return "\n".join([*lines, row("all", "", total)])


def row(fault, store, cell):
    counts = f"{cell['runs']} | {cell['transactions']} | {cell['faults']} | {cell['safety']} | {cell['liveness']}"
    return f"| {fault} | {store} | {counts} | {cell['longest']:.1f} s |"


def read_arguments():
    parser = argparse.ArgumentParser(
        prog="script/faults",
        description="Runs the real server and real devices through a proxy that does what networks do, kills and stops "
        "them, and checks that nothing is lost, done twice or by half, and that all comes to rest "
        f"within {BOUND} s. Faults: {', '.join(CLASSES)}.",
    )
    parser.add_argument("--faults", action="append", choices=CLASSES, help="a class of faults; repeatable (all of them)")
    parser.add_argument("--database", action="append", choices=STORES, help="a database; repeatable (both)")
    parser.add_argument("--runs", type=int, default=10, help="runs of each class on each database (10)")
    parser.add_argument("--seconds", type=float, default=10, help="how long the faults of a run last (10)")
    parser.add_argument("--seed", type=int, help="one run of this seed, instead of the next ones")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no run after so many minutes")
    parser.add_argument("--ledger", help="the file that adds up what was run")
    return parser.parse_args()


async def attempt(programs, fault, store, seconds, seed):
    """One run. Returns it, and prints how it went; the folder of a run that failed is kept."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tideline-faults-"))
    run = Run(programs, fault, store, folder, seconds, seed)
    begun = time.monotonic()
    try:
        await run.play()
    except (RuntimeError, OSError) as error:
        run.liveness.append(f"V15 {error}")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    # What is seen again at each look is told once.
    failures = list(dict.fromkeys(run.safety + run.liveness))
    said = [
        f"{fault} {store.name} seed {seed}: begun after {run.begun_after:.1f} s, {run.transactions} transactions, "
        f"{run.acts} faults, at rest after {run.settled_after:.1f} s, {time.monotonic() - begun:.1f} s in all"
        + (f", {len(failures)} FAILURES" if failures else "")
    ]
    said += ["  " + text for text in failures[:20]]
    if failures:
        said.append(f"  kept: {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    print("\n".join(said), flush=True)
    return run


async def campaign(arguments, faults, stores, ledger):
    """Round by round, so that a campaign that ends early has seen everything; the databases side by side."""
    programs = os.environ["TIDELINE_BINARY"], os.environ["FAULT_DEVICE_BINARY"]
    last = time.monotonic() + arguments.minutes * 60
    failed = False
    # Who ends a campaign ends its processes too: each run ends its own when it is cancelled.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asyncio.current_task().cancel)
    for number in range(1, arguments.runs + 1) if arguments.seed is None else [arguments.seed]:
        for fault in faults:
            due = [s for s in stores if arguments.seed is not None or ledger.cell(fault, s.name)["runs"] < number]
            if time.monotonic() > last:
                return failed
            runs = await asyncio.gather(*(attempt(programs, fault, s, arguments.seconds, number) for s in due))
            for run in runs:
                ledger.add(run)
                failed = failed or bool(run.safety or run.liveness)
    return failed


def main():
    arguments = read_arguments()
    faults = arguments.faults or list(CLASSES)
    ledger = Ledger(arguments.ledger)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="tideline-faults-"))
    stores = [STORES[name](scratch) for name in arguments.database or STORES]
    try:
        failed = asyncio.run(campaign(arguments, faults, stores, ledger))
    except asyncio.CancelledError:
        return 128 + signal.SIGTERM
    finally:
        for store in stores:
            store.stop()
        shutil.rmtree(scratch, ignore_errors=True)
    print(ledger.table(faults, [store.name for store in stores]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
