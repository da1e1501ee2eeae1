# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The modules that renew a sign-in, each alone, run where they run: in Chromium."""

import pytest

# Pages of Fishing in one: each has a sign-in and counts what it sends.
PAGES = """
const { RenewalElection } = await load("fishing/net/renewal-election.js");
const { generations } = await load("fishing/net/tabs.js");
const signIn = (token, generation) => ({ user: 1, refresh_token: token, family: "f", generation });
function open(id, session) {
    const page = { session, sent: [] };
    const election = new RenewalElection(id, () => page.session, (newer) => (page.session = newer));
    page.renew = (work) => {
        const started = page.session;
        return election.renew(started, async () => {
            page.sent.push(started.refresh_token);
            const renewed = RenewalElection.next(started, await work());
            page.session = renewed;
            return renewed;
        });
    };
    return page;
}
"""

LATE = """
// The page with R3 sleeps.
generations.note(signIn("R3", 2));
const [first, second] = [open("1", signIn("R1", 0)), open("2", signIn("R2", 1))];
await first.renew(async () => ({ refresh_token: "X" }));
return [first.session, first.sent, second.session.refresh_token, second.sent];
"""

OVERTAKEN = """
const late = open("1", signIn("R1", 0));
let copy = null;
await late.renew(async () => {
    // It sleeps here, and its copy uses R1 again: R2 is used up by that.
    copy = open("2", signIn("R3", 1));
    generations.note(copy.session);
    return { refresh_token: "R2" };
});
const own = late.session;
await late.renew(async () => ({ refresh_token: "X" }));
return [own, late.session, late.sent, copy.session.refresh_token];
"""

TOGETHER = """
const pages = [open("1", signIn("R1", 0)), open("2", signIn("R1", 0))];
await Promise.all(pages.map((page) => page.renew(async () => ({ refresh_token: "R2" }))));
return pages.map(({ session, sent }) => [session, sent]);
"""

# Six Bookmarks, whose sign-in a copy renewed while the answer was on its way.
SLEPT = """
const { Service } = await load("sixbookmarks/net/service.js");
let session = { refresh: "R1", access: "a1", expires: 0, family: "f", generation: 0 };
const sent = [];
const answer = { refresh_token: "R2", access_token: "a2", expires_in: 900 };
globalThis.fetch = async (path, options) => {
    sent.push([path, options.headers.Authorization ?? options.body]);
    if (!path.endsWith("/token")) return new Response("{}");
    session = { refresh: "R3", access: "a3", expires: Date.now() + 900_000, family: given.family, generation: 1 };
    return new Response(JSON.stringify(answer));
};
const service = new Service({ of: () => session, catchUp: async () => {}, isLate: () => false }, "u");
await service.read("Bookmarks");
return [sent, session.refresh];
"""

# A tab of Six Bookmarks that slept over its answer, while a copy renewed the sign-in, which sleeps itself or is gone.
SLEPT_HERE = """
const { Session } = await load("sixbookmarks/data/session.js");
const { generations } = await load("sixbookmarks/net/tabs.js");
const stored = () => JSON.parse(sessionStorage.getItem("sixbookmarks.session"));
const first = { user: "u", refresh: "R1", access: "a1", expires: 0, family: "f", generation: 0 };
sessionStorage.setItem("sixbookmarks.session", JSON.stringify(first));
generations.note({ ...first, generation: 1 });
const session = new Session();
await session.renew("u", { refresh_token: "R2", access_token: "a2", expires_in: 900 }, 0);
const own = stored();
if (given === "asleep") navigator.locks.request("sixbookmarks-copies f 1 other", () => new Promise(() => {}));
// No wait is as long as it says.
const waits = [];
const later = globalThis.setTimeout;
globalThis.setTimeout = (work, milliseconds) => (waits.push(milliseconds), later(work, 10));
await session.catchUp("u");
await session.catchUp("u");
globalThis.setTimeout = later;
return [own, waits, session.isLate("u")];
"""
# It wakes, and answers what it is asked next.
WOKEN = SLEPT_HERE.replace("return", """
const copies = new BroadcastChannel("sixbookmarks-copies");
copies.onmessage = () => copies.postMessage({ session: { ...first, refresh: "R3", generation: 1 } });
await session.catchUp("u");
while (stored().refresh !== "R3") await new Promise((resolve) => later(resolve));
copies.close();
return""")

