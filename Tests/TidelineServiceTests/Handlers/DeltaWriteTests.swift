// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

struct DeltaWriteTests {
    @Test(.covers("OD-1.4.26", "OD-1.4.24"))
    func `a delta adds, changes and removes entities and links`() throws {
        let shop = try Shop()
        let body = """
            {"@context":"#$delta","value":[
             {"OrderId":50,"Title":"new","Client":{"@id":"Clients(1)"}},
             {"OrderId":10,"Title":"changed"},
             {"@id":"Orders(30)","@removed":{"reason":"deleted"}},
             {"@context":"#Notes/$entity","NoteId":"n","OwnerId":1},
             {"@context":"#Orders/$link","source":"Orders(50)","relationship":"Client","target":"Clients(3)"},
             {"@context":"#Clients/$deletedLink","source":"Clients(1)","relationship":"Orders","target":"Orders(10)"}]}
            """
        // Without its client the order is no longer Alice's: what a policy allows must hold afterwards.
        #expect(shop.send(.patch, "Orders", body).status == 403)
        #expect(try shop.value("SELECT count(*) FROM Orders") == "4")
        let open = try Shop(open: true)
        let reply = open.send(.patch, "Orders", body)
        #expect(reply.status == 204)
        let titles = try open.value("SELECT group_concat(OrderId || Title) FROM Orders")
        #expect(titles == "10changed,20twenty,40none,50new")
        #expect(try open.value("SELECT ClientId FROM Orders WHERE OrderId = 50") == "3")
        #expect(try open.value("SELECT count(*) FROM Orders WHERE ClientId IS NULL") == "2")
        #expect(try open.value("SELECT count(*) FROM Notes WHERE NoteId = 'n'") == "1")
    }

