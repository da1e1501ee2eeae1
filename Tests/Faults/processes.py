# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The processes of a run: the server, the devices. Each is ended by its own process id."""

import asyncio
import contextlib
import json
import os
import signal
import socket

# No start and no command of the tool takes longer on a machine that does anything else at all.
PATIENCE = 180


def free_port():
    """A port of loopback that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


async def tool(binary, *arguments, home):
    """Runs a command of the tool to its end; raises RuntimeError when it fails or does not end."""
    process = await asyncio.create_subprocess_exec(
        binary,
        *map(str, arguments),
        env=environment(home),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
    except asyncio.TimeoutError:
        process.kill()
        await process.wait()
        raise RuntimeError(f"tideline {arguments[0]} did not end within {PATIENCE} s") from None
    if process.returncode != 0:
        raise RuntimeError(f"tideline {arguments[0]} failed: {output.decode()}")


def environment(home):
    """What a process of a run gets to know: a home folder of its own."""
    return {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "PATH": os.environ["PATH"]}


class Program:
    """A process that is killed, stopped and started again."""

    def __init__(self, command, home, log):
        self.command, self.home, self.log = [str(word) for word in command], home, log
        self.process = None
        # What ended by itself, and should not have.
        self.failures = []
        # How often it was killed or stopped.
        self.acts = 0

    async def launch(self, **pipes):
        with open(self.log, "ab") as log:
            pipes = {"stdout": log, "stdin": asyncio.subprocess.DEVNULL} | pipes
            self.process = await asyncio.create_subprocess_exec(
                *self.command, env=environment(self.home), stderr=log, limit=1 << 26, **pipes
            )

    def note_end(self):
        """Notes that the process has ended, though nobody ended it."""
        if self.process and self.process.returncode is not None:
            self.failures.append(f"{self.name} ended by itself with status {self.process.returncode}")
            self.process = None

    def send(self, number):
        if self.process and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(number)

    def pause(self):
        self.acts += 1
        self.send(signal.SIGSTOP)

    def go_on(self):
        self.send(signal.SIGCONT)

    async def kill(self):
        """Ends the process with SIGKILL, stopped or not."""
        if not self.process:
            return
        if self.process.returncode is not None:
            self.note_end()
            return
        self.acts += 1
        self.send(signal.SIGKILL)
        await self.process.wait()
        self.process = None


class Server(Program):
    """`tideline serve`, always on the same port."""

    name = "the server"

    def __init__(self, binary, data, home, log):
        self.port = free_port()
        command = [binary, "serve", "--data", data, "--host", "127.0.0.1", "--port", self.port, "--log-level", "notice"]
        super().__init__(command, home, log)

    async def start(self):
        """Starts it and waits until it answers."""
        self.note_end()
        if self.process:
            return
        await self.launch()
        for _ in range(PATIENCE * 20):
            if self.process.returncode is not None:
                break
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                return
            await asyncio.sleep(0.05)
        raise RuntimeError("the server does not start")


class Device(Program):
    """An app on a device: its store, its history, and its own way to the server."""

    def __init__(self, binary, name, folder, rate, seed):
        self.name = name
        self.file, self.history = folder / f"{name}.store", folder / f"{name}.history"
        self.is_quiet = False
        command = [binary, self.file, self.history, name, rate, seed]
        home = folder / f"{name}.home"
        home.mkdir()
        super().__init__(command, home, folder / f"{name}.log")

    async def start(self):
        """Starts it, or starts it again."""
        self.note_end()
        if not self.process:
            await self.launch(stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
        if self.is_quiet:
            self.tell("quiet")

    def tell(self, line):
        with contextlib.suppress(OSError):
            self.process.stdin.write(line.encode() + b"\n")

    def quiet(self):
        """From now on the device writes nothing, but syncs."""
        self.is_quiet = True
        if self.process:
            self.tell("quiet")

    async def rows(self):
        """What the device has: rows by set, how many transactions wait, how many are in quarantine."""
        self.note_end()
        if not self.process:
            return None
        self.tell("rows")
        try:
            line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)
        except asyncio.TimeoutError:
            self.failures.append(f"{self.name} does not answer")
            await self.kill()
            return None
        if not line:
            await self.process.wait()
            self.note_end()
            return None
        return json.loads(line)

    def records(self):
        """The history: the numbers of the transactions that were begun, of those that were committed, violations."""
        begun, committed, violations = set(), set(), []
        for line in self.history.read_text().splitlines() if self.history.exists() else []:
            word, rest = line.split(" ", 1)
            if word == "violation":
                violations.append(rest)
            else:
                (begun if word == "begin" else committed).add(int(rest))
        return begun, committed, violations
