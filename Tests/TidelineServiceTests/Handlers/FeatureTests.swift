// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineService

/// What the model says beside plain columns, as it is read.
struct FeatureTests {
    private func encoded(_ text: String) -> String { text.replacing(" ", with: "%20") }

    @Test(.covers("OD-1.1.8", "OD-1.8.13"))
    func `members, complex values, collections, dynamic properties and shapes have their forms`() throws {
        let gallery = try Gallery()
        #expect(
            gallery.data("Items(1)")
                == ##"{"Id":1,"Name":"Root","Color":"Red","Kind":"thing","Address":{"Street":"Main St","City":"Bern"},"##
                + ##""Tags":["a","b","ab"],"Weight":5,"Place":{"type":"Point","coordinates":[8.5,47.3]},"##
                + ##""PhotoType":"image/png","ParentId":null}"##
        )
        #expect(
            gallery.data("Items(3)")
                == ##"{"Id":3,"Name":"Leaf","Color":null,"Kind":"thing","Address":{"Street":null,"City":"Basel"},"##
                + ##""Tags":[],"Place":{"type":"LineString","coordinates":[[1,2],[3,4]]},"PhotoType":null,"ParentId":2}"##
        )
    }

    @Test(.covers("OD-1.2.4"))
    func `a row of a derived type says so, and a cast narrows`() throws {
        let gallery = try Gallery()
        #expect(
            gallery.data("Items(2)?$select=Name")
                == ##"{"@type":"#Art.Bike","Id":2,"Name":"Bike"}"##
        )
        #expect(
            gallery.data("Items?$select=Name&$filter=Id%20le%202")
                == ##"{"value":[{"Id":1,"Name":"Root"},{"@type":"#Art.Bike","Id":2,"Name":"Bike"}]}"##
        )
        #expect(gallery.data("Items/Art.Bike?$select=Speed") == ##"{"value":[{"Id":2,"Speed":30}]}"##)
        #expect(gallery.context("Items/Art.Bike?$select=Speed") == "Items/Art.Bike(Id,Art.Bike/Speed)")
        #expect(gallery.data("Items(2)/Art.Bike/Speed/$value") == "30")
        #expect(gallery.data("Items/Art.Bike(2)/Speed/$value") == "30")
        #expect(gallery.get("Items(1)/Art.Bike").status == 404)
        #expect(gallery.get("Items(2)/Speed").status == 404)
        #expect(gallery.data("Items/Art.Bike/$count?$filter=Speed%20gt%2029") == "1")
        #expect(gallery.data("Items/$count?$filter=Art.Bike/Speed%20gt%2029") == "1")
    }

    @Test(.covers("OD-1.3.9.3"))
    func `an expansion can be cast`() throws {
        let gallery = try Gallery()
        #expect(
            gallery.data("Items(1)?$select=Name&$expand=Children/Art.Bike($select=Speed)")
                == ##"{"Id":1,"Name":"Root","Children":[{"Id":2,"Speed":30}]}"##
        )
        #expect(gallery.get("Items?$expand=Children/Art.Car").status == 400)
    }

    @Test(.covers("OD-1.3.9.8"))
    func `levels repeat an expansion`() throws {
        let gallery = try Gallery()
        let two =
            ##"{"Id":1,"Name":"Root","Children":[{"@type":"#Art.Bike","Id":2,"Name":"Bike","Children":[{"Id":3,"Name":"Leaf"}]}]}"##
        #expect(gallery.data("Items(1)?$select=Name&$expand=Children($levels=2;$select=Name)") == two)
        #expect(
            gallery.data("Items(1)?$select=Name&$expand=Children($levels=max;$select=Name)")
                == ##"{"Id":1,"Name":"Root","Children":[{"@type":"#Art.Bike","Id":2,"Name":"Bike","Children":[{"Id":3,"Name":"Leaf","Children":[]}]}]}"##
        )
        #expect(gallery.get("Items(1)?$expand=Children($levels=9)").status == 400)
        #expect(gallery.get("Items(1)?$expand=Labels($levels=2)").status == 400)
    }

    @Test(.covers("OD-1.3.4", "OD-1.3.12"))
    func `links over a table are followed, expanded and counted`() throws {
        let gallery = try Gallery()
        #expect(gallery.data("Items(2)/Labels") == ##"{"value":[{"Id":1,"Text":"red"},{"Id":2,"Text":"fast"}]}"##)
        #expect(gallery.data("Items(2)/Labels/$count") == "2")
        #expect(gallery.data("Items(2)/Labels(2)/Text/$value") == "fast")
        #expect(gallery.get("Items(1)/Labels(2)").status == 404)
        #expect(
            gallery.data(
                "Items?$select=Name&$expand=Labels($filter=Text%20eq%20'red';$count=true),Parent/$ref&$filter=Id%20ge%202"
            )
                == ##"{"value":[{"@type":"#Art.Bike","Id":2,"Name":"Bike","Labels@count":1,"Labels":[{"Id":1,"Text":"red"}],"##
                + ##""Parent":{"@id":"Items(1)"}},{"Id":3,"Name":"Leaf","Labels@count":0,"Labels":[],"Parent":{"@id":"Items(2)"}}]}"##
        )
        #expect(gallery.data("Items/$count?$filter=Labels/any(l:l/Text%20eq%20'fast')") == "1")
    }

    @Test func `parts stand under their whole`() throws {
        let gallery = try Gallery()
        #expect(gallery.get("Parts").status == 404)
        #expect(gallery.data("Items(1)/Parts(2)") == ##"{"ItemId":1,"No":2,"Title":"frame"}"##)
        #expect(gallery.context("Items(1)/Parts") == "Items(1)/Parts")
        #expect(gallery.context("Items(1)/Parts(2)") == "Items(1)/Parts/$entity")
        #expect(!gallery.get("").text.contains("Parts"))
        let full = gallery.get("Items(2)?$expand=Parts", ["Accept": "application/json;metadata=full"]).text
        #expect(full.contains(##""@id":"Items(2)/Parts(ItemId=2,No=1)""##))
        #expect(full.contains(##""@editLink":"Items(2)/Art.Bike""##))
    }

    @Test func `a singleton is an entity with a name`() throws {
        let gallery = try Gallery()
        #expect(gallery.data("Best?$select=Name") == ##"{"Id":1,"Name":"Root"}"##)
        #expect(gallery.context("Best?$select=Name") == "Best(Id,Name)")
        #expect(gallery.data("Best/Address/City/$value") == "Bern")
        #expect(gallery.context("Best/Address") == "Best/Address")
        #expect(gallery.get("").text.contains(##"{"name":"Best","kind":"Singleton","url":"Best"}"##))
        #expect(gallery.get("Best", ["Accept": "application/json;metadata=full"]).text.contains(##""@id":"Best""##))
    }

    @Test(.covers("OD-1.2.6"))
    func `properties of every kind are read by themselves`() throws {
        let gallery = try Gallery()
        #expect(gallery.data("Items(1)/Address") == ##"{"Street":"Main St","City":"Bern"}"##)
        #expect(gallery.context("Items(1)/Address") == "Items(1)/Address")
        #expect(gallery.get("Items(2)/Address").status == 204)
        #expect(gallery.data("Items(1)/Tags") == ##"{"value":["a","b","ab"]}"##)
        #expect(gallery.data("Items(2)/Tags") == ##"{"value":[]}"##)
        #expect(gallery.data("Items(1)/Tags/$count") == "3")
        #expect(gallery.data("Items(1)/Color") == ##"{"value":"Red"}"##)
        #expect(gallery.data("Items(2)/Color/$value") == "Red,Green")
        #expect(gallery.get("Items(3)/Color").status == 204)
        let photo = gallery.get("Items(1)/Photo")
        #expect(photo.fields[.contentType] == "image/png" && photo.status == 200)
        #expect(gallery.get("Items(2)/Photo").status == 204)
        #expect(gallery.get("Items(1)/Bag").status == 404)
    }

    @Test(.covers("OD-1.3.10", "OD-1.2.11", "OD-1.4.16"))
    func `search finds words in any letter case`() throws {
        let gallery = try Gallery()
        #expect(gallery.data("Items/$count?$search=root") == "1")
        #expect(gallery.data("Items/$count?$search=b") == "3")
        #expect(gallery.data("Items/$count?$search=NOT%20bern") == "2")
        #expect(gallery.data("Items/$count?$search=bike%20OR%20basel") == "2")
        #expect(gallery.data("Items/$count?$search=leaf%20basel&$filter=Id%20eq%203") == "1")
        #expect(gallery.get("Labels?$search=x").status == 501)
    }

    @Test(.covers("OD-1.3.9.7")) func `search works in an expansion`() throws {
        #expect(
            try Gallery().data("Items(1)?$select=Id&$expand=Children($search=bike;$select=Id)")
                == ##"{"Id":1,"Children":[{"@type":"#Art.Bike","Id":2}]}"##
        )
    }

    @Test(.covers("OD-1.5.5", "OD-1.2.3"))
    func `a selection reaches into complex values`() throws {
        let gallery = try Gallery()
        let expected = ##"{"Id":1,"Address":{"City":"Bern"}}"##
        #expect(gallery.data("Items(1)?$select=Address/City") == expected)
        #expect(gallery.data("Items(1)?$select=Address($select=City)") == expected)
        #expect(gallery.context("Items(1)?$select=Address/City") == "Items(Id,Address/City)/$entity")
        #expect(gallery.context("Items(1)?$select=Address") == "Items(Id,Address)/$entity")
        #expect(gallery.get("Items(1)?$select=Address/Nothing").status == 400)
    }

    @Test func `any entity is found by its id`() throws {
        let gallery = try Gallery()
        #expect(
            gallery.data("$entity?$id=Items(1)&$select=Name").contains("Root")
                || gallery.data("$entity?$id=Items(1)").contains("Root")
        )
        #expect(gallery.data("$entity?$id=/odata/art/Labels(2)") == ##"{"Id":2,"Text":"fast"}"##)
        #expect(gallery.get("$entity?$id=Items").status == 404)
        #expect(gallery.get("$entity").status == 400)
    }

    @Test func `all entities come one set after the other`() throws {
        let gallery = try Gallery()
        var reply = gallery.get("$all")
        var ids = 0
        for _ in 0..<10 {
            #expect(reply.status == 200)
            ids += reply.text.split(separator: "\"@id\":\"").count - 1
            guard let start = reply.text.firstRange(of: "\"@nextLink\":\"") else { break }
            reply = gallery.get(String(reply.text[start.upperBound...].prefix { $0 != "\"" }))
        }
        #expect(ids == 8)
    }

    @Test(arguments: [(0, 0), (1, 1), (3, 3), (7, 7), (8, 8), (50, 8)])
    func `of all entities as many come as are asked for, on however many pages`(top: Int, expected: Int) throws {
        let gallery = try Gallery()
        var reply = gallery.get("$all?$top=\(top)", ["Prefer": "maxpagesize=2"])
        var ids = 0
        for _ in 0..<20 {
            #expect(reply.status == 200, "\(reply.text)")
            ids += reply.text.split(separator: "\"@id\":\"").count - 1
            guard let start = reply.text.firstRange(of: "\"@nextLink\":\"") else { break }
            reply = gallery.get(String(reply.text[start.upperBound...].prefix { $0 != "\"" }))
        }
        #expect(ids == expected)
    }

    @Test(arguments: ["$filter=false", "$select=Name", "$orderby=Name", "$count=true", "$skip=1", "$search=x"])
    func `what is not done for all entities is refused, not passed over`(option: String) throws {
        let gallery = try Gallery()
        #expect(gallery.get("$all?\(option)").status == 501)
    }

    @Test(arguments: ["$deltatoken=latest", "$deltatoken=x", "$skiptoken=x"])
    func `what a link leads to is not counted as the whole set`(option: String) throws {
        let gallery = try Gallery()
        #expect(gallery.get("Items/$count?\(option)").status == 501)
        #expect(gallery.data("Items/$count") == "3")
    }

    @Test(.covers("OD-1.5.11", "OD-1.6.8"))
    func `a filter can be a segment`() throws {
        let gallery = try Gallery()
        #expect(gallery.data("Items/$filter(Id%20gt%201)/$count") == "2")
        #expect(gallery.data("Items/$filter(Id%20gt%20@min)/$count?@min=2") == "1")
        #expect(gallery.data("Items/$filter(Id%20gt%201)/$filter(Name%20eq%20'Bike')?$select=Name").contains("Bike"))
    }

    @Test func `the options of a query may stand in a body`() throws {
        let gallery = try Gallery()
        let reply = gallery.send(
            .post,
            "Items/$query",
            ["Content-Type": "text/plain"],
            body: "$filter=Id eq 2&$select=Name".replacing(" ", with: "%20")
        )
        #expect(reply.status == 200 && reply.text.contains("Bike") && !reply.text.contains("Root"))
        #expect(gallery.send(.post, "Items/$query", ["Content-Type": "application/xml"], body: "x").status == 415)
    }

    @Test(.covers("OD-1.4.9.l")) func `keys stand as segments`() throws {
        let gallery = try Gallery()
        #expect(gallery.data("Items/1/Name/$value") == "Root")
        #expect(gallery.data("Items/1/Children/2/Name/$value") == "Bike")
        #expect(gallery.data("ItemLabels/2/1") == ##"{"ItemId":2,"LabelId":1}"##)
        #expect(gallery.get("ItemLabels/2").status == 404)
    }

    @Test(.covers("OD-1.6.4", "OD-1.3.16", "OD-1.4.15", "OD-1.5.8"))
    func `computed properties are selected, filtered and ordered by`() throws {
        let gallery = try Gallery()
        #expect(
            gallery.data(
                "Items?$compute=Id%20mul%2010%20as%20Ten,Ten%20add%201%20as%20More&$select=More&$filter=Ten%20ge%2020&$orderby=More%20desc"
            )
                == ##"{"value":[{"Id":3,"More@type":"Int64","More":31},{"@type":"#Art.Bike","Id":2,"More@type":"Int64","More":21}]}"##
        )
        #expect(
            gallery.data("Items(1)?$compute=concat(Name,'!')%20as%20Loud&$select=Loud") == ##"{"Id":1,"Loud":"Root!"}"##
        )
        #expect(gallery.context("Items(1)?$compute=Id%20add%201%20as%20Next&$select=Next") == "Items(Id,Next)/$entity")
        #expect(gallery.get("Items?$compute=Id%20add%201%20as%20Name").status == 400)
        #expect(gallery.get("Labels?$compute=Nothing%20as%20X").status == 400)
    }

    @Test(.covers("OD-1.3.9.9")) func `expansions compute too`() throws {
        #expect(
            try Gallery().data("Items(1)?$select=Id&$expand=Children($compute=Id%20add%205%20as%20Sum;$select=Sum)")
                == ##"{"Id":1,"Children":[{"@type":"#Art.Bike","Id":2,"Sum@type":"Int64","Sum":7}]}"##
        )
    }

    @Test(.covers("OD-1.5.9", "OD-1.6.5.1", "OD-1.6.5.2", "OD-1.6.5.3", "OD-1.6.5.4", "OD-1.6.5.5"))
    func `the items of a collection are filtered, cut and counted`() throws {
        let gallery = try Gallery()
        #expect(gallery.data("Items(1)?$select=Tags($filter=contains($this,'b'))") == ##"{"Id":1,"Tags":["b","ab"]}"##)
        #expect(
            gallery.data("Items(1)?$select=Tags($filter=contains($this,'b');$top=1;$skip=1;$count=true)")
                == ##"{"Id":1,"Tags@count":2,"Tags":["ab"]}"##
        )
        #expect(
            gallery.data("Items(1)?$select=Tags($orderby=$this%20desc)") == ##"{"Id":1,"Tags":["b","ab","a"]}"##
        )
        #expect(
            gallery.data("Items(1)?$select=Tags($orderby=length($this)%20desc,$this;$top=2;$count=true)")
                == ##"{"Id":1,"Tags@count":3,"Tags":["ab","a"]}"##
        )
        #expect(gallery.data("Items(1)?$select=Tags($search=B)") == ##"{"Id":1,"Tags":["b","ab"]}"##)
        #expect(gallery.data("Items(1)?$select=Tags($search=NOT%20b)") == ##"{"Id":1,"Tags":["a"]}"##)
        #expect(gallery.get("Items(1)?$select=Tags($orderby=$it/Name)").status == 501)
        #expect(gallery.get("Items(1)?$select=Tags($filter=$this%20eq%20$it/Name)").status == 501)
        #expect(gallery.get("Items(1)?$select=Name($top=1)").status == 400)
    }

    @Test func `the domain describes itself to other tools`() throws {
        let reply = try Gallery().get("openapi.json")
        #expect(reply.status == 200 && reply.fields[.contentType] == "application/json")
        #expect(reply.text.contains(##""openapi":"3.1.0""##))
    }

    @Test(.covers("OD-1.4.5")) func `no version of the schema is published`() throws {
        #expect(try Gallery().get("Items?$schemaversion=1").status == 404)
        #expect(try Gallery().get("Items?$schemaversion=*").status == 200)
    }

    @Test func `a search and what it computes are followed by delta links`() throws {
        let gallery = try Gallery()
        let first = gallery.get(
            "Labels?$compute=Id%20add%201%20as%20Next&$select=Next",
            ["Prefer": "track-changes,omit-values=nulls"]
        )
        let start = try #require(first.text.firstRange(of: "\"@deltaLink\":\"")).upperBound
        let link = String(first.text[start...].prefix { $0 != "\"" })
        #expect(link.contains("$compute="))
        let delta = gallery.get(link, ["Prefer": "track-changes"])
        #expect(delta.status == 200)
        let searched = gallery.get("Items?$search=root&$select=Name", ["Prefer": "track-changes"])
        let mark = try #require(searched.text.firstRange(of: "\"@deltaLink\":\"")).upperBound
        #expect(gallery.get(String(searched.text[mark...].prefix { $0 != "\"" })).status == 200)
    }
}
