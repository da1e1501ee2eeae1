// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// What must hold between answers, whatever the data: each set of the depot is read in many ways that must agree.
struct SemanticsTests {
    private static let sets = ["Items", "Labels", "ItemLabels", "Facts", "Pictures"]

    private func rows(_ depot: Depot, _ path: String) -> [JSONTree] { depot.get(path).tree["value"]?.items ?? [] }

    /// A tree without control information and annotations, as text.
    private func bare(_ tree: JSONTree) -> String { String(decoding: Self.stripped(tree).bytes, as: UTF8.self) }

    private static func stripped(_ tree: JSONTree) -> JSONTree {
        switch tree {
        case .list(let items): .list(items.map(stripped))
        case .object(let members):
            .object(members.filter { !$0.0.contains("@") }.map { ($0.0, stripped($0.1)) })
        default: tree
        }
    }

    private func ids(_ depot: Depot, _ path: String) -> [String] {
        rows(depot, path).compactMap { $0["@id"]?.text }
    }

    @Test(.covers("OD-1.1.11"), arguments: sets)
    func `a set, its references, its counts and its entities tell the same`(set: String) throws {
        let depot = try Depot()
        let whole = rows(depot, set)
        #expect(!whole.isEmpty)
        let ids = ids(depot, "\(set)/$ref")
        #expect(ids.count == whole.count)
        #expect(depot.get("\(set)/$count").text == "\(whole.count)")
        #expect(depot.get("\(set)?$count=true&$top=0").tree["@count"]?.scalar == "\(whole.count)")
        for (row, id) in zip(whole, ids) {
            let single = depot.get(id)
            #expect(bare(single.tree) == bare(row), "\(id)")
            #expect(single.fields[.eTag] == row["@etag"]?.text, "\(id)")
            let head = depot.send(.head, id)
            #expect(head.status == 200 && head.text.isEmpty)
            #expect(head.fields[.eTag] == single.fields[.eTag])
            #expect(head.fields[.contentLength] == "\(single.bytes.count)")
            // A member by itself is what it is in the row.
            for (name, value) in Self.stripped(row).members where !Depot.isDynamic(name, set) {
                let isDerived = Depot.model[set: set]?.type.properties.contains {
                    $0.names.wire == name && $0.declaringType != nil
                }
                let id = isDerived == true ? "\(id)/Art.Bike" : id
                let property = depot.get("\(id)/\(name)")
                switch value {
                case .null: #expect(property.status == 204 && property.text.isEmpty, "\(id)/\(name)")
                case .object where property.tree["type"] == nil && property.tree["value"] == nil:
                    #expect(bare(property.tree) == bare(value), "\(id)/\(name)")
                default:
                    #expect(property.tree["value"].map(bare) == bare(value), "\(id)/\(name) \(property.text)")
                }
                let isPrimitive = Depot.model[set: set]?.type.properties.contains {
                    $0.names.wire == name && $0.container == nil && $0.structure == nil && !$0.type.isSpatial
                }
                guard isPrimitive == true, set != "Facts" || name == "Note" else { continue }
                let raw = depot.get("\(id)/\(name)/$value")
                if case .null = value { #expect(raw.status == 204) } else { #expect(raw.text == value.scalar) }
            }
        }
    }

    @Test(.covers("OD-1.1.11"), arguments: sets)
    func `windows, pages and orders are those of the whole`(set: String) throws {
        let depot = try Depot()
        let whole = rows(depot, set).map(bare)
        for skip in 0...whole.count {
            for top in 0...whole.count {
                let window = rows(depot, "\(set)?$skip=\(skip)&$top=\(top)").map(bare)
                #expect(window == Array(whole.dropFirst(skip).prefix(top)), "\(skip) \(top)")
            }
        }
        var paged: [String] = []
        var next: String? = set
        while let link = next {
            let reply = depot.get(link, ["Prefer": "maxpagesize=1"])
            paged += (reply.tree["value"]?.items ?? []).map(bare)
            next = reply.tree["@nextLink"]?.text
        }
        #expect(paged == whole)
        let type = try #require(Depot.model[set: set]?.type)
        let key = type.key.map { type.properties[$0].names.wire }
        let up = rows(depot, "\(set)?$orderby=\(key.joined(separator: ","))").map(bare)
        let down = rows(depot, "\(set)?$orderby=\(key.map { "\($0) desc" }.joined(separator: ","))").map(bare)
        #expect(up == down.reversed())
        #expect(up.sorted() == whole.sorted())
    }

    @Test(.covers("OD-1.1.11"), arguments: sets)
    func `a filter and its opposite share the whole, and a selection changes no value`(set: String) throws {
        let depot = try Depot()
        let whole = rows(depot, set)
        let type = try #require(Depot.model[set: set]?.type)
        for row in whole {
            let filter = type.key.map { place -> String in
                let name = type.properties[place].names.wire
                return "\(name) eq \(row[name]?.scalar ?? "null")"
            }
            let text = filter.joined(separator: " and ")
            #expect(rows(depot, "\(set)?$filter=\(text)").map(bare) == [bare(row)])
            #expect(depot.get("\(set)/$count?$filter=not (\(text))").text == "\(whole.count - 1)")
        }
        for property in type.properties
        where property.container == nil && property.stream == nil && property.structure != .dynamic
            && property.declaringType == nil
        {
            let name = property.names.wire
            let selected = rows(depot, "\(set)?$select=\(name)").map { $0[name].map(bare) ?? "-" }
            #expect(selected == whole.map { $0[name].map(bare) ?? "-" }, "\(name)")
            guard property.structure == nil, !property.type.isSpatial else { continue }
            let absent = whole.count { if case .null? = $0[name] { true } else { false } }
            #expect(depot.get("\(set)/$count?$filter=\(name) eq null").text == "\(absent)", "\(name)")
            #expect(depot.get("\(set)/$count?$filter=\(name) ne null").text == "\(whole.count - absent)", "\(name)")
        }
    }

    @Test(.covers("OD-1.1.11"))
    func `an expansion is what its navigation property leads to`() throws {
        let depot = try Depot()
        for set in Self.sets {
            let type = try #require(Depot.model[set: set]?.type)
            for navigation in type.navigationProperties.map(\.names.wire) {
                let expanded = rows(depot, "\(set)?$expand=\(navigation)")
                for (row, id) in zip(expanded, ids(depot, "\(set)/$ref")) {
                    let reply = depot.get("\(id)/\(navigation)")
                    switch row[navigation] {
                    case .list(let items)?: #expect((reply.tree["value"]?.items ?? []).map(bare) == items.map(bare))
                    case .object?: #expect(bare(reply.tree) == row[navigation].map(bare), "\(id)/\(navigation)")
                    default: #expect(reply.status == 204, "\(id)/\(navigation)")
                    }
                    guard case .list(let items)? = row[navigation] else { continue }
                    #expect(depot.get("\(id)/\(navigation)/$count").text == "\(items.count)")
                    #expect(rows(depot, "\(id)/\(navigation)/$ref").count == items.count)
                }
            }
        }
    }

    @Test(.covers("OD-1.1.11"))
    func `what OPTIONS does not name is refused with what it names`() throws {
        let depot = try Depot()
        let methods: [HTTPRequest.Method] = [.get, .head, .post, .patch, .put, .delete]
        for path in [
            "", "$metadata", "$batch", "Items", "Items(1)", "Items(1)/Name", "Items/$count", "Items(1)/Name/$value",
        ] {
            let allow = depot.send(.options, path).fields[.allow] ?? ""
            let allowed = Set(allow.split(separator: ",").map { $0.filter { $0 != " " } })
            #expect(!allowed.isEmpty, "\(path)")
            for method in methods where !allowed.contains(method.rawValue) {
                let reply = depot.send(method, path)
                #expect(reply.status == 405, "\(method.rawValue) \(path)")
                #expect(reply.fields[.allow] != nil, "\(method.rawValue) \(path)")
            }
        }
    }

    // MARK: No more than the standard is needed

    private static let standardFields: Set = [
        "content-type", "content-length", "odata-version", "etag", "vary", "location", "odata-entityid", "allow",
        "preference-applied",
    ]

    @Test(.covers("OD-1.1.9"))
    func `a client that knows no header, no annotation and no preference reads everything`() throws {
        let depot = try Depot()
        for request in JSONFormatTests.requests {
            let plain = depot.get(request.path, ["OData-MaxVersion": ""])
            #expect(plain.status == 200, "\(request.path)")
            for field in plain.fields {
                #expect(Self.standardFields.contains(field.name.canonicalName), "\(request.path) \(field.name)")
            }
            // The data is the same whatever is said about it: nothing is hidden in annotations.
            for level in ["none", "minimal", "full"] {
                let other = depot.get(request.path, ["Accept": "application/json;metadata=\(level)"])
                #expect(bare(other.tree) == bare(plain.tree), "\(request.path) \(level)")
            }
        }
    }

    @Test(.covers("OD-1.1.9"))
    func `a client that knows no header and no annotation writes everything`() throws {
        let depot = try Depot()
        let none = ["OData-MaxVersion": "", "OData-Version": ""]
        #expect(depot.send(.post, "Labels", ##"{"Id":9,"Text":"new"}"##, none).status == 201)
        #expect(depot.send(.patch, "Labels(9)", ##"{"Text":"other"}"##, none).status == 204)
        #expect(depot.send(.put, "Labels(9)", ##"{"Text":"third"}"##, none).status == 204)
        #expect(try depot.value("SELECT Text FROM Labels WHERE Id = 9") == "third")
        #expect(depot.send(.delete, "Labels(9)", "", none).status == 204)
        #expect(depot.get("Labels(9)").status == 404)
    }

    // MARK: Extensibility, Protocol 4.01, section 6

    @Test(.covers("OD-1.1.6"))
    func `custom query options and headers, and preferences nobody knows, change nothing`() throws {
        let depot = try Depot()
        let usual = depot.get("Labels?$top=1").text
        #expect(depot.get("Labels?$top=1&debug=true&sap-client=100&x.y=1").text == usual)
        #expect(depot.get("Labels?$top=1&@unused=5").text == usual)
        let reply = depot.get("Labels?$top=1", ["X-Anything": "1", "Prefer": "unheard-of; a=b, other=\"x, y\""])
        #expect(reply.text == usual && reply.status == 200)
        #expect(reply.fields[.preferenceApplied] == nil)
        // What begins with a dollar sign is the standard's own.
        #expect(depot.get("Labels?$unheard=1").status == 400)
        #expect(depot.get("Labels?$Top=1").text == usual)
    }

    @Test(.covers("OD-1.1.6", "OD-1.8.18"))
    func `annotations and control information that nobody knows are passed over in a body`() throws {
        let depot = try Depot()
        let body =
            ##"{"@odata.context":"$metadata#Labels/$entity","@My.Term":{"a":[1,{"b":null}]},"@unheard":1,"@odata.unheard":[],"##
            + ##""@id":"Labels(77)","@editLink":"x","Id@Some.Term#Q":"x","Id":9,"Text@odata.type":"#String","Text":"new","##
            + ##""Text@My.Term":{},"Nothing@My.Term":1,"#Art.Action":{"title":"x"}}"##
        let made = depot.send(.post, "Labels", body)
        #expect(made.status == 201, "\(made.text)")
        #expect(made.fields[.location] == "/odata/art/Labels(9)")
        #expect(bare(made.tree) == ##"{"Id":9,"Text":"new"}"##)
        let batch =
            ##"{"requests":[{"id":"1","method":"get","url":"Labels(9)/Text","unheard":{"x":1},"headers":{"X-Y":"z"}}],"more":1}"##
        #expect(depot.send(.post, "$batch", batch).tree["responses"]?.items.first?["status"]?.scalar == "200")
    }

    // MARK: URLs

    @Test(.covers("OD-1.1.15", "OD-1.4.9.b"), arguments: ["4.0", "4.01"])
    func `enumerations and durations stand in URLs with their type, and without it`(version: String) throws {
        let depot = try Depot()
        let headers = ["OData-MaxVersion": version]
        for (filter, count) in [
            ("Items?Color has Art.Color'Red'", "2"), ("Items?Color eq Art.Color'Red'", "1"),
            ("Items?Color eq Art.Color'Red,Green'", "1"), ("Items?Color eq Art.Color'3'", "1"),
            ("Items?Color has 'Red'", "2"), ("Items?Color eq 'Red,Green'", "1"),
            ("Items?Color in ('Red',Art.Color'3')", "2"),
            ("Facts?Span eq duration'PT1H30M'", "1"), ("Facts?Span gt duration'PT1H29M59.9S'", "1"),
            ("Facts?Span eq duration'PT90M'", "1"), ("Facts?Span eq 'PT1H30M'", "1"), ("Facts?Span lt 'PT1H'", "0"),
            ("Facts?Day add duration'P1D' eq 2026-11-22", "1"),
        ] {
            let parts = filter.split(separator: "?")
            let reply = depot.get("\(parts[0])/$count?$filter=\(parts[1])", headers)
            #expect(reply.text == count, "\(filter)")
        }
    }

    @Test(.covers("OD-1.5.10", "OD-1.6.9"))
    func `an alias is given its value where it is used`() throws {
        let depot = try Depot()
        let reply = depot.get("Items(1)?$select=Id&$expand=Children(@name='Bike';$filter=Name eq @name;$select=Name)")
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply.tree["Children"]?.items.compactMap { $0["Name"]?.text } == ["Bike"])
        // The inner value counts inside, the outer one outside.
        let both = depot.get(
            "Items?@name='Root'&$filter=Name eq @name&$select=Id&$expand=Children(@name='None';$filter=Name eq @name;$select=Name)"
        )
        #expect(both.status == 200, "\(both.text)")
        #expect(both.tree["value"]?.items.count == 1)
        #expect(both.tree["value"]?.items.first?["Children"]?.items.isEmpty == true)
    }

