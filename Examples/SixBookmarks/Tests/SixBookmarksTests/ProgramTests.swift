// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

/// The built program, as a script starts it, against the real server.
@Suite(.enabled(if: DemoServer.binary != nil && Program.binary != nil, "no built programs"), .serialized)
struct ProgramTests {
    private let server: DemoServer

    init() async throws {
        server = try await DemoServer(binary: try #require(DemoServer.binary))
    }

    private func run(_ home: String, _ arguments: String..., input: String = "") throws -> Program.Result {
        try Program.run(
            ["--home", server.folder.appending(path: home).path, "--service", server.service] + arguments,
            input: input
        )
    }

    @Test(.covers("SB-F130", "SB-F140", "SB-F143", "SB-F161"))
    func `one device signs in, edits and syncs, and the other one has it`() throws {
        let signedIn = try run("phone", "sign-in", "ada", input: "tide-and-time-1\n")
        #expect(signedIn.status == 0, "\(signedIn.error)")
        #expect(
            signedIn.lines.suffix(6).map { $0.prefix(8) } == [
                "1  Googl", "2  .NET ", "3  Topaz", "4  …", "5  …", "6  …",
            ]
        )
        #expect(
            try run("phone", "add", "Swift", "swift.org").output
                == "Place 4: Swift. It waits to be sent: sixbookmarks sync.\n"
        )
        #expect(try run("phone", "edit", "1", "--name", "Search").status == 0)
        #expect(try run("phone", "move", "4", "2").status == 0)
        #expect(try run("phone", "delete", "3").status == 0)
        let status = try run("phone", "status")
        #expect(status.lines.contains("Changes wait to be sent."), "\(status.output)")
        let sync = try run("phone", "sync")
        #expect(sync.output.hasPrefix("In step: "), "\(sync.output)\(sync.error)")

        #expect(try run("laptop", "sign-in", "ada", input: "tide-and-time-1\n").status == 0)
        let list = try run("laptop", "list", "--json")
        #expect(
            list.output == #"""
                [{"name":"Search","place":1,"url":"http://www.google.co.uk"},{"name":"Swift","place":2,"url":"https://swift.org"},{"name":".NET 247","place":4,"url":"http://www.dotnet247.com/"}]

