// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import HTTPTypes
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// The gallery with a set of every primitive type and a set of media entities: what can be answered at all.
final class Depot {
    static let schema =
        Gallery.schema + """
            CREATE TABLE Facts (Id INTEGER PRIMARY KEY, Big INTEGER, Amount TEXT, Ratio REAL, Small REAL, Flag INTEGER,
                Day TEXT, Moment TEXT, Clock TEXT, Span TEXT, Code TEXT, Bytes BLOB, Note TEXT, Tiny INTEGER, Sign INTEGER,
                Short INTEGER, Endless REAL);
            CREATE TABLE Pictures (Id INTEGER PRIMARY KEY, Title TEXT, Content BLOB, Type TEXT);
            INSERT INTO Facts VALUES (1, 9007199254740993, '34.95', 0.1, 0.5, 1, '2026-11-21', '2026-11-21T10:00:00Z', '07:59:59.5',
                'PT1H30M', '21ec2020-3aea-1069-a2dd-08002b30309d', x'FBFF', 'a"b', 255, -128, -32768, 9e999);
            INSERT INTO Facts (Id) VALUES (2);
            INSERT INTO Pictures VALUES (1, 'Sun', x'89504E47', 'image/png'), (2, 'Moon', NULL, NULL);
            """

    static var model: EntityModel {
        func property(_ name: String, _ type: PrimitiveType, generation: Property.Generation = .none) -> Property {
            Property(names: Names(wire: name), type: type, isNullable: name != "Id", generation: generation)
        }
        var amount = property("Amount", .decimal)
        amount.scale = 2
        amount.precision = 10
        amount.storage = .decimalText
        let facts = EntityType(
            names: Names(wire: "Fact"),
            properties: [
                property("Id", .int32), property("Big", .int64), amount, property("Ratio", .double),
                property("Small", .single), property("Flag", .boolean), property("Day", .date),
                property("Moment", .dateTimeOffset), property("Clock", .timeOfDay), property("Span", .duration),
                property("Code", .guid), property("Bytes", .binary), property("Note", .string), property("Tiny", .byte),
                property("Sign", .sbyte), property("Short", .int16), property("Endless", .double),
            ],
            key: [0]
        )
        var content = property("Content", .binary)
        content.stream = MediaStream(contentTypeProperty: 3)
        var pictures = EntityType(
            names: Names(wire: "Picture"),
            properties: [
                property("Id", .int32, generation: .onInsert), property("Title", .string), content,
                property("Type", .string),
            ],
            key: [0]
        )
        pictures.mediaProperty = 2
        let gallery = Gallery.model
        var model = EntityModel(
            namespace: "Art",
            sets: gallery.sets + [
                EntitySet(names: Names(wire: "Facts"), type: facts),
                EntitySet(names: Names(wire: "Pictures"), type: pictures),
            ]
        )
        model.enumerations = gallery.enumerations
        model.complexTypes = gallery.complexTypes
        model.singletons = gallery.singletons
        return model
    }

    let service: ODataService
    let database: DatabaseQueue

    init(
        limits: ServiceLimits = ServiceLimits(),
        requiresIfMatch: Bool = false,
        deferral: Deferral? = nil
    ) throws {
        let path = "\(ProcessFolder.path)/depot-\(UInt64.random(in: 0 ... .max)).sqlite"
        database = try DatabaseQueue(path: path)
        try database.write { try $0.execute(sql: Depot.schema) }
        _ = try SQLitePublisher.publish(path: path, namespace: "Art") { _ in }
        let domain = Domain(
            name: "art",
            database: Domain.Database(path: path),
            isOpen: true,
            requiresIfMatch: requiresIfMatch,
            model: Depot.model,
            limits: limits
        )
        service = try ODataService(
            domain: domain,
            store: try SQLiteStore(path: path, model: domain.model),
            signingKey: Array(repeating: 7, count: 32),
            deferral: deferral
        ) { print("error \($0): \($1)") }
    }

    struct Reply {
        var status: Int
        var text: String
        var bytes: [UInt8]
        var fields: HTTPFields

        /// The body as a tree; a body that is no JSON is an empty list.
        var tree: JSONTree { (try? JSONTree.read(bytes)) ?? .list([]) }
        var code: String? { ErrorBody.read(bytes)?.code }
    }

    /// - Parameter path: below the service root, or from the host's root; blanks are encoded.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: [UInt8],
        _ headers: [String: String] = [:]
    ) -> Reply {
        var fields = HTTPFields()
        fields[.odataMaxVersion] = "4.01"
        if !body.isEmpty { fields[.contentType] = "application/json" }
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value.isEmpty ? nil : value }
        }
        let target = (path.hasPrefix("/") ? path : "/odata/art/" + path).replacing(" ", with: "%20")
        let request = HTTPRequest(method: method, scheme: nil, authority: nil, path: target, headerFields: fields)
        let response = service.respond(to: request, body: body, user: .anonymous)
        let bytes = (try? response.body.all()) ?? []
        return Reply(
            status: response.head.status.code,
            text: String(decoding: bytes, as: UTF8.self),
            bytes: bytes,
            fields: response.head.headerFields
        )
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String = "",
        _ headers: [String: String] = [:]
    ) -> Reply {
        send(method, path, Array(body.utf8), headers)
    }

    func get(_ path: String, _ headers: [String: String] = [:]) -> Reply { send(.get, path, "", headers) }

    func sql(_ text: String) throws { try database.write { try $0.execute(sql: text) } }

    /// One value of the database, as text.
    func value(_ sql: String) throws -> String? { try database.read { try String.fetchOne($0, sql: sql) } }

    func etag(_ path: String) -> String { get(path).fields[.eTag] ?? "" }
}
