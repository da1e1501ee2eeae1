// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel

@testable import TidelineService

/// Unique values that wait for each other in a group are set aside for a moment, and come back.
struct ParkingTests {
    /// Each tag is linked to one client at most.
    private func shop(_ policies: [Policy]) throws -> Shop {
        try Shop(
            policies: policies,
            adding: """
                CREATE TABLE Tags (TagId INT NOT NULL PRIMARY KEY, Label TEXT);
                CREATE TABLE ClientTags (LinkId INTEGER PRIMARY KEY AUTOINCREMENT,
                    ClientId INT NOT NULL REFERENCES Clients(ClientId), TagId INT UNIQUE REFERENCES Tags(TagId));
                INSERT INTO Tags VALUES (1, 'red'), (2, 'blue');
                INSERT INTO ClientTags VALUES (1, 1, 1), (2, 3, 2);
                """,
            shaping: Shop.tagClients
        )
    }

    @Test
    func `an entity whose references change keeps its own values`() throws {
        let shop = try shop([
            Policy(role: "*", sets: ["Clients", "Tags"], operations: [.read]),
            Policy(role: "*", sets: ["ClientTags"], operations: Policy.Operation.allCases),
        ])
        let reply = shop.send(
            .post,
            "$batch",
            """
            {"requests":[{"id":"1","atomicityGroup":"g","method":"PUT","url":"Clients(1)/TagList/$ref",
            "headers":{"Content-Type":"application/json"},"body":{"value":[{"@id":"Tags(2)"}]}},
            {"id":"2","atomicityGroup":"g","method":"PATCH","url":"ClientTags(2)",
            "headers":{"Content-Type":"application/json"},"body":{"TagId":1}}]}
            """
        )
        #expect(reply.status == 200)
        #expect(try shop.value("SELECT TagId FROM ClientTags WHERE ClientId = 1") == "2", "\(reply.text)")
        #expect(try shop.value("SELECT TagId FROM ClientTags WHERE ClientId = 3") == "1")
        // Clients can only be read.
        #expect(try shop.value("SELECT Code FROM Clients WHERE ClientId = 1") == "A")
    }

    @Test
    func `a value of a unique key that the request does not give comes back`() throws {
        let shop = try Shop(
            open: true,
            adding: """
                CREATE TABLE Seats (SeatId INT NOT NULL PRIMARY KEY, Place INT NOT NULL, Room INT, UNIQUE (Place, Room));
                INSERT INTO Seats VALUES (1, 1, 7), (2, 2, 7);
                """
        )
        let items = [(1, 2), (2, 1)].map { seat, place in
            """
            {"id":"\(seat)","atomicityGroup":"g","method":"PATCH","url":"Seats(\(seat))",
            "headers":{"Content-Type":"application/json"},"body":{"Place":\(place)}}
            """
        }
        let reply = shop.send(.post, "$batch", #"{"requests":[\#(items.joined(separator: ","))]}"#)
        #expect(reply.status == 200)
        let rows = "SELECT group_concat(SeatId || ':' || Place || ':' || ifnull(Room, 'none')) FROM Seats"
        #expect(try shop.value(rows) == "1:2:7,2:1:7", "\(reply.text)")
    }
}
