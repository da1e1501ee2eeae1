// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelineService

/// The changes of a delta are carried out in an order in which they can be, as the steps of a group are.
struct DeltaOrderTests {
    private static func delta(_ items: String) -> String { ##"{"@context":"#$delta","value":[\##(items)]}"## }

    private static let seats = """
        CREATE TABLE Seats (SeatId INT NOT NULL PRIMARY KEY, Place INT NOT NULL, Room INT, Guest TEXT,
            UNIQUE (Place, Room));
        INSERT INTO Seats VALUES (1, 1, 7, 'Ann'), (2, 2, 7, 'Ben'), (3, 3, 7, 'Cid');
        """
    private static let seated = "SELECT group_concat(SeatId || ':' || Place || ':' || Room || Guest) FROM Seats"

    @Test(.covers("OD-1.4.26"))
    func `a delta swaps unique values, of two rows and in a ring`() throws {
        let shop = try Shop(open: true, adding: Self.seats)
        let swap = shop.send(.patch, "Seats", Self.delta(#"{"SeatId":1,"Place":2},{"SeatId":2,"Place":1}"#))
        #expect(swap.status == 204, "\(swap.text)")
        // What a row let go of for a moment, and the delta does not give, is what it was.
        #expect(try shop.value(Self.seated) == "1:2:7Ann,2:1:7Ben,3:3:7Cid")
        let ring = Self.delta(#"{"SeatId":1,"Place":3},{"SeatId":2,"Place":2},{"SeatId":3,"Place":1}"#)
        #expect(shop.send(.patch, "Seats", ring).status == 204)
        #expect(try shop.value(Self.seated) == "1:3:7Ann,2:2:7Ben,3:1:7Cid")
    }

    @Test
    func `who takes a value before it is free waits, and each row keeps the order of its changes`() throws {
        let shop = try Shop(open: true, adding: Self.seats)
        let body = Self.delta(
            #"{"SeatId":1,"Place":2,"Guest":"first"},{"SeatId":1,"Guest":"second"},{"SeatId":4,"Place":3,"Room":7,"Guest":"Dan"},"#
                + #"{"@removed":{},"@id":"Seats(3)"},{"SeatId":2,"Place":9}"#
        )
        #expect(shop.send(.patch, "Seats", body).status == 204)
        #expect(try shop.value(Self.seated) == "1:2:7second,2:9:7Ben,4:3:7Dan")
    }

    @Test
    func `who refers to what nobody makes fails the delta, who takes a value waits for it`() throws {
        let shop = try Shop(open: true, adding: "PRAGMA foreign_keys = ON;")
        let body = Self.delta(
            ##"{"OrderId":70,"ClientId":9},{"@context":"#Clients/$entity","@id":"Clients(1)","Name":"Ann B"}"##
        )
        // Nobody makes client 9: the first error is told, and nothing is done.
        let refused = shop.send(.patch, "Orders", body)
        #expect(refused.status == 409 && Shop.code(refused) == "MissingReference", "\(refused.text)")
        #expect(try shop.value("SELECT Name FROM Clients WHERE ClientId = 1") == "Ann")
        let notes = Self.delta(
            #"{"NoteId":"d","OwnerId":1,"Slug":"s1"},{"NoteId":"a","Slug":"s2"},{"@removed":{},"@id":"Notes('b')"}"#
        )
        #expect(shop.send(.patch, "Notes", notes).status == 204)
        #expect(try shop.value("SELECT group_concat(NoteId || ifnull(Slug, '-')) FROM Notes") == "as2,c-,ds1")
    }

    @Test
    func `a value that nobody frees fails the whole delta with its own error`() throws {
        let shop = try Shop(open: true, adding: Self.seats)
        let body = Self.delta(#"{"SeatId":3,"Guest":"x"},{"SeatId":1,"Place":2}"#)
        let reply = shop.send(.patch, "Seats", body)
        #expect(reply.status == 409 && Shop.code(reply) == "DuplicateValue", "\(reply.text)")
        #expect(try shop.value(Self.seated) == "1:1:7Ann,2:2:7Ben,3:3:7Cid")
    }

    @Test
    func `the version that a change names is that before values were set aside, and no conflict is logged of it`()
        throws
    {
        let shop = try Shop(open: true, adding: Self.seats, now: { 1_000 })
        let tags = ["Seats(1)", "Seats(2)"].map { shop.etag($0).replacing("\"", with: #"\""#) }
        let swap = Self.delta(
            #"{"SeatId":1,"Place":2,"@etag":"\#(tags[0])"},{"SeatId":2,"Place":1,"@etag":"\#(tags[1])"}"#
        )
        #expect(shop.send(.patch, "Seats", swap).status == 204)
        #expect(try shop.value(Self.seated) == "1:2:7Ann,2:1:7Ben,3:3:7Cid")
        #expect(try shop.service.conflicts() == [])
        #expect(shop.send(.patch, "Seats", swap).status == 412)
        // Without versions the log has what was replaced, not what stood there for a moment.
        #expect(shop.send(.patch, "Seats", Self.delta(#"{"SeatId":1,"Place":1},{"SeatId":2,"Place":2}"#)).status == 204)
        let lost = try shop.service.conflicts().map { "\($0.key) \($0.lost ?? "")" }.sorted()
        #expect(lost == [#"(1) {"Place":2}"#, #"(2) {"Place":1}"#])
    }

    @Test
    func `a delta in a group waits for the group's other requests`() throws {
        let shop = try Shop(open: true, adding: Self.seats)
        let json = #""headers":{"Content-Type":"application/json"}"#
        let reply = shop.send(
            .post,
            "$batch",
            """
            {"requests":[{"id":"1","atomicityGroup":"g","method":"PATCH","url":"Seats",\(json),
            "body":\(Self.delta(#"{"SeatId":1,"Place":2},{"SeatId":2,"Place":3}"#))},
            {"id":"2","atomicityGroup":"g","method":"PATCH","url":"Seats(3)",\(json),"body":{"Place":1}}]}
            """
        )
        #expect(reply.status == 200)
        #expect(try shop.value(Self.seated) == "1:2:7Ann,2:3:7Ben,3:1:7Cid", "\(reply.text)")
    }

    @Test
    func `what a change of a delta replaced before it failed is not in the conflict log`() throws {
        let shop = try Shop(now: { 1_000 })
        // Another user's note: the policy refuses the row as it is after the change.
        let body = Self.delta(#"{"NoteId":"a","OwnerId":2},{"NoteId":"c","Slug":"s3"}"#)
        let reply = shop.send(.patch, "Notes", body, ["Prefer": "continue-on-error"])
        #expect(reply.status == 200 && reply.text.contains(#""responseCode":"403""#), "\(reply.text)")
        #expect(try shop.value("SELECT group_concat(OwnerId || ifnull(Slug, '-')) FROM Notes") == "1s1,2s2,1s3")
        #expect(try shop.service.conflicts().map(\.key) == ["('c')"])
    }
}
