// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// The details that follow a master.
struct DetailListTests {
    let folder: TestFolder
    let store: LocalStore
    let context: EditingContext

    init() throws {
        folder = try TestFolder()
        store = try Conference.store(folder)
        context = EditingContext(store)
    }

    @Test(.covers("DA-55"), arguments: [true, false])
    func `a move of the master fetches its details, or waits to be asked`(fetchesOnMove: Bool) throws {
        var tracks: [ManagedRow] = []
        for (name, titles) in [("Swift", ["Actors", "Macros"]), ("Data", ["Joins"])] {
            let track = try context.insert(["Name": .string(name)], into: "Tracks")
            for title in titles {
                try track.add(context.insert(["Title": .string(title)], into: "Sessions"), to: "Sessions")
            }
            tracks.append(track)
        }
        let list = DetailList("Sessions", fetchesOnMove: fetchesOnMove)
        var fetched: [[String?]] = []
        list.onFetch = { fetched.append($0.map { try? $0.text("Title") }) }
        for master in tracks + [nil] {
            try list.follow(master)
            #expect(list.master === master && list.isFetched == (fetchesOnMove || master == nil))
            if !fetchesOnMove {
                #expect(list.rows == [])
                try list.fetch()
            }
        }
        #expect(fetched == [["Actors", "Macros"], ["Joins"], []])
        try list.follow(tracks[1])
        try list.follow(tracks[1])
        #expect(fetched.count == (fetchesOnMove ? 4 : 3))
    }

    @Test(.covers("MD-I96"))
    func `a list is freed with what it shows`() throws {
        weak var list: DetailList?
        do {
            let made = DetailList("Sessions")
            try made.follow(context.insert(["Name": .string("x")], into: "Tracks"))
            made.onFetch = { [weak made] _ in _ = made?.rows }
            list = made
            #expect(list != nil)
        }
        #expect(list == nil)
    }
}
