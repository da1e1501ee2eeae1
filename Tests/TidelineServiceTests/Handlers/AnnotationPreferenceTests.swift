// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// `Prefer: include-annotations`: Protocol 4.01, section 8.2.8.4.
struct AnnotationPreferenceTests {
    @Test func `metadata has the annotations that are asked for`() throws {
        let depot = try Depot()
        let whole = depot.get("$metadata")
        #expect(whole.text.contains("Capabilities.") && whole.text.contains("Core."))
        #expect(whole.fields[.preferenceApplied] == nil)
        for accept in ["application/xml", "application/json"] {
            func get(_ list: String) -> Depot.Reply {
                depot.get("$metadata", ["Prefer": "include-annotations=\"\(list)\"", "Accept": accept])
            }
            func terms(_ reply: Depot.Reply, _ vocabulary: String) -> Bool {
                reply.text.contains(accept == "application/xml" ? "Term=\"\(vocabulary)." : "\"@\(vocabulary).")
            }
            let none = get("-*")
            #expect(none.status == 200 && !terms(none, "Core") && !terms(none, "Capabilities"), "\(none.text)")
            #expect(none.fields[.preferenceApplied] == "include-annotations=\"-*\"")
            #expect(none.fields[.vary]?.contains("Prefer") == true)
            let core = get("Org.OData.Core.*")
            #expect(terms(core, "Core") && !terms(core, "Capabilities"))
            let rest = get("-Core.*")
            #expect(!terms(rest, "Core") && terms(rest, "Capabilities"))
            let all = get("*")
            #expect(terms(all, "Core") && terms(all, "Capabilities"))
            // Each is a document of its own.
            let etag = try #require(none.fields[.eTag])
            #expect(etag != all.fields[.eTag])
            let fields = ["Prefer": "include-annotations=\"-*\"", "Accept": accept, "If-None-Match": etag]
            #expect(depot.get("$metadata", fields).status == 304)
        }
        // What is left is still a model.
        let bare = depot.get("$metadata", ["Prefer": "include-annotations=\"-*\""])
        #expect(try CSDLXML.read(bare.bytes).sets.count == CSDLXML.read(whole.bytes).sets.count)
    }

    @Test func `instance annotations that are not asked for are left out, control information is not theirs`() throws {
        let depot = try Depot()
        try depot.sql(
            ##"UPDATE Items SET Bag = '{"Weight":5,"Weight@Measures.Unit":"kg","@display.subject#Tablet":"s","##
                + ##""Size":{"@Core.Description":"d","W":1}}' WHERE Id = 1"##
        )
        func bag(_ prefer: String) -> [String] {
            let reply = depot.get("Items(1)", ["Prefer": prefer])
            #expect(reply.tree["@etag"] != nil && reply.tree["@context"] != nil)
            let inner = reply.tree["Size"]?.members.map { "Size/" + $0.0 } ?? []
            let wanted = ["Weight", "Weight@Measures.Unit", "@display.subject#Tablet"]
            return wanted.filter { reply.tree[$0] != nil } + inner
        }
        let all = ["Weight", "Weight@Measures.Unit", "@display.subject#Tablet", "Size/@Core.Description", "Size/W"]
        #expect(bag("") == all)
        #expect(bag("include-annotations=\"*\"") == all)
        #expect(bag("include-annotations=\"-*\"") == ["Weight", "Size/W"])
        #expect(bag("include-annotations=\"display.*\"") == ["Weight", "@display.subject#Tablet", "Size/W"])
        #expect(bag("include-annotations=\"display.*#Phone\"") == ["Weight", "Size/W"])
        #expect(
            bag("include-annotations=\"*,-Core.Description\"")
                == ["Weight", "Weight@Measures.Unit", "@display.subject#Tablet", "Size/W"]
        )
    }
}
