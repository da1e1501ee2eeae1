// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// Answers of every kind, in every form, read by a checker that was written from the standard.
struct JSONFormatTests {
    typealias Rows = JSONFormatChecker.Rows

    /// A request, what its answer is, and the context that it must have by hand.
    struct Request: Sendable, CustomTestStringConvertible {
        var path: String
        var kind: @Sendable () -> JSONFormatChecker.Kind
        var fragment: String
        /// Where 4.0 has another: it tells no expansions without options.
        var fragment40: String?

        init(
            _ path: String,
            _ fragment: String,
            old fragment40: String? = nil,
            _ kind: @autoclosure @escaping @Sendable () -> JSONFormatChecker.Kind
        ) {
            self.path = path
            self.kind = kind
            self.fragment = fragment
            self.fragment40 = fragment40
        }

        var testDescription: String { path }
    }

    private static func property(_ name: String, of set: String) -> Property {
        let type = Depot.model[set: set]?.type
        return type?.properties.first { $0.names.wire == name } ?? Property(names: Names(wire: name), type: .string)
    }

    private static let items = Rows(set: "Items")
    private static let labels = Rows(set: "Labels")

    static let requests: [Request] = [
        Request("", "", .document),
        Request("Items", "Items", .collection(items)),
        Request("Items(1)", "Items/$entity", .entity(items)),
        Request("Items(2)", "Items/$entity", .entity(items)),
        Request("Items?$select=Name", "Items(Id,Name)", .collection(Rows(set: "Items", selected: ["Name"]))),
        Request(
            "Items?$expand=Labels",
            "Items(Labels())",
            .collection(Rows(set: "Items", expanded: ["Labels": labels]))
        ),
        Request(
            "Items(1)?$expand=Parts,Parent",
            "Items(Parts(),Parent())/$entity",
            .entity(Rows(set: "Items", expanded: ["Parts": Rows(set: "Parts"), "Parent": items]))
        ),
        Request("Items?$count=true&$top=1", "Items", .collection(items)),
        Request("Items/Art.Bike", "Items/Art.Bike", .collection(Rows(set: "Items", cast: "Bike"))),
        Request("Items(2)/Art.Bike", "Items/Art.Bike/$entity", .entity(Rows(set: "Items", cast: "Bike"))),
        Request("Items(1)/Name", "Items(1)/Name", .value(property("Name", of: "Items"))),
        Request("Items(1)/Tags", "Items(1)/Tags", .value(property("Tags", of: "Items"))),
        Request("Items(1)/Address", "Items(1)/Address", .complex("Address")),
        Request("Items(1)/Address/City", "Items(1)/Address/City", .value(property("City", of: "Items"))),
        Request("Items(1)/Color", "Items(1)/Color", .value(property("Color", of: "Items"))),
        Request("Items(1)/Place", "Items(1)/Place", .value(property("Place", of: "Items"))),
        Request("Best", "Best", .entity(items)),
        Request("Best/Name", "Best/Name", .value(property("Name", of: "Items"))),
        Request("Items(1)/Children", "Items", .collection(items)),
        Request("Items(2)/Parent", "Items/$entity", .entity(items)),
        Request("Items(1)/Parts", "Items(1)/Parts", .collection(Rows(set: "Parts"))),
        Request("Items(1)/Parts(2)", "Items(1)/Parts/$entity", .entity(Rows(set: "Parts"))),
        Request("Items(2)/Labels/$ref", "Collection($ref)", .collection(Rows(set: "Labels", areReferences: true))),
        Request("Items(2)/Parent/$ref", "$ref", .reference),
        Request("Items/$ref", "Collection($ref)", .collection(Rows(set: "Items", areReferences: true))),
        Request("ItemLabels", "ItemLabels", .collection(Rows(set: "ItemLabels"))),
        Request("ItemLabels(ItemId=2,LabelId=1)", "ItemLabels/$entity", .entity(Rows(set: "ItemLabels"))),
        Request("Labels?$orderby=Text desc&$skip=1", "Labels", .collection(labels)),
        Request("Facts", "Facts", .collection(Rows(set: "Facts"))),
        Request("Facts(1)", "Facts/$entity", .entity(Rows(set: "Facts"))),
        Request("Facts(1)/Big", "Facts(1)/Big", .value(property("Big", of: "Facts"))),
        Request("Facts(1)/Amount", "Facts(1)/Amount", .value(property("Amount", of: "Facts"))),
        Request("Facts(1)/Moment", "Facts(1)/Moment", .value(property("Moment", of: "Facts"))),
        Request("Facts(1)/Bytes", "Facts(1)/Bytes", .value(property("Bytes", of: "Facts"))),
        Request("Facts(1)/Endless", "Facts(1)/Endless", .value(property("Endless", of: "Facts"))),
        Request(
            "Facts?$select=Big,Amount&$count=true",
            "Facts(Id,Big,Amount)",
            .collection(Rows(set: "Facts", selected: ["Big", "Amount"]))
        ),
        Request("Items?$filter=Id gt 1 and Tags/any()", "Items", .collection(items)),
        Request("Items?$search=bike", "Items", .collection(items)),
        Request(
            "Items?$compute=Id add 1 as Next,concat(Name,'!') as Loud&$select=Name,Next,Loud",
            "Items(Id,Name,Next,Loud)",
            .collection(Rows(set: "Items", selected: ["Name"], computed: ["Next": true, "Loud": false]))
        ),
        Request(
            "Items(1)?$expand=Children($select=Name;$expand=Labels)",
            "Items(Children(Id,Name,Labels()))/$entity",
            .entity(
                Rows(
                    set: "Items",
                    expanded: ["Children": Rows(set: "Items", selected: ["Name"], expanded: ["Labels": labels])]
                )
            )
        ),
        Request(
            "Items?$expand=Labels/$ref",
            "Items(Labels/$ref)",
            .collection(Rows(set: "Items", expanded: ["Labels": Rows(set: "Labels", areReferences: true)]))
        ),
        Request(
            "Items?$expand=Labels/$count,Children($count=true;$top=1)",
            "Items(Children())",
            .collection(Rows(set: "Items", expanded: ["Children": items], counted: ["Labels", "Children"]))
        ),
        Request(
            "Items?$expand=Children/Art.Bike($count=true)",
            "Items(Children())",
            .collection(
                Rows(set: "Items", expanded: ["Children": Rows(set: "Items", cast: "Bike")], counted: ["Children"])
            )
        ),
        Request(
            "Items?$select=Tags($top=1;$count=true)",
            "Items(Id,Tags)",
            .collection(Rows(set: "Items", selected: ["Tags"], counted: ["Tags"]))
        ),
        Request("Items/$filter(Id gt 1)", "Items", .collection(items)),
        Request("Pictures", "Pictures", .collection(Rows(set: "Pictures"))),
        Request("Pictures(2)", "Pictures/$entity", .entity(Rows(set: "Pictures"))),
        Request("$entity?$id=Items(1)", "Items/$entity", .entity(items)),
        Request("$all", "Collection(Edm.EntityType)", .collection(Rows(set: "Items", isMixed: true))),
        Request(
            "Items?$apply=groupby((Kind),aggregate($count as N,Name with max as Last))",
            "Items(Kind,N,Last)",
            .collection(
                Rows(set: "Items", selected: ["Kind"], computed: ["N": true, "Last": false], areGroups: true)
            )
        ),
    ]

