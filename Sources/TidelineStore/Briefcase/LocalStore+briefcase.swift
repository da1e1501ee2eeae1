// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension LocalStore {
    /// Writes everything that the store holds to a briefcase, in place of an earlier one there.
    ///
    /// One snapshot; writes go on meanwhile.
    /// - Parameters:
    ///   - path: the file, or the folder.
    ///   - version: the version of the app's data; an import names it again.
    ///   - properties: texts of the app's own.
    /// - Throws: ``LocalStoreError``: `foreignFile` when something else lies there, `corrupt` where the store's own file is
    ///   damaged, `full`, `io`. The earlier briefcase is there then.
    public func exportBriefcase(
        to path: String,
        form: Briefcase.Form,
        version: String,
        properties: [String: String] = [:]
    ) throws {
        let briefcase = Briefcase(form: form, version: version, properties: properties)
        // What waits is in both from now on: changes that are made here later are no part of it.
        try writing { connection in
            let last = try PendingLog.lastNumber(connection)
            if try PendingLog.handedOut(connection) < last { try connection.setNumber("handed_out", last) }
            return ((), [])
        }
        switch form {
        case .file: try BriefcaseFile(path: path).write(briefcase, of: self)
        case .folder: try BriefcaseFolder(path: path).write(briefcase, of: self)
        }
    }

    /// Puts the content of a briefcase in place of the store's own, in one transaction; live results are told.
    ///
    /// What the briefcase has waiting is sent by this store from now on: the store becomes another client. What was sent
    /// from there and not answered goes into the quarantine (`Undecided`): only the server knows whether it has it, and
    /// nothing is sent twice unasked.
    /// - Parameters:
    ///   - version: the version of the data that the app reads; a briefcase of another one is ignored.
    ///   - discardingChanges: whether changes of this store that were not sent may be given up.
    /// - Throws: ``LocalStoreError``: `pendingChanges` with the list of them, `damagedBriefcase`,
    ///   `foreignFile` for one of another user or service, `migrationNeeded` where its model differs from the store's.
    ///   Nothing is changed then.
    public func importBriefcase(
        from path: String,
        version: String,
        discardingChanges: Bool = false
    ) throws -> Briefcase.Import {
        let found: BriefcaseLook
        if FileSystem.isFolder(path) {
            found = try BriefcaseFolder(path: path).look()
        } else if StoreFile.exists(path) {
            found = try BriefcaseFile(path: path).look(settings)
        } else {
            found = .none
        }
        switch found {
        case .none: return .ignored(.missing)
        case .foreign(let format): return .ignored(.otherFormat(format))
        case .found(let briefcase):
            guard briefcase.version == version else { return .ignored(.otherVersion(briefcase.version)) }
            let replacement = ContentReplacement(store: self, scope: .everything)
            let advice = "Send them first, or import with 'discardingChanges'."
            func replace(_ file: String) throws {
                _ = try replacement.run(from: file, discards: discardingChanges, advice: advice)
            }
            switch briefcase.form {
            case .file: try BriefcaseFile(path: path).opened(for: self, replace)
            case .folder: try BriefcaseFolder(path: path).opened(for: self, replace)
            }
            if settings.identityFolder != nil { try checkIdentity() }
            return .imported(properties: briefcase.properties)
        }
    }
}

extension Briefcase {
    /// What lies at a path, without its rows; `nil` when there is no briefcase that this release reads.
    ///
    /// - Throws: ``LocalStoreError``, `damagedBriefcase`.
    public static func look(at path: String, settings: StoreSettings = StoreSettings()) throws -> Briefcase? {
        guard StoreFile.exists(path) else { return nil }
        let found =
            FileSystem.isFolder(path)
            ? try BriefcaseFolder(path: path).look() : try BriefcaseFile(path: path).look(settings)
        if case .found(let briefcase) = found { return briefcase }
        return nil
    }
}

/// What lies where a briefcase is looked for.
enum BriefcaseLook {
    case none
    case foreign(format: Int)
    case found(Briefcase)
}
