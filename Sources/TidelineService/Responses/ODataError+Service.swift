// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineOData
package import TidelineStorage

extension ODataError {
    /// An error of the service itself.
    package init(service code: String, _ message: String, target: String? = nil) {
        self.init(code: code, message: message, target: target)
    }

    /// The answer for an entity that does not exist, or that the user may not see: the two are one.
    package static func absentEntity(_ set: String) -> ODataError {
        ODataError(.notFound, "There is no such entity in \(set).")
    }

    /// What a store's error means to the client.
    ///
    /// No value, no SQL, no path of ours stands in it; what the database's owner raises for users does.
    package init(_ error: StorageError) {
        let set = error.set.map { " of \($0)" } ?? ""
        let names = error.properties.joined(separator: ", ")
        let target = error.properties.count == 1 ? error.properties[0] : error.set
        switch error.code {
        case .duplicateKey:
            self.init(service: ServiceCode.duplicateKey, "The key of the new entity\(set) is taken.", target: error.set)
        case .duplicateValue:
            let what = names.isEmpty ? "A value that must be unique is taken" : "The value of \(names) is taken"
            self.init(service: ServiceCode.duplicateValue, "\(what)\(names.isEmpty ? set : "").", target: target)
        case .missingReference:
            self.init(
                service: ServiceCode.missingReference,
                names.isEmpty
                    ? "An entity\(set) refers to one that does not exist, or is still referred to."
                    : "The value of \(names)\(set) would refer to an entity that does not exist.",
                target: target
            )
        case .constraint:
            self.init(
                service: ServiceCode.constraintFailed,
                error.raised.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(500))) }
                    ?? "A rule of the database refuses the change\(set).",
                target: target
            )
        case .invalidValue:
            let what = names.isEmpty ? "A value\(set)" : "The value of \(names)"
            self.init(.invalidValue, "\(what) does not fit its column.", target: target)
        case .nullValue:
            let what = names.isEmpty ? "A property\(set)" : names
            self.init(service: ServiceCode.requiredValue, "\(what) must have a value.", target: target)
        case .unreadableValue:
            self.init(
                service: ServiceCode.unreadableValue,
                "A stored value\(set) does not fit its type: the domain's administrator has to look at it.",
                target: target
            )
        case .unsupportedValue:
            self.init(.invalidValue, "The request has a value that this domain's database has no form for.")
        case .gone:
            self.init(service: ServiceCode.deltaExpired, "The changes since then are no longer known: load again.")
        case .epochChanged:
            self.init(service: ServiceCode.epochChanged, "The record of changes was begun anew: load again.")
        case .logRestored:
            self.init(service: ServiceCode.logRestored, "The database was restored from a backup: load again.")
        case .busy:
            self.init(service: ServiceCode.busy, "The database is busy: try again.")
        case .unavailable:
            self.init(service: ServiceCode.databaseUnavailable, "The database cannot be reached now: try again.")
        case .timeout:
            self.init(
                service: ServiceCode.statementTimeout,
                "The database took longer for this than it may: ask for less, or for it in parts."
            )
        case .full:
            self.init(service: ServiceCode.storageFull, "The server has no room left; nothing was changed.")
        case .schemaChanged:
            self.init(
                service: ServiceCode.schemaChanged,
                "The database's tables have changed: the domain has to be published again."
            )
        case .tooManyRows:
            self.init(service: ServiceCode.tooLarge, "The operation gives more than this server answers with.")
        case .tooComplex:
            self.init(.tooComplex, "The request is nested deeper than this domain's database takes.")
        case .unsupported:
            self.init(.notSupported, "This cannot be done on this domain's database.")
        default:
            self.init(service: ServiceCode.internalError, "The server failed.")
        }
    }
}
