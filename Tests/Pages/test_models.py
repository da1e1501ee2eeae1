# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The app's pure modules, each alone, run where they run: in Chromium."""

import pytest
from app import Browser
from server import Server

BASE = "/apps/sixbookmarks/model/"


@pytest.fixture(scope="module")
def run(chromium, tmp_path_factory):
    """Runs the body of a function that has the named modules by their names; one page serves all tests."""
    server = Server(tmp_path_factory.mktemp("models"))
    browser = Browser(chromium, server)
    page = browser.page()
    page.goto(server.app)

    def runner(modules, body, argument=None):
        imports = "".join(f"const {name} = await import('{BASE}{name}.js');" for name in modules.split())
        return page.evaluate(f"async (given) => {{ {imports} {STATE} {body} }}", argument)

    yield runner
    browser.finish()
    server.stop()


STATE = """
const row = (id, Name, Ordinal, Url = "https://x.example/") => ({ key: `b${id}`, id, etag: `W/"${id}"`, Name, Url, Ordinal });
const state = (...rows) => ({ rows, outbox: [], conflicts: [], meta: { lastOrder: 0, lastNumber: 0, client: null, deltaLink: null, received: 1, sent: 0 } });
const six = () => state(...[0, 1, 2, 3, 4, 5].map((place) => row(place + 1, `n${place}`, place)));
"""


