// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Another nonce for a store's file.
struct NonceRenewal {
    /// The one that the file has.
    var old: String
    var new: String
    /// The client that it is of.
    var client: String
}

/// Who the store is, and whether its file is a copy.
///
/// Beside the user's settings, outside of backups, lies one small file for each client: the nonces that the store's file
/// may have, and its path. A store whose nonce is not there was copied or restored; so was one whose known path holds
/// another file still. It gets a new client identity before anything is sent, because the numbers of its transactions
/// may have been used by the other. Transactions that waited in it keep the number and the identity that they have in
/// both files, so that the server carries each out once.
extension LocalStore {
    /// Who this store is to its server.
    ///
    /// A copied file is noticed when the store is opened.
    package func identity() throws -> StoreIdentity {
        try reading { connection in
            let metas = try connection.metas()
            guard let client = metas["client_id"].flatMap({ GUID($0) }),
                let nonce = metas["nonce"].flatMap({ GUID($0) })
            else { throw LocalStoreError(.corrupt, message: "The store's file holds no identity.") }
            let origin = metas["service_url"].map { StoreOrigin(serviceURL: $0, userName: metas["user_name"]) }
            let firstSent = try connection.query("SELECT MIN(number) FROM main.tideline_sent") {
                $0.isNull(0) ? nil : $0.integer(0)
            }
            let settled = Int64(metas["last_settled"] ?? "0") ?? 0
            let acknowledged = min(settled, (firstSent.first ?? nil).map { $0 - 1 } ?? .max)
            return StoreIdentity(
                clientID: client,
                previousClientID: metas["previous_client_id"].flatMap { GUID($0) },
                inherited: StoreIdentity.Inherited.read(metas["inherited"] ?? ""),
                nonce: nonce,
                noticesCopies: settings.identityFolder != nil,
                origin: origin,
                acknowledged: acknowledged,
                epoch: metas["epoch"]
            )
        }
    }

    /// The version of the payloads that the service takes, or `nil` before it was asked.
    package func payloadVersion() throws -> String? { try reading { try $0.meta("payload_version") } }

    /// Keeps what the service takes.
    package func setPayloadVersion(_ version: String) throws {
        try writing { connection in
            try connection.setMeta("payload_version", version)
            return ((), [])
        }
    }

    /// Keeps the epoch of the service's record of changes.
    package func setEpoch(_ epoch: String) throws {
        guard try reading({ try $0.meta("epoch") }) != epoch else { return }
        try writing { connection in
            try connection.setMeta("epoch", epoch)
            return ((), [])
        }
    }

    /// Changes the service or the user that the store belongs to.
    package func setOrigin(_ origin: StoreOrigin) throws {
        try writing { connection in
            try connection.setMeta("service_url", origin.serviceURL)
            try connection.setMeta("user_name", origin.userName)
            return ((), [])
        }
    }

    /// Looks whether the file is the one that was opened last under its client identity.
    func checkIdentity() throws {
        guard let folder = settings.identityFolder else { return }
        let identity = try identity()
        let note = "\(folder)/\(identity.clientID.text).store"
        let here = LocalStore.realPath(path)
        let isNew = try reading { try $0.meta("is_noted") == nil }
        if let lines = LocalStore.read(note) {
            let nonces = lines.first?.split(separator: " ").map(String.init) ?? []
            let known = lines.count > 1 ? lines[1] : here
            let isElsewhere = known != here && StoreFile.exists(known)
            if nonces.contains(identity.nonce.text), !isElsewhere {
                if known != here { try LocalStore.write([identity.nonce.text, here], to: note) }
                return
            }
        } else if isNew {
            // The first opening after the file was made.
            try LocalStore.write([identity.nonce.text, here], to: note)
            return try writing { connection in
                try connection.setMeta("is_noted", "1")
                return ((), [])
            }
        }
        try becomeAnother(identity, folder, here)
    }

