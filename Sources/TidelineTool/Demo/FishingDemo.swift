// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineServer

/// The data of `fishing`: two anglers and a coast that is on no map.
enum FishingDemo {
    static let users = [
        SixBookmarksDemo.DemoUser(name: "ann", password: "tide-and-time-3", id: 42),
        SixBookmarksDemo.DemoUser(name: "bob", password: "tide-and-time-4", id: 43),
    ]

    /// The database as SQL.
    ///
    /// - Parameter names: the files of ``pictures``, in their order.
    static func sql(pictures names: [String]) -> String {
        var sql = FishingSchema.tables + rows
        for (item, name) in zip(pictures, names) {
            sql += "INSERT INTO Pictures (CatchId, ContentType, Content) VALUES (\(item.number), 'image/png', "
            sql += "\(DemoSQL.text(name)));\n"
        }
        return sql
    }

    /// What some of the catches look like, by their numbers; the last two are seen by their owners alone.
    static let pictures: [(number: Int, picture: FishPicture)] = [
        (1, .cod), (3, .perch), (4, .trout), (6, .mackerel), (7, .trout), (8, .pike),
    ]

    private struct Spot {
        let name: String
        let lat: String
        let lng: String
        let isPublic: Bool
        let comments: String
        let owner: Int

        init(_ name: String, _ lat: String, _ lng: String, isPublic: Bool = true, _ comments: String, of owner: Int) {
            self.name = name
            self.lat = lat
            self.lng = lng
            self.isPublic = isPublic
            self.comments = comments
            self.owner = owner
        }
    }

    private static let spots = [
        Spot("Old pier", "59.9139", "10.7522", "early", of: 42),
        Spot("Lamp rock", "59.8907", "10.6984", "Deep on the south side", of: 42),
        Spot("Heron bay", "59.8731", "10.7841", "Perch under the boats", of: 43),
        Spot("Ferry slip", "59.9052", "10.7213", "Not while the ferry turns", of: 43),
        Spot("Gull skerry", "59.8512", "10.6649", "By boat; mind the current", of: 42),
        Spot("Mill outfall", "59.9318", "10.7706", "Trout after rain", of: 43),
        Spot("Long sand", "59.8264", "10.7318", "Flatfish at dusk", of: 42),
        Spot("Tar quay", "59.9011", "10.6402", "Mackerel in July", of: 43),
        Spot("Grandmother's stone", "59.8655", "10.7093", isPublic: false, "Tell nobody", of: 42),
        Spot("The hole", "59.8799", "10.6327", isPublic: false, "Cod, 30 m down", of: 42),
        Spot("Behind the boathouse", "59.9226", "10.6871", isPublic: false, "Eel", of: 43),
        Spot("Seven firs", "59.8403", "10.8012", isPublic: false, "Pike in May", of: 43),
    ]

    private static let catches: [(spot: Int, owner: Int, fish: String, grams: Int, at: String)] = [
        (1, 42, "Cod", 2350, "2026-05-02T04:40:00Z"), (1, 43, "Pollack", 1480, "2026-05-09T05:15:00Z"),
        (3, 43, "Perch", 620, "2026-06-14T18:05:00Z"), (6, 43, "Trout", 910, "2026-06-21T06:30:00Z"),
        (7, 42, "Flounder", 540, "2026-08-03T19:50:00Z"), (8, 43, "Mackerel", 380, "2026-07-11T09:20:00Z"),
        (9, 42, "Trout", 1760, "2026-09-05T05:55:00Z"), (12, 43, "Pike", 4120, "2026-05-23T07:10:00Z"),
    ]

    private static var rows: String {
        var sql = ""
        for user in users {
            let name = user.name.prefix(1).uppercased() + user.name.dropFirst()
            sql += "INSERT INTO Users VALUES (\(user.id), \(DemoSQL.text(name)), '/apps/fishing/\(user.name).svg');\n"
        }
        for (place, spot) in spots.enumerated() {
            sql +=
                "INSERT INTO FishingSpots (Id, Name, Lat, Lng, IsPublicSpot, Comments, OwnerId) VALUES (\(place + 1), "
            sql += "\(DemoSQL.text(spot.name)), \(spot.lat), \(spot.lng), \(spot.isPublic ? 1 : 0), "
            sql += "\(DemoSQL.text(spot.comments)), \(spot.owner));\n"
        }
        for item in catches {
            sql += "INSERT INTO Catches (SpotId, OwnerId, Fish, WeightInGrams, CaughtAt) VALUES (\(item.spot), "
            sql += "\(item.owner), \(DemoSQL.text(item.fish)), \(item.grams), '\(item.at)');\n"
        }
        return sql
    }
}
