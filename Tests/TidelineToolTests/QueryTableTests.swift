// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

/// What `tideline query` shows at a terminal.
struct QueryTableTests {
    private static let csdl = #"""
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Item"><Key><PropertyRef Name="Name"/></Key>
            <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="20"/>
            <Property Name="Colours" Type="Collection(Edm.String)" Nullable="false"/>
            <Property Name="Sizes" Type="Collection(Edm.Int32)" Nullable="false"/>
          </EntityType>
          <EntityContainer Name="Container"><EntitySet Name="Items" EntityType="Shop.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """#

    @Test(.timeLimit(.minutes(2)))
    func `a collection stands in the table as its items, and in JSON as an array`() throws {
        let folder = try TemporaryFolder()
        let model = folder.file("shop.xml")
        try Self.csdl.write(toFile: model, atomically: true, encoding: .utf8)
        let data = folder.file("data")
        try Tool(home: folder.path).succeed("create", "shop", "--model", model, "--data", data, "--open")
        let server = try ServerProcess(data: data)
        let device = try Device("a", of: server.address + "/odata/shop/", in: folder)
        try device.insert("Items", #"{"Name":"Shirt","Colours":["red","dark \"green\""],"Sizes":[38,40]}"#)
        try device.insert("Items", #"{"Name":"Belt","Colours":[],"Sizes":[]}"#)
        let query = "Items?$select=Name,Colours,Sizes&$orderby=Name"

        let process = Process()
        process.executableURL = URL(filePath: Tool.binary)
        process.arguments = ["query", device.file, query]
        process.environment = Tool.environment(home: device.tool.home)
        let table = try PseudoTerminal().screen(of: process, until: "Shirt  red, dark \"green\"  38, 40\r\n")
        #expect(table.status == 0)
        // The first line, with the names of the columns, is in bold type.
        #expect(table.shown.hasSuffix("\r\nBelt\r\nShirt  red, dark \"green\"  38, 40\r\n"), "\(table.shown)")
        #expect(
            try device.query(query) == [
                ["Name": "Belt", "Colours": .array([]), "Sizes": .array([])],
                ["Name": "Shirt", "Colours": .array(["red", #"dark "green""#]), "Sizes": .array([38, 40])],
            ]
        )
        #expect(server.stop() == 0)
    }
}
