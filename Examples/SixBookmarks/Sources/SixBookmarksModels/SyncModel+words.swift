// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// The state in words.
extension SyncModel {
    /// Whether the service is not reached, as far as is known.
    public var isOffline: Bool {
        switch status.phase {
        case .offline: true
        // A store that is only looked at knows what its last sync met.
        case .idle, .waiting: status.lastFailure?.kind == .offline
        default: false
        }
    }

    /// One line: what is going on, also of a sync that somebody asked for.
    public var activity: String { isSyncing && !isOffline ? "Syncing… \(state)" : state }

    /// One line: what is going on.
    public var state: String {
        if isOffline { return offline }
        switch status.phase {
        case .sending: return "Sending changes" + progress
        case .loading: return "Loading" + progress
        case .receiving: return "Receiving changes" + progress
        case .applying: return "Storing what was received" + progress
        case .waiting: return "The service or this device is busy. It is tried again soon."
        case .offline: return offline
        case .stopped: return status.lastFailure?.description ?? "Sync has stopped."
        case .idle: return idle
        @unknown default: return idle
        }
    }

    private var offline: String {
        let count = status.pendingTransactions
        return "Offline" + (count > 0 ? ", \(count) waiting" : "") + ". Everything works; changes are sent later."
    }

    private var idle: String {
        if let failure = status.lastFailure { return failure.description }
        if status.pendingTransactions > 0 { return "Changes wait to be sent." }
        if status.quarantined > 0 { return "The service refused a change." }
        return status.lastSuccess == nil ? "Not synced yet." : "In step with the service."
    }

    private var progress: String {
        guard status.done > 0 || status.expected != nil else { return "…" }
        return status.expected.map { ": \(status.done) of \($0)" } ?? ": \(status.done)"
    }

    /// How many changes wait to be sent.
    public var waiting: String {
        switch status.pendingTransactions {
        case 0: "Nothing waits to be sent."
        case 1: "1 change waits to be sent."
        default: "\(status.pendingTransactions) changes wait to be sent."
        }
    }

    /// When a sync succeeded last.
    public var lastSuccess: String {
        guard let time = status.lastSuccess else { return "No sync has succeeded yet." }
        let seconds = max(0, moment.seconds - time.seconds)
        let (count, unit): (Int64, String) =
            switch seconds {
            case ..<60: (0, "")
            case ..<3600: (seconds / 60, "minute")
            case ..<86_400: (seconds / 3600, "hour")
            default: (seconds / 86_400, "day")
            }
        guard count > 0 else { return "Last sync: just now." }
        return "Last sync: \(count) \(unit)\(count == 1 ? "" : "s") ago."
    }
}
