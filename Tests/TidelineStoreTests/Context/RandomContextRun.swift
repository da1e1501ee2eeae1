// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import Testing

@testable import TidelineStore

/// One run: a context, the plain model beside it, and the states that undo and redo lead to.
struct RandomContextRun {
    typealias Kind = PlainConference.Kind

    struct Difference: Error, CustomStringConvertible { var description: String }

    private let folder: TestFolder
    private let context: EditingContext
    private var random: SeededGenerator
    private var plain = PlainConference()
    private var saved = PlainConference()
    private var undone: [PlainConference] = []
    private var redone: [PlainConference] = []
    private var rows: [Int: ManagedRow] = [:]
    private var last = 0
    private var trace: [String] = []

    init(seed: UInt64) throws {
        folder = try TestFolder()
        context = EditingContext(try Conference.store(folder))
        context.undoLimit = .max
        random = SeededGenerator(seed: seed)
    }

    private mutating func dice(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

    private mutating func any(_ kind: Kind) -> Int? { plain.numbers(kind).randomElement(using: &random) }

    private func row(_ number: Int) throws -> ManagedRow {
        guard let row = rows[number] else { throw Difference(description: "no row \(number)") }
        return row
    }

    // MARK: Steps

    mutating func step() throws {
        switch dice(100) {
        case 0..<22: try change("insert") { try $0.insert() }
        case 22..<40: try change("set") { try $0.set() }
        case 40..<62: try change("relate") { try $0.relate() }
        case 62..<74: try change("delete") { try $0.delete() }
        case 74..<84: try takeBack()
        case 84..<91: try again()
        case 91..<95: try save()
        case 95: rollback()
        default:
            try change("group") { run in
                try run.context.group {
                    for _ in 0..<3 { try run.insert() }
                    try run.set()
                    try run.delete()
                }
            }
        }
    }

    /// Runs a change of both, and keeps the state before where there was one.
    private mutating func change(_ name: String, _ body: (inout RandomContextRun) throws -> Void) throws {
        let before = plain
        let steps = context.undoStack.count
        try body(&self)
        trace.append(name)
        let taken = context.undoStack.count - steps
        if plain == before, taken == 0 { return }
        // A group may do something and take it back.
        guard taken == 1, plain != before || name == "group" else {
            throw Difference(description: "\(taken) steps of \(name)")
        }
        undone.append(before)
        redone = []
    }

    private mutating func insert() throws {
        guard plain.objects.count < 90 else { return }
        last += 1
        let kind = Kind.allCases[dice(4)]
        var object = PlainConference.Object(kind: kind, text: "n\(last)")
        let name = Value.string(object.text)
        switch kind {
        case .track: rows[last] = try context.insert(["Name": name], into: "Tracks")
        case .session:
            object.number = 30
            rows[last] = try context.insert(["Title": name], into: "Sessions")
        case .room: rows[last] = try context.insert(["Code": name], into: "Rooms")
        case .mark:
            guard let session = any(.session) else { return }
            object.session = session
            rows[last] = try context.insert(["SessionId": row(session).key.values[0]], into: "Marks")
        }
        plain.objects[last] = object
    }

    private mutating func set() throws {
        guard let number = any(.session), let seats = any(.room), let mark = any(.mark) else { return }
        let value = Int64(dice(3))
        switch dice(3) {
        case 0:
            plain.objects[number]?.number = value
            try row(number).set("Minutes", .integer(value))
        case 1:
            plain.objects[seats]?.number = value
            try row(seats).set("Seats", value == 0 ? .null : .integer(value))
        default:
            plain.objects[mark]?.number = value
            try row(mark).set("Stars", value == 0 ? .null : .integer(value))
        }
    }

    private mutating func relate() throws {
        guard let session = any(.session) else { return }
        switch dice(5) {
        case 0:
            let track = dice(4) == 0 ? nil : any(.track)
            plain.objects[session]?.track = track
            try row(session).relate("Track", to: track.map(row))
        case 1:
            guard let track = any(.track) else { return }
            plain.objects[session]?.track = track
            try row(track).add(row(session), to: "Sessions")
        case 2:
            guard let track = any(.track) else { return }
            if plain.objects[session]?.track == track { plain.objects[session]?.track = nil }
            try row(track).remove(row(session), from: "Sessions")
        case 3:
            let room = dice(3) == 0 ? nil : any(.room)
            plain.objects[session]?.room = room
            try row(session).relate("Room", to: room.map(row))
        default:
            let prior = dice(4) == 0 ? nil : any(.session)
            plain.objects[session]?.prior = prior
            try row(session).relate("Prior", to: prior.map(row))
        }
    }

    private mutating func delete() throws {
        // Rooms seldom, because a room in use refuses the next saves.
        let kind: Kind = dice(12) == 0 ? .room : [.track, .session, .session, .mark][dice(4)]
        guard let number = any(kind) else { return }
        plain.delete(number)
        try context.delete(row(number))
    }

    private mutating func takeBack() throws {
        trace.append("undo")
        guard context.undo() == !undone.isEmpty else { throw Difference(description: "undo is not at its end") }
        guard let before = undone.popLast() else { return }
        redone.append(plain)
        plain = before
    }

    private mutating func again() throws {
        trace.append("redo")
        guard context.redo() == !redone.isEmpty else { throw Difference(description: "redo is not at its end") }
        guard let after = redone.popLast() else { return }
        undone.append(plain)
        plain = after
    }

    private mutating func save() throws {
        trace.append("save")
        do {
            try context.save()
            guard !plain.isBroken else { throw Difference(description: "a broken state was saved") }
            saved = plain
            guard !context.hasChanges else { throw Difference(description: "changes are left after a save") }
        } catch let error as LocalStoreError {
            guard plain.isBroken else { throw error }
        }
    }

    private mutating func rollback() {
        trace.append("rollback")
        context.rollback()
        plain = saved
        undone = []
        redone = []
    }

    // MARK: Comparing

    func compare() throws {
        try compare(context, "the context")
    }

    private func check(_ isSame: Bool, _ what: @autoclosure () -> String) throws {
        guard isSame else {
            throw Difference(description: what() + " after " + trace.suffix(12).joined(separator: " "))
        }
    }

    private func compare(_ context: EditingContext, _ place: String) throws {
        for (kind, set) in zip(Kind.allCases, ["Tracks", "Sessions", "Marks", "Rooms"]) {
            let found = Set(try context.fetch(Conference.plan(context.store, set)))
            let expected = Set(try plain.numbers(kind).map(row))
            try check(found == expected, "\(set) of \(place)")
        }
        let inUse = Dictionary(grouping: plain.numbers(.session)) { plain.objects[$0]?.track }
        for number in plain.numbers(.track) {
            let found = try Set(row(number).relatedRows("Sessions"))
            try check(found == Set((inUse[number] ?? []).map(row)), "sessions of track \(number)")
        }
        for number in plain.numbers(.session) { try compare(session: number) }
        for number in plain.numbers(.mark) {
            let found = try row(number).related("Session")
            try check(try found === plain.objects[number]?.session.map(row), "session of mark \(number)")
        }
    }

    private func compare(session number: Int) throws {
        guard let object = plain.objects[number] else { return }
        let row = try row(number)
        func living(_ other: Int?) throws -> ManagedRow? {
            guard let other, plain.objects[other] != nil else { return nil }
            return try self.row(other)
        }
        try check(row["Title"] == .string(object.text), "title of \(number)")
        try check(row["Minutes"] == .integer(object.number), "minutes of \(number)")
        try check(row.related("Track") === living(object.track), "track of \(number)")
        try check(row.related("Room") === living(object.room), "room of \(number)")
        try check(row.related("Prior") === living(object.prior), "prior of \(number)")
        let marks = try plain.numbers(.mark).filter { plain.objects[$0]?.session == number }.map(self.row)
        try check(Set(row.relatedRows("Marks")) == Set(marks), "marks of \(number)")
    }

    /// Everything is taken back and done again; then what was saved last is in the file, as a fresh context reads it.
    mutating func finish() throws {
        while !undone.isEmpty { try takeBack() }
        try compare()
        while !redone.isEmpty { try again() }
        try compare()
        rollback()
        try compare()
        let fresh = EditingContext(context.store)
        for (number, row) in rows where plain.objects[number] != nil {
            let stored = try fresh.object(row.key, in: row.entitySet)
            try check(stored?.namedValues == row.namedValues, "the file's row \(number)")
        }
        let count = try ["Tracks", "Sessions", "Marks", "Rooms"].reduce(0) { sum, set in
            try sum + fresh.count(Conference.plan(fresh.store, set))
        }
        try check(count == plain.objects.count, "the number of rows in the file")
    }
}
