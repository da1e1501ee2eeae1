// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

struct JSONEntityWriterTests {
    private let shape = RowShape(
        set: "Orders",
        key: [RowShape.Column(name: "Id", type: .int32)],
        columns: [
            RowShape.Column(name: "Id", type: .int32), RowShape.Column(name: "Note", type: .string),
            RowShape.Column(name: "Total", type: .decimal), RowShape.Column(name: "Big", type: .int64),
            RowShape.Column(name: "Placed", type: .date), RowShape.Column(name: "Photo", type: .binary),
            RowShape.Column(name: "Rate", type: .double), RowShape.Column(name: "Paid", type: .boolean),
        ]
    )

    private func text(_ text: String, into sink: some RowSink) {
        unsafe Array(text.utf8).withUnsafeBytes { unsafe sink.text($0) }
    }

    private func push(_ id: Int64, _ note: String, into writer: JSONEntityWriter) {
        writer.beginRow()
        writer.integer(id)
        text(note, into: writer)
        text("12.50", into: writer)
        writer.integer(.min)
        text("2026-11-21", into: writer)
        unsafe ([0x66, 0x6F] as [UInt8]).withUnsafeBytes { unsafe writer.binary($0) }
        writer.double(0.5)
        writer.boolean(true)
        writer.endRow(etag: ETag(high: 0, low: 1))
    }

