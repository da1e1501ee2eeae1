// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// What `$metadata` claims, tried: what is supported works, what is not is answered 501.
struct CapabilityTests {
    private let depot: Depot
    private let container: JSONTree

    init() throws {
        depot = try Depot()
        let metadata = depot.get("$metadata?$format=json").tree
        let path = metadata["$EntityContainer"]?.text?.split(separator: ".").map(String.init) ?? []
        container = metadata[path[0]]?[path[1]] ?? .null
    }

    private func said(_ term: String, _ member: String? = nil) -> JSONTree? {
        let value = container["@Capabilities.\(term)"] ?? container["@Org.OData.Capabilities.V1.\(term)"]
        return member.map { value?[$0] } ?? value
    }

    private func isSaid(_ term: String, _ member: String? = nil) -> Bool? {
        guard case .flag(let flag)? = said(term, member) else { return nil }
        return flag
    }

    /// A flag, and a request that works exactly when the flag is true.
    private func check(_ flag: Bool?, _ reply: Depot.Reply, _ name: String) {
        #expect(flag != nil, "\(name) is not said")
        #expect(reply.status == 501 || reply.status < 300, "\(name) \(reply.status) \(reply.text)")
        #expect((reply.status < 300) == flag, "\(name) \(reply.status) \(reply.text)")
    }

