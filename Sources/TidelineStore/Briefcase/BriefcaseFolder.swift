// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// A briefcase in a folder: `briefcase.json` names the files that belong to it.
///
/// New files have new names, and `briefcase.json` is renamed into place when all are on the disk: whoever reads the
/// folder at any time finds one briefcase, the earlier or the new one.
struct BriefcaseFolder {
    let path: String
    var manifest: String { path + "/briefcase.json" }

    // MARK: Writing

    func write(_ briefcase: Briefcase, of store: LocalStore) throws {
        let earlier = try earlierFiles()
        FileSystem.makeFolder(of: manifest)
        var written: [String] = []
        do {
            let head = try store.reading { connection in
                let export = BriefcaseExport(connection: connection, effects: try ServerEffects(connection))
                var files: [JSONValue.Member] = []
                func add(_ name: String, _ fill: ((JSONValue) throws -> Void) throws -> Void) throws {
                    let file = "\(name)-\(String(UInt32.random(in: 0 ... .max), radix: 16)).jsonl"
                    written.append(file)
                    let lines = try LineWriter(path: path + "/" + file)
                    try fill { try lines.write($0.text) }
                    try lines.close()
                    files.append(JSONValue.Member(name: name, value: .string(file)))
                }
                for set in connection.layout.sets { try add("set." + set.name) { try export.rows(of: set, $0) } }
                try add("pending", export.pending)
                try add("base", export.base)
                try add("conflicts", export.conflicts)
                try add("subscriptions", export.subscriptions)
                try add("made", export.made)
                return try export.head(briefcase, files)
            }
            FailPoint.visit("briefcase.before-rename")
            let temporary = manifest + ".new"
            FileSystem.remove(temporary)
            let lines = try LineWriter(path: temporary)
            try lines.write(head.text)
            try lines.close()
            FileSystem.synchronize(folderOf: manifest)
            try FileSystem.replace(manifest, with: temporary)
        } catch {
            for file in written { FileSystem.remove(path + "/" + file) }
            throw error
        }
        for file in earlier where !written.contains(file) { FileSystem.remove(path + "/" + file) }
    }

    /// The files of the briefcase that is there; another folder with something in it is refused.
    private func earlierFiles() throws -> [String] {
        guard StoreFile.exists(path) else { return [] }
        let isFree = FileSystem.isFolder(path) && FileSystem.names(in: path).allSatisfy { $0.hasSuffix(".jsonl") }
        guard StoreFile.exists(manifest) || isFree else {
            throw LocalStoreError(.foreignFile, message: "'\(path)' is no folder of a briefcase.")
        }
        // What an interrupted export left goes too.
        return FileSystem.names(in: path).filter { $0.hasSuffix(".jsonl") }
    }

    // MARK: Reading

    func look() throws -> BriefcaseLook {
        guard StoreFile.exists(manifest) else { return .none }
        let head = try head()
        guard case .number(let text) = head.member(["format"]), let format = Int(text) else {
            throw damaged("its format")
        }
        guard format == Briefcase.format else { return .foreign(format: format) }
        guard case .string(let version) = head.member(["version"]),
            case .object(let members) = head.member(["properties"])
        else { throw damaged("its version") }
        var properties: [String: String] = [:]
        for member in members {
            guard case .string(let value) = member.value else { throw damaged("its properties") }
            properties[member.name] = value
        }
        return .found(Briefcase(form: .folder, version: version, properties: properties))
    }

    private func head() throws -> JSONValue {
        let lines = try LineReader(path: manifest)
        var text = ""
        while let line = try lines.next() { text += line + "\n" }
        guard let head = JSONValue(text) else { throw damaged("briefcase.json") }
        return head
    }

    /// Lends a store file of the store's model with the content.
    func opened(for store: LocalStore, _ body: (String) throws -> Void) throws {
        let temporary = FileSystem.temporaryName(beside: store.path)
        defer { FileSystem.removeDatabase(temporary) }
        var settings = store.settings
        settings.identityFolder = nil
        let draft = try LocalStore.create(path: temporary, model: store.model, settings: settings)
        do { try fill(draft) } catch {
            try? draft.close()
            throw error
        }
        try draft.closeWhole()
        try body(temporary)
    }

    private func fill(_ draft: LocalStore) throws {
        let head = try head()
        try draft.writing(durably: true) { connection in
            let reader = BriefcaseContent(connection: connection, effects: try ServerEffects(connection))
            try forEachFile { name, lines in
                while let line = try lines.next() {
                    guard let value = JSONValue(line) else { throw damaged(name) }
                    try reader.take(value, of: name)
                }
            }
            try reader.finish(head)
            return ((), [])
        }
    }

    /// Lends the lines of each file that belongs to the briefcase, by its name there.
    func forEachFile(_ body: (String, LineReader) throws -> Void) throws {
        guard case .object(let files) = try head().member(["files"]) else { throw damaged("its list of files") }
        for file in files {
            guard case .string(let name) = file.value, !name.contains("/") else { throw damaged("its list of files") }
            try body(file.name, try LineReader(path: path + "/" + name))
        }
    }

    func damaged(_ what: String) -> LocalStoreError {
        LocalStoreError(.damagedBriefcase, message: "The briefcase '\(path)' is damaged: \(what).")
    }
}
