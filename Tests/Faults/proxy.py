# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""A TCP proxy that stands between a device and the server, and does to their connections what networks do."""

import asyncio
import contextlib
import socket

PIECE = 1 << 16


class Link:
    """The way of one device to the server. Its faults are attributes, which may change at any time."""

    def __init__(self, port, chance):
        self.server = port
        self.chance = chance
        self.connections = set()
        # How often it did harm: connections reset, answers cut, requests sent again.
        self.acts = 0
        self.heal()

    def heal(self):
        """Takes every fault away; what was held back flows on."""
        self.refuses = False
        # Bytes wait while this is cleared.
        flows = getattr(self, "flows", None) or asyncio.Event()
        flows.set()
        self.flows = flows
        # How likely an answer is cut before or after its first bytes, and a request comes a second time.
        self.cut = 0.0
        self.replay = 0.0
        # The longest time that a piece is kept, in seconds, and the bytes of a piece.
        self.delay = 0.0
        self.piece = PIECE

    async def open(self):
        """Listens on a free port of loopback, which is `self.port` from then on."""
        self.listener = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = self.listener.sockets[0].getsockname()[1]

    def hold(self):
        """From now on bytes wait, and nobody is told."""
        self.flows.clear()
        self.acts += 1

    async def close(self):
        """Ends all connections and listens no more."""
        self.listener.close()
        self.reset()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.listener.wait_closed(), 2)

    def reset(self):
        """Ends all connections at once, on both sides."""
        for connection in list(self.connections):
            connection.reset()
            self.acts += 1

    async def accept(self, reader, writer):
        """Serves a connection of the device."""
        if self.refuses:
            abort(writer)
            return
        try:
            upstream = await asyncio.open_connection("127.0.0.1", self.server)
        except OSError:
            abort(writer)
            return
        connection = Connection(self, (reader, writer), upstream)
        self.connections.add(connection)
        # The end of the run ends it too.
        with contextlib.suppress(asyncio.CancelledError):
            await connection.run()
        self.connections.discard(connection)


class Connection:
    """One connection: two pumps that end together."""

    def __init__(self, link, device, server):
        self.link = link
        self.device, self.server = device, server
        # What the device has sent since the last answer began: the bytes of one request.
        self.request = bytearray()
        self.is_answering = True

    def reset(self):
        """Ends both sides with RST: what is under way is lost."""
        abort(self.device[1])
        abort(self.server[1])

    async def run(self):
        """Carries bytes until one side ends."""
        pumps = [asyncio.ensure_future(self.pump_up()), asyncio.ensure_future(self.pump_down())]
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        self.reset()

    async def pump_up(self):
        while data := await self.read(self.device[0]):
            if self.is_answering:
                self.request.clear()
                self.is_answering = False
            self.request += data
            await self.carry(data, self.server[1])

    async def pump_down(self):
        while data := await self.read(self.server[0]):
            chance = self.link.chance
            if not self.is_answering:
                self.is_answering = True
                if self.request.startswith(b"POST") and chance.random() < self.link.replay:
                    self.link.acts += 1
                    # At once, before anything else of the device comes, or late.
                    asyncio.ensure_future(self.send_again(bytes(self.request), chance.choice([0, chance.random()])))
                if chance.random() < self.link.cut:
                    self.link.acts += 1
                    if chance.random() < 0.5:
                        await self.carry(data[: chance.randrange(len(data))], self.device[1])
                        await asyncio.sleep(0.01)
                    return
            await self.carry(data, self.device[1])

    async def read(self, reader):
        with contextlib.suppress(OSError):
            return await reader.read(self.link.piece)
        return b""

    async def carry(self, data, writer):
        """Writes bytes when the link lets them through; the order stays."""
        if self.link.delay:
            await asyncio.sleep(self.link.chance.random() * self.link.delay)
        await self.link.flows.wait()
        with contextlib.suppress(OSError):
            writer.write(data)
            await writer.drain()

    async def send_again(self, request, seconds):
        """Sends a request that was answered once more, as a proxy may; nobody reads the answer."""
        await asyncio.sleep(seconds)
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.link.server)
            writer.write(request)
            await asyncio.wait_for(reader.read(PIECE), 1)
            abort(writer)


def abort(writer):
    """Ends a connection with RST."""
    with contextlib.suppress(OSError, RuntimeError):
        raw = writer.get_extra_info("socket")
        if raw is not None and raw.fileno() >= 0:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        writer.transport.abort()
