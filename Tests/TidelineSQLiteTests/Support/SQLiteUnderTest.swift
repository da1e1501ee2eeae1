// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineStorageTesting

/// The fixture in a published file.
final class SQLiteUnderTest: StoreUnderTest {
    static let lacks: [StoreAbility: String] = [
        .notANumber: "SQLite keeps no NaN: it becomes null."
    ]

    private let scratch: Scratch
    private var sqlite: SQLiteStore
    private var copy: String { scratch.path + ".copy" }

    init() throws {
        scratch = try Scratch(Self.schema)
        try scratch.publish(viewKeys: ["big_orders": ["id"]], scopes: ["orders": ["client_id"]])
        sqlite = try Self.open(scratch.path)
    }

    private static func open(_ path: String) throws -> SQLiteStore {
        try SQLiteStore(path: path, model: StoreFixture.model, options: .init(scopes: StoreFixture.scopes))
    }

    var store: any Store { sqlite }

    var etagKey: [UInt8] {
        get throws {
            let text = try #require(try scratch.rows("SELECT hex(value) FROM tideline_state WHERE name = 'etag'").first)
            return stride(from: 0, to: text.count, by: 2).compactMap { place in
                UInt8(text.dropFirst(place).prefix(2), radix: 16)
            }
        }
    }

    func reopen() throws {
        try sqlite.close()
        sqlite = try Self.open(scratch.path)
    }

    func run(_ sql: String) throws { try scratch.run(sql) }

    func takeBack(_ changes: () throws -> Void) throws {
        try sqlite.close()
        try scratch.run("PRAGMA wal_checkpoint(TRUNCATE)")
        try FileManager.default.copyItem(atPath: scratch.path, toPath: copy)
        sqlite = try Self.open(scratch.path)
        try changes()
        try sqlite.close()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: scratch.path + suffix) }
        try FileManager.default.copyItem(atPath: copy, toPath: scratch.path)
        sqlite = try Self.open(scratch.path)
    }

    func beginEpoch() throws { try scratch.run("DROP TRIGGER tideline_update_orders") }

    private static let schema = """
        CREATE TABLE clients(id TEXT PRIMARY KEY, name TEXT NOT NULL, rating DECIMAL(5,2));
        CREATE TABLE profiles(client_id TEXT PRIMARY KEY REFERENCES clients(id) ON DELETE CASCADE, motto TEXT);
        CREATE TABLE sellers(id INTEGER PRIMARY KEY, name TEXT,
            boss_id INTEGER REFERENCES sellers(id) ON DELETE SET NULL,
            mentor_id INTEGER REFERENCES sellers(id) DEFERRABLE INITIALLY DEFERRED);
        CREATE TABLE orders(id INTEGER PRIMARY KEY, number TEXT UNIQUE, client_id TEXT REFERENCES clients(id),
            seller_id INTEGER REFERENCES sellers(id) ON DELETE SET NULL,
            total DECIMAL(10,2) NOT NULL DEFAULT 0 CHECK (total >= 0), placed_at DATETIME);
        CREATE TABLE products(id GUID PRIMARY KEY, name TEXT NOT NULL, size TEXT, price DECIMAL(10,2),
            label TEXT GENERATED ALWAYS AS (name || '!') STORED, UNIQUE (name, size));
        CREATE TABLE lines(order_id INTEGER REFERENCES orders(id) ON DELETE CASCADE, place INTEGER,
            product_id GUID NOT NULL REFERENCES products(id), quantity INTEGER NOT NULL, note TEXT,
            PRIMARY KEY (order_id, place), UNIQUE (order_id, product_id));
        CREATE TABLE samples(id INTEGER NOT NULL, a_binary BLOB, a_boolean BOOLEAN, a_byte TINYINT, a_date DATE,
            a_moment DATETIME, a_decimal DECIMAL(14,4), a_double DOUBLE, a_duration TEXT, a_guid GUID,
            an_int16 SMALLINT, an_int32 INT, an_int64 BIGINT, an_sbyte TINYINT, a_single REAL, a_string TEXT,
            a_time TIME, PRIMARY KEY (id));
        CREATE TABLE albums(id INTEGER PRIMARY KEY, title TEXT);
        CREATE TABLE album_words(album_id INTEGER NOT NULL REFERENCES albums(id), place INTEGER NOT NULL, word TEXT NOT NULL,
            weight INTEGER, PRIMARY KEY (album_id, place));
        CREATE TABLE album_marks(album_id INTEGER NOT NULL REFERENCES albums(id) ON DELETE CASCADE, mark INTEGER NOT NULL,
            PRIMARY KEY (album_id, mark));
        CREATE VIEW big_orders AS SELECT id, number, total FROM orders WHERE total >= 100;
        """
}