    @Test(
        .covers(
            "OD-1.8.18",
            "OD-1.8.9",
            "OD-1.8.10",
            "OD-1.8.13",
            "OD-1.8.14",
            "OD-1.8.16",
            "OD-1.2.9",
            "OD-1.3.3",
            "OD-1.4.2",
            "OD-1.4.8",
            "OD-1.1.2"
        ),
        arguments: [ODataVersion.v40, .v401],
        [JSONFormat.Metadata.none, .minimal, .full]
    )
    func `no answer has what the format does not allow`(version: ODataVersion, metadata: JSONFormat.Metadata) throws {
        #expect(Self.requests.count >= 40)
        let depot = try Depot()
        for isIEEE754 in [false, true] {
            for streams in [false, true] {
                let prefix = version == .v40 ? "odata." : ""
                let accept =
                    "application/json;\(prefix)metadata=\(metadata.rawValue)"
                    + (streams ? ";\(prefix)streaming=true" : "") + (isIEEE754 ? ";IEEE754Compatible=true" : "")
                for request in Self.requests {
                    let reply = depot.get(request.path, ["Accept": accept, "OData-MaxVersion": version.rawValue])
                    let place = "\(request.path) \(accept)"
                    #expect(reply.status == 200, "\(place) \(reply.text)")
                    #expect(reply.fields[.contentType] == accept, "\(place)")
                    #expect(reply.fields[.odataVersion] == version.rawValue, "\(place)")
                    var checker = JSONFormatChecker(
                        model: Depot.model,
                        version: version,
                        metadata: metadata,
                        isIEEE754: isIEEE754
                    )
                    let fragment = request.fragment.isEmpty ? "" : "#\(request.fragment)"
                    var context = "/odata/art/$metadata\(fragment)"
                    // How 4.0 tells expansions is for it to choose: it may leave out those without a selection.
                    if version == .v40, request.path.contains("$expand"), let told = reply.tree["@odata.context"]?.text
                    {
                        context = told
                    }
                    checker.check(reply.tree, request.kind(), context: context)
                    #expect(checker.violations == [], "\(place)\n\(reply.text)")
                }
            }
        }
    }

