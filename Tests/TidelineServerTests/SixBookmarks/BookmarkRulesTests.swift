// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import TidelineServer
import TidelineTestSupport

/// What the service says where a user has six bookmarks already, two in one place, or one that is none.
struct BookmarkRulesTests {
    let world: SixBookmarksWorld

    init() throws { world = try SixBookmarksWorld() }

    @Test(.covers("SB-F045", "SB-W30", "SB-W32"))
    func `a place holds one bookmark, and there are six places`() async throws {
        try await world.server.application().test(.live) { client in
            let token = try await client.token("ada")
            for place in 3...5 {
                #expect(try await client.insert("Mark", "https://example.com/", place, token).status == .created)
            }
            for place in 0...5 {
                let taken = try await client.insert("One more", "https://example.com/", place, token)
                #expect(taken.status == .conflict)
                #expect(taken.errorCode == "DuplicateValue")
                #expect(taken.text.contains("Ordinal"), "\(taken.text)")
            }
            for place in [6, -1] {
                let seventh = try await client.insert("Seventh", "https://example.com/", place, token)
                #expect(seventh.status == .badRequest)
                #expect(seventh.text.contains("six bookmarks at most"), "\(seventh.text)")
            }
            #expect(try await client.read("Bookmarks/$count", token).text == "6")
        }
    }

    @Test(
        .covers("SB-S10"),
        arguments: ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "example.com", ""]
    )
    func `an address of another scheme is refused`(address: String) async throws {
        try await world.server.application().test(.live) { client in
            let token = try await client.token("ada")
            let answer = try await client.insert("Mark", address, 3, token)
            #expect(answer.status == .badRequest)
            #expect(answer.errorCode == "BrokenRule")
            #expect(answer.text.contains("begins with http:// or https://"), "\(answer.text)")
            #expect(try await client.read("Bookmarks/$count", token).text == "3")
        }
    }

    @Test(.covers("SB-F144"))
    func `two bookmarks change places in one group, and three in a ring`() async throws {
        try await world.server.application().test(.live) { client in
            let token = try await client.token("ada")
            let swap = try await client.move([(10010, 1), (10011, 0)], token)
            #expect(swap.status == .ok, "\(swap.text)")
            #expect(!swap.text.contains("\"status\":4"), "\(swap.text)")
            let ring = try await client.move([(10010, 2), (10012, 0), (10011, 1)], token)
            #expect(!ring.text.contains("\"status\":4"), "\(ring.text)")
            let marks = try await client.read("Bookmarks?$orderby=Ordinal&$select=BookmarkId", token)
            let keys = (marks.json["value"] as? [[String: Any]])?.compactMap { $0["BookmarkId"] as? Int }
            #expect(keys == [10012, 10011, 10010])
        }
    }

    @Test(.covers("SB-F037"))
    func `a member reaches no row of another, by key, filter, change or removal, and cannot give one away`()
        async throws
    {
        try await world.server.application().test(.live) { client in
            let token = try await client.token("ada")
            for key in [10020, 20010] {
                #expect(try await client.read("Bookmarks(\(key))", token).status == .notFound)
                let change = try await client.change("Bookmarks(\(key))", #"{"Name":"mine"}"#, token)
                #expect(change.status == .notFound)
                let headers: HTTPFields = [.authorization: "Bearer \(token)"]
                let gone = try await client.execute(
                    uri: "/odata/sixbookmarks/Bookmarks(\(key))",
                    method: .delete,
                    headers: headers
                )
                #expect(gone.status == .notFound)
            }
            let found = try await client.read("Bookmarks?$filter=UserId eq 1002", token)
            #expect((found.json["value"] as? [Any])?.isEmpty == true)
            let given = try await client.change("Bookmarks(10010)", #"{"UserId":1002,"Ordinal":5}"#, token)
            #expect(given.status == .forbidden || given.status == .conflict, "\(given.text)")
            let forged = try await client.post(
                "/odata/sixbookmarks/Bookmarks",
                #"{"UserId":1002,"Name":"x","Url":"https://example.com/","Ordinal":5}"#,
                token: token
            )
            #expect(forged.status == .forbidden || forged.status == .conflict, "\(forged.text)")
            #expect(try await client.read("Bookmarks/$count", try await client.token("grace")).text == "3")
            #expect(try await client.read("Bookmarks/$count", token).text == "3")
        }
    }
}

extension TestClientProtocol {
    func insert(_ name: String, _ address: String, _ place: Int, _ token: String) async throws -> TestResponse {
        try await post(
            "/odata/sixbookmarks/Bookmarks",
            #"{"UserId":1001,"Name":"\#(name)","Url":"\#(address)","Ordinal":\#(place)}"#,
            token: token
        )
    }

    func change(_ path: String, _ body: String, _ token: String) async throws -> TestResponse {
        try await execute(
            uri: "/odata/sixbookmarks/\(path)",
            method: .patch,
            headers: [.authorization: "Bearer \(token)", .contentType: "application/json"],
            body: ByteBuffer(string: body)
        )
    }

    /// Gives bookmarks other places, in one atomicity group.
    func move(_ places: [(key: Int, place: Int)], _ token: String) async throws -> TestResponse {
        let requests = places.enumerated().map { number, move in
            #"{"id":"\#(number)","atomicityGroup":"g","method":"PATCH","url":"Bookmarks(\#(move.key))","#
                + #""headers":{"content-type":"application/json"},"body":{"Ordinal":\#(move.place)}}"#
        }
        return try await post(
            "/odata/sixbookmarks/$batch",
            "{\"requests\":[\(requests.joined(separator: ","))]}",
            token: token
        )
    }
}
