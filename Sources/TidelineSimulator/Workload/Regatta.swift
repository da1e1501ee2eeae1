// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStorage

/// The domain that a simulation works with: what schemas have that makes syncing hard.
///
/// - `Teams` refer to each other; `Boats`, `Trips` and `Crews` are a chain whose deletions cascade.
/// - `Crews` tie trips and berths, with a key of both; a trip's part of it may be temporary.
/// - `Berths` have keys that devices give, and ranks that are unique.
/// - `Diary` shows each user the own entries alone; SQLite may give the key of an entry that is gone to another one.
/// - In some runs triggers of the database count a boat's trips in its miles, whoever adds, moves or deletes them.
/// - `Events` and `Echoes` are only ever added to, both in one transaction: they show half and doubled transactions.
enum Regatta {
    static let schema = """
        CREATE TABLE Teams (
            Id INTEGER PRIMARY KEY AUTOINCREMENT, LeaderId INTEGER REFERENCES Teams(Id) ON DELETE SET NULL,
            Name TEXT NOT NULL, Motto TEXT);
        CREATE TABLE Boats (
            Id INTEGER PRIMARY KEY AUTOINCREMENT, TeamId INTEGER NOT NULL REFERENCES Teams(Id) ON DELETE CASCADE,
            Name TEXT NOT NULL, Motto TEXT, Miles INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE Trips (
            Id INTEGER PRIMARY KEY, BoatId INTEGER NOT NULL REFERENCES Boats(Id) ON DELETE CASCADE,
            Name TEXT NOT NULL, Motto TEXT);
        CREATE TABLE Berths (Code TEXT NOT NULL PRIMARY KEY, Rank INTEGER NOT NULL UNIQUE, Name TEXT NOT NULL);
        CREATE TABLE Crews (
            TripId INTEGER NOT NULL REFERENCES Trips(Id) ON DELETE CASCADE,
            BerthCode TEXT NOT NULL REFERENCES Berths(Code) ON DELETE CASCADE,
            Name TEXT NOT NULL, PRIMARY KEY (TripId, BerthCode));
        CREATE TABLE Diary (Id INTEGER PRIMARY KEY, Owner INTEGER NOT NULL, Name TEXT NOT NULL);
        CREATE TABLE Events (Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL);
        CREATE TABLE Echoes (Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL);
        CREATE INDEX TeamLeaders ON Teams(LeaderId);
        CREATE INDEX BoatTeams ON Boats(TeamId);
        CREATE INDEX TripBoats ON Trips(BoatId);
        CREATE INDEX CrewBerths ON Crews(BerthCode);
        CREATE INDEX DiaryOwners ON Diary(Owner);
        """

    /// What makes rows change by changes of others, which no device knows of before it pulls them.
    static let triggers = """
        CREATE TRIGGER TripAdded AFTER INSERT ON Trips BEGIN
            UPDATE Boats SET Miles = Miles + 1 WHERE Id = NEW.BoatId; END;
        CREATE TRIGGER TripGone AFTER DELETE ON Trips BEGIN
            UPDATE Boats SET Miles = Miles - 1 WHERE Id = OLD.BoatId; END;
        CREATE TRIGGER TripMoved AFTER UPDATE OF BoatId ON Trips WHEN NEW.BoatId <> OLD.BoatId BEGIN
            UPDATE Boats SET Miles = Miles + 1 WHERE Id = NEW.BoatId;
            UPDATE Boats SET Miles = Miles - 1 WHERE Id = OLD.BoatId; END;
        """

    /// The sets whose rows are added once and never changed.
    static let berths = "Berths"
    static let events = "Events"
    static let echoes = "Echoes"
    /// The set whose rows are of one user each.
    static let diary = "Diary"
    static let keys = Array(repeating: UInt8(7), count: 32)

    /// Who may do what: everybody everything, but for the diaries.
    static func policies(_ model: EntityModel) -> [Policy] {
        let sets = model.sets.map(\.names.wire).filter { $0 != diary }
        return [
            Policy(role: "*", sets: sets, operations: Policy.Operation.allCases),
            Policy(role: "*", sets: [diary], operations: Policy.Operation.allCases, where: "Owner eq @me"),
        ]
    }

    /// Makes the database of the service, with its capture of changes, at a path.
    static func publish(path: String, hasTriggers: Bool = false) throws -> EntityModel {
        let (file, model) = try (hasTriggers ? publishedWithTriggers : published).get()
        try file.write(to: URL(fileURLWithPath: path))
        return model
    }

    /// The empty databases and their model: published once for all runs of a process, which is a part of the time of each.
    private static let published = Result { try empty(schema) }
    private static let publishedWithTriggers = Result { try empty(schema + triggers) }

    private static func empty(_ schema: String) throws -> (file: Data, model: EntityModel) {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let path = folder.path + "/empty.sqlite"
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: schema) }
        try queue.close()
        let model = try addCapture(path: path)
        return (file: try Data(contentsOf: URL(fileURLWithPath: path)), model: model)
    }

    /// Takes a published database away and publishes it again: what devices sent is forgotten.
    static func publishAnew(path: String) throws {
        try SQLitePublisher.unpublish(path: path)
        _ = try addCapture(path: path)
    }

    private static func addCapture(path: String) throws -> EntityModel {
        try SQLitePublisher.publish(
            path: path,
            namespace: "Regatta",
            scopes: { _ in [diary: ["Owner"]] },
            beforeCommit: { _ in }
        ).model
    }

    /// The user of a number.
    static func user(_ number: Int) -> UserContext {
        UserContext(id: .integer(Int64(number)), name: "user\(number)", roles: [])
    }
}
