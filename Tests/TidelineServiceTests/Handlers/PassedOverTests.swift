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

    @Test func `a change that a trigger passes over is refused, and one of no row is told as that`() throws {
        let shop = try shop()
        for reply in [shop.send(.patch, "Facts(2)", #"{"Info":"[]"}"#), shop.send(.delete, "Facts(2)")] {
            #expect(reply.status == 409 && Shop.code(reply) == "ConstraintFailed", "\(reply.text)")
        }
        #expect(shop.send(.delete, "Facts(9)").status == 404)
        #expect(try shop.value("SELECT group_concat(Id || Info) FROM Facts") == "1{},2{}")
    }
}
