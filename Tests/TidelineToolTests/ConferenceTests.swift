// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

/// The sample `conference`, a process for each command, and the same data through `tideline` and over HTTP.
@Suite(.serialized)
struct ConferenceTests {
    private let folder: TemporaryFolder
    private let tool: Tool
    private var file: String { folder.file("fair.tideline") }

    init() throws {
        folder = try TemporaryFolder()
        tool = Tool(home: folder.path)
    }

    /// Runs a command of the sample to its end: what it knows in the next one, it has read from the file.
    @discardableResult
    private func conference(_ words: String..., location: SourceLocation = #_sourceLocation) throws -> [String] {
        let result = try tool.run(arguments: [file] + words, executable: Self.binary)
        #expect(result.status == 0, "conference \(words)\n\(result)", sourceLocation: location)
        return result.lines
    }

    /// The sample's program, beside the tool.
    private static let binary = URL(filePath: Tool.binary).deletingLastPathComponent().appending(path: "conference")
        .path

    /// The values of properties of the entities that a path tells over HTTP.
    private func served(_ path: String, at service: String, _ properties: String...) throws -> [[JSON]] {
        let answer = try tool.run("-sS", "-f", "-g", service + path, executable: "/usr/bin/curl")
        try #require(answer.status == 0, "\(answer)")
        let body = try JSONDecoder().decode([String: JSON].self, from: Data(answer.output.utf8))
        guard case .array(let items)? = body["value"] else { return [] }
        return items.map { item in
            guard case .object(let entity) = item else { return [] }
            return properties.map { entity[$0] ?? .null }
        }
    }

    /// The same of the entities that the tool finds in the file.
    private func queried(_ path: String, _ properties: String...) throws -> [[JSON]] {
        try tool.succeed("query", file, path, "--json").lines.map { line in
            let entity = try JSONDecoder().decode([String: JSON].self, from: Data(line.utf8))
            return properties.map { entity[$0] ?? .null }
        }
    }

    /// Three tracks, a time slot and five sessions; a track and a session edited, and the third track deleted.
    private func play() throws {
        for track in ["Swift", "Data", "Web"] { try conference("add-track", track, "About \(track)") }
        try conference("add-slot", "Nine", "2026-11-30T09:00:00Z", "2026-11-30T10:00:00Z")
        try conference("add-session", "Swift", "Actors", "Nine")
        try conference("add-session", "Swift", "Macros")
        try conference("add-session", "Data", "Offline first")
        try conference("add-session", "Web")
        try conference("add-session", "Web", "Servers")
        try conference("edit-track", "Data", "Databases")
        try conference("edit-session", "Session02", "Macros at nine", "Nine")
        try conference("attend", "Ada", "Session03")
        try conference("attend", "Ada", "Session05")
        try conference("delete-track", "Web")
    }

    /// Gives the file a server whose database is made from the sample's own model.
    private func serve() throws -> ServerProcess {
        let model = folder.file("conference.json")
        try conference("model").joined(separator: "\n").write(toFile: model, atomically: true, encoding: .utf8)
        let data = folder.file("data")
        try tool.succeed("create", "conference", "--model", model, "--data", data, "--open")
        let server = try ServerProcess(data: data)
        try tool.succeed("attach", file, server.address + "/odata/conference/")
        return server
    }

    @Test(.covers("MD-I63"))
    func `tracks and sessions are the same after a restart, through the tool, and over HTTP`() throws {
        try play()
        let tracks: [[JSON]] = [["Databases", "About Data"], ["Swift", "About Swift"]]
        let sessions: [[JSON]] = [
            ["Session01", "Actors"], ["Session02", "Macros at nine"], ["Session03", "Offline first"],
        ]
        #expect(try conference("tracks") == ["Databases  About Data", "Swift  About Swift"])
        #expect(try conference("sessions", "Swift") == ["Session01  Actors  Nine", "Session02  Macros at nine  Nine"])
        #expect(try conference("sessions", "Databases") == ["Session03  Offline first"])
        #expect(try conference("agenda", "Ada") == ["Session03  Offline first"])
        #expect(try queried("Tracks?$orderby=Name", "Name", "TrackAbstract") == tracks)
        #expect(try queried("Sessions?$orderby=SessionId", "SessionId", "Name") == sessions)

        let server = try serve()
        let service = server.address + "/odata/conference/"
        #expect(try queried("Tracks?$orderby=Name", "Name", "TrackAbstract") == tracks)
        #expect(try served("Tracks?$orderby=Name", at: service, "Name", "TrackAbstract") == tracks)
        #expect(try served("Sessions?$orderby=SessionId", at: service, "SessionId", "Name") == sessions)
        #expect(try served("Sessions?$filter=Track/Name%20eq%20'Swift'", at: service, "Name").count == 2)
        #expect(
            try served("Attendances?$filter=Session/SessionId%20eq%20'Session03'", at: service, "SessionKey").count == 1
        )
        #expect(try served("Attendances", at: service, "SessionKey").count == 1)
        try tool.succeed("verify", file)
        #expect(server.stop() == 0)
    }

    @Test(.covers("MD-I63"))
    func `the sample goes on after it got a server, and what others change there reaches it`() throws {
        try play()
        let server = try serve()
        let service = server.address + "/odata/conference/"
        try conference("delete-track", "Databases")
        try conference("add-session", "Swift", "Servers")
        try tool.succeed("sync", file)
        #expect(try served("Tracks", at: service, "Name") == [["Swift"]])
        #expect(
            try served("Sessions?$orderby=SessionId", at: service, "SessionId", "Name") == [
                ["Session01", "Actors"], ["Session02", "Macros at nine"], ["Session03", "Servers"],
            ]
        )
        #expect(try served("Attendances", at: service, "SessionKey").isEmpty)
        let other = try Device("other", of: service, in: folder)
        let key = try #require(try other.values(of: "TrackId", in: "Tracks").first)
        guard case .string(let track) = key else { return #expect(Bool(false), "\(key)") }
        try other.update("Tracks", track, #"{"Name":"Swift on servers"}"#)
        try other.sync()
        try tool.succeed("sync", file)
        #expect(try conference("tracks") == ["Swift on servers  About Swift"])
        try tool.succeed("verify", file)
        #expect(server.stop() == 0)
    }
}
