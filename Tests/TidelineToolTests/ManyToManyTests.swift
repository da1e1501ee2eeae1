// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

/// Two tables and one between them, published as they are and cloned.
@Suite(.serialized)
struct ManyToManyTests {
    private static let tables = """
        CREATE TABLE Posts (Id INTEGER PRIMARY KEY AUTOINCREMENT, Title TEXT NOT NULL);
        CREATE TABLE Tags (Name TEXT PRIMARY KEY NOT NULL);
        CREATE TABLE PostTags (
            PostId INTEGER NOT NULL REFERENCES Posts (Id) ON DELETE CASCADE,
            TagName TEXT NOT NULL REFERENCES Tags (Name), PRIMARY KEY (PostId, TagName));
        INSERT INTO Posts VALUES (1, 'one'), (2, 'two'), (3, 'three');
        INSERT INTO Tags VALUES ('blue'), ('red');
        INSERT INTO PostTags VALUES (1, 'red'), (1, 'blue'), (2, 'red');
        """

    @Test func `a device follows many to many, and what it ties and unties reaches the server and others`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("blog.sqlite"))
        try database.execute(Self.tables)
        let data = folder.file("data")
        try Tool(home: folder.path)
            .succeed("publish", "sqlite:" + database.path, "--data", data, "--domain", "blog", "--open")
        let server = try ServerProcess(data: data)
        let domain = server.address + "/odata/blog/"
        let (a, b) = (try Device("a", of: domain, in: folder), try Device("b", of: domain, in: folder))

        #expect(
            try a.values(of: "Title", in: "Posts?$filter=Tags/any(t:t/Name eq 'red')&$orderby=Id") == ["one", "two"]
        )
        #expect(try a.values(of: "Name", in: "Posts(1)/Tags?$orderby=Name") == ["blue", "red"])
        #expect(try a.values(of: "Title", in: "Tags('blue')/Posts") == ["one"])
        let expanded = try a.query("Posts?$expand=Tags($orderby=Name)&$orderby=Id")
        #expect(
            expanded.map { $0["Tags"] } == [
                .array([.object(["Name": "blue"]), .object(["Name": "red"])]), .array([.object(["Name": "red"])]),
                .array([]),
            ]
        )

        // One command writes one entity: what stands in it is not left out in silence.
        for json in [#"{"Title":"n","Tags":[{"Name":"new"}]}"#, #"{"Title":"n","Tags@odata.bind":["Tags('red')"]}"#] {
            let refused = try a.tool.run("insert", a.file, "Posts", json)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("Tags cannot be set here."), "\(refused)")
            #expect(refused.errors.contains("Insert into PostTags, or change or delete what is there."), "\(refused)")
        }
        #expect(try a.values(of: "Title", in: "Posts?$filter=Title eq 'n'") == [])

        try a.insert("PostTags", #"{"PostId":3,"TagName":"blue"}"#)
        try a.delete("PostTags", "PostId=1,TagName='red'")
        #expect(try a.values(of: "Title", in: "Tags('blue')/Posts?$orderby=Id") == ["one", "three"])
        try a.sync()
        try b.sync()
        for device in [a, b] {
            #expect(try device.values(of: "Name", in: "Posts(1)/Tags") == ["blue"])
            #expect(try device.values(of: "Name", in: "Posts(3)/Tags") == ["blue"])
            try device.verify()
        }
        #expect(try database.texts("SELECT PostId || TagName FROM PostTags ORDER BY 1") == ["1blue", "2red", "3blue"])
        #expect(server.stop() == 0)
    }
}
