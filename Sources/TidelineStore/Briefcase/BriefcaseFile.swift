// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// A briefcase in one file: a store with two more tables.
struct BriefcaseFile {
    let path: String

    func write(_ briefcase: Briefcase, of store: LocalStore) throws {
        if StoreFile.exists(path) {
            guard !FileSystem.isFolder(path) else { throw foreign }
            if store.settings.prepareConnection == nil { try StoreFile.checkHeader(path) }
        }
        try store.copied(beside: path) { copy in
            try copy.writing(durably: true) { connection in
                for table in ["tideline_briefcase", "tideline_properties"] {
                    try connection.run("DROP TABLE IF EXISTS main.\(table)")
                    try connection.run("CREATE TABLE main.\(table) (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID")
                }
                func add(_ name: String, _ value: String, to table: String) throws {
                    try connection.run("INSERT INTO main.\(table) VALUES (?, ?)") {
                        $0.text(name)
                        $0.text(value)
                    }
                }
                try add("format", String(Briefcase.format), to: "tideline_briefcase")
                try add("version", briefcase.version, to: "tideline_briefcase")
                for (name, value) in briefcase.properties { try add(name, value, to: "tideline_properties") }
                return ((), [])
            }
        } place: {
            FailPoint.visit("briefcase.before-rename")
            try FileSystem.replace(path, with: $0)
        }
    }

    func look(_ settings: StoreSettings) throws -> BriefcaseLook { try inspected(settings) { _, _ in } }

    /// What lies there; a copy of it is lent, opened as a store, where it is a store.
    func inspected(
        _ settings: StoreSettings,
        _ body: (LocalStore, BriefcaseLook) throws -> Void
    ) throws -> BriefcaseLook {
        // A place of its own: next to the briefcase perhaps nothing can be written.
        let folder = try VanishingFolder()
        let copy = folder.path + "/briefcase"
        try FileSystem.copy(path, to: copy)
        var settings = settings
        settings.identityFolder = nil
        let store: LocalStore
        do { store = try LocalStore(path: copy, settings: settings) } catch let error as LocalStoreError {
            // Another release may arrange its tables otherwise.
            if error.code == .newerFormat { return .foreign(format: Briefcase.format + 1) }
            if error.code == .foreignFile { return .none }
            throw damaged(error)
        }
        defer { try? store.close() }
        let found = try store.reading(look)
        try body(store, found)
        return found
    }

    private func look(_ connection: Connection) throws -> BriefcaseLook {
        let tables = try connection.integer(
            """
            SELECT COUNT(*) FROM main.sqlite_schema WHERE name IN ('tideline_briefcase', 'tideline_properties')
            """
        )
        guard tables == 2 else { return .none }
        func pairs(_ table: String) throws -> [String: String] {
            let rows = try connection.query("SELECT name, value FROM main.\(table)") {
                ($0.string(0) ?? "", $0.string(1) ?? "")
            }
            return Dictionary(rows, uniquingKeysWith: { first, _ in first })
        }
        let head = try pairs("tideline_briefcase")
        guard let format = head["format"].flatMap({ Int($0) }), let version = head["version"] else {
            throw damaged("it does not say what it is")
        }
        guard format == Briefcase.format else { return .foreign(format: format) }
        return .found(Briefcase(form: .file, version: version, properties: try pairs("tideline_properties")))
    }

    /// Lends a store file with the content, of the store's own model where there are migrations.
    func opened(for store: LocalStore, _ body: (String) throws -> Void) throws {
        let copy = FileSystem.temporaryName(beside: store.path)
        defer { FileSystem.removeDatabase(copy) }
        try FileSystem.copy(path, to: copy)
        var settings = store.settings
        settings.identityFolder = nil
        let opened: LocalStore
        do { opened = try LocalStore(path: copy, settings: settings, migrator: store.migrator) } catch {
            throw (error as? LocalStoreError).map(damaged) ?? error
        }
        let check: StoreCheck
        do { check = try opened.check() } catch {
            try? opened.close()
            throw error
        }
        try opened.closeWhole()
        guard check.isSound else {
            throw damaged("\(check.problems[0])")
        }
        try body(copy)
    }

    /// A store that is damaged is the briefcase here.
    private func damaged(_ error: LocalStoreError) -> LocalStoreError {
        error.code == .corrupt ? damaged("as a database it cannot be read") : error
    }

    private func damaged(_ what: String) -> LocalStoreError {
        LocalStoreError(.damagedBriefcase, message: "The briefcase '\(path)' is damaged: \(what).")
    }

    private var foreign: LocalStoreError {
        LocalStoreError(.foreignFile, message: "'\(path)' is no briefcase in one file.")
    }
}
