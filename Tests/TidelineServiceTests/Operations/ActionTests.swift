// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// Actions, called by POST.
struct ActionTests {
    @Test(.covers("OD-1.4.9.d"))
    func `an action without parameters takes an empty object or no body`() throws {
        for body in ["", "{}", " { } "] {
            let shop = try Counter.shop()
            let reply = shop.send(.post, "Reset", body)
            #expect(reply.status == 204, "\(reply.text)")
            #expect(reply.text.isEmpty)
            #expect(try shop.value("SELECT sum(Total) FROM Orders") == "0")
        }
        let shop = try Counter.shop()
        #expect(shop.send(.post, "Reset", "", ["OData-MaxVersion": "4.0"]).status == 204)
    }

    @Test(
        arguments: [
            ("Place", "{}", 400, "MissingParameter", "title"), ("Place", "", 400, "MissingParameter", "title"),
            ("Place", #"{"title":"x","more":1}"#, 400, "UnknownParameter", "more"),
            ("Place", #"{"title":5}"#, 400, "InvalidValue", "title"),
            ("Place", #"{"title":null}"#, 400, "InvalidValue", "title"),
            ("Place", #"{"title":"x","total":"much"}"#, 400, "InvalidValue", "total"),
            ("Place", #"{"title":"x","title":"y"}"#, 400, "InvalidBody", "title"),
            ("Place", "[]", 400, "InvalidBody", nil), ("Place", #"{"title":"#, 400, "InvalidJSON", nil),
            ("Unknown", "{}", 404, "NotFound", "Unknown"), ("Orders(10)/Unknown", "{}", 404, "NotFound", "Unknown"),
            ("Place(title='x')", "", 400, "InvalidURL", "Place"),
            ("Orders(10)/Raise", #"{"order":"Orders(20)","by":1}"#, 400, "UnknownParameter", "order"),
            ("Orders(99)/Raise", #"{"by":1}"#, 404, "NotFound", nil),
            ("Orders/Raise", #"{"by":1}"#, 404, "NotFound", "Raise"),
        ] as [(String, String, Int, String, String?)]
    )
    func `a wrong call is refused, says what is wrong with it, and changes nothing`(
        _ path: String,
        _ body: String,
        _ status: Int,
        _ code: String,
        _ target: String?
    ) throws {
        let shop = try Counter.shop()
        let reply = shop.send(.post, path, body)
        #expect(reply.status == status, "\(reply.text)")
        #expect(Shop.code(reply) == code, "\(reply.text)")
        #expect(ErrorBody.read(Array(reply.text.utf8))?.target == target, "\(reply.text)")
        #expect(try shop.value("SELECT count(*) || '/' || sum(Total) FROM Orders") == "4/600")
    }

    @Test
    func `a created entity is answered with its address, its version and its values`() throws {
        let shop = try Counter.shop()
        let reply = shop.send(.post, "Place", #"{"title":"new","clientId":3}"#)
        #expect(reply.status == 201, "\(reply.text)")
        #expect(reply.fields[.location] == "/odata/shop/Orders(41)")
        #expect(reply.fields[.eTag] == shop.etag("Orders(41)"))
        #expect(reply.text.hasPrefix(##"{"@context":"/odata/shop/$metadata#Orders/$entity","##))
        #expect(reply.text.hasSuffix(##""OrderId":41,"Title":"new","Total":5,"ClientId":3}"##))
        // A nullable parameter that is not there is null; one with a default can be given.
        let other = shop.send(.post, "Place?$select=Total&$expand=Client", #"{"title":"b","total":7}"#)
        #expect(other.text.hasSuffix(##""OrderId":42,"Total":7,"Client":null}"##), "\(other.text)")
        let minimal = shop.send(.post, "Place", #"{"title":"c"}"#, ["Prefer": "return=minimal"])
        #expect(minimal.status == 204)
        #expect(minimal.text.isEmpty)
        #expect(minimal.fields[.preferenceApplied] == "return=minimal")
        #expect(minimal.fields[.location] == "/odata/shop/Orders(43)")
        #expect(minimal.fields[HTTPField.Name("OData-EntityId")!] == "/odata/shop/Orders(43)")
    }

    @Test
    func `an action on an entity changes that one, in the version that is named`() throws {
        let shop = try Counter.shop()
        let etag = shop.etag("Orders(10)")
        let raised = shop.send(.post, "Orders(10)/Shop.Raise", #"{"by":1}"#, ["If-Match": etag])
        #expect(raised.status == 200, "\(raised.text)")
        #expect(raised.text.hasSuffix(##""OrderId":10,"Title":"ten","Total":101,"ClientId":1}"##))
        #expect(raised.fields[.location] == nil)
        #expect(raised.fields[.eTag] == shop.etag("Orders(10)"))
        let stale = shop.send(.post, "Orders(10)/Raise", #"{"by":1}"#, ["If-Match": etag])
        #expect(stale.status == 412)
        #expect(try shop.value("SELECT Total FROM Orders WHERE OrderId = 10") == "101")
        #expect(shop.send(.post, "Clients(3)/Orders(30)/Close", "").status == 204)
        #expect(try shop.value("SELECT Title FROM Orders WHERE OrderId = 30") == "closed")
        #expect(shop.send(.post, "Find(title='twenty')/Raise", #"{"by":5}"#).text.contains(##""Total":205"##))
    }

    @Test
    func `a domain that wants versions wants them of actions too`() throws {
        let shop = try Counter.shop(requiresIfMatch: true)
        #expect(shop.send(.post, "Orders(10)/Raise", #"{"by":1}"#).status == 428)
        #expect(shop.send(.post, "Orders(10)/Raise", #"{"by":1}"#, ["If-Match": "*"]).status == 200)
        #expect(shop.send(.post, "Reset").status == 204)
    }

    @Test
    func `an action on a collection is for the entities of that collection`() throws {
        let shop = try Counter.shop()
        let reply = shop.send(.post, "Clients(3)/Orders/RaiseAll?$select=Total", #"{"by":5}"#)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(
            reply.text.withoutETags.replacing("\"@etag\":\"W/\\\"\\\"\",", with: "")
                == ##"{"@context":"/odata/shop/$metadata#Orders(OrderId,Total)","value":[{"OrderId":30,"Total":305}]}"##
        )
        #expect(try shop.value("SELECT sum(Total) FROM Orders") == "605")
        #expect(shop.send(.post, "Orders/$filter(Total%20lt%20150)/Shop.RaiseAll", #"{"by":1}"#).status == 200)
        #expect(try shop.value("SELECT sum(Total) FROM Orders") == "607")
    }

    @Test
    func `what an action gives may be chosen from, though a change may not`() throws {
        let shop = try Counter.shop()
        let options = "$select=Total&$filter=Total%20gt%20150&$orderby=Total%20desc&$top=1"
        let reply = shop.send(.post, "Orders/RaiseAll?\(options)", #"{"by":5}"#)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply.text.contains(#""OrderId":30,"Total":305"#) && !reply.text.contains(#""OrderId":20"#))
        #expect(try shop.value("SELECT sum(Total) FROM Orders") == "620")
    }

    @Test
    func `a body in another format is refused`() throws {
        let shop = try Counter.shop()
        let reply = shop.send(.post, "Place", "<a/>", ["Content-Type": "application/xml"])
        #expect(reply.status == 415)
    }

    // MARK: Commands of the specification

    @Test(.covers("DA-27"))
    func `a command with input parameters adds its row`() throws {
        let shop = try Counter.shop()
        let reply = shop.send(
            .post,
            "Insert_Worker",
            ##"{"FirstName":"John1","LastName":"Doe1","Phone":"444-22-33-22","BirthDate":"2026-11-21","Position":"Manager"}"##
        )
        #expect(reply.status == 204, "\(reply.text)")
        let row = "FirstName || '|' || LastName || '|' || Phone || '|' || BirthDate || '|' || Position"
        #expect(try shop.value("SELECT \(row) FROM Workers") == "John1|Doe1|444-22-33-22|2026-11-21|Manager")
    }

    @Test(.covers("DA-28"))
    func `a command with output parameters answers them and what it returned`() throws {
        let shop = try Counter.shop()
        let reply = shop.send(.post, "TestStoredProcedure", #"{"groupId":10}"#)
        #expect(
            reply.text == ##"{"@context":"/odata/shop/$metadata#Shop.TestStoredProcedureResult","rowsAffected":-1,"##
                + ##""RETURN_VALUE":157,"count":42,"name":"APC ProtectNet PNET1GB"}"##
        )
        // Without the parameter its default counts: a group that has nothing.
        let other = shop.send(.post, "TestStoredProcedure")
        #expect(other.text.hasSuffix(##""RETURN_VALUE":157,"count":0,"name":null}"##), "\(other.text)")
    }

    @Test(.covers("DA-30"))
    func `an unknown command and an unknown parameter have codes for programs`() throws {
        let shop = try Counter.shop()
        let command = shop.send(.post, "Delete_Everything", "{}")
        #expect(command.status == 404)
        #expect(Shop.code(command) == "NotFound")
        let parameter = shop.send(.post, "TestStoredProcedure", #"{"group":10}"#)
        #expect(parameter.status == 400)
        #expect(Shop.code(parameter) == "UnknownParameter")
        #expect(parameter.text.contains("it has groupId"))
    }
}