    @Test func `a collection of 4,01 has bare control information and the ETag in front`() {
        let writer = JSONEntityWriter(shape: shape, format: JSONFormat(version: .v401))
        writer.begin(.collection, contextRoot: "$metadata", count: 7)
        push(1, "a\"b\\c\n\u{1}é", into: writer)
        push(-42, "", into: writer)
        writer.end(nextLink: "Orders?$skiptoken=x")
        #expect(
            writer.output.text == #"{"@context":"$metadata#Orders","@count":7,"value":["#
                + #"{"@etag":"W/\"AAAAAAAAAAAAAAAAAAAAAQ\"","Id":1,"Note":"a\"b\\c\n\u0001é","Total":12.50,"#
                + #""Big":-9223372036854775808,"Placed":"2026-11-21","Photo":"Zm8","Rate":0.5,"Paid":true},"#
                + #"{"@etag":"W/\"AAAAAAAAAAAAAAAAAAAAAQ\"","Id":-42,"Note":"","Total":12.50,"#
                + #""Big":-9223372036854775808,"Placed":"2026-11-21","Photo":"Zm8","Rate":0.5,"Paid":true}"#
                + #"],"@nextLink":"Orders?$skiptoken=x"}"#
        )
        #expect(writer.rows == 2)
    }

    @Test func `4,0 has the odata prefix, and IEEE754Compatible quotes long numbers`() {
        var shape = shape
        shape.columns = Array(shape.columns[2...3])
        let format = JSONFormat(version: .v40, ieee754Compatible: true)
        #expect(format.contentType == "application/json;odata.metadata=minimal;IEEE754Compatible=true")
        let writer = JSONEntityWriter(shape: shape, format: format)
        writer.begin(.entity, contextRoot: "http://h/$metadata")
        writer.beginRow()
        text("1.0", into: writer)
        writer.integer(5)
        writer.endRow(etag: ETag(high: .max, low: .max))
        writer.end()
        #expect(
            writer.output.text
                == #"{"@odata.context":"http://h/$metadata#Orders/$entity","#
                + #""@odata.etag":"W/\"_____________________w\"","Total":"1.0","Big":"5"}"#
        )
    }

    @Test func `without metadata only data and links are written`() {
        var shape = shape
        shape.columns = [shape.columns[0]]
        let writer = JSONEntityWriter(shape: shape, format: JSONFormat(version: .v401, metadata: .none))
        writer.begin(.collection, contextRoot: "$metadata")
        writer.beginRow()
        writer.null()
        writer.endRow(etag: nil)
        writer.end()
        #expect(writer.output.text == #"{"value":[{"Id":null}]}"#)
    }

    @Test func `expansions stand inside their rows, with counts behind them`() {
        let lines = RowShape(Samples.lines, columns: [1], includesETag: false)
        let clients = RowShape(Samples.clients, columns: [1], includesETag: false)
        let shape = RowShape(
            Samples.orders,
            columns: [0],
            expansions: [
                .init(name: "Client", isCollection: false, shape: clients),
                .init(name: "Lines", isCollection: true, shape: lines),
            ],
            includesETag: false
        )
        #expect(shape.selectList(.v401) == "OrderId,Client(Name),Lines(Code)")
        #expect(shape.selectList(.v40) == "OrderId,Client(Name),Lines(Code)")
        let writer = JSONEntityWriter(shape: shape, format: JSONFormat(version: .v401))
        writer.begin(.none, contextRoot: "")
        for id in [1, 2] as [Int64] {
            writer.beginRow()
            writer.integer(id)
            writer.beginExpansion(0)
            if id == 1 {
                writer.beginRow()
                text("Ann", into: writer)
                writer.endRow(etag: nil)
            }
            writer.endExpansion(0, count: nil)
            writer.beginExpansion(1)
            for code in ["a", "b"].prefix(Int(id)) {
                writer.beginRow()
                text(code, into: writer)
                writer.endRow(etag: nil)
            }
            writer.endExpansion(1, count: 9)
            writer.endRow(etag: nil)
        }
        #expect(
            writer.output.text
                == #"{"OrderId":1,"Client":{"Name":"Ann"},"Lines@count":9,"Lines":[{"Code":"a"}]},"#
                + #"{"OrderId":2,"Client":null,"Lines@count":9,"Lines":[{"Code":"a"},{"Code":"b"}]}"#
        )
    }

    @Test func `removed entities have the form of the version`() {
        func delta(_ version: ODataVersion) -> String {
            let shape = RowShape(Samples.lines, columns: [1], includesETag: false)
            let writer = JSONEntityWriter(shape: shape, format: JSONFormat(version: version), type: Samples.lines.type)
            writer.begin(.delta, contextRoot: "$metadata")
            writer.removed(key: Key([.integer(1), .string("x")]), reason: .deleted)
            writer.beginRow()
            text("y", into: writer)
            writer.endRow(etag: nil)
            writer.removed(key: Key([.integer(2), .string("z")]), reason: .changed)
            writer.end(deltaLink: "Lines?$deltatoken=t")
            return writer.output.text
        }
        #expect(
            delta(.v401) == #"{"@context":"$metadata#Lines(Code)/$delta","value":["#
                + #"{"@removed":{"reason":"deleted"},"@id":"Lines(OrderId=1,Code='x')","OrderId":1,"Code":"x"},"#
                + #"{"Code":"y"},"#
                + #"{"@removed":{"reason":"changed"},"@id":"Lines(OrderId=2,Code='z')","OrderId":2,"Code":"z"}"#
                + #"],"@deltaLink":"Lines?$deltatoken=t"}"#
        )
        #expect(
            delta(.v40) == #"{"@odata.context":"$metadata#Lines(Code)/$delta","value":["#
                + ##"{"@odata.context":"#Lines/$deletedEntity","id":"Lines(OrderId=1,Code='x')","reason":"deleted"},"##
                + #"{"Code":"y"},"#
                + ##"{"@odata.context":"#Lines/$deletedEntity","id":"Lines(OrderId=2,Code='z')","reason":"changed"}"##
                + #"],"@odata.deltaLink":"Lines?$deltatoken=t"}"#
        )
    }

    @Test(arguments: [0, 1, -1, 9, 10, 99, 100, 101, 999, 1000, 12_345, .max, .min] as [Int64])
    func `integers are written digit by digit`(value: Int64) {
        let writer = ByteWriter()
        writer.append(integer: value)
        #expect(writer.text == String(value))
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "-0.0"), (1.5, "1.5"), (100, "100"), (1e20, "1e+20"), (.nan, "\"NaN\""),
        (-.infinity, "\"-INF\""), (.infinity, "\"INF\""),
    ])
    func `doubles are written so that they read back`(value: Double, text: String) {
        let writer = ByteWriter()
        writer.append(double: value)
        #expect(writer.text == text)
    }

    @Test func `a full writer is drained between rows`() {
        var shape = shape
        shape.columns = [shape.columns[0]]
        let writer = JSONEntityWriter(shape: shape, format: JSONFormat(version: .v401))
        writer.drainThreshold = 100
        var spool: [UInt8] = []
        writer.onFull = { output in unsafe output.drain { unsafe spool.append(contentsOf: $0) } }
        writer.begin(.collection, contextRoot: "$metadata")
        for id in 0..<100 as Range<Int64> {
            writer.beginRow()
            writer.integer(id)
            writer.endRow(etag: ETag(high: 1, low: UInt64(id)))
        }
        writer.end()
        #expect(writer.output.count < 200)
        let text = String(decoding: spool + writer.output.bytes, as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"@context":"$metadata#Orders","value":[{"@etag":"W/\"AAAAAAAAAAEAAAAAAAAAAA\"","Id":0},{"#
            )
        )
        #expect(text.hasSuffix(#","Id":99}]}"#))
    }
}
