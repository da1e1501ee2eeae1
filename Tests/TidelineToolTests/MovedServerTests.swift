// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

/// A server that is started at another address, and the devices that follow it.
@Suite(.serialized)
struct MovedServerTests {
    @Test func `a device follows a server to another port, and what waits is there once`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        try device.update("Customers", "1", #"{"City":"Paris"}"#)
        #expect(shop.server.stop() == 0)
        let server = try ServerProcess(data: shop.data)
        try #require(server.port != shop.server.port)
        let gone = try device.tool.run("sync", device.file)
        #expect(gone.status == 1)
        // Whoever knows the new address is told what to type, then and later.
        let command = "Where the service has another address now: tideline move \(device.file) URL"
        #expect(gone.errors.contains(command), "\(gone)")
        let failed = try device.tool.succeed("status", device.file, "--json")
        #expect(failed.output.contains(command), "\(failed)")
        let address = server.address + "/odata/shop/"
        let moved = try device.tool.succeed("move", device.file, address)
        #expect(moved.output.contains(#""service":"\#(address)","sent":1,"#), "\(moved)")
        #expect(try shop.database.texts("SELECT City FROM Customers WHERE Id = 1") == ["Paris"])
        try shop.database.execute("UPDATE Customers SET City = 'Rome' WHERE Id = 2")
        try device.sync()
        #expect(try device.values(of: "City", in: "Customers?$orderby=Id") == ["Paris", "Rome", "Wilmslow"])
        try device.verify()
        let status = try device.tool.succeed("status", device.file, "--json")
        #expect(status.output.contains(#""service":"\#(address)""#), "\(status)")
    }

    @Test func `a sync that watches ends when its store is moved, and names the command that goes on`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        let process = Process()
        process.executableURL = URL(filePath: Tool.binary)
        process.arguments = ["sync", device.file, "--watch"]
        process.environment = Tool.environment(home: device.tool.home)
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = try process.begin {
            let (output, errors) = (Pipe(), Pipe())
            process.standardOutput = output
            process.standardError = errors
            return (output, errors)
        }
        let deadline = Deadline(.seconds(60), process: process.processIdentifier)
        defer { deadline.cancel() }
        // The line of its first sync.
        try #require(!output.fileHandleForReading.availableData.isEmpty)
        let address = "http://localhost:\(shop.server.port)/odata/shop/"
        try device.tool.succeed("move", device.file, address)
        try device.update("Customers", "1", #"{"City":"Paris"}"#)
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(said.contains("The store does not sync by itself any more."), "\(said)")
        #expect(said.contains("The store belongs to \(address)"), "\(said)")
        #expect(said.contains("tideline sync \(device.file)\n"), "\(said)")
        #expect(!said.contains("engine"), "\(said)")
        try device.sync()
        #expect(try shop.database.texts("SELECT City FROM Customers WHERE Id = 1") == ["Paris"])
    }

    @Test func `a device of users signs in where it goes`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute(Shop.tables)
        let (tool, data) = (Tool(home: folder.path), folder.file("data"))
        let policies = folder.file("policies.yaml")
        try Data(#"policies: [{role: "*", sets: "*", operations: [read, insert, update, delete]}]"#.utf8)
            .write(to: URL(filePath: policies))
        try tool.succeed("publish", database.path, "--data", data, "--domain", "shop", "--policies", policies)
        try tool.succeed(
            "user",
            "add",
            "shop",
            "ann",
            "--data",
            data,
            "--password-stdin",
            input: "tide-and-time-1\n"
        )
        let first = try ServerProcess(data: data)
        let device = try Device(
            "a",
            of: first.address + "/odata/shop/",
            in: folder,
            arguments: ["--user", "ann", "--password-stdin"],
            password: "tide-and-time-1"
        )
        try device.update("Customers", "1", #"{"City":"Paris"}"#)
        #expect(first.stop() == 0)
        let second = try ServerProcess(data: data)
        let address = second.address + "/odata/shop/"
        let nobody = try device.tool.run("move", device.file, address)
        #expect(nobody.status == 1)
        #expect(nobody.errors.contains("tideline move \(device.file) \(address) --user ann\n"), "\(nobody)")
        try device.tool.succeed(
            "move",
            device.file,
            address,
            "--user",
            "ann",
            "--password-stdin",
            input: "tide-and-time-1\n"
        )
        #expect(try database.texts("SELECT City FROM Customers WHERE Id = 1") == ["Paris"])
        // The sign-in is kept.
        try device.update("Customers", "1", #"{"City":"Lyon"}"#)
        try device.sync()
        #expect(try database.texts("SELECT City FROM Customers WHERE Id = 1") == ["Lyon"])
        // Whose store it is, is known where it is asked for.
        try device.tool.succeed("sign-out", device.file)
        let signedOut = try device.tool.run("sync", device.file)
        #expect(signedOut.errors.contains("Sign in: tideline sign-in \(device.file) --user ann\n"), "\(signedOut)")
    }

    @Test func `another domain is no place to go, and the device stays`() throws {
        let (shop, other) = (try Shop(), try Shop())
        let device = try shop.device("a")
        try device.update("Customers", "1", #"{"City":"Paris"}"#)
        let refused = try device.tool.run("move", device.file, other.service)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("is not known to be the store's service"), "\(refused)")
        #expect(try other.database.texts("SELECT City FROM Customers WHERE Id = 1") == ["London"])
        let absent = try device.tool.run("move", device.file, shop.server.address + "/odata/nothing/")
        #expect(absent.status == 1)
        try device.sync()
        #expect(try shop.database.texts("SELECT City FROM Customers WHERE Id = 1") == ["Paris"])
    }
}
