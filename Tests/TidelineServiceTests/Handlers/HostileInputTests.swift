// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

/// Requests with bytes changed, cut and doubled: each is answered with an error of the client or a plain success.
struct HostileInputTests {
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
    }

    private static let paths = [
        "Orders?$filter=Client/Name%20eq%20'Ann'%20and%20Total%20gt%201&$orderby=Total%20desc&$top=1&$count=true",
        "Clients(1)/Orders(10)?$expand=Client($select=Name;$expand=Orders($filter=Total%20gt%201))",
        "Notes('a')/Text/$value",
        "Notes?$deltatoken=latest", "$metadata?$format=json", "Clients/$count?$filter=contains(tolower(Name),'a')",
        "Notes?$skiptoken=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ]
    private static let bodies = [
        ##"{"Name":"X","OwnerId":1,"Code":null}"##,
        ##"{"OrderId":90,"Title":"t","Client@bind":"Clients(1)","Total":5}"##,
        ##"{"requests":[{"id":"1","method":"POST","url":"Clients","atomicityGroup":"a","body":{"Name":"Y","OwnerId":1}},{"id":"2","method":"PATCH","url":"$1","atomicityGroup":"a","headers":{"If-Match":"$1"},"body":{"Code":"q"}},{"id":"3","method":"GET","url":"Clients?$top=1","dependsOn":["a"]}]}"##,
    ]

    private func mutated(_ text: String, _ random: inout Generator) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: bytes[place..<min(place + 9, bytes.count)], at: place)
            default: bytes.removeLast(min(bytes.count, Int.random(in: 1...5, using: &random)))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `no input is an error of ours`(seed: UInt64) throws {
        let shop = try Shop()
        var random = Generator(state: seed)
        for round in 0..<120 {
            let path = mutated(Self.paths[round % Self.paths.count], &random)
            let read = shop.get(path)
            #expect(read.status < 500 || read.status == 501, "\(path) \(read.text)")
            let place = round % Self.bodies.count
            let body = mutated(Self.bodies[place], &random)
            let write = shop.send(.post, ["Clients", "Orders", "$batch"][place], body)
            #expect(write.status < 500 || write.status == 501, "\(body) \(write.text)")
            #expect(!write.text.contains("\"status\":500"), "\(body) \(write.text)")
        }
        #expect(try shop.value("SELECT count(*) FROM Clients WHERE OwnerId = 2") == "1")
    }

    @Test(arguments: [
        String(repeating: "(", count: 5_000), String(repeating: "not ", count: 3_000) + "true",
        "Total eq " + String(repeating: "1 add ", count: 3_000) + "1",
        "Total in (" + (0..<5_000).map(String.init).joined(separator: ",") + ")",
        String(repeating: "Total eq 1 or ", count: 2_000) + "true",
        "Title eq '" + String(repeating: "x", count: 60_000) + "'",
    ])
    func `an enormous filter is answered, not obeyed to the end of the stack`(filter: String) throws {
        let shop = try Shop()
        let reply = shop.get("Orders?$filter=" + filter.replacing(" ", with: "%20"))
        #expect(reply.status == 200 || reply.status == 400, "\(reply.text.prefix(300))")
    }
}
