// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

struct JSONEntityReaderTests {
    private let orders = RowShape(Samples.orders, columns: [0, 2, 3])

    private func read(_ text: String, _ shape: RowShape) throws -> (JSONEntityReader.Page, [String]) {
        let sink = Transcript()
        let page = try JSONEntityReader(shape: shape).readPage(Array(text.utf8), into: sink)
        return (page, sink.rows)
    }

    @Test func `a page is read with and without the odata prefix`() throws {
        for prefix in ["", "odata."] {
            let (page, rows) = try read(
                #"""
                { "@\#(prefix)context":"$metadata#Orders", "@\#(prefix)count":2, "value":[
                  {"@\#(prefix)etag":"W/\"AAAAAAAAAAAAAAAAAAAAAQ\"","OrderId":1,"Note":"a\"\u00e9\ud83d\ude00","Total":12.50},
                  {"@\#(prefix)etag":"W/\"AAAAAAAAAAEAAAAAAAAAAg\"","OrderId":2,"Note":null,"Total":1e2}
                ], "@\#(prefix)nextLink":"n", "@\#(prefix)deltaLink":"d" }
                """#,
                orders
            )
            #expect(page.context == "$metadata#Orders")
            #expect(page.count == 2)
            #expect(page.nextLink == "n")
            #expect(page.deltaLink == "d")
            #expect(page.rows == 2)
            #expect(
                rows
                    == [
                        "row removed? 1 'a\"é😀' '12.50' etag 0,1", "row 2 null '100' etag 1,2",
                    ].map { $0.replacing("removed? ", with: "") }
            )
        }
    }

    @Test func `members come in any order, unknown ones are passed over, absent ones are null`() throws {
        let (page, rows) = try read(
            #"{"value":[{"Extra":{"a":[1,{"b":"}"}]},"Total":"3","OrderId":7,"@x.y":1},{"OrderId":8,"Total":2},{}]}"#,
            orders
        )
        #expect(page.rows == 3)
        #expect(rows == ["row 7 null '3' end", "row 8 null '2' end", "row null null null end"])
    }

    @Test func `values are brought to their canonical text`() throws {
        let shape = RowShape(
            set: "S",
            key: [],
            columns: [
                .init(name: "g", type: .guid), .init(name: "t", type: .dateTimeOffset), .init(name: "d", type: .double),
                .init(name: "b", type: .binary), .init(name: "l", type: .int64), .init(name: "o", type: .boolean),
            ]
        )
        let (_, rows) = try read(
            #"{"value":[{"g":"A0000000-0000-0000-0000-00000000000F","t":"2026-11-21T10:00:00.50+01:00","d":"INF","#
                + #""b":"Zm8=","l":"-5","o":false}]}"#,
            shape
        )
        #expect(
            rows == [
                "row 'a0000000-0000-0000-0000-00000000000f' '2026-11-21T09:00:00.5Z' dinf [102, 111] -5 false end"
            ]
        )
    }

    @Test func `expansions follow the columns, wherever they stood`() throws {
        let shape = RowShape(
            Samples.orders,
            columns: [0],
            expansions: [
                .init(name: "Client", isCollection: false, shape: RowShape(Samples.clients, columns: [1])),
                .init(name: "Lines", isCollection: true, shape: RowShape(Samples.lines)),
            ]
        )
        let (_, rows) = try read(
            #"{"value":[{"Lines":[{"OrderId":1,"Code":"a"},{"Code":"b","OrderId":1}],"Lines@count":5,"#
                + #""OrderId":1,"Client":{"Name":"Ann"}},{"OrderId":2,"Client":null}]}"#,
            shape
        )
        #expect(
            rows == [
                "row 1 (0", "row 'Ann' end ) (1", "row 1 'a' end", "row 1 'b' end 5) end", "row 2 (0 ) (1 ) end",
            ]
        )
    }

    @Test func `removed entities of both versions reach the delta's sink`() throws {
        let (page, rows) = try read(
            ##"{"value":[{"@removed":{"reason":"deleted"},"@id":"Orders(1)"},"##
                + ##"{"@odata.context":"#Orders/$deletedEntity","id":"http://h/x/Orders(2)","reason":"changed"},"##
                + ##"{"OrderId":3,"@removed":{}},{"OrderId":4,"Note":"n","Total":1},"##
                + ##"{"@odata.context":"#Orders/$link","source":"Orders(1)","target":"x"}],"@deltaLink":"d"}"##,
            orders
        )
        #expect(page.removed == 3)
        #expect(page.rows == 1)
        #expect(
            rows == [
                "removed [TidelineModel.Value.integer(1)] deleted", "removed [TidelineModel.Value.integer(2)] changed",
                "removed [TidelineModel.Value.integer(3)] changed", "row 4 'n' '1' end",
            ]
        )
    }

    @Test(arguments: [
        #"{"value":[{"OrderId":"x"}]}"#, #"{"value":[{"OrderId":1.5}]}"#, #"{"value":[{"OrderId":3000000000}]}"#,
        #"{"value":[{"OrderId":true}]}"#, #"{"value":[{"OrderId":[1]}]}"#, #"{"value":[{"Note":5}]}"#,
        #"{"value":[{"Total":"abc"}]}"#, #"{"value":[{"OrderId":99999999999999999999999999999999999}]}"#,
    ])
    func `a value of another type is refused with its column`(text: String) {
        let error = #expect(throws: ODataError.self) { try read(text, orders) }
        #expect(error?.code == "InvalidValue")
        #expect(error?.target != nil)
    }

    @Test(arguments: [
        "", "{", "[]", #"{"value":[{]}"#, #"{"value":[{"OrderId":1,}]}"#, #"{"value":[1]}"#, #"{"value":[{}}"#,
        #"{"value":[]} x"#, #"{"value":[{"OrderId":01}]}"#, #"{"value":[{"OrderId":1 "Note":2}]}"#,
        #"{"value":[{"Note":"\ud800"}]}"#, #"{"value":[{"Note":"\udc00\ud800"}]}"#, #"{"value":[{"Note":"\x"}]}"#,
        "{\"value\":[{\"Note\":\"a\u{1}b\"}]}", #"{"value":[{"Note":"abc"#, #"{"value":[nul]}"#, #"{"value":[-]}"#,
    ])
    func `what is not JSON is refused`(text: String) {
        let error = #expect(throws: ODataError.self) { try read(text, orders) }
        #expect(error?.code == "InvalidJSON")
        #expect(error?.offset != nil)
    }

    @Test(
        arguments: [[0x80], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]]
            as [[UInt8]]
    )
    func `bytes that are not UTF-8 are refused`(bytes: [UInt8]) {
        let body = Array(#"{"value":[{"Note":""#.utf8) + bytes + Array(#""}]}"#.utf8)
        let error = #expect(throws: ODataError.self) {
            try JSONEntityReader(shape: orders).readPage(body, into: Transcript())
        }
        #expect(error?.code == "InvalidJSON")
        #expect(error?.offset == 19)
    }

    @Test func `hostile nesting ends at the limit`() {
        for open in ["[", "{\"a\":"] {
            let text = "{\"value\":[{\"x\":" + String(repeating: open, count: 1_000_000)
            let error = #expect(throws: ODataError.self) { try read(text, orders) }
            #expect(error?.code == "TooComplex")
        }
    }

    @Test func `a string of ten megabytes is one value`() throws {
        let long = String(repeating: "x", count: 10_000_000)
        let (page, rows) = try read("{\"value\":[{\"OrderId\":1,\"Note\":\"\(long)\",\"Total\":1}]}", orders)
        #expect(page.rows == 1)
        #expect(rows[0].utf8.count == 10_000_000 + "row 1 '' '1' end".utf8.count)
    }

    @Test func `an error in place of a page is thrown as it is`() {
        let error = #expect(throws: ODataError.self) {
            try read(#"{"error":{"code":"Busy","message":"Later."}}"#, orders)
        }
        #expect(error == ODataError(code: "Busy", message: "Later."))
    }

    @Test func `what the writer writes reads back`() throws {
        let shape = RowShape(Samples.lines)
        let writer = JSONEntityWriter(shape: shape, format: JSONFormat(version: .v401), type: Samples.lines.type)
        writer.begin(.delta, contextRoot: "$metadata")
        writer.beginRow()
        writer.integer(5)
        unsafe Array("q\"\t\u{7}ü".utf8).withUnsafeBytes { unsafe writer.text($0) }
        writer.endRow(etag: ETag(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210))
        writer.removed(key: Key([.integer(1), .string("x/y")]), reason: .deleted)
        writer.end(deltaLink: "d")
        let (page, rows) = try read(writer.output.text, shape)
        #expect(page.deltaLink == "d")
        #expect(
            rows == [
                "row 5 'q\"\t\u{7}ü' etag \(0x0123_4567_89AB_CDEF as UInt64),\(0xFEDC_BA98_7654_3210 as UInt64)",
                "removed [TidelineModel.Value.integer(1), TidelineModel.Value.string(\"x/y\")] deleted",
            ]
        )
    }
}
