// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V10: nothing of another user's diary is sent to a device.
struct ScopeCheck: Check {
    static let number = "V10"

    private let model: EntityModel
    /// The owner of each text that ever stood in a diary of the service.
    private var owners: [String: Value] = [:]

    init(model: EntityModel) { self.model = model }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        switch observation {
        case .service(let state):
            note(state)
            return []
        case .sent(let device, let user, let bytes): return leaks(bytes, to: user).map { "\(device) was sent \($0)" }
        default: return []
        }
    }

    private mutating func note(_ state: NodeState) {
        guard let index = model.setIndex(wire: Regatta.diary) else { return }
        let type = model.sets[index].type
        guard let owner = type.propertyIndex(wire: "Owner"), let name = type.propertyIndex(wire: "Name") else { return }
        for row in state.sets[index].values { owners[row[name].text ?? ""] = row[owner] }
    }

    /// The texts of diaries of others in an answer.
    private func leaks(_ bytes: [UInt8], to user: Value) -> [String] {
        guard !owners.isEmpty else { return [] }
        var found: [String] = []
        var place = 0
        while place < bytes.count {
            let begin = place
            place += 1
            // A text of ours stands between quotes, and begins so.
            guard bytes[begin] == UInt8(ascii: "w"), begin > 0, bytes[begin - 1] == UInt8(ascii: "\"") else { continue }
            while place < bytes.count, bytes[place] != UInt8(ascii: "\"") { place += 1 }
            let text = String(decoding: bytes[begin..<place], as: UTF8.self)
            guard let owner = owners[text], owner != user else { continue }
            found.append("\(text), which is in another user's diary")
        }
        return found
    }
}