    /// Takes a new client identity.
    ///
    /// What waits keeps the old one: the other copy may have sent it, or will.
    private func becomeAnother(_ old: StoreIdentity, _ folder: String, _ here: String) throws {
        var random = SystemRandomNumberGenerator()
        let client = GUID(high: random.next(), low: random.next()).text
        let nonce = LocalStore.newNonce()
        try LocalStore.write([nonce, here], to: "\(folder)/\(client).store")
        try writing(durably: true) { connection in
            try connection.setMeta("previous_client_id", old.clientID.text)
            try connection.setMeta("client_id", client)
            try connection.setMeta("nonce", nonce)
            try connection.setMeta("is_noted", "1")
            try connection.expectMade()
            if let last = try PendingLog.load(connection).entries.last?.number {
                let inherited = old.inherited + [StoreIdentity.Inherited(clientID: old.clientID, through: last)]
                try connection.setMeta("inherited", StoreIdentity.Inherited.text(inherited))
                // Their numbers belong to what the other copy sends: changes that are made here come after them.
                if try PendingLog.handedOut(connection) < last { try connection.setNumber("handed_out", last) }
            }
            return ((), [])
        }
    }

    /// The next nonce of the file, noted beside the present one before the file has it: whichever of the two a crash
    /// leaves is known.
    ///
    /// As a rule it was noted when the present one came, and nothing is written.
    ///
    /// - Returns: `nil` where no folder was given.
    func beginNonce() throws -> NonceRenewal? {
        guard let folder = settings.identityFolder else { return nil }
        if let noted = try reading({ try notedRenewal(in: folder, $0) }) { return noted }
        // Under the lock of the file, so that another process that sends notes nothing in between.
        return try writing { connection in
            if let noted = try notedRenewal(in: folder, connection) { return (noted, []) }
            let (client, nonce) = (try connection.meta("client_id") ?? "", try connection.meta("nonce") ?? "")
            let next = LocalStore.newNonce()
            try LocalStore.write(["\(nonce) \(next)", LocalStore.realPath(path)], to: "\(folder)/\(client).store")
            return (NonceRenewal(old: nonce, new: next, client: client), [])
        }
    }

    /// The next nonce, where it is noted beside that of the file, and for this place.
    private func notedRenewal(in folder: String, _ connection: Connection) throws -> NonceRenewal? {
        let client = try connection.meta("client_id") ?? ""
        guard let lines = LocalStore.read("\(folder)/\(client).store"), lines.count > 1,
            lines[1] == LocalStore.realPath(path)
        else { return nil }
        let nonces = lines[0].split(separator: " ").map(String.init)
        guard nonces.count == 2, try nonces[0] == connection.meta("nonce") else { return nil }
        return NonceRenewal(old: nonces[0], new: nonces[1], client: client)
    }

    /// Forgets the old nonce, once the file has the new one, and notes the one that comes after it.
    ///
    /// A copy of the file that has the old one is noticed from then on.
    func endNonce(_ renewal: NonceRenewal) throws {
        guard let folder = settings.identityFolder else { return }
        // Under the lock of the file, so that another process that sends notes nothing in between.
        try writing { connection in
            if try connection.meta("nonce") == renewal.new {
                try LocalStore.write(
                    ["\(renewal.new) \(LocalStore.newNonce())", LocalStore.realPath(path)],
                    to: "\(folder)/\(renewal.client).store"
                )
            }
            return ((), [])
        }
    }

    /// Whether both nonces are still noted: another process may have noted others.
    func isNoted(_ renewal: NonceRenewal) -> Bool {
        guard let folder = settings.identityFolder else { return true }
        return LocalStore.read("\(folder)/\(renewal.client).store")?.first == "\(renewal.old) \(renewal.new)"
    }

    private static func newNonce() -> String {
        var random = SystemRandomNumberGenerator()
        return GUID(high: random.next(), low: random.next()).text
    }

    private static func realPath(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// The lines of a small file, or `nil` when there is none.
    private static func read(_ path: String) -> [String]? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, 8192, file) }
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Writes a small file, for its owner alone, under another name and renames it into place.
    private static func write(_ lines: [String], to path: String) throws {
        let failure = LocalStoreError(.io, message: "The folder for store identities cannot be written.")
        FileSystem.makeFolder(of: path)
        let temporary = "\(path).\(getpid()).new"
        unsafe _ = unlink(temporary)
        guard let file = unsafe fopen(temporary, "wx") else { throw failure }
        // Before the first byte, so that nobody else ever reads one.
        unsafe _ = fchmod(fileno(file), 0o600)
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        let isOnDisk = unsafe fflush(file) == 0 && fsync(fileno(file)) == 0
        guard unsafe fclose(file) == 0, isOnDisk, count == bytes.count, unsafe rename(temporary, path) == 0 else {
            throw failure
        }
    }
}
