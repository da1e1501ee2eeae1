# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""What must hold, as functions from what was seen to sentences about what is wrong. Names are those of docs/proof.md."""

import re
from collections import Counter

TEXT = re.compile(r"(\w+)\.(\d+)\.(\d+)")
# Where texts stand in the rows of a set.
TEXTS = {"Boats": (1, 2), "Trips": (2,), "Events": (1,), "Echoes": (1,)}


def names(rows, name):
    """The marks of a set."""
    return [row[1] for row in rows[name]]


def halves(node, rows):
    """V5: the two marks of a transaction are there together."""
    odd = set(names(rows, "Events")) ^ set(names(rows, "Echoes"))
    return [f"V5 {node} has half of the transaction {mark}" for mark in sorted(odd)]


def phantoms(node, rows, begun):
    """V2: every text was written by a transaction that was begun."""
    found = []
    for name, places in TEXTS.items():
        for row in rows[name]:
            for text in (row[place] for place in places if row[place] is not None):
                match = TEXT.fullmatch(text)
                if not match or int(match[2]) not in begun.get(match[1], ()):
                    found.append(f"V2 {node} has {text} in {name}, which nobody wrote")
    return found


def doubled(rows):
    """V3: no mark stands twice on the server."""
    counts = Counter(names(rows, "Events")) | Counter(names(rows, "Echoes"))
    return [f"V3 {mark} was done {count} times" for mark, count in sorted(counts.items()) if count > 1]


def missing(rows, committed):
    """V3 and V1: each transaction that was acknowledged on a device or by the database is there."""
    there = set(names(rows, "Events"))
    return [
        f"V3 the transaction {author}.{number} was committed, and is not on the server"
        for author, numbers in sorted(committed.items())
        for number in sorted(numbers)
        if f"{author}.{number}.0" not in there
    ]


def disorder(rows):
    """V4: the transactions of a device take effect in their order: the server made the keys of their marks so.

    Looked at are those that only insert, each third one: what met a conflict is rebased and sent anew, behind others.
    """
    found, newest = [], {}
    for _, mark in sorted(rows["Events"], key=lambda row: int(row[0])):
        author, number, _ = mark.split(".")
        if int(number) % 3 == 0:
            if int(number) < newest.get(author, 0):
                found.append(f"V4 {author}.{number} took effect after {author}.{newest[author]}")
            newest[author] = max(newest.get(author, 0), int(number))
    return found


def moved(before, rows):
    """V3 and V11: a mark keeps its key: what was there under another one was undone and done again."""
    found = []
    keys = {mark: key for key, mark in before["Events"]}
    for key, mark in rows["Events"]:
        if keys.pop(mark, key) != key:
            found.append(f"V3 {mark} was done again")
    return found + [f"V3 {mark} was there, and is gone" for mark in sorted(keys)]


def differences(node, rows, server):
    """V7: the rows of a device are those of the server."""
    found = []
    for name in TEXTS:
        mine, theirs = {tuple(row) for row in rows[name]}, {tuple(row) for row in server[name]}
        for row in sorted(mine - theirs, key=str):
            found.append(f"V7 {node} has {row} in {name}, the server has not")
        for row in sorted(theirs - mine, key=str):
            found.append(f"V7 the server has {row} in {name}, {node} has not")
    return found
