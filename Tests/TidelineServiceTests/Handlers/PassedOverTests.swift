// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import TidelineService

/// What the database cannot take, or passes over: a decision about the row, so that nobody sends it again for ever.
struct PassedOverTests {
    private func shop() throws -> Shop {
        try Shop(
            open: true,
            adding: """
                CREATE TABLE Facts (Id INT NOT NULL PRIMARY KEY, Info TEXT, Size INT, Locked INT NOT NULL DEFAULT 0);
                INSERT INTO Facts VALUES (1, '{}', NULL, 0), (2, '{}', NULL, 1);
                CREATE TRIGGER reckons AFTER UPDATE OF Info ON Facts
                BEGIN UPDATE Facts SET Size = json_extract(NEW.Info, '$.size') WHERE Id = NEW.Id; END;
                CREATE TRIGGER skips BEFORE UPDATE ON Facts WHEN OLD.Locked BEGIN SELECT RAISE(IGNORE); END;
                CREATE TRIGGER keeps BEFORE DELETE ON Facts WHEN OLD.Locked BEGIN SELECT RAISE(IGNORE); END;
                """
        )
    }

    @Test func `a trigger that cannot reckon with a row refuses it`() throws {
        let shop = try shop()
        #expect(shop.send(.patch, "Facts(1)", #"{"Info":"{\"size\":3}"}"#).status == 204)
        let refused = shop.send(.patch, "Facts(1)", #"{"Info":"no JSON"}"#)
        #expect(refused.status == 409 && Shop.code(refused) == "ConstraintFailed", "\(refused.text)")
        #expect(try shop.value("SELECT Info || Size FROM Facts WHERE Id = 1") == #"{"size":3}3"#)
    }

    @Test func `what a trigger of the owner raises is told, up to 500 characters, and an empty text is not`() throws {
        let long = String(repeating: "ä", count: 600)
        let shop = try Shop(
            open: true,
            adding: """
                CREATE TABLE Loans (Id INT NOT NULL PRIMARY KEY, Sum INT);
                CREATE TRIGGER few BEFORE INSERT ON Loans WHEN NEW.Sum > 9
                BEGIN SELECT RAISE(ABORT, 'More than 9 need the word of a manager.'); END;
                CREATE TRIGGER long BEFORE INSERT ON Loans WHEN NEW.Sum = 8 BEGIN SELECT RAISE(ABORT, '\(long)'); END;
                CREATE TRIGGER none BEFORE INSERT ON Loans WHEN NEW.Sum = 7 BEGIN SELECT RAISE(ABORT, ''); END;
                """
        )
        for (sum, message) in [
            (10, "More than 9 need the word of a manager."), (8, String(long.prefix(500))),
            (7, "A rule of the database refuses the change."),
        ] {
            let reply = shop.send(.post, "Loans", #"{"Id":1,"Sum":\#(sum)}"#)
            #expect(reply.status == 409 && Shop.code(reply) == "ConstraintFailed")
            #expect(Shop.message(reply) == message)
        }
        #expect(shop.send(.post, "Loans", #"{"Id":1,"Sum":6}"#).status == 201)
    }

    @Test func `what SQLite itself says of a key that is referred to is not the owner's word`() throws {
        let shop = try Shop(
            open: true,
            adding: """
                CREATE TABLE Owners (Id INT NOT NULL PRIMARY KEY);
                CREATE TABLE Pets (Id INT NOT NULL PRIMARY KEY, OwnerId INT REFERENCES Owners(Id) ON DELETE RESTRICT);
                INSERT INTO Owners VALUES (1); INSERT INTO Pets VALUES (1, 1);
                """
        )
        let reply = shop.send(.delete, "Owners(1)")
        #expect(reply.status == 409 && Shop.code(reply) == "MissingReference", "\(reply.text)")
        #expect(try shop.value("SELECT count(*) FROM Owners") == "1")
    }

    @Test func `a change that a trigger passes over is refused, and one of no row is told as that`() throws {
        let shop = try shop()
        for reply in [shop.send(.patch, "Facts(2)", #"{"Info":"[]"}"#), shop.send(.delete, "Facts(2)")] {
            #expect(reply.status == 409 && Shop.code(reply) == "ConstraintFailed", "\(reply.text)")
        }
        #expect(shop.send(.delete, "Facts(9)").status == 404)
        #expect(try shop.value("SELECT group_concat(Id || Info) FROM Facts") == "1{},2{}")
    }
}
