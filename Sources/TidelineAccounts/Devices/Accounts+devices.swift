// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension Accounts {
    /// A device is noted again when it was last noted so many seconds ago, or looks otherwise.
    private static let noteInterval: Int64 = 600

    /// Notes a request of a device.
    ///
    /// - Parameters:
    ///   - client: the identifier of the client, up to 128 bytes.
    ///   - user: the name of the signed-in user; `nil` for nobody.
    ///   - agent: what it calls itself.
    /// - Throws: ``AccountsError`` with `revokedDevice`; errors of the store.
    public func noteDevice(_ client: String, domain: String, user: String?, agent: String?) throws {
        let now = environment.now()
        let name = user ?? ""
        let agent = String((agent ?? "").prefix(200))
        func isFresh(_ device: Device) -> Bool {
            device.user == name && device.agent == agent && now - device.lastSeen < Self.noteInterval
        }
        if let known = deviceCache.device(client, domain: domain, now: now) {
            try Self.check(known)
            if isFresh(known) { return }
        }
        let set = ControlModel.devices
        var found = try store.read { try $0.record([domain, client], in: set).map { Device($0) } }
        if let found { try Self.check(found) }
        if found.map(isFresh) != true {
            found = try store.write { writer in
                guard var device = try writer.record([domain, client], in: set).map({ Device($0) }) else {
                    let device = Device(
                        domain: domain,
                        client: client,
                        user: name,
                        agent: agent,
                        firstSeen: now,
                        lastSeen: now
                    )
                    try writer.insertRecord(
                        [
                            .string(domain), .string(client), .string(name), .string(agent), .integer(now),
                            .integer(now), .integer(0),
                        ],
                        into: set
                    )
                    return device
                }
                try Self.check(device)
                (device.user, device.agent, device.lastSeen) = (name, agent, now)
                let values: [Int: Value] = [2: .string(name), 3: .string(agent), 5: .integer(now)]
                _ = try writer.update(Self.key(client, domain), values, in: set)
                return device
            }
        }
        if let found { deviceCache.keep(found, now: now) }
    }

    /// The devices of a domain, ordered by client.
    public func devices(of domain: String) throws -> [Device] {
        try store.read { reader in
            try reader.records(of: ControlModel.devices, where: ControlModel.devices.equals(0, domain))
                .map { Device($0) }
        }
    }

    /// Refuses the requests of a device from now on, or lets it synchronise again.
    ///
    /// Another process sees it within five seconds. Revoked again, it stays revoked since the first time.
    ///
    /// - Throws: ``AccountsError`` with `unknownDevice`; errors of the store.
    public func setRevoked(_ isRevoked: Bool, device client: String, domain: String) throws {
        let now = environment.now()
        try store.write { writer in
            guard let device = try writer.record([domain, client], in: ControlModel.devices).map({ Device($0) }) else {
                throw AccountsError(.unknownDevice, "The domain \(domain) knows no device \(client).")
            }
            let since = isRevoked ? device.revokedAt ?? now : 0
            _ = try writer.update(Self.key(client, domain), [6: .integer(since)], in: ControlModel.devices)
        }
        deviceCache.removeAll()
    }

    private static func key(_ client: String, _ domain: String) -> Key { Key([.string(domain), .string(client)]) }

    private static func check(_ device: Device) throws {
        guard device.revokedAt != nil else { return }
        throw AccountsError(
            .revokedDevice,
            "This device was revoked: the domain takes no requests of it any more. What waits on it is kept there."
        )
    }
}