    // MARK: Edit URLs

    @Test(.covers("OD-1.1.24", "OD-1.1.23"))
    func `every edit URL takes PATCH and DELETE`() throws {
        let depot = try Depot()
        // What others refer to comes after them.
        for path in [
            "Items(1)/Parts", "Items(2)/Parts", "ItemLabels", "Items?$orderby=Id desc", "Labels", "Facts", "Pictures",
        ] {
            let links = depot.get(path, ["Accept": "application/json;metadata=full"]).tree["value"]?.items ?? []
            #expect(!links.isEmpty, "\(path)")
            for link in links.compactMap({ $0["@editLink"]?.text }) {
                let etag = depot.etag(link)
                #expect(!etag.isEmpty, "\(link)")
                #expect(depot.send(.patch, link, "{}", ["If-Match": etag]).status == 204, "\(link)")
                #expect(depot.send(.delete, link, "", ["If-Match": depot.etag(link)]).status == 204, "\(link)")
                #expect(depot.get(link).status == 404, "\(link)")
                #expect(depot.send(.delete, link).status == 404, "\(link)")
            }
            #expect(depot.get(path).tree["value"]?.items.isEmpty ?? true, "\(path)")
        }
    }
}

extension Depot {
    /// Whether a member of a row is a dynamic property.
    static func isDynamic(_ name: String, _ set: String) -> Bool {
        guard let type = model[set: set]?.type else { return false }
        return !type.properties.contains { $0.names.wire == name }
            && !type.complexProperties.contains { $0.names.wire == name }
    }
}
