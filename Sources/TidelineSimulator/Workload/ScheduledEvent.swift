// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One thing that somebody does, or that befalls a node, at a moment that the seed chose.
///
/// It draws its own numbers from the seed and its own, so leaving others out does not change what it does.
package struct ScheduledEvent: Hashable, Sendable {
    /// What happens.
    package enum Kind: Hashable, Sendable {
        /// A person changes rows, in one transaction.
        case edit(device: Int)
        /// The app syncs.
        case sync(device: Int)
        /// The app is killed, and started again after a while.
        case kill(device: Int, pause: Duration)
        /// A person looks at the quarantine.
        case decide(device: Int)
        /// The network of a device changes.
        case network(device: Int, NetworkConditions)
        /// Another program changes rows of the service's database.
        case direct
        /// The service's process ends, and begins again after a while.
        case restart(pause: Duration)
        /// A device lies switched off for days.
        case suspend(device: Int, pause: Duration)
        /// A clock jumps: that of a device, or that of the service.
        case clock(device: Int?, seconds: Int64)
        /// The service's change log is cut down to its newest entries.
        case compact(entries: Int)
        /// A copy of the service's database is made.
        case backup
        /// The service goes back to the newest copy.
        case restore
        /// The file of a device is put in the place of another one's, of the same user.
        case copy(from: Int, to: Int)
        /// The domain is taken away and published again, over the same rows.
        case publishAnew
        /// The service gets another address, and nobody is at the one before.
        case move
        /// The service fails to read a set for a while, however it is asked for its rows or their changes.
        case breakSet(place: Int, pause: Duration)
    }

    /// Its number; unlike a place it stays when others are left out.
    package var number: Int
    package var time: SimulatedTime
    package var kind: Kind
}

extension ScheduledEvent.Kind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .edit(let device): "edit at \(device)"
        case .sync(let device): "sync of \(device)"
        case .kill(let device, let pause): "kill \(device) for \(pause)"
        case .decide(let device): "quarantine of \(device)"
        case .network(let device, let conditions): "network of \(device): \(conditions)"
        case .direct: "direct write"
        case .restart(let pause): "service restart, \(pause)"
        case .suspend(let device, let pause): "\(device) off for \(pause)"
        case .clock(let device, let seconds): "clock of \(device.map(String.init) ?? "the service") by \(seconds) s"
        case .compact(let entries): "change log down to \(entries)"
        case .backup: "backup"
        case .restore: "restore"
        case .publishAnew: "another publication"
        case .move: "another address"
        case .breakSet(let place, let pause): "set \(place) cannot be read, \(pause)"
        case .copy(let from, let to): "file of \(from) copied to \(to)"
        }
    }
}
