// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Databases and data folders that are not where they were.
struct MovedFileTests {
    /// A shop with a backup, and a device that has sent a seat since and keeps another one to be sent.
    private func shopWithBackup() throws -> (shop: Shop, device: Device, backup: String) {
        let shop = try Shop()
        let device = try shop.device("a")
        let backup = shop.folder.file("backup.sqlite")
        try Tool(home: shop.folder.path).succeed("backup", "shop", backup, "--data", shop.data)
        try device.insert("Seats", #"{"Code":"D","Number":4}"#)
        try device.sync()
        try device.insert("Seats", #"{"Code":"E","Number":5}"#)
        return (shop, device, backup)
    }

    private func remove(_ path: String, _ suffixes: [String]) throws {
        for suffix in suffixes where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    /// Expects the seat that waited in the database, once the server has seen that there is a file: it looks every two
    /// seconds.
    private func expectSent(_ device: Device, _ shop: Shop) throws {
        var sent = try device.tool.run("sync", device.file)
        for _ in 0..<20 where sent.status != 0 { sent = try device.tool.run("sync", device.file) }
        #expect(sent.status == 0)
        #expect(try shop.database.texts("SELECT Code FROM Seats WHERE Code = 'E'") == ["E"])
        #expect(try shop.database.texts("PRAGMA integrity_check") == ["ok"])
        try device.verify()
    }

    @Test func `what is written after the database's file was replaced is in the one that is there`() throws {
        let (shop, device, backup) = try shopWithBackup()
        try remove(shop.database.path, ["", "-wal", "-shm"])
        // Without a file nothing is accepted.
        let refused = try device.tool.run("sync", device.file)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("The domain cannot be served now."))
        try FileManager.default.copyItem(atPath: backup, toPath: shop.database.path)
        try expectSent(device, shop)
    }

    @Test func `a file that was put beside the log of another one is not opened with it`() throws {
        let (shop, device, backup) = try shopWithBackup()
        try remove(shop.database.path, [""])
        // The server sees that it is gone, and later that another one is there.
        #expect(try device.tool.run("verify", device.file).status == 1)
        try FileManager.default.copyItem(atPath: backup, toPath: shop.database.path)
        #expect(try device.tool.run("sync", device.file).status == 1)
        try remove(shop.database.path, ["-wal", "-shm"])
        try expectSent(device, shop)
    }

    @Test func `a database whose data folder is lost is published again when that is said`() throws {
        let folder = try TemporaryFolder()
        let tool = Tool(home: folder.path)
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute(Shop.tables)
        func publish(_ data: String, _ more: String...) throws -> ProcessResult {
            let source = "sqlite:" + database.path
            let arguments = ["publish", source, "--data", folder.file(data), "--domain", "shop", "--open"]
            return try tool.run(arguments: arguments + more)
        }
        #expect(try publish("first").status == 0)
        let refused = try publish("second")
        #expect(refused.status == 1 && refused.errors.contains("--continue"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("second/domains/shop")))
        #expect(try publish("second", "--continue").status == 0)
        let server = try ServerProcess(data: folder.file("second"))
        let device = try Device("a", of: server.address + "/odata/shop/", in: folder)
        try device.insert("Seats", #"{"Code":"D","Number":4}"#)
        try device.sync()
        #expect(try database.texts("SELECT Code FROM Seats WHERE Number = 4") == ["D"])
    }

    @Test func `a database is published once in a data folder, whatever it is called`() throws {
        let folder = try TemporaryFolder()
        let tool = Tool(home: folder.path)
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute(Shop.tables)
        let (data, link) = (folder.file("data"), folder.file("link.sqlite"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: database.path)
        func publish(_ path: String, as domain: String, _ more: String...) throws -> ProcessResult {
            try tool.run(arguments: ["publish", path, "--data", data, "--domain", domain, "--open"] + more)
        }
        #expect(try publish(database.path, as: "shop").status == 0)
        for refused in [
            try publish(database.path, as: "other"), try publish(database.path, as: "other", "--continue"),
            try publish(link, as: "other", "--continue"),
        ] {
            #expect(refused.status == 1)
            #expect(refused.errors.contains("It is published here as shop."), "\(refused)")
            #expect(refused.errors.contains("tideline unpublish shop --data \(data)\n"), "\(refused)")
        }
        #expect(!FileManager.default.fileExists(atPath: data + "/domains/other"))
        // The same domain is published again, with and without the word.
        #expect(try publish(database.path, as: "shop").status == 0)
        #expect(try publish(link, as: "shop", "--continue").status == 0)
        try tool.succeed("unpublish", "shop", "--data", data)
        #expect(try publish(database.path, as: "other").status == 0)
    }

    @Test func `of two domains of a database, as an earlier release let there be, one goes alone`() throws {
        let folder = try TemporaryFolder()
        let tool = Tool(home: folder.path)
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute(Shop.tables)
        let data = folder.file("data")
        let publish = ["publish", database.path, "--data", data, "--domain", "shop", "--open"]
        #expect(try tool.run(arguments: publish).status == 0)
        try FileManager.default.copyItem(atPath: data + "/domains/shop", toPath: data + "/domains/other")

        let refused = try tool.run("unpublish", "shop", "--data", data)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("Its database is published here as other, too"), "\(refused)")
        #expect(refused.errors.contains("tideline unpublish shop --data \(data) --forget\n"), "\(refused)")
        let again = try tool.run(arguments: publish)
        #expect(again.status == 1)
        #expect(again.errors.contains("tideline unpublish other --data \(data) --forget\n"), "\(again)")

        try tool.succeed("unpublish", "other", "--data", data, "--forget")
        #expect(try tool.run(arguments: publish).status == 0)
        let server = try ServerProcess(data: data)
        let device = try Device("a", of: server.address + "/odata/shop/", in: folder)
        try device.insert("Seats", #"{"Code":"D","Number":4}"#)
        try device.sync()
        #expect(try database.texts("SELECT Code FROM Seats WHERE Number = 4") == ["D"])
        #expect(server.stop() == 0)
        try tool.succeed("unpublish", "shop", "--data", data)
    }

    @Test func `a domain whose database is gone stays until that is there again, or it is to be forgotten`() throws {
        let folder = try TemporaryFolder()
        let tool = Tool(home: folder.path)
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute(Shop.tables)
        let schema = "SELECT coalesce(name, '') || coalesce(sql, '') FROM sqlite_schema ORDER BY 1"
        let before = try database.texts(schema)
        let (data, aside) = (folder.file("data"), folder.file("aside.sqlite"))
        let publish = ["publish", database.path, "--data", data, "--domain", "shop", "--open"]
        #expect(try tool.run(arguments: publish).status == 0)
        try FileManager.default.moveItem(atPath: database.path, toPath: aside)

        let refused = try tool.run("unpublish", "shop", "--data", data)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("There is no file \(database.path), so nothing was removed"), "\(refused)")
        #expect(refused.errors.contains("tideline unpublish shop --data \(data) --forget\n"), "\(refused)")
        #expect(FileManager.default.fileExists(atPath: data + "/domains/shop/domain.yaml"))
        #expect(!FileManager.default.fileExists(atPath: database.path))

        let forgotten = try tool.succeed("unpublish", "shop", "--data", data, "--forget")
        #expect(forgotten.output.contains(#""forgotten":true"#), "\(forgotten)")
        #expect(!FileManager.default.fileExists(atPath: data + "/domains/shop/domain.yaml"))

        try FileManager.default.moveItem(atPath: aside, toPath: database.path)
        #expect(try database.texts(schema) != before)
        #expect(try tool.run(arguments: publish + ["--continue"]).status == 0)
        let removed = try tool.succeed("unpublish", "shop", "--data", data)
        #expect(removed.output.contains(#""forgotten":false"#), "\(removed)")
        #expect(try database.texts(schema) == before)
    }
}
