// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Databases whose names and tables are not the usual ones: they are published, cloned, changed and compared.
@Suite(.serialized)
struct UnusualNamesTests {
    private static let tables = """
        CREATE TABLE "we""ird ""table" (id INTEGER PRIMARY KEY, "co""l" TEXT, "sp ace" INT, "a.b" REAL, "select" TEXT);
        INSERT INTO "we""ird ""table" VALUES (1, 'q"q', 2, 3.5, 's');
        CREATE TABLE "select" (id INTEGER PRIMARY KEY, "order" INT, "group" TEXT);
        INSERT INTO "select" VALUES (1, 2, 'g');
        CREATE TABLE "Größe" (id INTEGER PRIMARY KEY, "Länge" REAL);
        INSERT INTO "Größe" VALUES (1, 2.5);
        CREATE TABLE "日本" ("鍵" TEXT PRIMARY KEY NOT NULL, "名前" TEXT);
        INSERT INTO "日本" VALUES ('山', '富士');
        CREATE TABLE pairs (a INT NOT NULL, b TEXT NOT NULL, v TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
        INSERT INTO pairs VALUES (1, 'x''y/z', 'v');
        CREATE TABLE made (id INTEGER PRIMARY KEY, a INT, b INT AS (a * 2) STORED, c INT AS (a * 3));
        INSERT INTO made (id, a) VALUES (1, 5);
        CREATE TABLE "1two" (id INTEGER PRIMARY KEY, "9x" INT);
        INSERT INTO "1two" VALUES (1, 2);
        CREATE TABLE "a-b" (id INTEGER PRIMARY KEY);
        CREATE TABLE "a_b" (id INTEGER PRIMARY KEY);
        """

    @Test func `names of every script, quotes, reserved words and generated columns go through a sync`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("it's odd.sqlite"))
        let wide = (0..<200).map { "c\($0) TEXT" }.joined(separator: ", ")
        try database.execute(Self.tables + "CREATE TABLE wide (id INTEGER PRIMARY KEY, \(wide));")
        let data = folder.file("the data")
        let tool = Tool(home: folder.path)
        try tool.succeed("publish", database.path, "--data", data, "--domain", "odd", "--open")
        let server = try ServerProcess(data: data)
        let device = try Device("a", of: server.address + "/odata/odd/", in: folder)
        #expect(try device.values(of: "Länge", in: "Größe") == [2.5])
        #expect(try device.values(of: "名前", in: "日本?$filter=鍵 eq '山'") == ["富士"])
        #expect(try device.values(of: "sp_ace", in: "we_ird__table") == [2])
        #expect(try device.values(of: "c", in: "made") == [15])
        try device.update("Größe", "1", #"{"Länge": 3.5}"#)
        try device.update("日本", "'山'", #"{"名前": "山梨"}"#)
        try device.update("pairs", "a=1,b='x''y/z'", #"{"v": "w"}"#)
        try device.insert("select", #"{"order": 7, "group": "h"}"#)
        try device.insert("wide", #"{"c199": "last"}"#)
        try device.sync()
        try device.verify()
        #expect(try database.texts(#"SELECT "Länge" FROM "Größe""#) == ["3.5"])
        #expect(try database.texts(#"SELECT "名前" FROM "日本""#) == ["山梨"])
        #expect(try database.texts("SELECT v FROM pairs") == ["w"])
        #expect(try database.texts(#"SELECT "group" FROM "select" ORDER BY id"#) == ["g", "h"])
        #expect(try database.texts("SELECT c199 FROM wide") == ["last"])
        #expect(server.stop() == 0)
    }
}
