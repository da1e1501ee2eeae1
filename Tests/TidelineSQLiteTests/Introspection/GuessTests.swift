// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineSQLite

/// What a scan guesses beyond columns and keys: rules of CHECK constraints, many-to-many through link tables.
struct GuessTests {
    private func scan(_ sql: String) throws -> Introspection {
        let scratch = try Scratch(sql)
        defer { withExtendedLifetime(scratch) {} }
        return try SQLiteIntrospection.scan(path: scratch.path, namespace: "Test")
    }

    @Test(
        arguments: [
            ("stock INT CHECK (stock >= 0 AND stock < 1000)", "0", "999"),
            ("stock INT CHECK(stock BETWEEN -5 AND 5)", "-5", "5"),
            ("stock INT, CHECK ((stock > 0))", "1", nil),
            ("stock INT CHECK (stock IS NULL OR \"stock\" <= 7)", nil, "7"),
            ("stock INT CHECK (stock <> 0)", nil, nil), ("stock INT CHECK (stock > 0 OR id > 5)", nil, nil),
            ("stock INT CHECK (NOT stock > 0)", nil, nil), ("stock INT CHECK (stock > id)", nil, nil),
            ("stock INT CHECK (stock > 0.5)", nil, nil), ("stock INT DEFAULT 1 /* CHECK (stock > 3) */", nil, nil),
            ("stock INT CHECK (id IS NULL OR stock <= 7)", nil, nil), ("stock REAL CHECK (stock > 0)", nil, nil),
        ] as [(String, String?, String?)]
    )
    func `a CHECK of whole numbers limits the property, any other does not`(
        column: String,
        low: String?,
        high: String?
    ) throws {
        let found = try scan("CREATE TABLE t(id INTEGER PRIMARY KEY, \(column));")
        let property = try #require(found.model[set: "t"]?.type.properties.last)
        #expect(property.minimum?.text == low)
        #expect(property.maximum?.text == high)
    }

    @Test(
        arguments: [
            ("VARCHAR(40)", "length(code) <= 5", 5), ("VARCHAR(4)", "length(code) <= 5", 4),
            ("TEXT", "length([code]) < 5", 4),
            ("TEXT", "length(code) BETWEEN 2 AND 3", 3), ("TEXT", "length(code) > 3", nil),
            ("BLOB", "length(code) <= 16", 16),
            ("TEXT", "length(trim(code)) <= 5", nil),
        ] as [(String, String, Int?)]
    )
    func `a CHECK of a length is the longest value`(type: String, check: String, length: Int?) throws {
        let found = try scan("CREATE TABLE t(id INTEGER PRIMARY KEY, code \(type) CHECK (\(check)));")
        let property = try #require(found.model[set: "t"]?.type.properties.last)
        #expect(property.maxLength == length)
        #expect(
            found.problems.contains { $0.message.hasPrefix("t: by its CHECK the column code is at most") }
                == (length != nil)
        )
    }

    @Test func `a table of two foreign keys alone ties many to many, and stays a set`() throws {
        let found = try scan(
            """
            CREATE TABLE posts(id INTEGER PRIMARY KEY); CREATE TABLE tags(id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE post_tags(post_id INT NOT NULL REFERENCES posts(id), tag_id INT NOT NULL REFERENCES tags(id),
                PRIMARY KEY (post_id, tag_id));
            """
        )
        let posts = try #require(found.model[set: "posts"]).type
        let tags = try #require(found.model[set: "tags"]).type
        let there = try #require(posts.navigationIndex(wire: "tags").map { posts.navigationProperties[$0] })
        #expect(there.link == LinkTable(set: "post_tags", toOwner: "post", toTarget: "tag"))
        #expect(
            there.isCollection && there.targetSet == "tags" && there.partner == "posts" && there.constraints.isEmpty
        )
        #expect(
            tags.navigationIndex(wire: "posts").map { tags.navigationProperties[$0].link }
                == LinkTable(set: "post_tags", toOwner: "tag", toTarget: "post")
        )
        #expect(found.model[set: "post_tags"]?.type.navigationProperties.map(\.names.wire) == ["post", "tag"])
        #expect(
            found.problems.map(\.message) == [
                "post_tags links two tables and nothing else: posts lead to tags and tags to posts through it."
            ]
        )
    }

    @Test(arguments: [
        "post INT NOT NULL REFERENCES posts(id), tag INT NOT NULL REFERENCES tags(id), since TEXT, PRIMARY KEY (post, tag)",
        "post INT NOT NULL REFERENCES posts(id), tag INT NOT NULL REFERENCES tags(id), PRIMARY KEY (post)",
        "post INT NOT NULL REFERENCES posts(id), tag INT NOT NULL, PRIMARY KEY (post, tag)",
        "post INT NOT NULL REFERENCES posts(id), tag INT NOT NULL REFERENCES posts(id), PRIMARY KEY (post, tag)",
    ])
    func `a table that does more is no link`(columns: String) throws {
        let found = try scan(
            """
            CREATE TABLE posts(id INTEGER PRIMARY KEY); CREATE TABLE tags(id INTEGER PRIMARY KEY);
            CREATE TABLE links(\(columns));
            """
        )
        #expect(!found.model.sets.contains { $0.type.navigationProperties.contains { $0.link != nil } })
    }
}
