// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The conference as plain values: what a context over the same steps must show.
///
/// Objects have numbers that never change; a reference is the number of another object, also of one that is gone.
struct PlainConference: Equatable {
    enum Kind: Int, CaseIterable { case track, session, mark, room }

    struct Object: Equatable {
        var kind: Kind
        var text = ""
        var number: Int64 = 0
        var track: Int?
        var room: Int?
        var prior: Int?
        /// Of a mark.
        var session: Int?
    }

    var objects: [Int: Object] = [:]

    func numbers(_ kind: Kind) -> [Int] { objects.filter { $0.value.kind == kind }.keys.sorted() }

    /// Deletes with the rules: sessions lose their track and what came before, marks go with their session.
    mutating func delete(_ number: Int) {
        guard let object = objects.removeValue(forKey: number) else { return }
        for (other, value) in objects {
            switch (object.kind, value.kind) {
            case (.track, .session) where value.track == number: objects[other]?.track = nil
            case (.session, .session) where value.prior == number: objects[other]?.prior = nil
            case (.session, .mark) where value.session == number: delete(other)
            default: break
            }
        }
    }

    /// Whether a save is refused: a session takes place in a room that is gone, or a mark is of no session.
    var isBroken: Bool {
        objects.values.contains { object in
            object.room.map { objects[$0] == nil } == true
                || object.kind == .mark && object.session.map { objects[$0] != nil } != true
        }
    }
}