# A tab that is late sends the token it has, once, and no refresh token.
LEFT = """
const { Service } = await load("sixbookmarks/net/service.js");
const session = { refresh: "R1", access: "a1", expires: 0, family: "f", generation: 0 };
const sent = [];
let asked = 0;
globalThis.fetch = async (path, options) => {
    sent.push([path, options.headers.Authorization ?? options.body]);
    if (given === 0) throw new TypeError("Failed to fetch");
    return new Response("{}", { status: given });
};
const service = new Service({ of: () => session, catchUp: async () => (asked += 1), isLate: () => true }, "u");
const kind = await service.read("Bookmarks").then(() => "read", (error) => error.kind);
return [kind, sent, asked];
"""


@pytest.fixture
def run(browser, server):
    """Runs the body of a function that has `load` and `given`."""
    page = browser.page()
    page.goto(server.address + "/apps/fishing/")

    def runner(body, given=None):
        return page.evaluate(f"async (given) => {{ const load = (path) => import('/apps/' + path); {body} }}", given)

    return runner


def test_pages_that_ask_at_once_send_the_token_once(run):
    renewed = {"user": 1, "refresh_token": "R2", "family": "f", "generation": 1}
    assert run(PAGES + TOGETHER) == [[renewed, ["R1"]], [renewed, []]]


def test_a_late_page_is_given_no_sign_in_that_has_served(run):
    assert run(PAGES + LATE) == [None, [], "R2", []]


def test_a_page_that_slept_over_its_answer_asks_the_copy_that_went_on(run):
    own, then, sent, copy = run(PAGES + OVERTAKEN)
    assert own == {"user": 1, "refresh_token": "R2", "family": "f", "generation": 0}
    assert then == {"user": 1, "refresh_token": "R3", "family": "f", "generation": 1}
    assert (sent, copy) == (["R1"], "R3")


RENEWED = ["/auth/sixbookmarks/token", '{"grant_type":"refresh_token","refresh_token":"R1"}']
READ = "/odata/sixbookmarks/Bookmarks"


@pytest.mark.parametrize(
    "family, ended",
    [("f", []), ("g", [["/auth/sixbookmarks/revoke", '{"refresh_token":"R2"}']])],
    ids=["a copy", "another sign-in"],
)
def test_tokens_that_nobody_keeps_are_ended_where_no_copy_has_later_ones(run, family, ended):
    assert run(SLEPT, {"family": family}) == [[RENEWED, *ended, [READ, "Bearer a3"]], "R3"]


@pytest.mark.parametrize("copy, waited", [("asleep", [5000, 100]), ("gone", [])])
def test_a_tab_that_slept_over_its_answer_is_the_late_one_and_waits_once_for_who_is_there(run, copy, waited):
    own, waits, is_late = run(SLEPT_HERE, copy)
    assert own == {"user": "u", "refresh": "R2", "access": "a2", "expires": 900_000, "family": "f", "generation": 0}
    assert (waits, is_late) == (waited, True)


def test_a_tab_that_slept_over_its_answer_is_told_when_its_copy_wakes(run):
    assert run(WOKEN, "asleep")[1:] == [[5000, 100], False]


@pytest.mark.parametrize("status, kind", [(200, "read"), (401, "signed-out"), (0, "offline")])
def test_a_late_tab_leaves_it_to_the_service_whether_its_sign_in_has_ended(run, status, kind):
    assert run(LEFT, status) == [kind, [[READ, "Bearer a1"]], 1]
