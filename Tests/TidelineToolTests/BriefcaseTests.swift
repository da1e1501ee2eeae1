// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The content of a device's store, taken along to another store and from there to the server.
@Suite(.serialized)
struct BriefcaseTests {
    /// What `tideline briefcase show` tells of a briefcase.
    private func shown(_ briefcase: String, _ tool: Tool) throws -> [String: JSON] {
        let line = try #require(try tool.succeed("briefcase", "show", briefcase, "--json").lines.first)
        return try JSONDecoder().decode([String: JSON].self, from: Data(line.utf8))
    }

    @Test(arguments: ["file", "folder"])
    func `a change that waits goes along in a briefcase and is sent from the other store`(form: String) throws {
        let shop = try Shop()
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        try a.update("Customers", "1", #"{"City":"Paris"}"#)
        let briefcase = shop.folder.file("out.briefcase")
        let export = ["briefcase", "export", a.file, briefcase, "--data-version", "3", "--property", "page=12=\"x\""]
        let exported = try a.tool.run(arguments: export + (form == "folder" ? ["--folder"] : []))
        #expect(exported.status == 0, "\(exported)")
        let expected: [String: JSON] = [
            "form": .string(form), "version": "3", "properties": .object(["page": #"12="x""#]),
            "sets": .object(["Customers": 3, "Orders": 3, "Seats": 3]), "pending": 1, "sent": 0, "conflicts": 0,
            "quarantined": 0,
        ]
        #expect(try JSONDecoder().decode([String: JSON].self, from: Data(exported.output.utf8)) == expected)
        #expect(try shown(briefcase, b.tool) == expected)
        let imported = try b.tool.succeed("briefcase", "import", briefcase, b.file, "--data-version", "3", "--json")
        #expect(
            try JSONDecoder().decode([String: JSON].self, from: Data(imported.output.utf8)) == [
                "version": "3", "properties": .object(["page": #"12="x""#]), "pending": 1, "conflicts": 0,
                "quarantined": 0,
            ]
        )
        #expect(try b.values(of: "City", in: "Customers?$filter=Id eq 1") == ["Paris"])
        try b.sync()
        #expect(try shop.database.texts("SELECT City FROM Customers WHERE Id = 1") == ["Paris"])
        try b.verify()
    }

    @Test(arguments: ["file", "folder"])
    func `a damaged briefcase is to be exported once more, and the store stays`(form: String) throws {
        let shop = try Shop()
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        let briefcase = shop.folder.file("out.briefcase")
        let option = form == "folder" ? ["--folder"] : []
        let exported = try a.tool.run(arguments: ["briefcase", "export", a.file, briefcase] + option)
        #expect(exported.status == 0, "\(exported)")
        let damaged = form == "folder" ? briefcase + "/briefcase.json" : briefcase
        let file = try FileHandle(forUpdating: URL(filePath: damaged))
        // Behind the header of a database, in front of all that the folder says of itself.
        try file.seek(toOffset: form == "folder" ? 0 : 100)
        try file.write(contentsOf: Data(repeating: 0x5A, count: 3_000))
        try file.close()
        for command in [["show", briefcase], ["import", briefcase, b.file]] {
            let refused = try b.tool.run(arguments: ["briefcase"] + command)
            #expect(refused.status == 1)
            #expect(refused.errors.hasSuffix("\n  Export it once more, to another place.\n"), "\(refused)")
        }
        #expect(try b.values(of: "City", in: "Customers?$filter=Id eq 2") == ["New York"])
    }

    @Test(arguments: ["file", "folder"])
    func `a briefcase of another version, and changes that would be lost, stop an import`(form: String) throws {
        let shop = try Shop()
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        let briefcase = shop.folder.file("out.briefcase")
        let option = form == "folder" ? ["--folder"] : []
        let exported = try a.tool.run(
            arguments: ["briefcase", "export", a.file, briefcase, "--data-version", "2"] + option
        )
        #expect(exported.status == 0, "\(exported)")
        try b.update("Customers", "2", #"{"City":"Rome"}"#)
        let other = try b.tool.run("briefcase", "import", briefcase, b.file)
        #expect(other.status == 1)
        #expect(other.output.isEmpty)
        #expect(other.errors.contains("\(briefcase) cannot be imported into \(b.file)."), "\(other)")
        #expect(other.errors.contains("It has data of version '2', and version '1' is asked for."), "\(other)")
        #expect(other.errors.contains("--data-version '2'"), "\(other)")
        let lost = try b.tool.run("briefcase", "import", briefcase, b.file, "--data-version", "2")
        #expect(lost.status == 1)
        #expect(lost.errors.contains("The store has 1 change of its own, not sent."), "\(lost)")
        #expect(
            lost.errors.contains("Give them up with --discard, or send them first: tideline sync \(b.file)\n"),
            "\(lost)"
        )
        #expect(try b.values(of: "City", in: "Customers?$filter=Id eq 2") == ["Rome"])
        try b.tool.succeed("briefcase", "import", briefcase, b.file, "--data-version", "2", "--discard")
        #expect(try b.values(of: "City", in: "Customers?$filter=Id eq 2") == ["New York"])
    }

    @Test func `a briefcase of another model is refused in words of commands`() throws {
        let shop = try Shop()
        let a = try shop.device("a")
        let database = Database(path: shop.folder.file("goods.sqlite"))
        try database.execute("CREATE TABLE Goods (Id INTEGER PRIMARY KEY)")
        let data = shop.folder.file("goods")
        try a.tool.succeed("publish", database.path, "--data", data, "--domain", "goods", "--open")
        let server = try ServerProcess(data: data)
        let b = try Device("b", of: server.address + "/odata/goods/", in: shop.folder)
        let briefcase = shop.folder.file("out.briefcase")
        try b.tool.succeed("briefcase", "export", b.file, briefcase)
        let refused = try a.tool.run("briefcase", "import", briefcase, a.file)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("The two have different models."), "\(refused)")
        #expect(refused.errors.contains("Nothing was changed."), "\(refused)")
        #expect(!refused.errors.contains("migrations"), "\(refused)")
        #expect(try a.values(of: "City", in: "Customers?$filter=Id eq 1") == ["London"])
    }

    @Test func `what is no briefcase, and what cannot be one, is said to be`() throws {
        let shop = try Shop()
        let a = try shop.device("a")
        let missing = shop.folder.file("nowhere")
        let nothing = try a.tool.run("briefcase", "show", missing)
        #expect(nothing.status == 1)
        #expect(nothing.errors.contains("There is nothing at \(missing)."), "\(nothing)")
        let store = try a.tool.run("briefcase", "import", a.file, a.file)
        #expect(store.status == 1)
        #expect(store.errors.contains("It is no briefcase that this tideline reads."), "\(store)")
        let property = try a.tool.run("briefcase", "export", a.file, missing, "--property", "page")
        #expect(property.status == 64)
        #expect(property.errors.contains("'page' is no property: write NAME=VALUE."), "\(property)")
        let foreign = try a.tool.run("briefcase", "export", a.file, shop.folder.path, "--folder")
        #expect(foreign.status == 1)
        #expect(foreign.errors.contains("is no folder of a briefcase."), "\(foreign)")
        #expect(foreign.errors.contains("or a place where nothing is."), "\(foreign)")
        // No store is written over, not even the store itself.
        let own = try a.tool.run("briefcase", "export", a.file, a.file)
        #expect(own.status == 1)
        #expect(own.errors.contains("'\(a.file)' is no briefcase."), "\(own)")
        #expect(try a.values(of: "City", in: "Customers?$filter=Id eq 1") == ["London"])
        #expect(!FileManager.default.fileExists(atPath: missing))
    }
}
