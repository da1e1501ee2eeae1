// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// Notices beside deltas, over changes by chance: a set is named to a user exactly where its delta has something to tell.
///
/// A seed gives the same run again: `TIDELINE_SEEDS=17..<18 swift test --filter RandomNoticeTests`.
struct RandomNoticeTests {
    static let seeds = Seeds.chosen(or: 0..<3)
    static let sets = ["Clients", "Lines", "OrderTags", "Orders", "Tags"]
    static let users = [
        Shop.alice, Shop.bob, UserContext(id: .integer(3), name: "eve", roles: []), RandomMirrorTests.admin,
    ]

    @Test(arguments: Stand.Kind.allCases, seeds)
    func `a notice names a set where a delta of it is not empty`(kind: Stand.Kind, seed: UInt64) throws {
        let stand = try RandomMirrorTests.stand(kind)
        var run = RandomMirrorTests.Run(stand, seed)
        for _ in 0..<60 { run.change() }
        var (named, silent) = (0, 0)
        for round in 0..<40 {
            let start = try stand.service.notice(since: nil, for: Shop.alice).id
            var links: [UserContext: [String: String]] = [:]
            for user in Self.users {
                for set in Self.sets {
                    links[user, default: [:]][set] = stand.get("\(set)?$deltatoken=latest", as: user).link("deltaLink")
                }
            }
            for _ in 0..<run.number(1...3) { run.change() }
            let notices = try stand.service.notices(since: start) { Set(Self.users) }
            for user in Self.users {
                let told = notices[user].sets
                #expect(told.isSubset(of: Self.sets))
                for set in Self.sets {
                    let delta = stand.get(links[user]?[set] ?? "", as: user)
                    #expect(delta.status == 200)
                    let isNews = !RandomMirrorTests.Run.items(delta.text).isEmpty
                    (named, silent) = isNews ? (named + 1, silent) : (named, silent + 1)
                    guard isNews == told.contains(set) else {
                        Issue.record(
                            "seed \(seed) on \(kind), round \(round): \(user.name ?? "") is told of \(told), \(set) has \(delta.text)"
                        )
                        return
                    }
                }
            }
        }
        #expect(named > 40 && silent > 200, "seed \(seed): \(named) named, \(silent) silent")
    }
}
