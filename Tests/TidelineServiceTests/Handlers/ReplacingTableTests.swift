// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import TidelineService

/// Tables whose own constraints say `ON CONFLICT REPLACE`: SQLite would remove whatever is in the way of a row, with no word.
struct ReplacingTableTests {
    private func shop() throws -> Shop {
        try Shop(
            open: true,
            adding: """
                CREATE TABLE Codes (Id TEXT NOT NULL PRIMARY KEY ON CONFLICT REPLACE, Code TEXT UNIQUE ON CONFLICT REPLACE,
                    Text TEXT, Copies INT NOT NULL DEFAULT 0);
                CREATE TABLE Log (Id TEXT NOT NULL PRIMARY KEY, Text TEXT);
                CREATE TRIGGER keeps AFTER INSERT ON Codes BEGIN INSERT OR REPLACE INTO Log VALUES ('last', NEW.Id); END;
                INSERT INTO Codes (Id, Code, Text) VALUES ('a', 'x', 'first'), ('b', 'y', 'second');
                """
        )
    }

    private static let rows = "SELECT group_concat(Id || Code || Text, ',') FROM (SELECT * FROM Codes ORDER BY Id)"

    @Test(
        arguments: [
            (#"{"Id":"a","Code":"z","Text":"other"}"#, "DuplicateKey"),
            (#"{"Id":"c","Code":"y","Text":"other"}"#, "DuplicateValue"),
            (#"{"Id":"a","Code":"y","Text":"other"}"#, "DuplicateKey"),
        ]
    )
    func `an insert that would remove others is refused`(body: String, code: String) throws {
        let shop = try shop()
        let reply = shop.send(.post, "Codes", body)
        #expect(reply.status == 409 && Shop.code(reply) == code, "\(reply.text)")
        #expect(try shop.value(Self.rows) == "axfirst,bysecond")
        #expect(try shop.value("SELECT Text FROM Log") == "b")
    }

    @Test func `a change that would remove another row is refused, alone and in a group`() throws {
        let shop = try shop()
        let reply = shop.send(.patch, "Codes('a')", #"{"Code":"y"}"#)
        #expect(reply.status == 409 && Shop.code(reply) == "DuplicateValue", "\(reply.text)")
        let group = #"""
            {"requests":[
            {"id":"1","method":"POST","url":"Codes","atomicityGroup":"g","body":{"Id":"c","Code":"z","Text":"third"}},
            {"id":"2","method":"PATCH","url":"Codes('a')","atomicityGroup":"g","body":{"Code":"y"}}]}
            """#
        let answer = shop.send(.post, "$batch", group)
        #expect(answer.status == 200 && answer.text.contains("DuplicateValue"), "\(answer.text)")
        #expect(try shop.value(Self.rows) == "axfirst,bysecond")
    }

    @Test func `what is in nobody's way is written, and the triggers of the database may replace`() throws {
        let shop = try shop()
        #expect(shop.send(.post, "Codes", #"{"Id":"c","Code":"z","Text":"third"}"#).status == 201)
        #expect(shop.send(.patch, "Codes('a')", #"{"Code":"x","Text":"changed"}"#).status == 204)
        #expect(shop.send(.delete, "Codes('b')").status == 204)
        #expect(shop.send(.post, "Codes", #"{"Id":"b","Code":"y","Text":"again"}"#).status == 201)
        #expect(try shop.value(Self.rows) == "axchanged,byagain,czthird")
        #expect(try shop.value("SELECT group_concat(Id || Text) FROM Log") == "lastb")
    }

    /// What SQLite looks at before it knows the row's place, and what it compares otherwise, is in nobody's way.
    @Test func `what looks like a rival and stays is none`() throws {
        let shop = try Shop(
            open: true,
            adding: """
                CREATE TABLE Codes (Id INTEGER NOT NULL PRIMARY KEY, Code TEXT UNIQUE ON CONFLICT REPLACE, Text TEXT);
                INSERT INTO Codes VALUES (-1, 'none', 'none'), (1, 'x', 'first');
                CREATE TABLE Words (Id TEXT NOT NULL PRIMARY KEY ON CONFLICT REPLACE, Code TEXT, Text TEXT);
                CREATE UNIQUE INDEX WordsLower ON Words (lower(Code));
                INSERT INTO Words VALUES ('a', 'x', 'first'), ('b', 'y', 'second');
                CREATE TABLE Parts (Id TEXT NOT NULL PRIMARY KEY, Code TEXT COLLATE NOCASE, Kind INT,
                    Turn INT UNIQUE ON CONFLICT REPLACE);
                CREATE UNIQUE INDEX PartsOfKind ON Parts (Code) WHERE Kind = 1;
                INSERT INTO Parts VALUES ('a', 'x', 1, 1), ('b', 'y', 1, 2);
                CREATE TABLE Latest (Id TEXT NOT NULL PRIMARY KEY ON CONFLICT REPLACE, Text TEXT);
                CREATE TRIGGER latest AFTER INSERT ON Latest WHEN NEW.Id <> 'last' BEGIN
                    INSERT OR REPLACE INTO Latest VALUES ('last', NEW.Id); END;
                CREATE TABLE Upserts (Id TEXT NOT NULL PRIMARY KEY, Code TEXT UNIQUE ON CONFLICT REPLACE);
                CREATE TRIGGER upserts BEFORE INSERT ON Upserts BEGIN DELETE FROM Upserts WHERE Id = NEW.Id; END;
                INSERT INTO Upserts VALUES ('a', 'x'), ('b', 'y');
                """
        )
        #expect(shop.send(.post, "Codes", #"{"Code":"y","Text":"second"}"#).status == 201)
        #expect(
            try shop.value("SELECT group_concat(Id || Code) FROM (SELECT * FROM Codes ORDER BY Id)") == "-1none,1x,2y"
        )
        #expect(shop.send(.patch, "Words('a')", #"{"Code":"X","Text":"changed"}"#).status == 204)
        #expect(try shop.value("SELECT Code || Text FROM Words WHERE Id = 'a'") == "Xchanged")
        #expect(shop.send(.patch, "Parts('a')", #"{"Code":"X"}"#).status == 204)
        #expect(try shop.value("SELECT group_concat(Id || Code) FROM (SELECT * FROM Parts ORDER BY Id)") == "aX,by")
        for id in ["a", "b"] {
            #expect(shop.send(.post, "Latest", #"{"Id":"\#(id)","Text":"new"}"#).status == 201)
        }
        #expect(
            try shop.value("SELECT group_concat(Id || Text) FROM (SELECT * FROM Latest ORDER BY Id)")
                == "anew,bnew,lastb"
        )
        // A real rival is one here too.
        for (set, body) in [("Codes", #"{"Code":"x"}"#), ("Parts", #"{"Id":"c","Turn":2}"#)] {
            let reply = shop.send(.post, set, body)
            #expect(reply.status == 409 && Shop.code(reply) == "DuplicateValue", "\(reply.text)")
        }
        #expect(shop.send(.post, "Upserts", #"{"Id":"a","Code":"y"}"#).status == 409)
        #expect(try shop.value("SELECT group_concat(Id || Code) FROM (SELECT * FROM Upserts ORDER BY Id)") == "ax,by")
        let reply = shop.send(.patch, "Words('a')", #"{"Code":"Y"}"#)
        #expect(reply.status == 409 && Shop.code(reply) == "DuplicateValue", "\(reply.text)")
    }
}
