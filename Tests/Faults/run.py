# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""One run: a published database, a server, devices behind a proxy, a direct SQL writer; faults; rest; checks."""

import asyncio
import contextlib
import random
import time

import checks
from databases import REFUSALS
from faults import CLASSES
from processes import PATIENCE, Device, Server, tool
from proxy import Link

DEVICES = 5
# Transactions a second: of each device, and of the direct writer.
RATE, DIRECT_RATE = 4, 3
# The longest wait of a device (Tests/FaultDevice), three times of which must be enough: V15.
LONGEST_WAIT = 8
BOUND = 3 * LONGEST_WAIT


class Healed(Exception):
    """The time of faults is over."""


class Run:
    """One run of a class of faults on a database."""

    def __init__(self, programs, fault, store, folder, seconds, seed):
        self.tideline, self.device_program = programs
        self.fault, self.store, self.folder, self.seconds, self.seed = fault, store, folder, seconds, seed
        self.chance = random.Random(f"{fault} {store.name} {seed}")
        self.links, self.devices, self.server = [], [], None
        self.is_healed = False
        self.direct_begun, self.direct_committed = {0}, set()
        self.safety, self.liveness, self.transactions, self.acts = [], [], 0, 0
        # How long it took to set all up, and to come to rest after the faults, in seconds.
        self.begun_after = self.settled_after = 0.0

    async def rest(self, seconds):
        """Waits as a fault does between two of its acts; raises `Healed` when their time is over.

        On a machine that is busy with other things it is not over before something was done.
        """
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until:
            if now >= self.end and (self.count_acts() or now >= self.end + PATIENCE):
                raise Healed
            await asyncio.sleep(min(0.1, until - now))

    def count_acts(self):
        return sum(part.acts for part in [*self.links, *self.devices, self.server])

    async def play(self):
        """The whole run. What failed is in `safety` and `liveness` afterwards."""
        try:
            began = time.monotonic()
            await self.begin()
            self.begun_after = time.monotonic() - began
            others = [asyncio.ensure_future(self.write_directly()), asyncio.ensure_future(self.watch())]
            self.end = time.monotonic() + self.seconds
            with contextlib.suppress(Healed):
                await CLASSES[self.fault](self, random.Random(f"{self.fault} {self.seed}"))
            self.acts = self.count_acts()
            await self.heal()
            await asyncio.gather(*others)
            await self.settle()
        finally:
            await self.finish()

    async def begin(self):
        """Publishes a new database, serves it, and clones it to the devices."""
        self.database = await asyncio.to_thread(self.store.make, self.folder)
        data, home = self.folder / "data", self.folder
        options = ["--domain", "boats", "--data", data, "--open"]
        await tool(self.tideline, "publish", self.database.address, *options, home=home)
        self.server = Server(self.tideline, data, home, self.folder / "server.log")
        await self.server.start()
        for number in range(1, DEVICES + 1):
            link = Link(self.server.port, self.chance)
            await link.open()
            self.links.append(link)
            self.devices.append(Device(self.device_program, f"d{number}", self.folder, RATE, self.seed * 100 + number))
        await asyncio.gather(*(self.clone(link, device) for link, device in zip(self.links, self.devices)))
        await asyncio.gather(*(device.start() for device in self.devices))

    async def clone(self, link, device):
        service = f"http://127.0.0.1:{link.port}/odata/boats/"
        await tool(self.tideline, "clone", service, device.file, home=self.folder / f"{device.name}.home")

    async def write_directly(self):
        """Another program that writes to the database, past the server; on PostgreSQL it sometimes commits late."""
        chance = random.Random(f"direct {self.seed}")
        number = 0
        while not self.is_healed:
            number += 1
            self.direct_begun.add(number)
            statements = direct_statements(number, chance) + (self.database.late if number % 4 == 0 else "")
            with contextlib.suppress(*REFUSALS):
                await asyncio.to_thread(self.database.write, statements)
                self.direct_committed.add(number)
            await asyncio.sleep(1 / DIRECT_RATE)

    async def watch(self):
        """Another program that reads the database: it never sees a part of a transaction, nor one that is undone."""
        before = {"Events": []}
        while not self.is_healed:
            rows = await asyncio.to_thread(self.database.rows, ("Events", "Echoes"))
            self.safety += checks.halves("the database", rows) + checks.doubled(rows) + checks.moved(before, rows)
            before = rows
            await asyncio.sleep(0.5)

    async def heal(self):
        """Ends all faults. Devices write nothing more, and sync by themselves."""
        self.is_healed = True
        for link in self.links:
            link.heal()
        self.server.go_on()
        await self.server.start()
        for device in self.devices:
            device.go_on()
            await device.start()
            device.quiet()

    async def settle(self):
        """Waits until the devices have what the server has; then checks everything."""
        healed = time.monotonic()
        while True:
            server = await asyncio.to_thread(self.database.rows)
            devices = [await device.rows() for device in self.devices]
            open_points = self.unsettled(server, devices)
            self.settled_after = time.monotonic() - healed
            if not open_points or self.settled_after > BOUND:
                break
            await asyncio.sleep(0.3)
        # Who waits for nothing and has other rows than the server will never have them: that is worse than late.
        waits = any(rows is None or rows["pending"] or rows.get("failure") for rows in devices)
        (self.liveness if waits else self.safety).extend(open_points)
        self.check(server, devices)

    def unsettled(self, server, devices):
        """What keeps the run from being at rest."""
        found = []
        for device, rows in zip(self.devices, devices):
            if rows is None:
                continue
            if rows["pending"]:
                found.append(f"V15 {device.name}: {rows['pending']} transactions wait ({rows.get('failure')})")
            found += checks.differences(device.name, rows["sets"], server)
        return found

    def check(self, server, devices):
        """Everything that must hold when all is at rest."""
        begun, committed = {"origin": {0}, "direct": self.direct_begun}, {"direct": self.direct_committed}
        for device in self.devices:
            begun[device.name], committed[device.name], violations = device.records()
            self.safety += violations
            self.liveness += device.failures
        self.liveness += self.server.failures
        if not self.acts:
            self.liveness.append("nothing was done to anybody: the run is too short")
        self.transactions = sum(map(len, committed.values()))
        nodes = {"the server": server}
        for device, rows in zip(self.devices, devices):
            if rows is not None:
                nodes[device.name] = rows["sets"]
                if rows["quarantined"]:
                    self.safety.append(f"V4 {device.name}: {rows['quarantined']} transactions in quarantine")
        for node, rows in nodes.items():
            self.safety += checks.halves(node, rows) + checks.phantoms(node, rows, begun)
        self.safety += checks.doubled(server) + checks.missing(server, committed) + checks.disorder(server)

    async def finish(self):
        """Ends every process and connection of the run."""
        self.is_healed = True
        for program in [*self.devices, self.server]:
            if program:
                await program.kill()
        for link in self.links:
            await link.close()


def direct_statements(number, chance):
    """One transaction of SQL: both marks, and some changes."""
    some = '(SELECT "Id" FROM "{0}" ORDER BY random() LIMIT 1)'
    boat, trip = some.format("Boats"), some.format("Trips")
    mark = f"direct.{number}.0"
    statements = [f"""INSERT INTO "Events" ("Name") VALUES ('{mark}')"""]
    for place in range(1, chance.randint(1, 3) + 1):
        text = f"direct.{number}.{place}"
        statements.append(
            chance.choice(
                [
                    f"""UPDATE "Boats" SET "Motto" = '{text}' WHERE "Id" = {boat}""",
                    f"""UPDATE "Trips" SET "Name" = '{text}' WHERE "Id" = {trip}""",
                    f"""INSERT INTO "Trips" ("BoatId", "Name") SELECT "Id", '{text}' FROM "Boats" WHERE "Id" = {boat}""",
                    f"""DELETE FROM "Trips" WHERE "Id" = {trip}""",
                ]
            )
        )
    statements.append(f"""INSERT INTO "Echoes" ("Name") VALUES ('{mark}')""")
    return "".join(statement + ";" for statement in statements)
