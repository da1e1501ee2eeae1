# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The eight classes of faults. Each does harm until `Run.rest` ends it."""


async def disconnect(run, chance):
    """Connections are reset in the middle of whatever they carry; for a moment none is accepted."""
    while True:
        await run.rest(chance.uniform(0.1, 0.8))
        hit = [link for link in run.links if chance.random() < 0.5]
        for link in hit:
            link.refuses = chance.random() < 0.3
            link.reset()
        await run.rest(chance.uniform(0, 0.5))
        for link in hit:
            link.refuses = False


async def partition(run, chance):
    """Some devices and the server hear nothing of each other, and are not told; then bytes flow on, or are lost."""
    while True:
        hit = [link for link in run.links if chance.random() < 0.6]
        for link in hit:
            link.hold()
        await run.rest(chance.uniform(0.5, 3))
        for link in hit:
            if chance.random() < 0.5:
                link.reset()
            link.flows.set()
        await run.rest(chance.uniform(0.2, 1))


async def server_kill(run, chance):
    """The server is killed with SIGKILL, and started again."""
    while True:
        await run.rest(chance.uniform(0.2, 1.5))
        await run.server.kill()
        await run.rest(chance.uniform(0, 0.7))
        await run.server.start()


async def device_kill(run, chance):
    """Devices are killed with SIGKILL, in a write or in a sync, and started again."""
    while True:
        await run.rest(chance.uniform(0.1, 0.7))
        device = chance.choice(run.devices)
        await device.kill()
        await run.rest(chance.uniform(0, 0.4))
        await device.start()


async def server_pause(run, chance):
    """The server stops (SIGSTOP), keeps every lock and connection, and goes on."""
    while True:
        await run.rest(chance.uniform(0.2, 1.5))
        run.server.pause()
        await run.rest(chance.uniform(0.3, 3))
        run.server.go_on()


async def device_pause(run, chance):
    """Devices stop, as apps do that are put aside, and go on."""
    while True:
        hit = [device for device in run.devices if chance.random() < 0.5]
        for device in hit:
            device.pause()
        await run.rest(chance.uniform(0.3, 3))
        for device in hit:
            device.go_on()
        await run.rest(chance.uniform(0.1, 1))


async def lost_answers(run, chance):
    """The server does what it is asked to, and its answer is lost, or ends in the middle."""
    for link in run.links:
        link.cut = 0.4
    await run.rest(float("inf"))


async def delay(run, chance):
    """Bytes come late and in small pieces, and requests that were answered come a second time."""
    for link in run.links:
        link.delay, link.piece, link.replay = chance.uniform(0.02, 0.4), chance.choice([300, 2000, 1 << 16]), 0.5
    await run.rest(float("inf"))


CLASSES = {
    "disconnect": disconnect,
    "partition": partition,
    "server-kill": server_kill,
    "device-kill": device_kill,
    "server-pause": server_pause,
    "device-pause": device_pause,
    "lost-answers": lost_answers,
    "delay": delay,
}
