// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

/// Operations in batches, and repeated.
struct OperationBatchTests {
    private func batch(_ shop: Shop, _ requests: String) -> Shop.Reply {
        shop.send(.post, "$batch", ##"{"requests":[\##(requests)]}"##)
    }

    @Test
    func `an action is called on what an earlier request of the change set made`() throws {
        let shop = try Counter.shop()
        let reply = batch(
            shop,
            ##"{"id":"1","atomicityGroup":"g","method":"post","url":"Orders","body":{"OrderId":50,"Total":1}},"##
                + ##"{"id":"2","atomicityGroup":"g","method":"post","url":"$1/Shop.Raise","dependsOn":["1"],"body":{"by":4}},"##
                + ##"{"id":"3","atomicityGroup":"g","method":"get","url":"Orders(50)/Share(percent=100)"}"##
        )
        #expect(reply.status == 200)
        #expect(try shop.value("SELECT Total FROM Orders WHERE OrderId = 50") == "5")
        #expect(reply.text.contains(##""id":"2","atomicityGroup":"g","status":200"##), "\(reply.text)")
        #expect(reply.text.contains(##"$metadata#Edm.Int64","value":5}"##), "\(reply.text)")
    }

    @Test
    func `what an action gave is a reference for later requests`() throws {
        let shop = try Counter.shop()
        let reply = batch(
            shop,
            ##"{"id":"a","method":"post","url":"Place","body":{"title":"new"}},"##
                + ##"{"id":"b","method":"patch","url":"$a","dependsOn":["a"],"body":{"Total":9}},"##
                + ##"{"id":"c","method":"get","url":"$a/Shop.Share(percent=100)","dependsOn":["b"]}"##
        )
        #expect(try shop.value("SELECT Total FROM Orders WHERE Title = 'new'") == "9", "\(reply.text)")
        #expect(reply.text.contains(##"$metadata#Edm.Int64","value":9}"##), "\(reply.text)")
    }

    @Test
    func `a change set with an action that fails does nothing`() throws {
        let shop = try Counter.shop()
        let reply = batch(
            shop,
            ##"{"id":"1","atomicityGroup":"g","method":"post","url":"Reset"},"##
                + ##"{"id":"2","atomicityGroup":"g","method":"post","url":"Orders(99)/Close"},"##
                + ##"{"id":"3","method":"post","url":"Orders(10)/Close","dependsOn":["g"]},"##
                + ##"{"id":"4","method":"post","url":"Sum"},{"id":"5","method":"get","url":"Reset"}"##
        )
        #expect(try shop.value("SELECT sum(Total) FROM Orders") == "600")
        #expect(try shop.value("SELECT Title FROM Orders WHERE OrderId = 10") == "ten")
        #expect(reply.text.contains(##""id":"2","atomicityGroup":"g","status":404"##), "\(reply.text)")
        #expect(reply.text.contains(##""id":"3","status":424"##), "\(reply.text)")
        #expect(reply.text.contains(##""id":"4","status":405"##), "\(reply.text)")
        #expect(reply.text.contains(##""id":"5","status":405"##), "\(reply.text)")
    }

    @Test
    func `a repeatable action runs once`() throws {
        let shop = try Counter.shop()
        let headers = [
            "Repeatability-Request-ID": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
            "Repeatability-First-Sent": "Sat, 21 Nov 2026 13:31:00 GMT",
        ]
        let first = shop.send(.post, "Place", #"{"title":"once"}"#, headers)
        #expect(first.status == 201, "\(first.text)")
        #expect(first.fields[HTTPField.Name("Repeatability-Result")!] == "accepted")
        let again = shop.send(.post, "Place", #"{"title":"once"}"#, headers)
        #expect(again == first)
        #expect(try shop.value("SELECT count(*) FROM Orders WHERE Title = 'once'") == "1")
        let other = shop.send(.post, "Place", #"{"title":"twice"}"#, headers)
        #expect(other.status == 400)
        #expect(Shop.code(other) == "RepeatabilityMismatch")
    }
}
