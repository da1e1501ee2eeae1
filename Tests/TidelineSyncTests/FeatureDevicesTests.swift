// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineClient
import TidelineStorage
import TidelineStore
import TidelineSync

/// Devices with the features of the model that are more than columns of plain values.
struct FeatureDevicesTests {
    private static let schema = """
        CREATE TABLE Posts (Id INTEGER PRIMARY KEY, Title TEXT, Status TEXT NOT NULL CHECK (Status IN ('draft', 'out')),
            Ship_Street TEXT, Ship_City TEXT, Ship_Zip TEXT, Photo BLOB, PhotoType TEXT, More JSON,
            Kind TEXT NOT NULL DEFAULT 'text' CHECK (Kind IN ('text', 'film')), Minutes INT,
            CHECK (Kind = 'film' OR Minutes IS NULL));
        CREATE TABLE PostTags (PostId INT NOT NULL REFERENCES Posts(Id), Position INT NOT NULL, Tag TEXT NOT NULL,
            PRIMARY KEY (PostId, Position));
        INSERT INTO Posts VALUES
            (1, 'one', 'draft', 'Elm', 'Bern', '3000', x'01', 'image/png', '["a","b"]', 'text', NULL),
            (2, 'two', 'out', NULL, NULL, NULL, NULL, NULL, NULL, 'film', 90);
        INSERT INTO PostTags VALUES (1, 0, 'new'), (1, 1, 'blue');
        """

    @Test func `a clone says what it leaves`() async throws {
        let world = try World(schema: Self.schema)
        let session = Session(
            address: try ServiceAddress("http://127.0.0.1/odata/test/"),
            transport: ServiceTransport(world.service)
        )
        let identities = world.folder + "/identity"
        try FileManager.default.createDirectory(atPath: identities, withIntermediateDirectories: true)
        let cloner = StoreCloner(
            client: ODataClient(session: session),
            settings: StoreSettings(identityFolder: identities),
            options: Device.options
        )
        let (store, report) = try await cloner.clone(to: world.folder + "/x.tideline")
        try store.close()
        #expect(report.leftOut == ["Posts.Photo: a stream, which is read at its own address"])
    }
}