    @Test(.covers("OD-1.4.13", "OD-1.1.7", "OD-1.2.2"))
    func `each flag of the container is what happens`() throws {
        check(isSaid("CrossJoinSupported"), depot.get("$crossjoin(Items,Labels)"), "cross join")
        check(isSaid("KeyAsSegmentSupported"), depot.get("Labels/1"), "keys as segments")
        let query = depot.send(.post, "Labels/$query", "$top=1", ["Content-Type": "text/plain"])
        check(isSaid("QuerySegmentSupported"), query, "$query")
        check(isSaid("SelectSupport", "Supported"), depot.get("Labels?$select=Id"), "$select")
        check(isSaid("DefaultCapabilities", "ComputeSupported"), depot.get("Labels?$compute=Id add 1 as N"), "$compute")
        check(isSaid("DefaultCapabilities", "TopSupported"), depot.get("Labels?$top=1"), "$top")
        check(isSaid("DefaultCapabilities", "SkipSupported"), depot.get("Labels?$skip=1"), "$skip")
        check(isSaid("DefaultCapabilities", "IndexableByKey"), depot.get("Labels(1)"), "keys")
        check(
            said("DefaultCapabilities", "CountRestrictions")?["Countable"]?.isTrue,
            depot.get("Labels/$count"),
            "$count"
        )
        let tracked = depot.get("Labels", ["Prefer": "track-changes"])
        #expect(
            said("DefaultCapabilities", "ChangeTracking")?["Supported"]?.isTrue == (tracked.tree["@deltaLink"] != nil)
        )
        let nested = ##"{"Id":8,"Name":"n","Kind":"thing","Parts":[{"No":1,"Title":"p"}]}"##
        check(isSaid("DeepInsertSupport", "Supported"), depot.send(.post, "Items", nested), "deep insert")
        let update = ##"{"Parts":[{"No":2,"Title":"q"}]}"##
        check(isSaid("DeepUpdateSupport", "Supported"), depot.send(.patch, "Items(8)", update), "deep update")
        #expect(try depot.value("SELECT group_concat(No) FROM Parts WHERE ItemId = 8") == "2")
        #expect(depot.get("Items", ["Isolation": "snapshot"]).status == 200)
        #expect(said("IsolationSupported")?.scalar != nil)
        // Without a desk nothing is answered later, with one it is.
        #expect(isSaid("AsynchronousRequestsSupported") == false)
        #expect(depot.get("Labels", ["Prefer": "respond-async"]).status == 200)
        #expect(container["@Core.ODataVersions"]?.text == "4.0 4.01")
    }

    @Test func `the ids of nested entities are not answered, and that is said`() throws {
        let body =
            ##"{"@Core.ContentID":"1","Id":8,"Name":"n","Kind":"thing","Parts":[{"@Core.ContentID":"2","No":1}]}"##
        let reply = depot.send(.post, "Items?$expand=Parts", body)
        #expect(reply.status == 201)
        #expect(reply.text.contains("ContentID") == isSaid("DeepInsertSupport", "ContentIDSupported"))
        let change = depot.send(.patch, "Items(8)?$expand=Parts", ##"{"Parts":[{"@Core.ContentID":"2","No":3}]}"##)
        #expect(change.text.contains("ContentID") == isSaid("DeepUpdateSupport", "ContentIDSupported"))
    }

    @Test(.covers("OD-1.3.11", "OD-1.6.7"))
    func `each format of a batch that is named is taken`() throws {
        let formats = said("BatchSupport", "SupportedFormats")?.items.compactMap(\.text) ?? []
        #expect(formats.sorted() == ["application/json", "multipart/mixed"])
        let multipart =
            "--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nGET Labels(1) HTTP/1.1\r\n\r\n\r\n--b--\r\n"
        for format in formats {
            let isJSON = format.hasSuffix("json")
            let body = isJSON ? ##"{"requests":[{"id":"1","method":"get","url":"Labels(1)"}]}"## : multipart
            let type = isJSON ? format : format + ";boundary=b"
            let reply = depot.send(.post, "$batch", body, ["Content-Type": type, "Accept": format])
            #expect(reply.status == 200, "\(format) \(reply.text)")
            #expect(reply.fields[.contentType]?.hasPrefix(format) == true)
            #expect(reply.text.contains("red"))
        }
        #expect(depot.send(.post, "$batch", "x", ["Content-Type": "application/xml"]).status == 415)
    }

    /// Capabilities.FilterFunctions: each is called once over a row, so that what is named is there.
    @Test(.covers("OD-1.2.7.4", "OD-1.4.13"))
    func `each function of filters that is named is there`() throws {
        let calls = [
            "concat": "concat(Note,'x') eq 'a\"bx'", "contains": "contains(Note,'a')", "endswith": "endswith(Note,'b')",
            "indexof": "indexof(Note,'b') eq 2", "length": "length(Note) eq 3", "startswith": "startswith(Note,'a')",
            "substring": "substring(Note,2) eq 'b'", "matchesPattern": "matchesPattern(Note,'^a')",
            "matchespattern": "matchesPattern(Note,'^a')", "tolower": "tolower(Note) eq 'a\"b'",
            "toupper": "toupper(Note) eq 'A\"B'", "trim": "trim(Note) eq 'a\"b'", "date": "date(Moment) eq 2026-11-21",
            "day": "day(Moment) eq 21", "fractionalseconds": "fractionalseconds(Moment) eq 0",
            "hour": "hour(Moment) eq 10",
            "maxdatetime": "Moment lt maxdatetime()", "mindatetime": "Moment gt mindatetime()",
            "minute": "minute(Moment) eq 0", "month": "month(Moment) eq 11", "now": "now() gt mindatetime()",
            "second": "second(Moment) eq 0", "time": "time(Moment) eq 10:00:00",
            "totaloffsetminutes": "totaloffsetminutes(Moment) eq 0", "totalseconds": "totalseconds(Span) eq 5400",
            "year": "year(Moment) eq 2026", "ceiling": "ceiling(Ratio) eq 1", "floor": "floor(Ratio) eq 0",
            "round": "round(Ratio) eq 0", "cast": "cast(Tiny,Edm.String) eq '255'", "isof": "isof(Note,Edm.String)",
            "hassubset": "hassubset([1,2],[1])", "hassubsequence": "hassubsequence([1,2],[1])",
            "case": "case(true:1) eq 1",
            "geo.distance": "geo.distance(geography'SRID=4326;POINT(0 0)',geography'SRID=4326;POINT(0 0)') eq 0",
            "geo.intersects":
                "geo.intersects(geography'SRID=4326;POINT(1 1)',geography'SRID=4326;POLYGON((0 0,2 0,2 2,0 2,0 0))')",
            "geo.length": "geo.length(geography'SRID=4326;LINESTRING(0 0,0 0)') eq 0",
        ]
        let names = said("FilterFunctions")?.items.compactMap(\.text) ?? []
        #expect(names.count >= 25)
        for name in names {
            let call = try #require(calls[name], "no call of \(name)")
            let reply = depot.get("Facts/$count?$filter=Id eq 1 and \(call.replacing("\"", with: "%22"))")
            #expect(reply.text == "1", "\(name)")
        }
        #expect(depot.get("Facts?$filter=unheard() eq 1").status == 501)
    }

    @Test(.covers("OD-1.4.13"))
    func `each transformation that is named is there`() throws {
        let calls = [
            "aggregate": "aggregate(Id with sum as S)", "groupby": "groupby((Kind))", "filter": "filter(Id gt 1)",
            "compute": "compute(Id add 1 as N)", "concat": "concat(topcount(1,Id),aggregate(Id with sum as S))",
            "identity": "identity", "orderby": "orderby(Id desc)", "top": "top(1)", "skip": "skip(1)",
            "topcount": "topcount(1,Id)", "topsum": "topsum(1,Id)", "toppercent": "toppercent(1,Id)",
            "bottomcount": "bottomcount(1,Id)", "bottomsum": "bottomsum(1,Id)", "bottompercent": "bottompercent(1,Id)",
            "search": "search(root)", "expand": "expand(Parent)", "addnested": "addnested(Parent,identity as P)",
            "join": "join(Children as C)", "outerjoin": "outerjoin(Labels as L)", "nest": "nest(identity as All)",
            "ancestors": "ancestors($root/Items,H,Id,filter(true))",
            "descendants": "descendants($root/Items,H,Id,filter(true))",
            "traverse": "traverse($root/Items,H,Id,preorder)",
        ]
        let defaults =
            container["@Aggregation.ApplySupportedDefaults"]?["Transformations"]?.items.compactMap(\.text) ?? []
        #expect(defaults.count >= 15)
        for name in defaults {
            let call = try #require(calls[name], "no call of \(name)")
            #expect(depot.get("Items?$apply=\(call)").status == 200, "\(name)")
        }
        for (name, call) in calls where !defaults.contains(name) {
            #expect(depot.get("Items?$apply=\(call)").status == 501, "\(name)")
        }
    }

    /// What the annotations of each set say of its properties.
    @Test(.covers("OD-1.4.13"))
    func `each restriction of a set is what happens`() throws {
        for (name, set) in container.members {
            guard case .object(let members) = set, set["$Collection"]?.isTrue == true else { continue }
            func restriction(_ term: String) -> JSONTree? {
                members.first { $0.0 == "@Capabilities.\(term)" || $0.0 == "@Org.OData.Capabilities.V1.\(term)" }?.1
            }
            let type = try #require(Depot.model[set: name]?.type)
            let unfilterable =
                restriction("FilterRestrictions")?["NonFilterableProperties"]?.items.compactMap(\.text) ?? []
            let unsortable = restriction("SortRestrictions")?["NonSortableProperties"]?.items.compactMap(\.text) ?? []
            for property in type.properties
            where property.container == nil && property.declaringType == nil && property.structure != .dynamic {
                let wire = property.names.wire
                guard type.properties.firstIndex(of: property) != type.mediaProperty else { continue }
                let sorted = depot.get("\(name)?$orderby=\(wire)").status
                #expect((sorted == 200) == !unsortable.contains(wire), "\(name)/\(wire) sorted: \(sorted)")
                guard property.structure == nil else { continue }
                let filtered = depot.get("\(name)?$filter=\(wire) ne null").status
                #expect((filtered == 200) == !unfilterable.contains(wire), "\(name)/\(wire) filtered: \(filtered)")
            }
            let searched = depot.get("\(name)?$search=x")
            check(restriction("SearchRestrictions")?["Searchable"]?.isTrue, searched, "\(name) searched")
            let delta = depot.send(.patch, name, ##"{"@context":"#$delta","value":[]}"##)
            check(restriction("UpdateRestrictions")?["DeltaUpdateSupported"]?.isTrue, delta, "\(name) delta")
            let each = depot.send(.patch, "\(name)/$filter(false)/$each", "{}")
            check(restriction("UpdateRestrictions")?["FilterSegmentSupported"]?.isTrue, each, "\(name) each")
            let levels = restriction("ExpandRestrictions")?["MaxLevels"]?.scalar.flatMap { Int($0) } ?? 0
            #expect(levels == ServiceLimits().expandDepth)
        }
    }
}
