# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The same names and the same limits wherever Six Bookmarks runs: the service says them, the apps have them."""

import json
import pathlib
import re
import urllib.request

import version

SWIFT = pathlib.Path("Examples/SixBookmarks/Sources/SixBookmarks")


def properties(service):
    """What the service says of a bookmark: the names of its properties, and the length of each text."""
    request = urllib.request.Request(
        service.server.address + "/odata/sixbookmarks/$metadata?$format=application/json",
        headers={"Authorization": f"Bearer {service.token}"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        document = json.loads(answer.read())
    schema = document[document["$EntityContainer"].rsplit(".", 1)[0]]
    container = schema[document["$EntityContainer"].rsplit(".", 1)[1]]
    entity = schema[container["Bookmarks"]["$Type"].rsplit(".", 1)[1]]
    found = {name: item.get("$MaxLength") for name, item in entity.items() if not name.startswith(("$", "@")) and item.get("$Kind") != "NavigationProperty"}
    return entity["$Key"], found


# covers: SB-F162 SB-F055
def test_service_browser_and_swift_have_the_same_bookmark(server, service):
    key, found = properties(service)
    assert key == ["BookmarkId"]
    assert found == {"BookmarkId": None, "UserId": None, "Name": 128, "Url": 256, "Ordinal": None}
    swift = (SWIFT / "Bookmark.swift").read_text(encoding="utf-8")
    assert '@Entity("Bookmarks")' in swift
    names = re.findall(r"public var (\w+):", swift)
    assert [name[0].upper() + name[1:] for name in names] == list(found)
    lengths = re.findall(r"@MaxLength\((\d+)\) public var (\w+)", swift)
    assert {name[0].upper() + name[1:]: int(length) for length, name in lengths} == {"Name": 128, "Url": 256}
    fields = (version.APP / "model" / "fields.js").read_text(encoding="utf-8")
    assert re.findall(r"export const (\w+)_LENGTH = (\d+);", fields) == [("NAME", "128"), ("URL", "256")]
    script = "\n".join((version.APP / path).read_text(encoding="utf-8") for path in version.paths() if path.endswith(".js"))
    for name in found:
        assert re.search(rf"\b{name}\b", script), name


# covers: SB-F162
def test_the_models_of_the_swift_app_name_no_platform_but_where_the_system_is_asked():
    # What is below them is of the terminal, or of a system; the rest is what an app with windows shares.
    for folder in ("SixBookmarks", "SixBookmarksModels"):
        for path in (SWIFT.parent / folder).rglob("*.swift"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"^\s*(public |package )?import (Glibc|Darwin|UIKit|AppKit|SwiftUI|SixBookmarksTerminal)\b", text, re.M), path
