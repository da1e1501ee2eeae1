# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""Each check of a run finds what it is there for, and finds nothing in rows that are in order."""

import asyncio
import random
import unittest

import checks
from proxy import Link

GOOD = {
    "Boats": [["1", "origin.0.1", None], ["2", "d1.1.2", "d1.2.1"]],
    "Trips": [["1", "2", "d1.1.1"]],
    "Events": [["1", "d1.1.0"], ["2", "d1.3.0"], ["3", "d1.2.0"], ["4", "d1.6.0"]],
    "Echoes": [["1", "d1.1.0"], ["2", "d1.2.0"], ["3", "d1.3.0"], ["4", "d1.6.0"]],
}
BEGUN = {"origin": {0}, "d1": {1, 2, 3, 6}}


def changed(name, rows):
    return GOOD | {name: rows}


class ChecksTests(unittest.TestCase):
    def test_rows_in_order_pass(self):
        found = checks.halves("x", GOOD) + checks.phantoms("x", GOOD, BEGUN) + checks.doubled(GOOD)
        found += checks.missing(GOOD, {"d1": BEGUN["d1"]}) + checks.disorder(GOOD) + checks.moved(GOOD, GOOD)
        self.assertEqual(found + checks.differences("x", GOOD, GOOD), [])

    def test_half_a_transaction_is_found(self):
        self.assertEqual(checks.halves("x", changed("Echoes", GOOD["Echoes"][1:])), ["V5 x has half of the transaction d1.1.0"])

    def test_a_value_that_nobody_wrote_is_found(self):
        rows = changed("Boats", [["1", "d1.7.1", None], ["2", "d1.1", None]])
        found = ["V2 x has d1.7.1 in Boats, which nobody wrote", "V2 x has d1.1 in Boats, which nobody wrote"]
        self.assertEqual(checks.phantoms("x", rows, BEGUN), found)

    def test_a_transaction_that_was_done_twice_is_found(self):
        rows = GOOD | {name: GOOD[name] + [["9", "d1.1.0"]] for name in ("Events", "Echoes")}
        self.assertEqual(checks.doubled(rows), ["V3 d1.1.0 was done 2 times"])

    def test_a_half_of_a_transaction_that_was_done_twice_is_found(self):
        rows = changed("Echoes", GOOD["Echoes"] + [["9", "d1.1.0"]])
        self.assertEqual(checks.doubled(rows), ["V3 d1.1.0 was done 2 times"])

    def test_a_transaction_that_was_undone_and_done_again_is_found(self):
        rows = changed("Events", [["9", "d1.1.0"], *GOOD["Events"][1:-1]])
        self.assertEqual(checks.moved(GOOD, rows), ["V3 d1.1.0 was done again", "V3 d1.6.0 was there, and is gone"])

    def test_a_transaction_that_was_lost_is_found(self):
        found = ["V3 the transaction d1.4 was committed, and is not on the server"]
        self.assertEqual(checks.missing(GOOD, {"d1": {1, 4}}), found)

    def test_a_transaction_that_took_effect_too_late_is_found(self):
        rows = changed("Events", [["1", "d1.6.0"], ["2", "d1.3.0"]])
        self.assertEqual(checks.disorder(rows), ["V4 d1.3 took effect after d1.6"])

    def test_a_device_that_differs_is_found(self):
        found = checks.differences("x", changed("Trips", [["1", "2", "d1.2.1"]]), GOOD)
        self.assertEqual([text[:8] for text in found], ["V7 x has", "V7 the s"])


class ProxyTests(unittest.TestCase):
    def talk(self, **faults):
        """What comes back for a request, and how often the server saw it; `None` for a connection that was reset."""

        async def talk():
            seen = []

            async def serve(reader, writer):
                seen.append(await reader.read(100))
                writer.write(b"answer")
                await writer.drain()

            server = await asyncio.start_server(serve, "127.0.0.1", 0)
            link = Link(server.sockets[0].getsockname()[1], random.Random(1))
            await link.open()
            for name, value in faults.items():
                setattr(link, name, value)
            reader, writer = await asyncio.open_connection("127.0.0.1", link.port)
            try:
                writer.write(b"POST it")
                answer = await reader.readexactly(6)
            except (ConnectionError, asyncio.IncompleteReadError):
                answer = None
            while link.replay and len(seen) < 2:
                await asyncio.sleep(0.01)
            writer.close()
            await link.close()
            server.close()
            return answer, seen, link.acts > 0

        return asyncio.run(asyncio.wait_for(talk(), 30))

    def test_without_faults_bytes_pass(self):
        self.assertEqual(self.talk()[:2], (b"answer", [b"POST it"]))

    def test_an_answer_is_lost_after_the_request_was_passed_on(self):
        self.assertEqual(self.talk(cut=1.0), (None, [b"POST it"], True))

    def test_a_request_comes_a_second_time(self):
        self.assertEqual(self.talk(replay=1.0), (b"answer", [b"POST it", b"POST it"], True))

    def test_a_connection_is_refused(self):
        self.assertEqual(self.talk(refuses=True)[:2], (None, []))

    def test_late_bytes_are_whole(self):
        self.assertEqual(self.talk(delay=0.01, piece=2)[0], b"answer")


if __name__ == "__main__":
    unittest.main()
