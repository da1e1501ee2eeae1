// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelinePostgres
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

/// Tables that are made from a model in PostgreSQL: a scan of them gives the model again.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct PostgresSchemaTests {
    @Test func `what was made is found again, and goes again`() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase("CREATE TABLE other (id int PRIMARY KEY)")
        let model = PostgresSchema.prepared(TableModel.model)
        try PostgresSchema.create(model, conninfo: conninfo, schema: "public")
        let found = try PostgresIntrospection.scan(conninfo: conninfo, namespace: "Shop", skipping: ["other"]).model
        #expect(TableModel.lines(found) == TableModel.lines(model))
        let error = #expect(throws: StorageError.self) {
            try PostgresSchema.create(model, conninfo: conninfo, schema: "public")
        }
        #expect(error?.message == "The schema public has a table Clients, Lines, Orders already.")
        try PostgresSchema.drop(model, conninfo: conninfo, schema: "public")
        let left = try PostgresIntrospection.scan(conninfo: conninfo, namespace: "Shop").model
        #expect(left.sets.map(\.names.wire) == ["other"])
    }
}
