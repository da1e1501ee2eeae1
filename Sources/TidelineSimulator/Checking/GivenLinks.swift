// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import TidelineClient
import TidelineModel
import TidelineOData

/// Delta links that a service gave, each with the rows of its moment: followed when everything is quiet.
///
/// A link counts from the snapshot of its answer or, after a load of several pages, from that of the first page: of what
/// came since, no later page shows anything.
struct GivenLinks {
    struct Link: Hashable {
        var set: String
        var address: String
        var user: UserContext
        var time: SimulatedTime
        var rows: [Key: [Value]]
    }

    let model: EntityModel
    /// The most links that are kept; of more, each has the same chance.
    let most: Int
    private(set) var links: [Link] = []
    /// The rows at the first page of a load, by the path of each later one.
    private var loads: [String: [Key: [Value]]] = [:]
    private var seen = 0
    private var chance: Chance

    init(model: EntityModel, most: Int, chance: Chance) {
        self.model = model
        self.most = most
        self.chance = chance
    }

    /// Forgets the loads that were begun: their next pages are not served any more.
    mutating func forgetLoads() { loads = [:] }

    /// Looks for links in an answer.
    ///
    /// - Parameters:
    ///   - path: the path of the request with its query, where it reads; else `nil`.
    ///   - rows: what a user sees of the sets of the model at this moment.
    mutating func note(
        _ body: [UInt8],
        to path: String?,
        of user: UserContext,
        at time: SimulatedTime,
        rows: () -> NodeState
    ) {
        let first = path.flatMap { loads[$0] }
        // The pages of a delta begin with its token, those of a load without one.
        if let path, first != nil || !path.contains("token"),
            let next = GivenLinks.addresses(in: body, after: GivenLinks.nextLink).first, let index = set(of: next)
        {
            loads[GivenLinks.path(next)] = first ?? rows().sets[index]
        }
        let addresses = GivenLinks.addresses(in: body, after: GivenLinks.deltaLink)
        guard !addresses.isEmpty else { return }
        var state: NodeState?
        for address in addresses {
            guard let index = set(of: address) else { continue }
            seen += 1
            let place = links.count < most ? links.count : chance.below(seen)
            guard place < most else { continue }
            let now = state ?? rows()
            state = now
            let name = model.sets[index].names.wire
            let link = Link(set: name, address: address, user: user, time: time, rows: first ?? now.sets[index])
            if place == links.count { links.append(link) } else { links[place] = link }
        }
    }

    /// The place of the set that a link leads to.
    private func set(of address: String) -> Int? {
        model.setIndex(wire: address.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? "")
    }

    private static let deltaLink = Array(#"deltaLink":""#.utf8)
    private static let nextLink = Array(#"nextLink":""#.utf8)

    private static func addresses(in body: [UInt8], after member: [UInt8]) -> [String] {
        var found: [String] = []
        var place = 0
        while place + member.count < body.count {
            // Most bytes are none: look at the first alone.
            guard body[place] == member[0], body[place..<place + member.count].elementsEqual(member) else {
                place += 1
                continue
            }
            let begin = place + member.count
            let end = body[begin...].firstIndex(of: UInt8(ascii: "\"")) ?? body.count
            found.append(String(decoding: body[begin..<end], as: UTF8.self))
            place = end
        }
        return found
    }

    /// Follows a link to now.
    ///
    /// - Parameters:
    ///   - pageRows: the most rows that are asked for at a time.
    ///   - now: what the user sees now.
    ///   - answer: asks the service.
    func replay(
        _ link: Link,
        pageRows: Int,
        now: NodeState,
        _ answer: (HTTPRequest, UserContext) throws -> TransportResponse
    ) throws -> LinkReplay? {
        guard let set = model[set: link.set], let index = model.setIndex(wire: link.set) else { return nil }
        let sink = ChangeCollector(link.rows, of: set)
        var next: String? = link.address
        var replay = LinkReplay(set: link.set, time: link.time, status: 200, folded: nil, expected: now.sets[index])
        while let address = next {
            var request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: GivenLinks.path(address))
            request.headerFields[.accept] = "application/json"
            request.headerFields[.odataMaxVersion] = "4.01"
            request.headerFields[.prefer] = "maxpagesize=\(pageRows)"
            let response = try answer(request, link.user)
            replay.status = response.head.status.code
            guard replay.status == 200 else { return replay }
            next = try JSONEntityReader(shape: RowShape(set)).readPage(response.body, into: sink).nextLink
        }
        replay.folded = sink.rows
        return replay
    }

    private static func path(_ address: String) -> String {
        if let scheme = address.range(of: "://") {
            return String(address[scheme.upperBound...].drop { $0 != "/" })
        }
        return address.hasPrefix("/") ? address : "/odata/regatta/" + address
    }
}
