// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// Every preference of Protocol 4.01, section 8.2.8: what is followed is named, and nothing else is.
struct PreferenceTests {
    /// A request, its preferences, the status, what is named as followed, and whether there is a body.
    struct Case: Sendable, CustomTestStringConvertible {
        var method: HTTPRequest.Method
        var path: String
        var body: String
        var prefer: String
        var status: Int
        var applied: String?
        var hasBody: Bool

        init(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ body: String,
            _ prefer: String,
            _ status: Int,
            _ applied: String?,
            hasBody: Bool
        ) {
            self.method = method
            self.path = path
            self.body = body
            self.prefer = prefer
            self.status = status
            self.applied = applied
            self.hasBody = hasBody
        }

        var testDescription: String { "\(method.rawValue) \(path) \(prefer)" }
    }

    private static let label = ##"{"Id":9,"Text":"t"}"##
    private static let text = ##"{"Text":"t"}"##

    static let cases: [Case] = [
        Case(.post, "Labels", label, "", 201, nil, hasBody: true),
        Case(.post, "Labels", label, "return=minimal", 204, "return=minimal", hasBody: false),
        Case(.post, "Labels", label, "return=representation", 201, "return=representation", hasBody: true),
        Case(.patch, "Labels(1)", text, "", 204, nil, hasBody: false),
        Case(.patch, "Labels(1)", text, "return=minimal", 204, "return=minimal", hasBody: false),
        Case(.patch, "Labels(1)", text, "return=representation", 200, "return=representation", hasBody: true),
        Case(.put, "Labels(1)", text, "return=representation", 200, "return=representation", hasBody: true),
        Case(.put, "Labels(77)", text, "return=minimal", 204, "return=minimal", hasBody: false),
        Case(.put, "Labels(77)", text, "return=representation", 201, "return=representation", hasBody: true),
        Case(.delete, "Facts(1)", "", "return=representation", 204, nil, hasBody: false),
        // The first of two counts, and what is malformed counts as not there: RFC 7240, section 2.
        Case(
            .patch,
            "Labels(1)",
            text,
            "return=representation, return=minimal",
            200,
            "return=representation",
            hasBody: true
        ),
        Case(.patch, "Labels(1)", text, "return=everything, return=minimal", 204, "return=minimal", hasBody: false),
        Case(.patch, "Labels(1)", text, "RETURN=Representation", 200, "return=representation", hasBody: true),
        Case(.get, "Items", "", "maxpagesize=1", 200, "maxpagesize=1", hasBody: true),
        Case(.get, "Items", "", "odata.maxpagesize=2", 200, "odata.maxpagesize=2", hasBody: true),
        Case(.get, "Items", "", "maxpagesize=0", 200, nil, hasBody: true),
        // More than the service gives is not what it gives.
        Case(.get, "Items", "", "maxpagesize=1000000", 200, nil, hasBody: true),
        Case(.get, "Items(1)", "", "maxpagesize=1", 200, nil, hasBody: true),
        Case(.get, "Labels", "", "track-changes", 200, "track-changes", hasBody: true),
        Case(.get, "Labels?$top=1", "", "track-changes", 200, nil, hasBody: true),
        Case(.get, "Items(2)", "", "omit-values=nulls", 200, "omit-values=nulls", hasBody: true),
        Case(.get, "Items(2)", "", "omit-values=defaults", 200, "omit-values=defaults", hasBody: true),
        Case(.get, "Items(2)", "", "omit-values=\"nulls\"", 200, "omit-values=nulls", hasBody: true),
        Case(.get, "Items(2)", "", "omit-values=nothing", 200, nil, hasBody: true),
        // After a change nothing is left out, for it may be what was changed.
        Case(
            .patch,
            "Labels(1)",
            text,
            "omit-values=nulls, return=representation",
            200,
            "return=representation",
            hasBody: true
        ),
        Case(.post, "Labels", label, "omit-values=nulls", 201, "omit-values=nulls", hasBody: true),
        Case(
            .post,
            "Labels",
            label,
            "return=representation, omit-values=defaults",
            201,
            "return=representation, omit-values=defaults",
            hasBody: true
        ),
        Case(.post, "Labels", label, "return=minimal, omit-values=nulls", 204, "return=minimal", hasBody: false),
        Case(
            .get,
            "Items",
            "",
            "omit-values=nulls,maxpagesize=2",
            200,
            "maxpagesize=2, omit-values=nulls",
            hasBody: true
        ),
        Case(.get, "Items", "", "include-annotations=\"*\"", 200, "include-annotations=\"*\"", hasBody: true),
        Case(
            .get,
            "Items",
            "",
            "odata.include-annotations=\"-*\", maxpagesize=2",
            200,
            "maxpagesize=2, odata.include-annotations=\"-*\"",
            hasBody: true
        ),
        // The name without odata. counts, wherever it stands.
        Case(
            .get,
            "Items",
            "",
            "odata.include-annotations=\"-*\", include-annotations=\"display.*#Tablet,-Core.Description\"",
            200,
            "include-annotations=\"display.*#Tablet,-Core.Description\"",
            hasBody: true
        ),
        Case(.get, "Items", "", "include-annotations=\"display.\"", 200, nil, hasBody: true),
        Case(.get, "Items", "", "include-annotations=*", 200, "include-annotations=\"*\"", hasBody: true),
        Case(.get, "Items?$expand=Parent", "", "allow-entityreferences", 200, "allow-entityreferences", hasBody: true),
        Case(
            .get,
            "Items?$expand=Parent",
            "",
            "odata.allow-entityreferences",
            200,
            "odata.allow-entityreferences",
            hasBody: true
        ),
        // Nothing stands in the answer twice.
        Case(.get, "Items", "", "allow-entityreferences", 200, nil, hasBody: true),
        Case(.get, "Items", "", "odata.maxpagesize=1, maxpagesize=2", 200, "maxpagesize=2", hasBody: true),
        // May be left aside by every service, and are by this one: nothing claims otherwise.
        Case(.get, "Items", "", "continue-on-error", 200, nil, hasBody: true),
        Case(.get, "Items", "", "handling=strict", 200, nil, hasBody: true),
        Case(.get, "Items", "", "handling=lenient", 200, nil, hasBody: true),
        Case(.get, "Items", "", "respond-async, wait=10", 200, nil, hasBody: true),
        Case(.get, "Items", "", "wait=1", 200, nil, hasBody: true),
        Case(.get, "Items", "", "callback; url=\"http://127.0.0.1:1/\"", 200, nil, hasBody: true),
        Case(.get, "Items", "", "unheard-of=1", 200, nil, hasBody: true),
    ]

