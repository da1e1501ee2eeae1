// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// `Prefer: allow-entityreferences`: Protocol 4.01, section 8.2.8.1.
struct EntityReferenceTests {
    private static let allowed = ["Prefer": "allow-entityreferences"]

    @Test(
        arguments: [
            // Label 1 is that of items 1 and 2.
            (
                "Items?$select=Id&$expand=Labels($select=Text)&$top=2",
                ##"{"value":[{"Id":1,"Labels":[{"Id":1,"Text":"red"}]},{"@type":"#Art.Bike","Id":2,"##
                    + ##""Labels":[{"@id":"Labels(1)"},{"Id":2,"Text":"fast"}]}]}"##
            ),
            // Item 1 is told with its name, so that what asks for less finds it there.
            (
                "Items?$select=Name&$expand=Parent($select=Id)&$top=2",
                ##"{"value":[{"Id":1,"Name":"Root","Parent":null},{"@type":"#Art.Bike","Id":2,"Name":"Bike","##
                    + ##""Parent":{"@id":"Items(1)"}}]}"##
            ),
            // What asks for more does not.
            (
                "Items?$select=Id&$expand=Parent($select=Name)&$top=2",
                ##"{"value":[{"Id":1,"Parent":null},{"@type":"#Art.Bike","Id":2,"Parent":{"Id":1,"Name":"Root"}}]}"##
            ),
            // Nor does what has other entities inside.
            (
                "Items?$select=Name&$expand=Parent($select=Id;$expand=Labels($select=Id))&$top=2",
                ##"{"value":[{"Id":1,"Name":"Root","Parent":null},{"@type":"#Art.Bike","Id":2,"Name":"Bike","##
                    + ##""Parent":{"Id":1,"Labels":[{"Id":1}]}}]}"##
            ),
        ]
    )
    func `an entity that is there already, with all that is asked for, is a reference`(
        path: String,
        body: String
    ) throws {
        let gallery = try Gallery()
        #expect(gallery.data(path, Self.allowed) == body)
        #expect(gallery.get(path, Self.allowed).fields[.preferenceApplied] == "allow-entityreferences")
        #expect(!gallery.data(path).contains("\"@id\""))
    }

    @Test func `what stands inside a reference's entity is not told again`() throws {
        let gallery = try Gallery()
        let path = "Labels?$select=Id&$expand=Items($select=Id;$expand=Parts($select=Title))"
        // Labels have no way back here: the other direction, parts inside a parent that two children share.
        #expect(gallery.get(path).status == 400)
        let shared = "ItemLabels?$select=LabelId&$expand=Item($select=Id;$expand=Parts($select=Title))"
        #expect(
            gallery.data(shared, Self.allowed)
                == ##"{"value":[{"ItemId":1,"LabelId":1,"Item":{"Id":1,"Parts":[{"ItemId":1,"No":1,"Title":"wheel"},"##
                + ##"{"ItemId":1,"No":2,"Title":"frame"}]}},{"ItemId":2,"LabelId":1,"Item":{"@type":"#Art.Bike","Id":2,"##
                + ##""Parts":[{"ItemId":2,"No":1,"Title":"bell"}]}},{"ItemId":2,"LabelId":2,"Item":{"@id":"Items(2)"}}]}"##
        )
    }

    @Test func `without control information nothing is referred to`() throws {
        let gallery = try Gallery()
        let reply = gallery.get(
            "Items?$select=Id&$expand=Labels($select=Id)",
            ["Prefer": "allow-entityreferences", "Accept": "application/json;metadata=none"]
        )
        #expect(
            reply.text
                == ##"{"value":[{"Id":1,"Labels":[{"Id":1}]},{"Id":2,"Labels":[{"Id":1},{"Id":2}]},{"Id":3,"Labels":[]}]}"##
        )
        #expect(reply.fields[.preferenceApplied] == nil)
    }

    @Test func `requests of a batch take it over from the batch`() throws {
        let depot = try Depot()
        let reply = depot.send(
            .post,
            "$batch",
            ##"{"requests":[{"id":"1","method":"get","url":"Items?$select=Id&$expand=Labels($select=Id)"},"##
                + ##"{"id":"2","method":"get","url":"Items?$select=Id&$expand=Labels($select=Id)"}]}"##,
            [
                "Prefer": "allow-entityreferences, include-annotations=\"-*\"",
                "Accept": "application/json;metadata=minimal",
            ]
        )
        let answers = reply.tree["responses"]?.items ?? []
        #expect(answers.count == 2)
        for answer in answers {
            // Each answer is one for itself: nothing refers to the one before.
            #expect(answer["body"]?["value"]?.items[0]["Labels"]?.items[0]["Id"]?.scalar == "1")
            #expect(answer["body"]?["value"]?.items[1]["Labels"]?.items[0]["@id"]?.text == "Labels(1)")
            #expect(
                answer["headers"]?["preference-applied"]?.text
                    == "allow-entityreferences, include-annotations=\"-*\""
            )
        }
        #expect(reply.fields[.preferenceApplied] == nil)
    }

    @Test func `a delta holds its entities whole`() throws {
        let depot = try Depot()
        let first = depot.get("Items?$expand=Labels", ["Prefer": "track-changes, allow-entityreferences"])
        #expect(first.fields[.preferenceApplied] == "track-changes, allow-entityreferences")
        #expect(first.text.contains(##"{"@id":"Labels(1)"}"##), "\(first.text)")
        let link = try #require(first.tree["@deltaLink"]?.text)
        #expect(depot.send(.patch, "Labels(1)", ##"{"Text":"blue"}"##).status == 204)
        let delta = depot.get(link, ["Prefer": "allow-entityreferences"])
        #expect(!delta.text.contains("\"@id\""), "\(delta.text)")
        #expect(delta.fields[.preferenceApplied] == nil)
    }
}
