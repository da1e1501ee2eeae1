// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

struct ExactlyOnceTests {
    private static let date = "Sat, 21 Nov 2026 13:00:00 GMT"

    private func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "01234567-89ab-8000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private func headers(_ number: Int, client: String = "device-1") -> [String: String] {
        [
            "Repeatability-Request-ID": id(number), "Repeatability-Client-ID": client,
            "Repeatability-First-Sent": Self.date,
        ]
    }

    private func group(
        _ shop: Shop,
        _ number: Int,
        _ bodies: [String],
        acknowledged: Int? = nil,
        sender: String = "device-1",
        date: String = ExactlyOnceTests.date,
        epoch: String? = nil,
        known: String = "",
        as user: UserContext = Shop.alice
    ) -> Shop.Reply {
        let requests = bodies.enumerated().map { place, body in
            let fields =
                place == 0
                ? #","headers":{"Repeatability-Request-ID":"\#(id(number))","Repeatability-Client-ID":"device-1","Repeatability-First-Sent":"\#(date)","Tideline-Known":"\#(known)"}"#
                : ""
            return
                #"{"id":"\#(number).\#(place)","method":"POST","url":"Clients","atomicityGroup":"t\#(number)"\#(fields),"body":\#(body)}"#
        }
        var headers = ["Repeatability-Client-ID": sender]
        if let acknowledged { headers["Tideline-Acknowledged"] = "\(acknowledged)" }
        headers["Tideline-Epoch"] = epoch
        return shop.send(.post, "$batch", "{\"requests\":[\(requests.joined(separator: ","))]}", headers, as: user)
    }

    @Test
    func `a repeated group is answered word for word and done once`() throws {
        let shop = try Shop()
        let bodies = [#"{"Name":"X","OwnerId":1}"#, #"{"Name":"Y","OwnerId":1}"#]
        let first = group(shop, 1, bodies)
        #expect(first.text.contains("\"status\":201"))
        try shop.sql("UPDATE Clients SET Name = 'later' WHERE Name = 'X'")
        let second = group(shop, 1, bodies)
        #expect(second == first)
        #expect(try shop.value("SELECT count(*) FROM Clients") == "5")
    }

    @Test
    func `two copies of a device that knew other states send the same group`() throws {
        let shop = try Shop()
        let first = group(shop, 1, [#"{"Name":"X","OwnerId":1}"#], known: "one")
        #expect(first.text.contains("\"status\":201"))
        #expect(group(shop, 1, [#"{"Name":"X","OwnerId":1}"#], known: "another") == first)
        #expect(try shop.value("SELECT count(*) FROM Clients WHERE Name = 'X'") == "1")
    }

    @Test
    func `a group that names an epoch is done in that one or not at all`() throws {
        let shop = try Shop()
        let body = #"{"Name":"X","OwnerId":1}"#
        let first = group(shop, 1, [body])
        let epoch = try #require(first.fields[.tidelineEpoch])
        // 32 digits of the epoch, a hyphen, 16 of the publication.
        #expect(epoch.count == 49 && epoch.dropFirst(32).first == "-")
        let strange = String(repeating: "0", count: 32)
        let refused = group(shop, 2, [body], epoch: strange)
        #expect(refused.text.contains("\"status\":410") && refused.text.contains("\"EpochChanged\""))
        #expect(refused.text.contains("\"repeatability-result\":\"rejected\""))
        #expect(refused.fields[.tidelineEpoch] == epoch)
        #expect(try shop.value("SELECT count(*) FROM Clients WHERE Name = 'X'") == "1")
        // That was no decision: it is still to be made.
        let done = group(shop, 2, [body], epoch: epoch)
        #expect(done.text.contains("\"status\":201"))
        #expect(try shop.value("SELECT count(*) FROM Clients WHERE Name = 'X'") == "2")
        // Clients of earlier releases name the epoch alone.
        #expect(group(shop, 3, [body], epoch: String(epoch.prefix(32))).text.contains("\"status\":201"))
        #expect(try shop.value("SELECT count(*) FROM Clients WHERE Name = 'X'") == "3")
        // What is decided is answered, whatever the epoch.
        #expect(group(shop, 2, [body], epoch: strange) == done)
        #expect(group(shop, 1, [body], epoch: strange) == first)
    }

    @Test
    func `a refusal is a decision too`() throws {
        let shop = try Shop()
        let refused = group(shop, 1, [#"{"Name":"X","OwnerId":2}"#])
        #expect(refused.text.contains("\"status\":403"))
        #expect(group(shop, 1, [#"{"Name":"X","OwnerId":2}"#]) == refused)
        #expect(group(shop, 2, [#"{"Name":"Z","OwnerId":1}"#]).text.contains("\"status\":201"))
    }

    @Test
    func `a refused group leaves nothing of itself, and its refusal stands`() throws {
        let shop = try Shop()
        let bodies = [#"{"Name":"X","OwnerId":1}"#, #"{"Name":"Y","OwnerId":2}"#]
        let refused = group(shop, 1, bodies)
        #expect(refused.text.contains("\"status\":403"))
        #expect(try shop.value("SELECT count(*) FROM Clients") == "3")
        #expect(group(shop, 1, bodies) == refused)
        #expect(try shop.value("SELECT count(*) FROM Clients") == "3")
    }

    @Test(arguments: ["", #""If-Match":"*""#])
    func `a row that may not be read makes its own request fail, and the refusal is kept`(version: String) throws {
        let writing = Policy(role: "*", sets: ["Notes"], operations: [.insert, .update, .delete])
        let clients = Policy(role: "*", sets: ["Clients"], operations: Policy.Operation.allCases)
        let shop = try Shop(policies: [writing, clients])
        let pair = headers(1).map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
        let insert = #""method":"POST","url":"Clients","headers":{\#(pair)},"body":{"Name":"X","OwnerId":1}"#
        let update = #""method":"PATCH","url":"Notes('a')","headers":{\#(version)},"body":{"Text":"y"}"#
        let requests = [#"{"id":"1","atomicityGroup":"g",\#(insert)}"#, #"{"id":"2","atomicityGroup":"g",\#(update)}"#]
        let body = #"{"requests":[\#(requests.joined(separator: ","))]}"#
        let sender = ["Repeatability-Client-ID": "device-1"]
        let refused = shop.send(.post, "$batch", body, sender)
        let parts = refused.text.split(separator: #"{"id":""#).dropFirst()
        #expect(parts.map { $0.prefix(1) } == ["1", "2"])
        #expect(parts.map { $0.contains(#""status":424"#) } == [true, false])
        #expect(parts.map { $0.contains(#""status":403"#) } == [false, true])
        #expect(parts.map { $0.contains(#""repeatability-result":"accepted""#) } == [true, false])
        #expect(shop.send(.post, "$batch", body, sender) == refused)
        #expect(try shop.value("SELECT count(*) FROM Clients") == "3")
        #expect(try shop.value("SELECT Text FROM Notes WHERE NoteId = 'a'") == "first")
    }

    @Test(arguments: ["ABORT", "ROLLBACK"])
    func `a refusal stands when nothing refuses any more`(action: String) throws {
        let shop = try Shop()
        try shop.sql(
            """
            CREATE TRIGGER busy BEFORE INSERT ON Clients WHEN NEW.Name = 'Y'
            BEGIN SELECT RAISE(\(action), 'Not now.'); END
            """
        )
        let bodies = [#"{"Name":"X","OwnerId":1}"#, #"{"Name":"Y","OwnerId":1}"#]
        let refused = group(shop, 1, bodies)
        #expect(refused.text.contains("\"status\":4") && !refused.text.contains("\"status\":201"))
        #expect(try shop.value("SELECT count(*) FROM Clients") == "3")
        try shop.sql("DROP TRIGGER busy")
        #expect(group(shop, 1, bodies) == refused)
        #expect(try shop.value("SELECT count(*) FROM Clients") == "3")
        #expect(group(shop, 2, bodies).text.contains("\"status\":201"))
        #expect(try shop.value("SELECT count(*) FROM Clients") == "5")
    }

    @Test
    func `an identifier belongs to its bytes`() throws {
        let shop = try Shop()
        _ = group(shop, 1, [#"{"Name":"X","OwnerId":1}"#])
        let other = group(shop, 1, [#"{"Name":"Y","OwnerId":1}"#])
        #expect(other.text.contains("RepeatabilityMismatch") && other.text.contains("\"status\":400"))
        #expect(try shop.value("SELECT count(*) FROM Clients") == "4")
    }

    @Test
    func `an answer that was acknowledged is not kept, but the group is never done again`() throws {
        let shop = try Shop()
        _ = group(shop, 1, [#"{"Name":"X","OwnerId":1}"#])
        _ = group(shop, 2, [#"{"Name":"Y","OwnerId":1}"#], acknowledged: 1)
        let old = group(shop, 1, [#"{"Name":"X","OwnerId":1}"#])
        #expect(old.text.contains("AlreadyDecided"))
        #expect(try shop.value("SELECT count(*) FROM Clients") == "5")
    }

    @Test
    func `a copy of a device's store sends the same transaction, which is done once`() throws {
        let shop = try Shop()
        let body = #"{"Name":"X","OwnerId":1}"#
        let first = group(shop, 1, [body])
        // The copy knows nothing of the time at which the other sent it, and acknowledges its own transactions alone.
        let again = group(shop, 1, [body], acknowledged: 7, sender: "copy", date: "Sun, 22 Nov 2026 13:00:00 GMT")
        #expect(again.text == first.text)
        _ = group(shop, 2, [#"{"Name":"Y","OwnerId":1}"#], acknowledged: 7, sender: "copy")
        #expect(group(shop, 1, [body]).text == first.text)
        #expect(try shop.value("SELECT count(*) FROM Clients") == "5")
    }

    @Test
    func `a client is bound to its user`() throws {
        let shop = try Shop()
        _ = group(shop, 1, [#"{"Name":"X","OwnerId":1}"#])
        let other = group(shop, 2, [#"{"Name":"Y","OwnerId":2}"#], as: Shop.bob)
        #expect(other.text.contains("ClientOfOtherUser"))
        #expect(try shop.value("SELECT count(*) FROM Clients") == "4")
    }

    @Test
    func `a pull tells what is decided`() throws {
        let shop = try Shop()
        _ = group(shop, 5, [#"{"Name":"X","OwnerId":1}"#])
        let body = #"{"requests":[{"id":"1","method":"GET","url":"Clients/$count"}]}"#
        let headers = ["Isolation": "snapshot", "Repeatability-Client-ID": "device-1"]
        let reply = shop.send(.post, "$batch", body, headers)
        #expect(reply.fields[HTTPField.Name("Tideline-Decided")!] == "5")
        #expect(
            shop.send(.post, "$batch", body, headers, as: Shop.bob).fields[HTTPField.Name("Tideline-Decided")!] == "0"
        )
    }

    @Test(.covers("DA-70"))
    func `single requests are repeatable as well`() throws {
        let shop = try Shop()
        let first = shop.send(.post, "Clients", #"{"Name":"X","OwnerId":1}"#, headers(1))
        #expect(first.status == 201 && first.fields[HTTPField.Name("Repeatability-Result")!] == "accepted")
        #expect(shop.send(.post, "Clients", #"{"Name":"X","OwnerId":1}"#, headers(1)) == first)
        #expect(shop.send(.delete, "Clients(4)", "", headers(2)).status == 204)
        #expect(shop.send(.delete, "Clients(4)", "", headers(2)).status == 204)
        let mismatch = shop.send(.delete, "Clients(1)", "", headers(2))
        #expect(mismatch.status == 400 && mismatch.fields[HTTPField.Name("Repeatability-Result")!] == "rejected")
        let random = [
            "Repeatability-Request-ID": "7b1f7e0c-6a3e-4c55-9d0e-0d3c1c2f9a11", "Repeatability-First-Sent": Self.date,
        ]
        let once = shop.send(.post, "Clients", #"{"Name":"R","OwnerId":1}"#, random)
        #expect(shop.send(.post, "Clients", #"{"Name":"R","OwnerId":1}"#, random) == once)
        #expect(try shop.value("SELECT count(*) FROM Clients WHERE Name = 'R'") == "1")
    }

    @Test
    func `half of the headers is refused and nothing is done`() throws {
        let shop = try Shop()
        let reply = shop.send(.post, "Clients", #"{"Name":"X","OwnerId":1}"#, ["Repeatability-Request-ID": id(1)])
        #expect(reply.status == 400 && Shop.code(reply) == "InvalidRepeatability")
        #expect(try shop.value("SELECT count(*) FROM Clients") == "3")
    }
}
