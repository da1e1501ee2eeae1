// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import TidelineOData

struct BatchTests {
    private func read(_ text: String) throws -> [BatchRequest.Item] {
        try BatchRequestReader.read(Array(text.utf8), contentType: "application/json").items
    }

    @Test func `requests are read with their bodies as bytes`() throws {
        let text = #"""
            {"requests":[
             {"id":"1.1","atomicityGroup":"t1","method":"post","url":"Orders","headers":{"Prefer":"return=minimal"},"body": {"a":[1]} },
             {"id":"1.2","atomicityGroup":"t1","method":"PATCH","url":"$1.1","body":{}},
             {"id":"2.1","dependsOn":["t1"],"method":"delete","url":"Orders(1)","headers":{"if-match":"$1.1"}},
             {"id":"3","method":"put","url":"P/$value","headers":{"content-type":"text/plain"},"body":"a\"b"},
             {"id":"4","method":"put","url":"P/$value","headers":{"content-type":"image/png"},"body":"Zm8","if":"$3/a eq 1"}]}
            """#
        let items = try read(text)
        #expect(items.map(\.id) == ["1.1", "1.2", "2.1", "3", "4"])
        #expect(items.map(\.method) == [.post, .patch, .delete, .put, .put])
        #expect(items.map { String(decoding: $0.body, as: UTF8.self) } == ["{\"a\":[1]}", "{}", "", "a\"b", "fo"])
        #expect(items[0].headers[.prefer] == "return=minimal")
        #expect(items[2].dependsOn == ["t1"])
        #expect(items[4].condition == "$3/a eq 1")
        let bytes = Array(text.utf8)
        let source = String(decoding: bytes[items[1].source], as: UTF8.self)
        #expect(source == #"{"id":"1.2","atomicityGroup":"t1","method":"PATCH","url":"$1.1","body":{}}"#)
    }

    @Test(arguments: [
        (#"{"method":"get","url":"A"}"#, "id"),
        (#"{"id":"1","method":"get","url":"A"},{"id":"1","method":"get","url":"A"}"#, "1"),
        (#"{"id":"1","method":"merge","url":"A"}"#, "1"), (#"{"id":"1","method":"get"}"#, "1"),
        (#"{"id":"1","method":"get","url":"A","body":{}}"#, "1"),
        (#"{"id":"1","method":"post","url":"$batch","body":{}}"#, "1"),
        (#"{"id":"1","dependsOn":["2"],"method":"get","url":"A"},{"id":"2","method":"get","url":"A"}"#, "1"),
        (#"{"id":"1","dependsOn":["1"],"method":"get","url":"A"}"#, "1"),
        (#"{"id":"1","method":"get","url":"$2/A"}"#, "1"),
        (#"{"id":"1","method":"delete","url":"A(1)","headers":{"if-match":"$9"}}"#, "1"),
        (#"{"id":"1","atomicityGroup":"1","method":"get","url":"A"}"#, "1"),
        (
            #"{"id":"1","atomicityGroup":"g","method":"get","url":"A"},{"id":"2","method":"get","url":"A"},"#
                + #"{"id":"3","atomicityGroup":"g","method":"get","url":"A"}"#, "3"
        ),
    ])
    func `a batch that breaks a rule is refused with the id`(requests: String, target: String) {
        let error = #expect(throws: ODataError.self) { try read("{\"requests\":[\(requests)]}") }
        #expect(error?.code == "InvalidBatch")
        #expect(error?.target == target)
    }

    @Test func `members that are twice there, open multiparts and too many requests are refused`() {
        func code(_ text: String, _ type: String = "application/json", limit: Int = 5) -> String? {
            do throws(ODataError) {
                _ = try BatchRequestReader.read(Array(text.utf8), contentType: type, limit: limit)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(#"{"requests":[{"id":"1","id":"2","method":"get","url":"A"}]}"#) == "InvalidBatch")
        #expect(code(#"{"requests":[],"requests":[]}"#) == "InvalidBatch")
        #expect(code("{}") == "InvalidBatch")
        #expect(code("{", "application/json") == "InvalidJSON")
        #expect(code("--x", "multipart/mixed; boundary=x") == "InvalidBatch")
        #expect(code("x", "text/plain") == "UnsupportedMediaType")
        let two = #"{"requests":[{"id":"1","method":"get","url":"A"},{"id":"2","method":"get","url":"A"}]}"#
        #expect(code(two, limit: 1) == "TooComplex")
        #expect(code(two, limit: 2) == nil)
    }

    @Test func `what the client writes the server reads`() throws {
        let first = BatchRequest.Item(
            id: "7.1",
            method: .post,
            url: "Orders",
            headers: [.prefer: "return=representation", .repeatabilityClientID: "c\"1"],
            body: Array(#"{"A":1}"#.utf8),
            atomicityGroup: "t7"
        )
        let second = BatchRequest.Item(
            id: "8.1",
            method: .delete,
            url: "$7.1",
            headers: [.ifMatch: "$7.1"],
            dependsOn: ["t7"]
        )
        var writer = BatchRequestWriter()
        writer.append(encoded: BatchRequestWriter.encode(first))
        writer.append(second)
        let bytes = writer.finish()
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"requests":[{"id":"7.1","atomicityGroup":"t7","method":"post","url":"Orders","headers":"#
                + #"{"prefer":"return=representation","repeatability-client-id":"c\"1"},"body":{"A":1}},"#
                + #"{"id":"8.1","dependsOn":["t7"],"method":"delete","url":"$7.1","headers":{"if-match":"$7.1"}}]}"#
        )
        var items = try BatchRequestReader.read(bytes, contentType: nil).items
        for place in items.indices { items[place].source = 0..<0 }
        #expect(items == [first, second])
    }

    @Test func `what the server answers the client reads`() throws {
        let writer = BatchResponseWriter()
        writer.begin()
        let json = BatchResponse.Item(
            id: "1",
            atomicityGroup: "t",
            status: 201,
            headers: [.contentType: "application/json", .location: "A(1)"],
            body: Array("{\"a\":1}".utf8)
        )
        let count = BatchResponse.Item(
            id: "2",
            status: 200,
            headers: [.contentType: "text/plain"],
            body: Array("42".utf8)
        )
        writer.append(json)
        writer.append(count)
        writer.append(BatchResponse.Item(id: "3", status: 204))
        writer.beginItem(
            id: "4",
            atomicityGroup: nil,
            status: 200,
            headers: [.contentType: "application/json"],
            body: .json
        )
        writer.output.append("{\"value\":[]}")
        writer.endItem()
        writer.end()
        #expect(
            writer.output.text
                == #"{"responses":[{"id":"1","atomicityGroup":"t","status":201,"headers":{"content-type":"application/json","#
                + #""location":"A(1)"},"body":{"a":1}},{"id":"2","status":200,"headers":{"content-type":"text/plain"},"body":"42"},"#
                + #"{"id":"3","status":204},{"id":"4","status":200,"headers":{"content-type":"application/json"},"body":{"value":[]}}]}"#
        )
        let items = try BatchResponseReader.read(writer.output.bytes).items
        #expect(items[0] == json)
        #expect(items[1] == count)
        #expect(items[2] == BatchResponse.Item(id: "3", status: 204))
        #expect(items[3].body == Array("{\"value\":[]}".utf8))
    }

    @Test func `references are told from reserved names and replaced`() {
        #expect(BatchReference.id(ofURL: "$1.2/Lines?$top=1") == "1.2")
        #expect(BatchReference.id(ofURL: "$metadata") == nil)
        #expect(BatchReference.id(ofURL: "Orders") == nil)
        #expect(BatchReference.resolve("$1/Lines?$top=1", to: "Orders(5)") == "Orders(5)/Lines?$top=1")
    }
}
