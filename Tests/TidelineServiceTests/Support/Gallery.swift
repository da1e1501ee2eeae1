// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineSQLite
import TidelineStorage
import TidelineTestSupport

@testable import TidelineService

/// A service over tables with every feature of the model: members, complex and derived types, collections, an open
/// type, shapes, streams, links, parts and a singleton.
final class Gallery {
    static let schema = """
        CREATE TABLE Items (Id INTEGER PRIMARY KEY, Name TEXT NOT NULL, Color INTEGER, Kind TEXT NOT NULL, Speed INTEGER,
            Street TEXT, City TEXT, Tags TEXT, Bag TEXT, Place TEXT, Photo BLOB, PhotoType TEXT,
            ParentId INTEGER REFERENCES Items(Id));
        CREATE TABLE Labels (Id INTEGER PRIMARY KEY, Text TEXT NOT NULL);
        CREATE TABLE ItemLabels (ItemId INTEGER NOT NULL REFERENCES Items(Id), LabelId INTEGER NOT NULL REFERENCES Labels(Id),
            PRIMARY KEY (ItemId, LabelId));
        CREATE TABLE Parts (ItemId INTEGER NOT NULL REFERENCES Items(Id), No INTEGER NOT NULL, Title TEXT,
            PRIMARY KEY (ItemId, No));
        INSERT INTO Items VALUES
            (1, 'Root', 1, 'thing', NULL, 'Main St', 'Bern', '["a","b","ab"]', '{"Weight":5}', 'POINT(8.5 47.3)', x'89504E47',
             'image/png', NULL),
            (2, 'Bike', 3, 'bike', 30, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1),
            (3, 'Leaf', NULL, 'thing', NULL, NULL, 'Basel', '[]', '{}', 'LINESTRING(1 2,3 4)', NULL, NULL, 2);
        INSERT INTO Labels VALUES (1, 'red'), (2, 'fast');
        INSERT INTO ItemLabels VALUES (1, 1), (2, 1), (2, 2);
        INSERT INTO Parts VALUES (1, 1, 'wheel'), (1, 2, 'frame'), (2, 1, 'bell');
        """

