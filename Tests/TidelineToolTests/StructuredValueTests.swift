// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Complex values and collections on a device: written, asked for, read, and in step with the service.
@Suite(.serialized)
struct StructuredValueTests {
    private static let csdl = #"""
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Blog" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <ComplexType Name="Place">
            <Property Name="City" Type="Edm.String"/>
            <Property Name="Street" Type="Edm.String"/>
          </ComplexType>
          <EntityType Name="Post"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Int64" Nullable="false"/>
            <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
            <Property Name="Address" Type="Blog.Place"/>
            <Property Name="Stops" Type="Collection(Blog.Place)" Nullable="false"/>
          </EntityType>
          <EntityContainer Name="Container"><EntitySet Name="Posts" EntityType="Blog.Post"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """#

    private static let bern: JSON = .object(["City": "Bern", "Street": .null])
    private static let bonn: JSON = .object(["City": "Bonn", "Street": "Main"])

    /// A served domain with posts.
    private struct Blog {
        let folder: TemporaryFolder
        let server: ServerProcess

        init() throws {
            folder = try TemporaryFolder()
            let (model, data) = (folder.file("blog.xml"), folder.file("data"))
            try csdl.write(toFile: model, atomically: true, encoding: .utf8)
            try Tool(home: folder.path).succeed("create", "blog", "--model", model, "--data", data, "--open")
            server = try ServerProcess(data: data)
        }

        func device(_ name: String) throws -> Device {
            try Device(name, of: server.address + "/odata/blog/", in: folder)
        }
    }

    @Test func `an entity with a complex value and collections goes to the service and to another device`() throws {
        let blog = try Blog()
        let (a, b) = (try blog.device("a"), try blog.device("b"))
        try a.insert(
            "Posts",
            #"{"Id":1,"Tags":["new"],"Address":{"City":"Bern","Street":null},"Stops":[{"City":"Bonn","Street":"Main"}]}"#
        )
        let post: [String: JSON] = [
            "Id": 1, "Tags": .array(["new"]), "Address": Self.bern, "Stops": .array([Self.bonn]),
        ]
        #expect(try a.query("Posts") == [post])
        try a.sync()
        try a.verify()
        try b.sync()
        #expect(try b.query("Posts") == [post])
        try b.verify()
        #expect(blog.server.stop() == 0)
    }

    @Test func `what a query writes can be inserted as it is`() throws {
        let blog = try Blog()
        let (a, b) = (try blog.device("a"), try blog.device("b"))
        try a.insert("Posts", #"{"Id":7,"Tags":["x","y"],"Address":{"City":"Bern","Street":null},"Stops":[]}"#)
        let line = try #require(try a.tool.succeed("query", a.file, "Posts", "--json").lines.first)
        try b.insert("Posts", line)
        #expect(try b.query("Posts") == (try a.query("Posts")))
        try b.sync()
        try b.verify()
        #expect(blog.server.stop() == 0)
    }

    @Test func `a filter and an order look into a complex value`() throws {
        let blog = try Blog()
        let a = try blog.device("a")
        for (id, city) in [(1, "Bern"), (2, "Rome"), (3, "Bonn")] {
            try a.insert("Posts", #"{"Id":\#(id),"Tags":[],"Address":{"City":"\#(city)","Street":null},"Stops":[]}"#)
        }
        try a.insert("Posts", #"{"Id":4,"Tags":["blue"],"Address":null,"Stops":[]}"#)
        #expect(try a.values(of: "Id", in: "Posts?$filter=Address/City eq 'Rome'") == [2])
        #expect(try a.values(of: "Id", in: "Posts?$filter=startswith(Address/City,'B')&$orderby=Id") == [1, 3])
        #expect(try a.values(of: "Id", in: "Posts?$filter=Tags/any(t:t eq 'blue')") == [4])
        #expect(blog.server.stop() == 0)
    }

    @Test func `an update changes the members that it names, here and at the service`() throws {
        let blog = try Blog()
        let (a, b) = (try blog.device("a"), try blog.device("b"))
        try a.insert("Posts", #"{"Id":1,"Tags":[],"Address":{"City":"Bonn","Street":"Main"},"Stops":[]}"#)
        try a.sync()
        try a.update("Posts", "1", #"{"Address":{"City":"Bern"},"Tags":["moved"]}"#)
        let moved: JSON = .object(["City": "Bern", "Street": "Main"])
        #expect(try a.values(of: "Address", in: "Posts") == [moved])
        try a.sync()
        try b.sync()
        #expect(try b.values(of: "Address", in: "Posts") == [moved])
        #expect(try b.values(of: "Tags", in: "Posts") == [.array(["moved"])])
        try a.verify()
        try a.update("Posts", "1", #"{"Address":null}"#)
        try a.sync()
        try b.sync()
        #expect(try b.values(of: "Address", in: "Posts") == [.null])
        try a.verify()
        #expect(blog.server.stop() == 0)
    }

    @Test func `a member that the service does not know is in the quarantine as it was written`() throws {
        let blog = try Blog()
        let a = try blog.device("a")
        try a.insert("Posts", #"{"Id":1,"Tags":[],"Address":{"Town":"Bern"},"Stops":[]}"#)
        try a.sync()
        let kept = try a.tool.succeed("quarantine", a.file, "--json").lines
        try #require(kept.count == 1)
        #expect(kept[0].contains(#""Address":{"Town":"Bern"}"#), "\(kept[0])")
        #expect(kept[0].contains("Town"), "\(kept[0])")
        #expect(blog.server.stop() == 0)
    }
}
