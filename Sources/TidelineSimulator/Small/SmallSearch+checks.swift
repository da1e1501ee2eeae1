// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What must hold in a state.
extension SmallSearch {
    /// - Returns: what is wrong.
    mutating func wrongs(of position: SmallPosition) async throws -> [Violation] {
        let service = transitions.services[Int(position.service)]
        let written = SmallText.written(position.written)
        var wrongs = transitions.takeFailures().map { wrong("V15", $0) }
        if service.hadTwice != 0 {
            wrongs.append(wrong("V3", "\(SmallText.names(service.hadTwice)) took effect twice"))
        }
        if service.had & ~written != 0 {
            wrongs.append(wrong("V2", "\(SmallText.names(service.had & ~written)) nobody wrote"))
        }
        guard case .idle(let first) = position[0], case .idle(let second) = position[1] else { return wrongs }
        for number in [first, second] {
            let strange = transitions.devices[Int(number)].shown & ~written
            if strange != 0 { wrongs.append(wrong("V2", "\(SmallText.names(strange)) nobody wrote")) }
        }
        report.settled += 1
        guard let rest = try await settling.rest([first, second], position.service) else {
            return wrongs + [wrong("V15", "syncs do not come to rest")]
        }
        return wrongs + self.wrongs(of: rest, written & ~position.excused)
    }

    /// What must hold when no sync changes anything any more.
    ///
    /// - Parameter written: the texts that must be somewhere.
    private func wrongs(of rest: SmallSettling.Rest, _ written: UInt16) -> [Violation] {
        var wrongs = transitions.takeFailures().map { wrong("V15", $0) }
        let service = transitions.services[Int(rest.service)]
        var found = service.had | rest.refused
        for (device, number) in rest.devices.enumerated() {
            let content = transitions.devices[Int(number)]
            let name = SmallText.name(device)
            found |= content.logged
            if content.isWaiting { wrongs.append(wrong("V15", "a change of \(name) is never sent")) }
            if content.rows != service.rows {
                wrongs.append(wrong("V7", "at rest \(name) has \(content.rows), and the service \(service.rows)"))
            }
        }
        if service.hadTwice != 0 {
            wrongs.append(wrong("V3", "at rest \(SmallText.names(service.hadTwice)) took effect twice"))
        }
        let lost = written & ~found
        if lost != 0 { wrongs.append(wrong("V9", "\(SmallText.names(lost)) is lost")) }
        return wrongs
    }

    private func wrong(_ number: String, _ message: String) -> Violation { Violation(number, message, at: .start) }
}