                """#
        )
        #expect(try run("phone", "list", "--json").output == list.output)
        #expect(try run("phone", "sync", "--json").output.contains(#""sent":0"#))
    }

    @Test(.covers("SB-F131", "SB-F132"))
    func `a bookmark and the page of the service open in the browser that is named`() throws {
        #expect(try run("phone", "sign-in", "ada", input: "tide-and-time-1\n").status == 0)
        let opened = try run("phone", "open", "2")
        #expect(opened.status == 0, "\(opened.error)")
        #expect(opened.output == "http://www.dotnet247.com/\n")
        let empty = try run("phone", "open", "6")
        #expect(empty.status == 1)
        #expect(empty.error == "sixbookmarks: Place 6 is empty. Add one: sixbookmarks add NAME URL 6.\n")
        #expect(try run("phone", "about").output.hasPrefix("http://127.0.0.1:"))
    }

    @Test(.covers("SB-F133", "SB-S06", "SB-S07"))
    func `signing out asks for changes that wait, and leaves no row and no token`() throws {
        #expect(try run("phone", "sign-in", "ada", input: "tide-and-time-1\n").status == 0)
        let home = server.folder.appending(path: "phone")
        let names = try FileManager.default.subpathsOfDirectory(atPath: home.path)
        let token = try #require(names.first { $0.hasPrefix("tokens/") })
        let attributes = try FileManager.default.attributesOfItem(atPath: home.appending(path: token).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try run("phone", "add", "Swift", "swift.org").status == 0)
        let refused = try run("phone", "sign-out")
        #expect(refused.status == 1)
        #expect(refused.error.contains("1 change was not sent and would be lost."))
        #expect(
            try run("phone", "sign-out", "--discard").output == "Signed out. Nothing of yours is left on this device.\n"
        )
        let left = try FileManager.default.subpathsOfDirectory(atPath: home.path)
        #expect(left.filter { $0.contains(".tideline") || $0.hasPrefix("tokens/") } == [])
        let nobody = try run("phone", "list")
        #expect(nobody.status == 1)
        #expect(nobody.error.contains("Nobody is signed in on this device"))
    }

    @Test(.covers("SB-F125")) func `who is new registers and begins with six empty places`() throws {
        let taken = try run("phone", "register", "Ada", input: "rising-tide\n")
        #expect(taken.status == 1)
        #expect(taken.error.contains("This name is taken. Choose another one."), "\(taken.error)")
        let made = try run("phone", "register", "mary", input: "rising-tide\n")
        #expect(made.status == 0, "\(made.error)")
        #expect(made.lines.first?.hasPrefix("tideline/mary is signed in.") == true, "\(made.output)")
        #expect(made.lines.suffix(6) == ["1  …", "2  …", "3  …", "4  …", "5  …", "6  …"])
        #expect(try run("phone", "add", "Swift", "swift.org").status == 0)
        #expect(try run("phone", "sync").status == 0)
        #expect(
            try run("laptop", "sign-in", "mary", input: "rising-tide\n").lines.contains("1  Swift  https://swift.org")
        )
    }

    @Test func `errors say what, why and what next, on standard error`() throws {
        let wrong = try run("phone", "sign-in", "ada", input: "wrong\n")
        #expect(wrong.status == 1)
        #expect(wrong.output == "")
        #expect(wrong.error.contains("The name or the password is wrong. Check both and try again."))
        let unknown = try run("phone", "lst")
        #expect(unknown.status == 2)
        #expect(unknown.error.contains("There is no command \"lst\". Did you mean list?"))
        #expect(try run("phone", "--jso").status == 2)
        #expect(try run("phone", "sign-in", "ada").error.contains("The password is missing."))
        #expect(try run("phone", "--help").output.hasPrefix("Six bookmarks, at hand with or without a connection."))
        #expect(try run("phone", "sign-in", "ada", input: "tide-and-time-1\n").status == 0)
        #expect(try run("phone", "add", "x", "javascript:1").error.contains("\"javascript:\" are not taken"))
        #expect(try run("phone", "delete", "9").error == "sixbookmarks: There is no place 9. Places are 1 to 6.\n")
        #expect(try run("phone", "move", "1").error.contains("move PLACE PLACE"))
    }

    @Test func `one file of a person's own works as before`() throws {
        let file = server.folder.appending(path: "ada.bookmarks").path
        let started = try Program.run([file, "start", server.service, "ada"], input: "tide-and-time-1\n")
        #expect(started.status == 0, "\(started.error)")
        #expect(started.lines.first == "1  Google  http://www.google.co.uk")
        #expect(try Program.run([file, "add", "Swift", "https://www.swift.org/"]).status == 0)
        #expect(try Program.run([file, "sync"]).output.hasPrefix("In step. Sent 1,"))
        #expect(try Program.run([file, "list"]).lines[3] == "4  Swift  https://www.swift.org/")
    }

    /// Six places, all taken: each move is a swap, and none of them has a free place to pass by.
    @Test(.covers("SB-F144"), .enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
    func `bookmarks change places in a database of PostgreSQL, and the other device has them so`() async throws {
        let server = try await DemoServer(binary: try #require(DemoServer.binary), isPostgres: true)
        func run(_ home: String, _ arguments: String..., input: String = "") throws -> Program.Result {
            try Program.run(
                ["--home", server.folder.appending(path: home).path, "--service", server.service] + arguments,
                input: input
            )
        }
        for home in ["phone", "laptop"] {
            let signedIn = try run(home, "sign-in", "ada", input: "tide-and-time-1\n")
            #expect(signedIn.status == 0, "\(signedIn.error)")
        }
        for (place, other) in [("1", "2"), ("2", "6"), ("6", "3")] {
            #expect(try run("phone", "move", place, other).status == 0)
        }
        let sync = try run("phone", "sync")
        #expect(sync.output.hasPrefix("In step: "), "\(sync.output)\(sync.error)")
        #expect(try run("phone", "status").lines.contains("Changes wait to be sent.") == false)
        // One more swap by the other device, which is then in step with both.
        #expect(try run("laptop", "sync").status == 0)
        #expect(try run("laptop", "move", "4", "5").status == 0)
        #expect(try run("laptop", "sync").status == 0)
        #expect(try run("phone", "sync").status == 0)
        let list = try run("phone", "list", "--json").output
        let names = list.matches(of: /"name":"Mark (\d)"/).map { String($0.output.1) }
        #expect(names == ["2", "6", "1", "5", "4", "3"], "\(list)")
        #expect(try run("laptop", "list", "--json").output == list)
    }
}
