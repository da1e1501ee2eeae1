// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import TidelineClient
import TidelineModel
import TidelineOData

/// Delta links that a service gave, each with the rows of its moment: followed when everything is quiet.
///
/// A link counts from the snapshot of its answer or, after a load of several pages, from an earlier one. Both must lead
/// from the rows of the answer's moment to those of now, because what is told twice changes nothing.
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
    private var seen = 0
    private var chance: Chance

    init(model: EntityModel, most: Int, chance: Chance) {
        self.model = model
        self.most = most
        self.chance = chance
    }

    /// Looks for links in an answer.
    ///
    /// - Parameter rows: what a user sees of the sets of the model at this moment.
    mutating func note(_ body: [UInt8], to user: UserContext, at time: SimulatedTime, rows: () -> NodeState) {
        let addresses = GivenLinks.addresses(in: body)
        guard !addresses.isEmpty else { return }
        var state: NodeState?
        for address in addresses {
            let name = address.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? ""
            guard let index = model.setIndex(wire: name) else { continue }
            seen += 1
            let place = links.count < most ? links.count : chance.below(seen)
            guard place < most else { continue }
            let now = state ?? rows()
            state = now
            let link = Link(set: name, address: address, user: user, time: time, rows: now.sets[index])
            if place == links.count { links.append(link) } else { links[place] = link }
        }
    }

    private static let member = Array(#"deltaLink":""#.utf8)

    private static func addresses(in body: [UInt8]) -> [String] {
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
