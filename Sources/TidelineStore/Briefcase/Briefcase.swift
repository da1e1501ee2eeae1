// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A store's content to take along: rows, the values last seen from the server, all that waits, and properties of the
/// app's own.
///
///     try store.exportBriefcase(to: path, form: .folder, version: "3", properties: ["page": "12"])
///     switch try store.importBriefcase(from: path, version: "3") {
///     case .imported(let properties): …
///     case .ignored(let why): …                                  // load the data from the service
///     }
///
/// A briefcase is written whole or not at all: what is interrupted leaves the one that was there.
public struct Briefcase: Hashable, Sendable {
    /// How it lies on the disk.
    @nonexhaustive
    public enum Form: String, Hashable, Sendable {
        /// One SQLite file: a backup of the store with the tables `tideline_briefcase` (format, version) and
        /// `tideline_properties` (name, value). It can be opened as a store too.
        case file
        /// A folder with `briefcase.json` and text files, a JSON object a line; docs/briefcase.md describes them.
        case folder
    }

    /// What came of an import.
    @nonexhaustive
    public enum Import: Hashable, Sendable {
        /// The store has the content now; the properties are those of the export.
        case imported(properties: [String: String])
        /// Nothing was changed.
        case ignored(Reason)
    }

    /// Why a briefcase is not taken.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
        /// There is no briefcase at that path.
        case missing
        /// It has the data of another version of the app.
        case otherVersion(String)
        /// Another release of Tideline wrote it, in a format that this one does not read.
        case otherFormat(Int)
    }

    /// The format that this release writes.
    static let format = 1

    public var form: Form
    /// The version of the app's data; any text.
    public var version: String
    public var properties: [String: String]

    public init(form: Form, version: String, properties: [String: String] = [:]) {
        self.form = form
        self.version = version
        self.properties = properties
    }
}
