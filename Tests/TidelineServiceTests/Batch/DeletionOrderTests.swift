// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineOData

@testable import TidelineService

/// Groups that delete a row and change what would fall with it.
///
/// Found by the simulator: seed 27006.
struct DeletionOrderTests {
    private let shop: Shop

    init() throws {
        // Line 1 is of order 10, which is of client 1.
        shop = try Shop(
            open: true,
            adding: """
                CREATE TABLE Lines (LineId INT NOT NULL PRIMARY KEY, Text TEXT,
                    OrderId INT REFERENCES Orders(OrderId) ON DELETE CASCADE);
                INSERT INTO Lines VALUES (1, 'first', 10), (2, 'second', 10);
                CREATE TABLE Berths (Code TEXT NOT NULL PRIMARY KEY, Rank INTEGER NOT NULL UNIQUE);
                CREATE TABLE Crews (CrewId INT NOT NULL PRIMARY KEY,
                    Berth TEXT NOT NULL REFERENCES Berths(Code) ON DELETE CASCADE);
                """
        )
    }

    /// The statuses of the requests of one group, in their order.
    private func statuses(_ requests: [(method: String, url: String, body: String)]) -> [String] {
        let texts = requests.enumerated().map { place, request in
            let body = request.body.isEmpty ? "" : ",\"body\":\(request.body)"
            return
                #"{"id":"\#(place)","atomicityGroup":"g","method":"\#(request.method)","url":"\#(request.url)"\#(body)}"#
        }
        let reply = shop.send(.post, "$batch", "{\"requests\":[\(texts.joined(separator: ","))]}", as: Shop.alice)
        return reply.text.split(separator: "\"status\":").dropFirst().map { String($0.prefix { $0.isNumber }) }
    }

    @Test func `a row is moved away before the one that it was below is deleted`() throws {
        #expect(
            statuses([("DELETE", "Clients(1)", ""), ("PATCH", "Orders(10)", #"{"ClientId":3}"#)]) == ["204", "204"]
        )
        #expect(
            try shop.value("SELECT group_concat(OrderId || ' of ' || ClientId) FROM Orders")
                == "10 of 3,20 of 2,30 of 3"
        )
        #expect(try shop.value("SELECT group_concat(LineId) FROM Lines") == "1,2")
    }

    @Test func `a row is moved away before one further up is deleted, and what stays falls`() throws {
        let requests = [
            ("DELETE", "Clients(1)", ""), ("PATCH", "Lines(2)", #"{"Text":"falls"}"#),
            ("PATCH", "Lines(1)", #"{"OrderId":30}"#),
        ]
        #expect(statuses(requests) == ["204", "204", "204"])
        #expect(try shop.value("SELECT group_concat(LineId || ' of ' || OrderId) FROM Lines") == "1 of 30")
        #expect(try shop.value("SELECT COUNT(*) FROM Orders WHERE OrderId = 10") == "0")
    }

    @Test func `a row is moved to one that is made after the deletion`() throws {
        let requests = [
            ("DELETE", "Clients(1)", ""), ("POST", "Clients", #"{"Name":"Dan"}"#),
            ("PATCH", "Orders(10)", #"{"Client@bind":"$1"}"#),
        ]
        #expect(statuses(requests) == ["204", "201", "204"])
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 10") == "4")
    }

    @Test func `a row that is made again is another one than the row that fell`() throws {
        let requests = [
            ("DELETE", "Clients(1)", ""), ("POST", "Orders", #"{"OrderId":10,"ClientId":3,"Title":"again"}"#),
            ("PATCH", "Orders(10)", #"{"Total":7}"#),
        ]
        #expect(statuses(requests) == ["204", "201", "204"])
        #expect(
            try shop.value("SELECT Title || ' ' || Total || ' of ' || ClientId FROM Orders WHERE OrderId = 10")
                == "again 7 of 3"
        )
        #expect(try shop.value("SELECT COUNT(*) FROM Lines") == "0")
    }

    /// Found by the simulator: seed 23102.
    @Test func `what is put below a row that is made again does not fall with the one that waits to be deleted`() throws
    {
        try shop.sql("INSERT INTO Berths VALUES ('B3', 3), ('B8', 8)")
        // The two exchange their ranks, so that the deletion waits for one of them.
        let requests = [
            ("PATCH", "Berths('B3')", #"{"Rank":8}"#), ("PATCH", "Berths('B8')", #"{"Rank":3}"#),
            ("DELETE", "Berths('B3')", ""), ("POST", "Berths", #"{"Code":"B3","Rank":2}"#),
            ("POST", "Crews", #"{"CrewId":1,"Berth":"B3"}"#),
        ]
        #expect(statuses(requests) == ["204", "204", "204", "201", "201"])
        #expect(
            try shop.value("SELECT group_concat(Code || Rank) FROM (SELECT * FROM Berths ORDER BY Code)") == "B32,B83"
        )
        #expect(try shop.value("SELECT group_concat(CrewId || Berth) FROM Crews") == "1B3")
    }
}
