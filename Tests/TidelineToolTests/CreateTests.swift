// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

/// Databases and domains that are made from a model, then served, cloned and changed.
@Suite(.serialized)
struct CreateTests {
    /// The model of a small shop, and what a client finds in its metadata again.
    private static let csdl = #"""
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EnumType Name="State"><Member Name="open" Value="0"/><Member Name="sent" Value="1"/></EnumType>
          <EntityType Name="Order"><Key><PropertyRef Name="OrderId"/></Key>
            <Property Name="OrderId" Type="Edm.Int32" Nullable="false"><Annotation Term="Org.OData.Core.V1.ComputedDefaultValue"/></Property>
            <Property Name="Number" Type="Edm.String" Nullable="false" MaxLength="10"/>
            <Property Name="Total" Type="Edm.Decimal" Precision="19" Scale="4" Nullable="false" DefaultValue="0"/>
            <Property Name="Count" Type="Edm.Int32" Nullable="false" DefaultValue="1">
              <Annotation Term="Org.OData.Validation.V1.Minimum" Int="1"/><Annotation Term="Org.OData.Validation.V1.Maximum" Int="99"/></Property>
            <Property Name="State" Type="Shop.State" Nullable="false" DefaultValue="open"/>
            <Property Name="Placed" Type="Edm.DateTimeOffset" Precision="3"/>
            <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
            <Property Name="ClientId" Type="Edm.Guid" Nullable="false"/>
            <NavigationProperty Name="Customer" Type="Shop.Client" Nullable="false" Partner="Placings">
              <ReferentialConstraint Property="ClientId" ReferencedProperty="ClientId"/><OnDelete Action="Cascade"/></NavigationProperty>
            <Annotation Term="Org.OData.Core.V1.AlternateKeys"><Collection><Record><PropertyValue Property="Key"><Collection>
              <Record><PropertyValue Property="Name" PropertyPath="Number"/><PropertyValue Property="Alias" String="Number"/></Record>
            </Collection></PropertyValue></Record></Collection></Annotation>
          </EntityType>
          <EntityType Name="Client"><Key><PropertyRef Name="ClientId"/></Key>
            <Property Name="ClientId" Type="Edm.Guid" Nullable="false"/>
            <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="80"/>
            <Property Name="Rating" Type="Edm.Double"/>
            <NavigationProperty Name="Placings" Type="Collection(Shop.Order)" Partner="Customer"/>
          </EntityType>
          <EntityContainer Name="Container">
            <EntitySet Name="Orders" EntityType="Shop.Order"><NavigationPropertyBinding Path="Customer" Target="Clients"/></EntitySet>
            <EntitySet Name="Clients" EntityType="Shop.Client"><NavigationPropertyBinding Path="Placings" Target="Orders"/></EntitySet>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """#

    private static let client = "00000000-0000-0000-0000-00000000000a"

    /// Creates the domain, and shows that it keeps what the model says.
    private func tryOut(_ folder: TemporaryFolder, arguments: [String]) throws -> (data: String, server: ServerProcess)
    {
        let tool = Tool(home: folder.path)
        let model = folder.file("shop.xml")
        try Self.csdl.write(toFile: model, atomically: true, encoding: .utf8)
        let data = folder.file("data")
        let made = try tool.run(
            arguments: ["create", "shop", "--model", model, "--data", data, "--open"] + arguments
        )
        #expect(made.status == 0, "\(made)")
        let server = try ServerProcess(data: data)
        let device = try Device("a", of: server.address + "/odata/shop/", in: folder)
        try device.insert("Clients", #"{"ClientId":"\#(Self.client)","Name":"Ann & Söhne","Rating":0.1}"#)
        try device.insert(
            "Orders",
            #"{"Number":"N1","Total":123456789012345.6789,"Placed":"2026-01-02T03:04:05.678Z","Tags":["a","b"],"ClientId":"\#(Self.client)"}"#
        )
        try device.sync()
        let orders = try device.query("Orders")
        try #require(orders.count == 1)
        #expect(orders[0]["OrderId"] == 1)
        #expect(orders[0]["State"] == "open")
        #expect(orders[0]["Count"] == 1)
        try device.verify()
        // What another program may not do: the tables keep the model's rules themselves.
        let swift = (folder.file("from-model"), folder.file("from-domain"))
        try tool.succeed("generate", "swift", model, "--output", swift.0, "--module", "Shop")
        try tool.succeed("generate", "swift", "shop", "--data", data, "--output", swift.1, "--module", "Shop")
        for name in try FileManager.default.contentsOfDirectory(atPath: swift.0) {
            let texts = try [swift.0, swift.1].map { try String(contentsOfFile: "\($0)/\(name)", encoding: .utf8) }
            #expect(texts[0] == texts[1], "\(name)")
        }
        return (data, server)
    }

    @Test func `a domain of SQLite is made, served, and keeps the rules of its model`() throws {
        let folder = try TemporaryFolder()
        let (data, server) = try tryOut(folder, arguments: [])
        let database = Database(path: data + "/databases/shop.sqlite")
        #expect(try database.texts("SELECT Total FROM Orders") == ["123456789012345.6789"])
        for sql in [
            "UPDATE Orders SET Count = 100", "UPDATE Orders SET State = 'lost'",
            "UPDATE Orders SET Number = '12345678901'",
            "INSERT INTO Orders (Number, Tags, ClientId) VALUES ('N1', '[]', '\(Self.client)')",
            "UPDATE Orders SET Tags = '{}'", "UPDATE Clients SET Name = NULL",
        ] {
            #expect(throws: (any Error).self, "\(sql)") { try database.execute(sql) }
        }
        #expect(
            try database.integer("SELECT count(*) FROM pragma_foreign_key_list('Orders') WHERE on_delete = 'CASCADE'")
                == 1
        )
        #expect(server.stop() == 0)
    }

    @Test(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
    func `a domain of PostgreSQL is made, served, and keeps the rules of its model`() throws {
        let folder = try TemporaryFolder()
        let cluster = try PostgresCluster.shared()
        let name = cluster.name(of: try cluster.makeDatabase("CREATE TABLE other (id int PRIMARY KEY)"))
        let (_, server) = try tryOut(folder, arguments: ["--postgres", cluster.url(database: name)])
        #expect(try cluster.run(#"SELECT "Total" FROM "Orders""#, database: name).contains("123456789012345.6789"))
        for sql in [
            #"UPDATE "Orders" SET "Count" = 100"#, #"UPDATE "Orders" SET "State" = 'lost'"#,
            #"UPDATE "Orders" SET "Tags" = '{}'"#, #"UPDATE "Clients" SET "Name" = NULL"#,
        ] {
            #expect(throws: (any Error).self, "\(sql)") { try cluster.run(sql, database: name) }
        }
        #expect(server.stop() == 0)
        // The same once more: the tables are there, and nothing is changed.
        let again = try Tool(home: folder.path).run(
            "create",
            "two",
            "--model",
            folder.file("shop.xml"),
            "--data",
            folder.file("data"),
            "--open",
            "--postgres",
            cluster.url(database: name)
        )
        #expect(again.status == 1)
        #expect(again.errors.contains("has a table Orders, Clients already"))
    }

    @Test func `a second domain of the name, and models without tables, are refused and leave nothing`() throws {
        let folder = try TemporaryFolder()
        let tool = Tool(home: folder.path)
        let model = folder.file("shop.xml")
        try Self.csdl.write(toFile: model, atomically: true, encoding: .utf8)
        let data = folder.file("data")
        try tool.succeed("create", "shop", "--model", model, "--data", data, "--open")
        let again = try tool.run("create", "shop", "--model", model, "--data", data, "--open")
        #expect(again.status == 1)
        #expect(again.errors.contains("The domain shop exists"))
        let derived = Self.csdl.replacing(
            #"<EntityContainer"#,
            with: #"<EntityType Name="Big" BaseType="Shop.Order"/><EntityContainer"#
        )
        try derived.write(toFile: model, atomically: true, encoding: .utf8)
        let refused = try tool.run("create", "big", "--model", model, "--data", data, "--open")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("Orders has derived types"))
        #expect(!FileManager.default.fileExists(atPath: data + "/databases/big.sqlite"))
        let unsaid = try tool.run("create", "none", "--model", model, "--data", data)
        #expect(unsaid.errors.contains("--policies"))
    }

    @Test(.covers("MD-I15"))
    func `a name that leads to another folder, none, and a taken one are refused, and nothing is made`() throws {
        let folder = try TemporaryFolder()
        let tool = Tool(home: folder.path)
        let model = folder.file("shop.xml")
        try Self.csdl.write(toFile: model, atomically: true, encoding: .utf8)
        let database = Database(path: folder.file("other.sqlite"))
        try database.execute("CREATE TABLE Others (Id INTEGER PRIMARY KEY)")
        let data = folder.file("data")
        try tool.succeed("create", "shop", "--model", model, "--data", data, "--open")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        let domain = try Data(contentsOf: URL(filePath: data + "/domains/shop/domain.yaml"))
        let refused = "cannot be the name of a domain"
        for (name, reason) in [
            ("..", refused), ("a/b", refused), ("", refused), ("shop", "The domain shop exists"),
            (".", refused), ("../shop", refused), ("shop/", refused),
        ] {
            for result in [
                try tool.run("create", name, "--model", model, "--data", data, "--open"),
                try tool.run("publish", "sqlite:" + database.path, "--data", data, "--domain", name, "--open"),
            ] {
                #expect(result.status == 1, "‘\(name)’: \(result)")
                #expect(result.errors.contains(reason), "‘\(name)’: \(result)")
            }
        }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == files)
        #expect(try Data(contentsOf: URL(filePath: data + "/domains/shop/domain.yaml")) == domain)
        #expect(try database.texts("SELECT name FROM sqlite_schema") == ["Others"])
    }
}
