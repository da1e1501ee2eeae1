// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The README's walk: the demo is served, two files are cloned, edited with no connection and synced.
@Suite(.serialized)
struct FirstLightTests {
    @Test func `the demo is served, cloned twice, edited and in step`() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(data: folder.file("data"), arguments: ["--demo"])
        let service = server.address + "/odata/pctrade/"
        let a = try Device("a", of: service, in: folder)
        let b = try Device("b", of: service, in: folder)
        #expect(try a.query("Clients").count == 20)
        #expect(try a.query("Orders").count == 60)
        #expect(try a.query("OrderDetails").count == 180)
        #expect(try a.query("Products").count == 82)
        #expect(try a.query("Workers").count == 8)
        let top = try a.query("OrderDetails?$filter=Total gt 100&$orderby=Total desc&$top=5")
        #expect(top.count == 5)
        try a.insert(
            "Workers",
            #"{"LastName":"Lovelace","FirstName":"Ada","BirthDate":"1815-12-10","Position":"Analyst"}"#
        )
        try b.update("Workers", "1", #"{"Position":"Director"}"#)
        try a.sync()
        try b.sync()
        try a.sync()
        for device in [a, b] {
            try device.verify()
            #expect(try device.values(of: "Position", in: "Workers?$filter=WorkerId eq 1") == ["Director"])
            #expect(try device.values(of: "FirstName", in: "Workers?$filter=LastName eq 'Lovelace'") == ["Ada"])
        }
        #expect(server.stop() == 0)
    }

    @Test func `a part of a domain is cloned and stays that part`() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(data: folder.file("data"), arguments: ["--demo"])
        let device = try Device(
            "a",
            of: server.address + "/odata/pctrade/",
            in: folder,
            arguments: [
                "--set", "Products[?$filter=ProductId le 10]".replacing("[", with: "").replacing("]", with: ""),
            ]
        )
        #expect(try device.query("Products").count == 10)
        try device.verify()
    }

    @Test func `each user of six bookmarks holds the own bookmarks alone`() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(data: folder.file("data"), arguments: ["--demo"])
        let service = server.address + "/odata/sixbookmarks/"
        let ada = try Device(
            "ada",
            of: service,
            in: folder,
            arguments: ["--user", "ada", "--password-stdin"],
            password: "tide-and-time-1"
        )
        let grace = try Device(
            "grace",
            of: service,
            in: folder,
            arguments: ["--user", "grace", "--password-stdin"],
            password: "tide-and-time-2"
        )
        for device in [ada, grace] {
            #expect(
                try device.values(of: "Name", in: "Bookmarks?$orderby=Ordinal") == [
                    "Google", ".NET 247", "Topaz Filer",
                ]
            )
        }
        let adas = Set(try ada.values(of: "BookmarkId", in: "Bookmarks"))
        let graces = Set(try grace.values(of: "BookmarkId", in: "Bookmarks"))
        #expect(adas.isDisjoint(with: graces))
        let secrets = try FileManager.default.subpathsOfDirectory(atPath: ada.tool.home)
        #expect(!secrets.isEmpty)
        for path in secrets {
            let attributes = try FileManager.default.attributesOfItem(atPath: ada.tool.home + "/" + path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(path)")
        }
    }

    @Test func `a wrong password is refused in a sentence and leaves no file`() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(data: folder.file("data"), arguments: ["--demo"])
        let file = folder.file("ada.store")
        let result = try Tool(home: folder.file("home")).run(
            "clone",
            server.address + "/odata/sixbookmarks/",
            file,
            "--user",
            "ada",
            "--password-stdin",
            input: "not-her-password\n"
        )
        #expect(result.status != 0)
        #expect(result.errors.localizedCaseInsensitiveContains("password"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `the root page says what is running and links to each domain`() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(data: folder.file("data"), arguments: ["--demo"])
        let page = try Tool(home: folder.path).run("-sS", server.address + "/", executable: "/usr/bin/curl")
        #expect(page.status == 0)
        #expect(page.output.contains("/odata/pctrade/"))
        #expect(page.output.contains("/odata/sixbookmarks/"))
        #expect(page.output.contains("tideline clone"))
    }
}