    /// The checker itself: each of these breaks one rule, and is found out.
    @Test(arguments: [
        (##"{"value":[]}"##, "context"), (##"{"value":[],"@context":"c"}"##, "first member"),
        (##"{"@context":"c","value":[],"@odata.count":1}"##, "prefix"),
        (##"{"@context":"c","value":[{"Id":1,"Text":"a"}]}"##, "ETag"),
        (##"{"@context":"c","value":[{"@etag":"W/\"1\"","Id":1}]}"##, "lacks"),
        (##"{"@context":"c","value":[{"@etag":"W/\"1\"","Id":"1","Text":"a"}]}"##, "written"),
        (##"{"@context":"c","value":[{"@etag":"W/\"1\"","Id":1,"Text":null}]}"##, "null"),
        (##"{"@context":"c","value":[{"Id":1,"@etag":"W/\"1\"","Text":"a"}]}"##, "after a property"),
        (##"{"@context":"c","value":[{"@etag":"W/\"1\"","Id":1,"Text":"a","Color":"x"}]}"##, "no Color"),
        (##"{"@context":"c","value":[{"@etag":"W/\"1\"","@id":"x","Id":1,"Text":"a"}]}"##, "@id in a row"),
        (##"{"@context":"c","value":[{"@etag":"W/\"1\"","Id@type":"Int32","Text":"a","Id":1}]}"##, "immediately"),
        (##"{"@context":"c","surplus":1,"value":[]}"##, "beside"),
        (##"{"@context":"c","@count":"1","value":[]}"##, "count"),
        (##"{"@context":"c","value":[{"@etag":"W/\"1\"","Id":1,"Id":1,"Text":"a"}]}"##, "twice"), ("[]", "no object"),
    ])
    func `what breaks a rule is found out`(text: String, word: String) throws {
        var checker = JSONFormatChecker(model: Depot.model, version: .v401, metadata: .minimal, isIEEE754: false)
        checker.check(try JSONTree.read(Array(text.utf8)), .collection(Self.labels), context: "c")
        #expect(checker.violations.contains { $0.contains(word) }, "\(checker.violations)")
    }

    // MARK: Links

    /// Every link of every answer with full metadata leads where it says, from the URL of its context.
    @Test(.covers("OD-1.8.14", "OD-1.8.18", "OD-1.1.18", "OD-1.8.15"))
    func `every link leads to what it names`() throws {
        let depot = try Depot()
        var followed = Set<String>()
        for request in Self.requests where !request.path.isEmpty {
            let headers = ["Accept": "application/json;metadata=full", "Prefer": "maxpagesize=1"]
            for (name, link) in Self.links(of: depot.get(request.path, headers).tree) {
                guard followed.insert(link).inserted else { continue }
                let reply = depot.get(link)
                #expect([200, 204].contains(reply.status), "\(name) \(link) \(reply.text)")
                if name.hasSuffix("editLink") {
                    #expect(depot.send(.options, link).fields[.allow]?.contains("PATCH") == true, "\(link)")
                }
                if name == "@id" { #expect(reply.fields[.eTag] != nil, "\(link)") }
                if name.hasSuffix("associationLink") { #expect(reply.text.contains("$ref") || reply.status == 204) }
            }
        }
        #expect(followed.count > 60)
    }

    /// The links of a tree with the names that they stand under; types and contexts are no links.
    private static func links(of tree: JSONTree) -> [(String, String)] {
        switch tree {
        case .list(let items): return items.flatMap(links)
        case .object(let members):
            return members.flatMap { name, value -> [(String, String)] in
                let isLink = name.hasSuffix("Link") || name == "@id"
                if name.contains("@"), isLink, let link = value.text { return [(name, link)] }
                return links(of: value)
            }
        default: return []
        }
    }

    // MARK: Types of other services

    @Test(.covers("OD-1.8.17", "OD-1.8.16"))
    func `a property keeps the type of another service`() throws {
        let depot = try Depot()
        let type = "http://other.example/service/$metadata#Other.Money"
        let body =
            ##"{"@context":"http://other.example/service/$metadata#Things/$entity","Id":9,"Name":"n","Kind":"thing","##
            + ##""Price@type":"\##(type)","Price":{"Amount":5,"Unit":{"@odata.type":"\##(type)2","Code":"EUR"}},"##
            + ##""Since@odata.type":"#Date","Since":"2026-11-21"}"##
        #expect(depot.send(.post, "Items", body).status == 201)
        let new = depot.get("Items(9)").tree
        #expect(new["Price@type"]?.text == type)
        #expect(new["Price"]?["Amount"]?.scalar == "5")
        #expect(new["Price"]?["Unit"]?["@type"]?.text == type + "2")
        #expect(new["Since@type"]?.text == "#Date" && new["Since"]?.text == "2026-11-21")
        // The type stands immediately before its property, whatever the version calls it.
        let old = depot.get("Items(9)", ["OData-MaxVersion": "4.0"]).text
        #expect(
            old.contains(##""Price@odata.type":"\##(type)","Price":{"Amount":5,"Unit":{"@odata.type":"\##(type)2""##)
        )
        let bare = depot.get("Items(9)", ["Accept": "application/json;metadata=none"]).text
        #expect(!bare.contains("type\"") && bare.contains(##""Price":{"Amount":5,"Unit":{"Code":"EUR"}}"##))
        // A new value has its own type, and no value has none.
        #expect(depot.send(.patch, "Items(9)", ##"{"Price":7.5}"##).status == 204)
        #expect(depot.get("Items(9)").tree["Price@type"] == nil)
        #expect(depot.get("Items(9)").tree["Price"]?.scalar == "7.5")
        #expect(depot.send(.patch, "Items(9)", ##"{"Since":null}"##).status == 204)
        #expect(!depot.get("Items(9)").text.contains("Since"))
    }

    // MARK: Pages

    @Test(.covers("OD-1.8.15", "OD-1.1.3"))
    func `a part of a collection says where the rest is, and the whole says nothing`() throws {
        let depot = try Depot(limits: ServiceLimits(pageRows: 2))
        for path in [
            "Items", "Items?$count=true", "Items?$orderby=Name desc&$select=Name", "Items/$ref", "Items(1)/Parts",
        ] {
            var rows = 0
            var next: String? = path
            var pages = 0
            while let link = next, pages < 5 {
                let reply = depot.get(link, ["Prefer": "maxpagesize=1"])
                #expect(reply.status == 200)
                rows += reply.tree["value"]?.items.count ?? 0
                #expect(reply.tree["value"]?.items.count ?? 0 <= 1)
                next = reply.tree["@nextLink"]?.text
                pages += 1
            }
            #expect(next == nil)
            #expect(rows == (path.contains("Parts") ? 2 : 3), "\(path)")
        }
        #expect(depot.get("Items").tree["@nextLink"] != nil)
        #expect(depot.get("Labels").tree["@nextLink"] == nil)
        // What the client cut itself is no part.
        #expect(depot.get("Items?$top=1").tree["@nextLink"] == nil)
    }

    // MARK: Changes

    @Test(.covers("OD-1.8.18", "OD-1.8.9", "OD-1.8.10"))
    func `changes have the form of the version, and none without control information`() throws {
        let depot = try Depot()
        let link = try #require(depot.get("Labels", ["Prefer": "track-changes"]).tree["@deltaLink"]?.text)
        #expect(depot.send(.post, "Labels", ##"{"Id":9,"Text":"new"}"##).status == 201)
        #expect(depot.send(.post, "Labels", ##"{"Id":8,"Text":"gone"}"##).status == 201)
        let second = try #require(depot.get(link).tree["@deltaLink"]?.text)
        #expect(depot.send(.delete, "Labels(8)").status == 204)
        let new = depot.get(second).tree
        #expect(new.members.first?.0 == "@context")
        #expect(new["@context"]?.text == "/odata/art/$metadata#Labels/$delta")
        let removed = new["value"]?.items.first
        #expect(removed?.members.first?.0 == "@removed")
        #expect(removed?["@removed"]?["reason"]?.text == "deleted")
        #expect(removed?["@id"]?.text == "Labels(8)")
        let old = depot.get(second, ["OData-MaxVersion": "4.0"]).tree
        #expect(old.members.first?.0 == "@odata.context")
        let deleted = old["value"]?.items.first
        #expect(deleted?["@odata.context"]?.text?.hasSuffix("#Labels/$deletedEntity") == true)
        #expect(deleted?["id"]?.text == "Labels(8)" && deleted?["reason"]?.text == "deleted")
        #expect(deleted?["@removed"] == nil)
        let bare = depot.get(second, ["Accept": "application/json;metadata=none"])
        #expect(bare.status == 406 && bare.code == "NotAcceptable")
        // A batch is answered in its own format, or not at all.
        let batch = ##"{"requests":[{"id":"1","method":"get","url":"Labels(9)"}]}"##
        #expect(depot.send(.post, "$batch", batch, ["Accept": "multipart/mixed"]).status == 406)
        #expect(depot.send(.post, "$batch", batch, ["Accept": "text/html, */*;q=0.1"]).status == 200)
    }
}
