# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What finds a seeded bug: runs of the simulator, and tests by the name of their suite."""

import json
import os
import selectors
import shlex
import subprocess
import time

# The seeds that one process of the simulator is given, and the seconds that one may take.
SHARE = 10
SEED_SECONDS = 300
TEST_SECONDS = 900


def environment(number):
    """The environment of a run with one bug, or with none for 0; one order of sets and dictionaries in every run."""
    return {**os.environ, "TIDELINE_MUTANT": str(number), "SWIFT_DETERMINISTIC_HASHING": "1"}


class Simulator:
    def __init__(self, program):
        self.program = program

    def runs(self, number, first, count):
        """Runs seeds with one bug, and gives (seed, violation or None) for each as it ends.

        A process that crashes or does not end is a violation of the seed that it was at; the rest is run by another."""
        seed, end = first, first + count
        while seed < end:
            command = [self.program, "simulate", "--worker", "--seed", str(seed), "--seeds", str(min(SHARE, end - seed))]
            process = subprocess.Popen(
                command, env=environment(number), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
            )
            last = seed + min(SHARE, end - seed)
            try:
                for line in lines(process, SEED_SECONDS):
                    report = json.loads(line)
                    seed = report["seed"] + 1
                    yield report["seed"], (report["violations"] or [None])[0]
            except TimeoutError:
                process.kill()
            finally:
                if process.poll() is None and seed < last:
                    process.kill()
                status = process.wait()
            if seed < last:
                yield seed, "it does not end" if status == -9 else f"the process ended with status {status}"
                seed += 1


def lines(process, seconds):
    """The lines that a process writes; TimeoutError when one takes longer than so many seconds."""
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        end = time.monotonic() + seconds
        while True:
            if not selector.select(max(0, end - time.monotonic())):
                raise TimeoutError
            piece = process.stdout.read(1 << 16)
            if not piece:
                return
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                yield line
                end = time.monotonic() + seconds


class Tests:
    def __init__(self, command):
        self.command = shlex.split(command)

    def finds(self, number, suite):
        """Whether a suite fails with a bug, or does not end."""
        try:
            run = subprocess.run(
                [*self.command, suite], env=environment(number), timeout=TEST_SECONDS,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return True
        return run.returncode != 0
