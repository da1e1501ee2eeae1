// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineSync

/// What an exchange with a service did, for people.
extension SyncReport {
    /// What went where, the end of a sentence.
    ///
    ///     1 transaction sent, 12 rows received.
    var exchangeText: String {
        "\(PlainText.count(sent, "transaction")) sent, \(PlainText.count(received, "row")) received."
    }

    /// What lost and what was refused, a line each, with the commands that show it.
    ///
    /// - Parameter file: the store's.
    func adviceText(_ file: String) -> String {
        let name = ShellWord.quoted(file)
        var text = ""
        if conflicts > 0 { text += "\n\(PlainText.count(conflicts, "conflict")): tideline conflicts \(name)" }
        if quarantined > 0 { text += "\n\(quarantined) in quarantine: tideline quarantine \(name)" }
        return text
    }

    /// What the device does not hold, a line each.
    var leftOutText: String { leftOut.map { "\nNot on the device: \($0)." }.joined() }
}