    @Test(.covers("OD-1.4.26"))
    func `who asks for what became of a delta gets a delta`() throws {
        let shop = try Shop()
        let body = """
            {"@context":"#$delta","value":[
             {"OrderId":50,"Title":"new","ClientId":1},
             {"OrderId":10,"Title":"changed"},
             {"@id":"Orders(30)","@removed":{"reason":"deleted"}}]}
            """
        let reply = shop.send(.patch, "Orders?$select=Title", body, ["Prefer": "return=representation"])
        #expect(reply.status == 200 && reply.fields[.preferenceApplied] == "return=representation")
        #expect(
            reply.text.withoutETags
                == #"{"@context":"/odata/shop/$metadata#Orders(OrderId,Title)/$delta","value":["#
                + #"{"@etag":"W/\"\"","OrderId":10,"Title":"changed"},{"@etag":"W/\"\"","OrderId":50,"Title":"new"},"#
                + #"{"@removed":{"reason":"deleted"},"@id":"Orders(30)","OrderId":30}]}"#
        )
        let old = shop.send(
            .patch,
            "Orders",
            ##"{"@odata.context":"#$delta","value":[{"OrderId":50,"Title":"x"}]}"##,
            ["Prefer": "return=representation", "OData-Version": "4.0", "OData-MaxVersion": "4.0"]
        )
        #expect(
            old.text.withoutETags == ##"{"@odata.context":"/odata/shop/$metadata#Orders/$delta","value":["##
                + #"{"@odata.etag":"W/\"\"","OrderId":50,"Title":"x","Total":0,"ClientId":1}]}"#,
            "\(old.text)"
        )
    }

    @Test
    func `references of a collection are changed of the version that is named`() throws {
        let shop = try Shop()
        let etag = shop.etag("Clients(1)")
        let other = shop.etag("Clients(3)")
        let body = #"{"@id":"Orders(30)"}"#
        for (method, path, body) in [
            (HTTPRequest.Method.post, "Clients(1)/Orders/$ref", body),
            (.put, "Clients(1)/Orders/$ref", "{\"value\":[\(body)]}"),
            (.delete, "Clients(1)/Orders/$ref?$id=Orders(10)", ""), (.delete, "Clients(1)/Orders(10)/$ref", ""),
        ] {
            #expect(shop.send(method, path, body, ["If-Match": other]).status == 412, "\(method) \(path)")
        }
        #expect(try shop.value("SELECT group_concat(OrderId || '-' || ClientId) FROM Orders") == "10-1,20-2,30-3")
        #expect(shop.send(.post, "Clients(1)/Orders/$ref", body, ["If-Match": etag]).status == 204)
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 30") == "1")
        #expect(shop.send(.post, "Clients(1)/Orders/$ref", body, ["If-Match": "*"]).status == 204)
    }

    @Test(.covers("OD-1.4.26"))
    func `the delta of 4_0 is read too`() throws {
        let shop = try Shop(open: true)
        let body = """
            {"@odata.context":"#$delta","value":[
             {"@odata.context":"http://h/odata/shop/$metadata#Orders/$deletedEntity","id":"Orders(10)","reason":"deleted"},
             {"OrderId":20,"Title":"x"}]}
            """
        #expect(shop.send(.patch, "Orders", body, ["OData-Version": "4.0"]).status == 204)
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders") == "20,30,40")
    }

    @Test(.covers("DA-61", "OD-1.4.26"))
    func `one failure undoes a delta unless it shall go on`() throws {
        let shop = try Shop()
        let body = """
            {"@context":"#$delta","value":[{"OrderId":10,"Title":"x"},{"@id":"Orders(20)","@removed":{}},
             {"OrderId":30,"@etag":"W/\\"AAAAAAAAAAAAAAAAAAAAAA\\"","Title":"y"}]}
            """
        #expect(shop.send(.patch, "Orders", body).status == 404)
        #expect(try shop.value("SELECT Title FROM Orders WHERE OrderId = 10") == "ten")
        let going = shop.send(.patch, "Orders", body, ["Prefer": "continue-on-error"])
        #expect(going.status == 200)
        #expect(try shop.value("SELECT Title FROM Orders WHERE OrderId = 10") == "x")
        #expect(try shop.value("SELECT count(*) FROM Orders WHERE Title = 'y'") == "0")
        #expect(going.text.contains(#""@context":"/odata/shop/$metadata#Orders/$delta""#))
        #expect(going.text.contains(#""failedOperation":"delete","responseCode":"404""#))
        #expect(going.text.contains(#""failedOperation":"update","responseCode":"412""#))
    }

    @Test(.covers("OD-1.4.26"))
    func `what cannot be read is told by its id, and the others go on`() throws {
        let shop = try Shop()
        let body = #"""
            {"@context":"#$delta","value":[{"OrderId":10,"Title":"x"},{"OrderId":30,"Title":7,"@Core.ContentID":"a"},
             {"@id":"Orders(10)","Nothing":1},{"Title":"new","Total":"much","@Core.ContentID":"b"},{"OrderId":10,"Total":5}]}
            """#
        #expect(shop.send(.patch, "Orders", body).status == 400)
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 10") == "ten100")
        let going = shop.send(.patch, "Orders", body, ["Prefer": "continue-on-error"])
        #expect(going.status == 200)
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 10") == "x5")
        let told = going.text.split(separator: "{\"@id\"").dropFirst().map(String.init)
        #expect(told.count == 2, "\(going.text)")
        #expect(told.first?.hasPrefix(#":"/odata/shop/Orders(30)","@Core.ContentID":"a","#) == true)
        #expect(told.first?.contains(#""failedOperation":"update","responseCode":"400""#) == true)
        #expect(told.last?.hasPrefix(#":"/odata/shop/Orders(10)","#) == true)
        #expect(
            told.last?.contains(
                #"{"@Core.ContentID":"b","@Core.DataModificationException":{"failedOperation":"insert""#
            ) == true
        )
        // What is no JSON ends it all.
        #expect(
            shop.send(.patch, "Orders", #"{"value":[{"OrderId":10,"Title":"y"},{"a]}"#, ["Prefer": "continue-on-error"])
                .status == 400
        )
        #expect(try shop.value("SELECT Title FROM Orders WHERE OrderId = 10") == "x")
    }

    @Test
    func `what cannot be read is told of the set that it is of`() throws {
        let shop = try Shop(open: true)
        for (item, told) in [
            (##"{"@context":"#Clients/$entity","ClientId":1,"Name":5}"##, #""@id":"/odata/shop/Clients(1)","#),
            (##"{"@context":"#Orders/$link","relationship":"Client"}"##, #""failedOperation":"link""#),
            (##"{"@context":"#Orders/$deletedLink","source":"Orders(10)"}"##, #""failedOperation":"unlink""#),
            (##"{"@context":"#Nothing/$entity","OrderId":10}"##, #"There is no entity set Nothing."#),
        ] {
            let reply = shop.send(.patch, "Orders", "{\"value\":[\(item)]}", ["Prefer": "continue-on-error"])
            #expect(reply.status == 200)
            #expect(reply.text.contains(told), "\(reply.text)")
            #expect(!reply.text.contains("Orders(10)"))
        }
    }

    @Test
    func `what is no delta is refused`() throws {
        let shop = try Shop()
        #expect(shop.send(.patch, "Orders", #"{"Title":"x"}"#).status == 400)
        #expect(shop.send(.patch, "Orders", #"{"value":[5]}"#).status == 400)
        #expect(shop.send(.patch, "Orders", #"{"value":[{"@removed":{}}]}"#).status == 400)
        #expect(shop.send(.put, "Orders", "{}").status == 405)
    }
}