# covers: SB-S10 SB-F152
@pytest.mark.parametrize(
    "typed, stored",
    [
        ("example.com", "https://example.com"),
        ("  http://example.com/a b", None),
        ("HTTP://example.com", "HTTP://example.com"),
        ("//example.com/x", "https://example.com/x"),
        ("localhost:8080/x", "https://localhost:8080/x"),
        ("example.com:99", "https://example.com:99"),
        ("javascript:alert(1)", None),
        ("java\nscript:alert(1)", None),
        ("mailto:ada@example.com", None),
        ("data:text/html,x", None),
        ("https://", None),
        ("http:// ", None),
        ("https:///path", None),
        ("https://ann@example.com:8080/x", "https://ann@example.com:8080/x"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("https://bücher.example/ä", "https://bücher.example/ä"),
        # A browser opens these as they are; the service takes no address without the two slashes.
        ("https:example.com", "https://example.com"),
        ("http:/example.com/x", "http://example.com/x"),
        ("HTTPS:\\\\example.com", "HTTPS://example.com"),
        ("", None),
    ],
)
def test_an_address_gets_a_scheme_or_is_refused(run, typed, stored):
    assert run("fields", "return fields.checkUrl(given).value ?? null;", typed) == stored


# covers: SB-F152
@pytest.mark.parametrize("typed", ["https://", "HTTP://", "http:// ", "//", "https:///path", "https://:443/", "https://ann@/", "https://ann:b@:80", "https://?q", "https://\\\\x"])
def test_an_address_without_a_host_is_told_what_is_missing(run, typed):
    problem = run("fields", "return fields.checkUrl(given).problem ?? null;", typed)
    assert problem == "The address has no host. After https:// comes the name of a site, like example.com."


# covers: SB-F125
def test_a_new_name_is_seen_whole(run):
    body = """return ["mary", "Märy 2", "", "a/b", "a\\u202eda", "a\\u200bda", "ma\\u0007ry", "n".repeat(65)].map(person.checkNewName);"""
    unseen = "The name has a character that cannot be seen. Leave it out."
    assert run("person", body) == [
        None, None, "Enter a name.", "The name has a slash. Leave it out.", unseen, unseen, unseen, "The name has 65 characters; 64 is the most.",
    ]


# covers: SB-F065
def test_lengths_count_characters_as_people_do(run):
    assert run("fields", "return ['👍'.repeat(128), '👍'.repeat(129)].map((text) => 'value' in fields.checkName(text));") == [True, False]


# covers: SB-F065
def test_what_the_service_can_store_in_no_text_is_told_in_the_form(run):
    body = """const texts = ["half \\ud83d smile", "half \\ude00", "nul \\u0000 here", "whole 😀"];
        return [texts.map((text) => fields.checkName(text).problem ?? null), texts.map((text) => fields.checkUrl(`x.example/${text.replaceAll(" ", "")}`).problem ?? null)];"""
    problem = " has a character that cannot be stored. Leave it out."
    assert run("fields", body) == [["The name" + problem] * 3 + [None], ["The address" + problem] * 3 + [None]]


# covers: SB-W30
def test_what_has_no_place_is_left_over_and_never_hidden(run):
    body = """
        const { places, others } = slots.arrange([row(1, "a", 0), row(2, "b", 0), row(3, "c", 9), row(4, "d", 5)]);
        return [places.map((each) => each?.Name ?? null), others.map((each) => each.Name)];"""
    assert run("slots", body) == [["a", None, None, None, None, "d"], ["b", "c"]]


def test_the_next_free_place_goes_round_the_end(run):
    body = """return [slots.nextFree(3, new Set([3, 4, 5])), slots.nextFree(0, new Set([0])), slots.nextFree(2, new Set([0, 1, 2, 3, 4, 5])),
        slots.nextFree(77, new Set()), slots.lowestFree(new Set([0, 2]))];"""
    assert run("slots", body) == [0, 1, None, 0, 1]


# covers: SB-F063
def test_a_write_that_changes_nothing_is_none(run):
    body = """const before = six();
        const after = outbox.commit(before, [{ op: "update", key: "b1", values: { Name: "n0" } }]);
        return after === before;"""
    assert run("outbox", body) is True


# covers: SB-W06
def test_what_was_made_and_deleted_here_leaves_the_outbox_but_not_when_it_was_sent(run):
    body = """let now = outbox.commit(state(), [{ op: "insert", key: "k", values: { Name: "a", Url: "u", Ordinal: 0 } }]);
        now = outbox.commit(now, [{ op: "update", key: "k", values: { Name: "b" } }]);
        now = outbox.commit(now, [{ op: "delete", key: "k" }]);
        const sent = now.outbox.map((each, place) => (place === 0 ? { ...each, frozen: { bytes: "x" } } : each));
        return [outbox.fold(now.outbox).length, outbox.fold(sent).length];"""
    assert run("outbox", body) == [0, 2]


# covers: SB-W25 SB-W35
def test_edits_of_one_bookmark_are_one_request_until_it_is_sent(run):
    body = """const edit = (now, values, key = "b1") => outbox.commit(now, [{ op: "update", key, values }]);
        const shape = (now) => now.outbox.map((each) => each.changes.map((change) => [change.op, change.values, change.base?.Name ?? null]));
        let now = six();
        for (let round = 0; round < 50; round += 1) now = edit(now, { Name: `r${round}` });
        now = edit(now, { Url: "https://y.example/" });
        const many = shape(now);
        const none = edit(edit(now, { Name: "n0" }), { Url: "https://x.example/" }).outbox.length;
        const frozen = edit({ ...now, outbox: now.outbox.map((each) => ({ ...each, frozen: { bytes: "x" } })) }, { Name: "later" });
        const met = edit({ ...now, outbox: now.outbox.map((each) => ({ ...each, meets: "conflict" })) }, { Name: "later" });
        const moved = edit(outbox.commit(now, [{ op: "update", key: "b1", values: { Ordinal: 7 } }]), { Name: "after" });
        const made = edit(outbox.commit(state(), [{ op: "insert", key: "k", values: { Name: "a", Url: "u", Ordinal: 0 } }]), { Name: "b" }, "k");
        return [many, none, shape(frozen).length, shape(met).length, shape(moved), shape(made)];"""
    edited = ["update", {"Name": "r49", "Url": "https://y.example/"}, "n0"]
    assert run("outbox", body) == [
        [[edited]], 0, 2, 2,
        [[edited], [["update", {"Ordinal": 7, "Name": "after"}, "r49"]]],
        [[["insert", {"Name": "b", "Url": "u", "Ordinal": 0}, None]]],
    ]


# covers: SB-W25
def test_a_batch_holds_what_needs_no_outcome_of_another(run):
    body = """let now = six();
        now = outbox.commit(now, [{ op: "update", key: "b1", values: { Name: "x" } }]);
        now = outbox.commit(now, [{ op: "update", key: "b2", values: { Name: "y" } }]);
        now = outbox.commit(now, [{ op: "update", key: "b1", values: { Ordinal: 7 } }]);
        now = outbox.commit(now, [{ op: "delete", key: "b6" }]);
        now = outbox.commit(now, [{ op: "insert", key: "k", values: { Name: "k", Url: "u", Ordinal: 5 } }]);
        return outbox.sendable(now).map((each) => each.order);"""
    assert run("outbox", body) == [1, 2, 4]


def test_the_identifier_of_a_request_holds_its_number(run):
    body = """return identifiers.requestID("00112233-4455-4677-8899-aabbccddeeff", 42);"""
    # As RequestIdentifier makes it: 0011223344554677 xor 8899aabbccddeeff, its first 48 bits.
    assert run("identifiers", body) == "88888888-8888-8000-8000-00000000002a"


# covers: SB-F101 SB-F104 SB-W24
def test_a_transaction_becomes_one_group_with_versions_and_an_identifier(run):
    body = """const now = outbox.commit(state(row(7, "a", 0)), [
            { op: "update", key: "b7", values: { Name: "b" } }, { op: "insert", key: "k", values: { Name: "n", Url: "u", Ordinal: 1 } }]);
        const frozen = groups.freeze(now.outbox[0], now.rows, { client: "00112233-4455-4677-8899-aabbccddeeff", number: 3, user: 1001, now: 0 });
        return JSON.parse(`[${frozen.bytes}]`);"""
    patch, post = run("outbox groups", body)
    assert (patch["method"], patch["url"], patch["body"]) == ("patch", "Bookmarks(7)", {"Name": "b"})
    assert patch["headers"]["if-match"] == 'W/"7"'
    assert patch["headers"]["repeatability-first-sent"] == "Thu, 01 Jan 1970 00:00:00 GMT"
    assert (post["method"], post["body"]) == ("post", {"UserId": 1001, "Name": "n", "Url": "u", "Ordinal": 1})
    assert patch["atomicityGroup"] == post["atomicityGroup"] == "t3"


# covers: SB-F144
def test_of_two_that_change_places_one_steps_aside_and_comes_back(run):
    body = """const swap = (now) => outbox.commit(now, conflicts.moveWrites(replay.replay(now.rows, now.outbox), "b1", 1));
        const steps = (now) => JSON.parse(`[${groups.freeze(swap(now).outbox[0], now.rows, { client: "0".repeat(32), number: 1, user: 1, now: 0 }).bytes}]`)
            .map((step) => [step.method, step.url, step.body?.Ordinal ?? null, step.headers["if-match"] ?? null]);
        return [steps(state(row(1, "a", 0), row(2, "b", 1))), steps(six())];"""
    room, full = run("outbox conflicts replay groups", body)
    assert room == [
        ["patch", "Bookmarks(1)", 2, 'W/"1"'],
        ["patch", "Bookmarks(2)", 0, 'W/"2"'],
        ["patch", "Bookmarks(1)", 1, "$1.0"],
    ]
    assert full == [
        ["patch", "Bookmarks(1)", 6, 'W/"1"'],
        ["patch", "Bookmarks(2)", 0, 'W/"2"'],
        ["patch", "Bookmarks(1)", 1, "$1.0"],
    ]


# covers: SB-W03 SB-F109
def test_the_merge_keeps_both_sides_where_they_fit_and_the_losing_value_where_not(run):
    body = """const now = outbox.commit(state(row(1, "a", 0, "https://old.example/")), [
            { op: "update", key: "b1", values: { Name: "mine", Url: "https://mine.example/", Ordinal: 3 } }]);
        const theirs = [row(1, "theirs", 0, "https://old.example/")];
        const merged = rebase.rebase(theirs, now.outbox, 0);
        return [merged.outbox[0].changes[0].values, merged.entries];"""
    values, entries = run("outbox rebase", body)
    assert values == {"Url": "https://mine.example/", "Ordinal": 3}
    assert [(entry["kind"], entry["property"], entry["mine"], entry["theirs"]) for entry in entries] == [("value", "Name", "mine", "theirs")]


# covers: SB-W06
def test_nothing_is_told_of_a_bookmark_that_was_made_and_deleted_here(run):
    body = """let now = outbox.commit(state(), [{ op: "insert", key: "k", values: { Name: "a", Url: "u", Ordinal: 0 } }]);
        now = outbox.commit(now, [{ op: "delete", key: "k" }]);
        const after = received.receiveAll(now, [{ BookmarkId: 9, Name: "theirs", Url: "u", Ordinal: 0 }], "link", 0);
        return [after.outbox.length, after.conflicts.length, after.rows.length];"""
    assert run("outbox received", body) == [0, 0, 1]


# covers: SB-W03
def test_the_same_change_on_both_sides_is_no_conflict(run):
    body = """const now = outbox.commit(six(), [{ op: "update", key: "b1", values: { Name: "same" } }]);
        const merged = rebase.rebase([{ ...now.rows[0], Name: "same" }, ...now.rows.slice(1)], now.outbox, 0);
        return [merged.outbox.length, merged.entries.length];"""
    assert run("outbox rebase", body) == [0, 0]


# covers: SB-W07 SB-W32
def test_no_two_bookmarks_end_at_one_place_whatever_meets(run):
    body = """let chance = given;
        const next = (below) => { chance = (chance * 1103515245 + 12345) % 2147483648; return Math.floor((chance / 2147483648) * below); };
        const failures = [];
        for (let round = 0; round < 300; round += 1) {
            let now = state(...[0, 1, 2, 3, 4, 5].filter(() => next(3) > 0).map((place) => row(place + 1, `n${place}`, place)));
            for (let step = 0; step < 5; step += 1) {
                const bookmarks = replay.replay(now.rows, now.outbox);
                const keys = [...bookmarks.keys()];
                const free = slots.lowestFree(new Set([...bookmarks.values()].map((each) => each.Ordinal)));
                const kind = next(4);
                if (kind === 0 && free !== null) now = outbox.commit(now, [{ op: "insert", key: `k${round} ${step}`, values: { Name: "k", Url: "u", Ordinal: free } }]);
                else if (keys.length === 0) continue;
                else if (kind === 1) now = outbox.commit(now, [{ op: "delete", key: keys[next(keys.length)] }]);
                else if (kind === 2) now = outbox.commit(now, conflicts.moveWrites(bookmarks, keys[next(keys.length)], next(6)));
                else now = outbox.commit(now, [{ op: "update", key: keys[next(keys.length)], values: { Name: `r${step}` } }]);
            }
            const places = [0, 1, 2, 3, 4, 5].sort(() => next(3) - 1);
            const theirs = [...now.rows.filter(() => next(4) > 0), row(90 + round, "new", 0)].slice(0, 6).map((each, at) => ({ ...each, Ordinal: places[at] }));
            const merged = rebase.rebase(theirs, now.outbox, 0);
            const seen = [...replay.replay(theirs, merged.outbox.filter((each) => !each.refused)).values()].map((each) => each.Ordinal);
            if (new Set(seen).size !== seen.length || seen.some((place) => !slots.isPlace(place))) failures.push([round, seen]);
        }
        return failures;"""
    for seed in (1, 2, 3):
        assert run("slots outbox conflicts replay rebase", body, seed) == [], f"seed {seed}"


# covers: SB-W14 SB-W15
def test_every_answer_of_a_service_has_its_verdict(run):
    body = """const transaction = { changes: [{ op: "update", key: "b1", values: { Name: "x" } }], frozen: { parts: [{ id: "1.0", key: "b1", op: "update" }] } };
        const kind = (status, code, changes = transaction.changes) => verdicts.readVerdicts(
            { responses: [{ id: "1.0", status, body: { error: { code, message: "m" } } }] }, [{ ...transaction, changes }])[0];
        const move = [{ op: "update", key: "b1", values: { Ordinal: 2 } }];
        return [kind(200), kind(412, "PreconditionFailed"), kind(404, "NotFound"), kind(409, "DuplicateValue"), kind(409, "DuplicateValue", move), kind(403, "Forbidden"),
            kind(403, "ClientOfOtherUser"), kind(412, "RepeatabilityMismatch"), kind(503), kind(401), kind(429), kind(501), kind(424, "FailedDependency"),
            verdicts.readVerdicts({}, [transaction])[0]].map((each) => each.kind + (each.how ? " " + each.how : ""));"""
    assert run("verdicts", body) == [
        "accepted", "meets conflict", "meets conflict", "refused", "meets place", "refused", "stranger", "again",
        "unknown", "unknown", "unknown", "refused", "again", "unknown",
    ]


# covers: SB-W16
def test_waits_grow_part_by_chance_and_have_an_end(run):
    body = """const { waitAfter } = await import("/apps/sixbookmarks/sync/schedule.js");
        return [waitAfter(1, null, 0), waitAfter(1, null, 1), waitAfter(4, null, 0.5), waitAfter(50, null, 1), waitAfter(1, 90, 0)];"""
    assert run("", body) == [1000, 2000, 12000, 300000, 90000]


def test_what_was_refused_and_is_written_again_is_one_write(run):
    body = """let now = outbox.commit(six(), [{ op: "update", key: "b1", values: { Name: "long" } }]);
        now = { ...now, outbox: now.outbox.map((each) => ({ ...each, refused: { code: "x", message: "y" } })) };
        now = outbox.commit(now, [{ op: "update", key: "b1", values: { Name: "short" } }]);
        return now.outbox.map((each) => [each.refused, each.changes[0].values, each.changes[0].base.Name]);"""
    assert run("outbox", body) == [[None, {"Name": "short"}, "n0"]]


@pytest.mark.parametrize("link", [None, "old"])
def test_what_a_tab_read_before_another_read_on_is_read_again_from_there(run, link):
    body = """const { synchronise } = await import("/apps/sixbookmarks/sync/engine.js");
        let now = state(row(1, "old", 0));
        now.meta.deltaLink = given;
        const newer = { ...now, rows: [row(1, "newer", 0), row(2, "more", 1)], meta: { ...now.meta, deltaLink: "newer" } };
        const database = {
            read: async () => now,
            change: async (make) => {
                const before = now;
                now = make(before);
                return { before, after: now };
            },
        };
        // The first answer comes when another tab has read on; the second one is of what that has.
        let asked = [];
        const service = {
            read: async (link) => {
                asked.push(link);
                if (asked.length > 1) return { value: [{ BookmarkId: 1, Name: "newest", Url: "", Ordinal: 0 }], "@deltaLink": "newest" };
                now = newer;
                return { value: [{ BookmarkId: 1, Name: "old", Url: "", Ordinal: 0 }], "@deltaLink": "late" };
            },
        };
        await synchronise(database, service, 1, "test", false);
        return { asked, link: now.meta.deltaLink, names: now.rows.map((each) => each.Name) };"""
    found = run("", body, link)
    assert found == {"asked": [link or "Bookmarks", "newer"], "link": "newest", "names": ["newest", "more"]}