    static var model: EntityModel {
        func property(_ name: String, _ type: PrimitiveType, isNullable: Bool = true) -> Property {
            Property(names: Names(wire: name), type: type, isNullable: isNullable)
        }
        var color = property("Color", .int32)
        color.enumeration = "Color"
        var speed = property("Speed", .int32)
        speed.declaringType = "Bike"
        var street = property("Street", .string)
        street.container = 0
        var city = property("City", .string)
        city.container = 0
        var tags = property("Tags", .string)
        tags.structure = .collection(of: .primitive(.string))
        var bag = property("Bag", .string)
        bag.structure = .dynamic
        let place = property("Place", .geographyPoint)
        var photo = property("Photo", .binary)
        photo.stream = MediaStream(contentTypeProperty: 11)
        var items = EntityType(
            names: Names(wire: "Item"),
            properties: [
                property("Id", .int32, isNullable: false), property("Name", .string, isNullable: false), color,
                property("Kind", .string, isNullable: false), speed, street, city, tags, bag, place, photo,
                property("PhotoType", .string), property("ParentId", .int32),
            ],
            key: [0],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "Parent"),
                    targetSet: "Items",
                    isCollection: false,
                    isDependent: true,
                    constraints: [.init(source: 12, target: 0)],
                    partner: "Children"
                ),
                NavigationProperty(
                    names: Names(wire: "Children"),
                    targetSet: "Items",
                    isCollection: true,
                    isDependent: false,
                    constraints: [.init(source: 0, target: 12)],
                    partner: "Parent"
                ),
                NavigationProperty(
                    names: Names(wire: "Labels"),
                    targetSet: "Labels",
                    isCollection: true,
                    isDependent: false,
                    constraints: []
                ),
                NavigationProperty(
                    names: Names(wire: "Parts"),
                    targetSet: "Parts",
                    isCollection: true,
                    isDependent: false,
                    constraints: [.init(source: 0, target: 0)]
                ),
            ]
        )
        items.navigationProperties[2].link = LinkTable(set: "ItemLabels", toOwner: "Item", toTarget: "Label")
        items.navigationProperties[3].isContainment = true
        items.complexProperties = [ComplexProperty(names: Names(wire: "Address"), type: "Address")]
        items.discriminator = 3
        items.derivedTypes = [
            DerivedType(names: Names(wire: "Bike"), baseType: nil, discriminatorValue: .string("bike"))
        ]
        items.searchProperties = [1, 6]
        let labels = EntityType(
            names: Names(wire: "Label"),
            properties: [property("Id", .int32, isNullable: false), property("Text", .string, isNullable: false)],
            key: [0]
        )
        func way(_ name: String, _ set: String, _ source: Int) -> NavigationProperty {
            NavigationProperty(
                names: Names(wire: name),
                targetSet: set,
                isCollection: false,
                isNullable: false,
                isDependent: true,
                constraints: [.init(source: source, target: 0)]
            )
        }
        let links = EntityType(
            names: Names(wire: "ItemLabel"),
            properties: [
                property("ItemId", .int32, isNullable: false), property("LabelId", .int32, isNullable: false),
            ],
            key: [0, 1],
            navigationProperties: [way("Item", "Items", 0), way("Label", "Labels", 1)]
        )
        let parts = EntityType(
            names: Names(wire: "Part"),
            properties: [
                property("ItemId", .int32, isNullable: false), property("No", .int32, isNullable: false),
                property("Title", .string),
            ],
            key: [0, 1]
        )
        var partSet = EntitySet(names: Names(wire: "Parts"), type: parts)
        partSet.isContained = true
        var model = EntityModel(
            namespace: "Art",
            sets: [
                EntitySet(names: Names(wire: "Items"), type: items),
                EntitySet(names: Names(wire: "Labels"), type: labels),
                EntitySet(names: Names(wire: "ItemLabels"), type: links), partSet,
            ]
        )
        model.enumerations = [
            EnumerationType(
                names: Names(wire: "Color"),
                isFlags: true,
                members: [.init("Red", 1), .init("Green", 2), .init("Blue", 4)]
            )
        ]
        var addressStreet = property("Street", .string)
        addressStreet.container = nil
        model.complexTypes = [
            ComplexType(names: Names(wire: "Address"), properties: [addressStreet, property("City", .string)])
        ]
        model.singletons = [Singleton(names: Names(wire: "Best"), set: "Items", key: Key([.integer(1)]))]
        return model
    }

    let service: ODataService

    init(
        limits: ServiceLimits = ServiceLimits(),
        deferral: Deferral? = nil,
        adding sql: String = "",
        shaping: (inout EntityModel) -> Void = { _ in }
    ) throws {
        let path = "\(ProcessFolder.path)/gallery-\(UInt64.random(in: 0 ... .max)).sqlite"
        try DatabaseQueue(path: path).write { try $0.execute(sql: Gallery.schema + sql) }
        // Makes the change log; the model is the one written here.
        _ = try SQLitePublisher.publish(path: path, namespace: "Art") { _ in }
        var model = Gallery.model
        shaping(&model)
        let domain = Domain(
            name: "art",
            database: Domain.Database(path: path),
            isOpen: true,
            model: model,
            limits: limits
        )
        service = try ODataService(
            domain: domain,
            store: try SQLiteStore(path: path, model: domain.model),
            signingKey: Array(repeating: 7, count: 32),
            deferral: deferral
        ) { print("error \($0): \($1)") }
    }

    /// The answer of the service as the server gets it.
    func respond(_ path: String, _ headers: [String: String]) -> ServiceResponse {
        var fields: HTTPFields = [.odataMaxVersion: "4.01"]
        for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
        let path = "/odata/art/" + path
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path, headerFields: fields)
        return service.respond(to: request, user: .anonymous)
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: [String: String] = [:],
        body: String = ""
    ) -> (status: Int, text: String, fields: HTTPFields) {
        var fields = HTTPFields()
        fields[.odataMaxVersion] = "4.01"
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value.isEmpty ? nil : value }
        }
        let target = path.hasPrefix("/") ? path : "/odata/art/" + path
        let request = HTTPRequest(method: method, scheme: nil, authority: nil, path: target, headerFields: fields)
        let response = service.respond(to: request, body: Array(body.utf8), user: .anonymous)
        let bytes = (try? response.body.all()) ?? []
        return (response.head.status.code, String(decoding: bytes, as: UTF8.self), response.head.headerFields)
    }

    func get(_ path: String, _ headers: [String: String] = [:]) -> (status: Int, text: String, fields: HTTPFields) {
        send(.get, path, headers)
    }

    /// The body of an answer without its context and ETags.
    func data(_ path: String, _ headers: [String: String] = [:]) -> String {
        let reply = get(path, headers)
        guard reply.status == 200 else { return "\(reply.status) \(reply.text)" }
        var text = reply.text.withoutETags.replacing("\"@etag\":\"W/\\\"\\\"\",", with: "")
        if let start = text.firstRange(of: "\"@context\":\""), let end = text[start.upperBound...].firstIndex(of: "\"")
        {
            let next = text.index(after: end)
            text.removeSubrange(start.lowerBound..<(text[next] == "," ? text.index(after: next) : next))
        }
        return text
    }

    func context(_ path: String) -> String {
        let text = get(path).text
        guard let start = text.firstRange(of: "$metadata#") else { return text }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }
}
