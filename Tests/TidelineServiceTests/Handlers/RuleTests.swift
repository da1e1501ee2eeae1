// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

/// Rules of properties, kept at every way of writing.
struct RuleTests {
    private func shop() throws -> Shop {
        try Shop(
            open: true,
            adding: """
                CREATE TABLE Goods (Id INTEGER PRIMARY KEY, Code VARCHAR(6) NOT NULL, Rate INT, Grade TEXT, Photo BLOB, Tags TEXT);
                INSERT INTO Goods VALUES (1, 'AB-1', 5, 'A', NULL, '[]');
                """,
            shaping: { sets in
                guard let place = sets.firstIndex(where: { $0.names.wire == "Goods" }) else { return }
                sets[place].type.properties[1].pattern = "^[A-Z]+-[0-9]+$"
                sets[place].type.properties[2].minimum = .integer(1)
                sets[place].type.properties[2].maximum = .integer(9)
                sets[place].type.properties[3].allowedValues = [.string("A"), .string("B")]
                sets[place].type.properties[4].maxLength = 2
                sets[place].type.properties[5].structure = .collection(of: .primitive(.string))
                sets[place].type.properties[5].pattern = "^[a-z]*$"
            }
        )
    }

    private func failure(_ reply: Shop.Reply) -> ODataError? { ErrorBody.read(Array(reply.text.utf8)) }

    @Test func `all that is wrong with an entity is told at once, each with its place and its rule`() throws {
        let shop = try shop()
        let reply = shop.send(.post, "Goods", #"{"Code":"abcdefg","Rate":10,"Grade":"C"}"#)
        #expect(reply.status == 400)
        let error = try #require(failure(reply))
        #expect(error.code == "InvalidValue" && error.target == "Code")
        #expect(
            error.details.map { "\($0.target ?? ""): \($0.code)" } == [
                "Code: MaxLength", "Code: Pattern", "Rate: Maximum", "Grade: AllowedValues",
            ]
        )
        #expect(try shop.value("SELECT count(*) FROM Goods") == "1")
    }

    @Test func `what is missing is told with what is wrong`() throws {
        let shop = try shop()
        let first = try #require(failure(shop.send(.post, "Goods", #"{"Rate":0}"#)))
        #expect(first.details.map { "\($0.target ?? ""): \($0.code)" } == ["Rate: Minimum", "Code: Nullable"])
        let second = try #require(failure(shop.send(.post, "Goods", #"{"Rate":1}"#)))
        #expect(second.code == "RequiredValue" && second.target == "Code")
    }

    @Test(
        arguments: [
            (#"{"Code":"X-22"}"#, 204), (#"{"Code":"x-22"}"#, 400), (#"{"Code":"X-22\n"}"#, 400),
            (#"{"Rate":null}"#, 204),
            (#"{"Rate":1}"#, 204), (#"{"Rate":0}"#, 400), (#"{"Grade":"B"}"#, 204), (#"{"Grade":"b"}"#, 400),
            (#"{"Tags":["ok",""]}"#, 204), (#"{"Tags":["ok","NO"]}"#, 400), (#"{"Code":null}"#, 400),
        ]
    )
    func `PATCH keeps the rules`(body: String, status: Int) throws {
        #expect(try shop().send(.patch, "Goods(1)", body).status == status)
    }

    @Test func `single properties and raw values keep them too`() throws {
        let shop = try shop()
        let plain = ["Content-Type": "text/plain"]
        #expect(shop.send(.put, "Goods(1)/Code", #"{"value":"no"}"#).status == 400)
        #expect(shop.send(.put, "Goods(1)/Code/$value", "no", plain).status == 400)
        #expect(shop.send(.put, "Goods(1)/Code/$value", "CD-9", plain).status == 204)
        #expect(shop.send(.put, "Goods(1)/Rate/$value", "10", plain).status == 400)
        #expect(shop.send(.put, "Goods(1)/Photo/$value", "abc", ["Content-Type": "image/png"]).status == 400)
        #expect(shop.send(.put, "Goods(1)/Photo/$value", "ab", ["Content-Type": "image/png"]).status == 204)
        #expect(shop.send(.post, "Goods(1)/Tags", #"{"value":"NO"}"#).status == 400)
        #expect(try shop.value("SELECT Code || length(Photo) FROM Goods") == "CD-92")
    }

    @Test func `the metadata tells the rules`() throws {
        let text = try shop().send(.get, "$metadata").text
        #expect(text.contains("<Annotation Term=\"Validation.Pattern\" String=\"^[A-Z]+-[0-9]+$\"/>"))
        #expect(
            text.filter { !$0.isWhitespace }.contains(
                "<AnnotationTerm=\"Validation.AllowedValues\"><Collection><Record><PropertyValueProperty=\"Value\"String=\"A\"/>"
            )
        )
    }

    @Test func `a domain's file says them, and is not read with a pattern that cannot be kept`() throws {
        func yaml(_ rules: String) -> String {
            """
            format: 1
            name: t
            database: {kind: sqlite, path: x}
            open: true
            namespace: T
            sets:
              - {name: S, type: U, table: s, key: [Id], properties: [{name: Id, type: Int32, nullable: false}, {name: C, type: String, \(rules)}]}
            """
        }
        let domain = try Domain(yaml: yaml(#"pattern: "^a+$", allowed: [a, "aa aa", "1"]"#))
        let property = domain.model.sets[0].type.properties[1]
        #expect(property.pattern == "^a+$")
        #expect(property.allowedValues == [.string("a"), .string("aa aa"), .string("1")])
        #expect(try Domain(yaml: domain.yaml) == domain)
        #expect(throws: DomainError.self) { try Domain(yaml: yaml(#"pattern: "(a)\\1""#)) }
        #expect(throws: DomainError.self) { try Domain(yaml: yaml("pattern: \"(a\"")) }
    }
}
