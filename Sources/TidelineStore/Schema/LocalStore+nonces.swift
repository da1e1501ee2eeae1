// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Another nonce for a store's file.
struct NonceRenewal {
    /// The one that the file has.
    var old: String
    var new: String
    /// The client that it is of.
    var client: String
}

/// Whether a store's file is a copy: a nonce in it, and an ``IdentityNote`` outside of it that must know the nonce.
///
/// A store whose nonce is not noted was copied or restored; so was one whose known path holds another file still. It
/// gets a new client identity before anything is sent, because the numbers of its transactions may have been used by
/// the other. Transactions that waited in it keep the number and the identity that they have in both files, so that the
/// server carries each out once.
extension LocalStore {
    /// Looks whether the file is the one that was opened last under its client identity.
    func checkIdentity() throws {
        guard let folder = settings.identityFolder else { return }
        let here = IdentityNote.realPath(path)
        if try reading({ try isKnown(in: folder, here, $0) }) { return }
        try writing(durably: true) { connection in
            // Another process may have sent something, and been about to note it: under the file's lock it has.
            if try !isKnown(in: folder, here, connection) { try becomeKnown(in: folder, here, connection) }
            return ((), [])
        }
    }

    private func note(in folder: String, of client: String) -> IdentityNote {
        IdentityNote(path: "\(folder)/\(client).store")
    }

    /// Whether the file's nonce is noted, for this place.
    private func isKnown(in folder: String, _ here: String, _ connection: Connection) throws -> Bool {
        let note = try note(in: folder, of: connection.meta("client_id") ?? "")
        guard let noted = note.read(), noted.place == here else { return false }
        return try noted.nonces.contains(connection.meta("nonce") ?? "")
    }

    /// Notes the file where it is new or was moved; else makes it another client.
    private func becomeKnown(in folder: String, _ here: String, _ connection: Connection) throws {
        let identity = try identity(connection)
        let (note, nonce) = (note(in: folder, of: identity.clientID.text), identity.nonce.text)
        guard let noted = note.read() else {
            guard try connection.meta("is_noted") == nil else {
                return try becomeAnother(identity, folder, here, connection)
            }
            // The first opening after the file was made.
            try note.write([nonce], place: here)
            return try connection.setMeta("is_noted", "1")
        }
        let isElsewhere = noted.place.map { $0 != here && StoreFile.exists($0) } ?? false
        guard noted.nonces.contains(nonce), !isElsewhere else {
            return try becomeAnother(identity, folder, here, connection)
        }
        try note.write([nonce], place: here)
    }

    /// Takes a new client identity.
    ///
    /// What waits keeps the old one: the other copy may have sent it, or will.
    private func becomeAnother(
        _ old: StoreIdentity,
        _ folder: String,
        _ here: String,
        _ connection: Connection
    ) throws {
        var random = SystemRandomNumberGenerator()
        let client = GUID(high: random.next(), low: random.next()).text
        let nonce = Self.newNonce()
        try note(in: folder, of: client).write([nonce], place: here)
        try connection.setMeta("previous_client_id", old.clientID.text)
        try connection.setMeta("client_id", client)
        try connection.setMeta("nonce", nonce)
        try connection.setMeta("is_noted", "1")
        try connection.expectMade()
        try connection.keepWaiting(of: old.clientID, old.inherited)
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
            let next = Self.newNonce()
            try note(in: folder, of: client).write([nonce, next], place: IdentityNote.realPath(path))
            return (NonceRenewal(old: nonce, new: next, client: client), [])
        }
    }

    /// The next nonce, where it is noted beside that of the file, and for this place.
    private func notedRenewal(in folder: String, _ connection: Connection) throws -> NonceRenewal? {
        let client = try connection.meta("client_id") ?? ""
        guard let noted = note(in: folder, of: client).read(), noted.nonces.count == 2,
            noted.place == IdentityNote.realPath(path), try noted.nonces[0] == connection.meta("nonce")
        else { return nil }
        return NonceRenewal(old: noted.nonces[0], new: noted.nonces[1], client: client)
    }

    /// Forgets the old nonce, once the file has the new one, and notes the one that comes after it.
    ///
    /// A copy of the file that has the old one is noticed from then on.
    func endNonce(_ renewal: NonceRenewal) throws {
        guard let folder = settings.identityFolder else { return }
        // Under the lock of the file, so that another process that sends notes nothing in between.
        try writing { connection in
            if try connection.meta("nonce") == renewal.new {
                let nonces = [renewal.new, Self.newNonce()]
                try note(in: folder, of: renewal.client).write(nonces, place: IdentityNote.realPath(path))
            }
            return ((), [])
        }
    }

    /// Whether both nonces are still noted: another process may have noted others.
    func isNoted(_ renewal: NonceRenewal) -> Bool {
        guard let folder = settings.identityFolder else { return true }
        return note(in: folder, of: renewal.client).read()?.nonces == [renewal.old, renewal.new]
    }

    private static func newNonce() -> String {
        var random = SystemRandomNumberGenerator()
        return GUID(high: random.next(), low: random.next()).text
    }
}