    @Test(.covers("OD-1.1.14", "OD-1.4.4", "OD-1.1.28"), arguments: cases)
    func `what is followed is named, and nothing else`(request: Case) throws {
        let depot = try Depot()
        let reply = depot.send(request.method, request.path, request.body, ["Prefer": request.prefer])
        #expect(reply.status == request.status, "\(reply.text)")
        #expect(reply.fields[.preferenceApplied] == request.applied)
        #expect(reply.bytes.isEmpty != request.hasBody)
        if request.method == .post || request.path == "Labels(77)" {
            let key = request.method == .post ? 9 : 77
            #expect(reply.fields[.location] == "/odata/art/Labels(\(key))")
            #expect(reply.fields[.odataEntityId] == (request.hasBody ? nil : "/odata/art/Labels(\(key))"))
        }
        if reply.status == 200 || reply.status == 201 { #expect(reply.fields[.vary]?.contains("Prefer") == true) }
    }

    @Test func `nulls that are left out come back for who does not ask`() throws {
        let depot = try Depot()
        let short = depot.get("Facts(2)", ["Prefer": "omit-values=nulls"])
        #expect(short.tree.members.map(\.0) == ["@context", "@etag", "Id"])
        #expect(depot.get("Facts(2)").tree.members.count == 2 + 17)
        // What was changed is told even so: a null in a delta is a value.
        let start = depot.get("Facts", ["Prefer": "track-changes"])
        let link = try #require(start.tree["@deltaLink"]?.text)
        #expect(depot.send(.patch, "Facts(1)", ##"{"Note":null}"##).status == 204)
        let delta = depot.get(link, ["Prefer": "omit-values=nulls"])
        #expect(delta.tree["value"]?.items.first.map { $0["Note"] != nil } == true, "\(delta.text)")
    }

    @Test(.covers("OD-1.3.11", "OD-1.6.7"))
    func `a batch goes on after an error, or ends there, as is asked`() throws {
        let body =
            ##"{"requests":[{"id":"1","method":"get","url":"Labels(99)"},{"id":"2","method":"get","url":"Labels(1)"}]}"##
        for (prefer, applied, second) in [
            ("", nil, "200"), ("continue-on-error", "continue-on-error=true", "200"),
            ("continue-on-error=true", "continue-on-error=true", "200"),
            ("odata.continue-on-error", "odata.continue-on-error=true", "200"),
            ("continue-on-error=false", "continue-on-error=false", "424"),
        ] as [(String, String?, String)] {
            let reply = try Depot().send(.post, "$batch", body, ["Prefer": prefer])
            #expect(reply.fields[.preferenceApplied] == applied, "\(prefer)")
            let statuses = reply.tree["responses"]?.items.compactMap { $0["status"]?.scalar }
            #expect(statuses?.first == "404")
            #expect(
                statuses?.last == second || prefer.hasSuffix("false") && statuses?.last != "200",
                "\(prefer) \(reply.text)"
            )
        }
        // A page size is of no meaning for a batch, and reaches no request of it.
        let reply = try Depot().send(
            .post,
            "$batch",
            ##"{"requests":[{"id":"1","method":"get","url":"Items"}]}"##,
            ["Prefer": "maxpagesize=1"]
        )
        #expect(reply.tree["responses"]?.items.first?["body"]?["value"]?.items.count == 3)
    }
}
