// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What is advised can be done where it is advised, before there is a store and before there is a domain.
@Suite(.serialized)
struct FittingAdviceTests {
    @Test func `a key for a view that is not there is to be corrected, and nothing to be left out`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute("CREATE TABLE Goods (Id INTEGER PRIMARY KEY)")
        let publish = [
            "publish", database.path, "--data", folder.file("data"), "--domain", "shop", "--open", "--key", "Nope=Id",
        ]
        let refused = try Tool(home: folder.path).run(arguments: publish)
        #expect(refused.status == 1)
        #expect(
            refused.errors.hasSuffix("view Nope, but there is no such view.\n  Correct --key.\n"),
            "\(refused)"
        )
        let both = try Tool(home: folder.path).run(arguments: publish + ["--skip", "Wages"])
        #expect(both.errors.hasSuffix("\n  Correct --key.\n  Correct --skip.\n"), "\(both)")
    }

    @Test func `a table with several faults is to be left out once`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute(
            """
            CREATE TABLE goods (Id INTEGER PRIMARY KEY);
            CREATE TABLE vals (Id INTEGER PRIMARY KEY, a INTEGER, b INTEGER);
            INSERT INTO vals VALUES (1, 1, 2), (2, 'x', 'y')
            """
        )
        let refused = try Tool(home: folder.path)
            .run("publish", database.path, "--data", folder.file("data"), "--domain", "shop", "--open")
        #expect(refused.status == 1)
        #expect(refused.errors.hasSuffix("\n  Repair vals, or leave it out with --skip vals.\n"), "\(refused)")
    }

    @Test func `a clone that needs a sign-in is advised to name a user, for there is no store to sign in`() throws {
        let folder = try TemporaryFolder()
        let (tool, data) = (Tool(home: folder.path), folder.file("data"))
        try tool.publishGuarded("shop", in: folder, data: data)
        let server = try ServerProcess(data: data)
        let refused = try tool.run("clone", server.address + "/odata/shop/", folder.file("a.tideline"))
        #expect(refused.status == 1)
        #expect(
            refused.errors.hasSuffix(
                "  The service asks who you are.\n  Sign in: run the command again with --user NAME.\n"
            ),
            "\(refused)"
        )
    }

    @Test func `a filter that the service refuses is what a clone is to change`() throws {
        let shop = try Shop()
        let tool = Tool(home: shop.folder.path)
        let refused = try tool.run(
            "clone",
            shop.service,
            shop.folder.file("a.tideline"),
            "--set",
            "Orders?$filter=Nope gt 1"
        )
        #expect(refused.status == 1)
        #expect(
            refused.errors.hasSuffix(
                "\n  Clone again with a filter of Orders that the service takes, or without one.\n"
            ),
            "\(refused)"
        )
    }

    @Test(.timeLimit(.minutes(2)))
    func `where no server is, who has no store is not told that changes are kept`() throws {
        let folder = try TemporaryFolder()
        let tool = Tool(home: folder.path)
        let address = "http://127.0.0.1:9/odata/shop/"
        for command in [
            ["clone", address, folder.file("a.tideline")],
            ["generate", "swift", address, "--output", folder.file("Model")],
        ] {
            let refused = try tool.run(arguments: command)
            #expect(refused.status == 1)
            #expect(refused.errors.hasSuffix("\n  Check the address and the network.\n"), "\(refused)")
        }
    }
}
