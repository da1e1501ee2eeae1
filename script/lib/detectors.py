# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What finds a seeded bug: runs of the simulator, and tests by the name of their suite."""

import contextlib
import json
import os
import re
import resource
import selectors
import shlex
import signal
import subprocess
import time

# The seeds that one process of the simulator is given.
SHARE = 10
# The processor's seconds that a seed and a suite may take, many times what they need: a bug may be a loop without end.
# Processor time, for a machine that is busy is no bug; the clock ends only what waits without end.
SEED_SECONDS = 20
SUITE_SECONDS = 600
WAITING_SECONDS = 3600
# How a run of tests names one that fails.
FAILED = re.compile(r'^\S+ Test (?:"(.+?)"|(\S+)) recorded an issue', re.MULTILINE)


def environment(number):
    """The environment of a run with one bug, or with none for 0; one order of sets and dictionaries in every run."""
    return {**os.environ, "TIDELINE_MUTANT": str(number), "SWIFT_DETERMINISTIC_HASHING": "1"}


def bounded(seconds):
    """What a process does before it begins, so that it is ended after so many seconds of the processor."""
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


class Simulator:
    def __init__(self, program):
        self.program = program

    def runs(self, number, first, count):
        """Runs seeds with one bug, and gives (seed, violation or None) for each as it ends.

        A process that crashes or does not end is a violation of the seed that it was at; the rest is run by another."""
        seed, end = first, first + count
        while seed < end:
            last = seed + min(SHARE, end - seed)
            process = subprocess.Popen(
                [self.program, "simulate", "--worker"], env=environment(number), stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
                preexec_fn=bounded(SEED_SECONDS * (last - seed)),
            )
            # A process that ends at once reads none.
            with contextlib.suppress(BrokenPipeError), process.stdin:
                process.stdin.write("".join(f"{each}\n" for each in range(seed, last)).encode())
            try:
                for line in lines(process, WAITING_SECONDS):
                    report = json.loads(line)
                    seed = report["seed"] + 1
                    yield report["seed"], (report["violations"] or [None])[0]
            except (TimeoutError, GeneratorExit) as end_of_run:
                process.kill()
                if isinstance(end_of_run, GeneratorExit):
                    raise
            finally:
                status = process.wait()
            if seed < last:
                ends = status not in (-signal.SIGKILL, -signal.SIGXCPU)
                yield seed, f"the process ended with status {status}" if ends else "the run does not end"
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

    def failure(self, number, suite):
        """What fails in a suite with a bug: the name of a test, or how the suite ends; `None` when all of it passes."""
        try:
            run = subprocess.run(
                [*self.command, suite], env=environment(number), timeout=WAITING_SECONDS,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=bounded(SUITE_SECONDS),
            )
        except subprocess.TimeoutExpired:
            return "does not end"
        if run.returncode == 0:
            return None
        failed = FAILED.search(run.stdout.decode(errors="replace"))
        return next(filter(None, failed.groups())) if failed else f"ends with status {run.returncode}"
