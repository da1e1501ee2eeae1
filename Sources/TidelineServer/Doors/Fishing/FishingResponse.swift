// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The one answer of the fishing app's server: a code, what it means, and items.
///
///     {"fishingResponse":{"rc":0,"descr":"OK","items":[
///       {"id":7,"name":"Old pier","lat":59.913900,"lng":10.752200,"publicSpot":1,"comments":"early",
///        "owner":{"userId":"42","userName":"Ann","pictureUrl":"https://example.org/a.png"}}]}}
struct FishingResponse: Hashable {
    var code = 0
    var message = "OK"
    /// Each an object of JSON.
    var items: [String] = []

    init(items: [String] = []) { self.items = items }

    init(_ fault: FishingFault) {
        code = fault.code
        message = fault.message
    }

    var bytes: [UInt8] {
        Array(
            #"{"fishingResponse":{"rc":\#(code),"descr":\#(JSONValue.string(message).text),"items":[\#(items.joined(separator: ","))]}}"#
                .utf8
        )
    }

    /// A spot in the form of the old clients.
    ///
    /// - Parameter entity: the entity of the domain's service, with its owner in it.
    static func spot(_ entity: JSONValue) -> String {
        func text(_ path: String...) -> String {
            if case .string(let text) = entity.member(path) { JSONValue.string(text).text } else { "\"\"" }
        }
        let owner =
            if case .object = entity.member(["Owner"]) {
                #"{"userId":\#(JSONValue.string(key(entity, "Owner", "UserId")).text),"userName":\#(text("Owner", "UserName")),"#
                    + #""pictureUrl":\#(text("Owner", "PictureUrl"))}"#
            } else {
                // The owner is one whom this user may not see.
                #"{"userId":\#(JSONValue.string(key(entity, "OwnerId")).text),"userName":"","pictureUrl":""}"#
            }
        return #"{"id":\#(key(entity, "Id")),"name":\#(text("Name")),"lat":\#(degrees(entity, "Lat")),"#
            + #""lng":\#(degrees(entity, "Lng")),"publicSpot":\#(entity.member(["IsPublicSpot"]) == .boolean(true) ? 1 : 0),"#
            + #""comments":\#(text("Comments")),"owner":\#(owner)}"#
    }

    /// A catch: the page shows none, so its members are those of the spot's kind.
    static func caught(_ entity: JSONValue, pictures: Int) -> String {
        func text(_ name: String) -> String {
            if case .string(let text) = entity.member([name]) { JSONValue.string(text).text } else { "\"\"" }
        }
        return #"{"id":\#(key(entity, "CatchId")),"spot":\#(key(entity, "SpotId")),"fish":\#(text("Fish")),"#
            + #""weight":\#(key(entity, "WeightInGrams")),"caughtAt":\#(text("CaughtAt")),"#
            + #""comments":\#(text("Comments")),"pictures":\#(pictures)}"#
    }

    /// A number or text of a key, as digits.
    private static func key(_ entity: JSONValue, _ path: String...) -> String {
        switch entity.member(path) {
        case .number(let digits): digits
        case .string(let text): text
        default: "0"
        }
    }

    private static func degrees(_ entity: JSONValue, _ name: String) -> String {
        guard case .double(let number) = entity.member([name]).value(as: .double) else { return "0.000000" }
        return degrees(number)
    }

    /// A number as `%f` writes it, with more digits where it takes them to read the same number again.
    static func degrees(_ number: Double) -> String {
        let text = expanded("\(number)")
        guard let point = text.firstIndex(of: ".") else { return text }
        return text + String(repeating: "0", count: max(0, 6 - text[point...].dropFirst().count))
    }

    /// The digits of a number without an exponent, which `%f` never writes: `-1.5e-05` is `-0.000015`.
    private static func expanded(_ text: String) -> String {
        guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[mark...].dropFirst()) else { return text }
        let sign = text.hasPrefix("-") ? "-" : ""
        let mantissa = text[..<mark].drop { $0 == "-" }
        let digits = mantissa.filter { $0 != "." }
        let point = mantissa.prefix { $0 != "." }.count + exponent
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        let zeros = String(repeating: "0", count: max(0, point - digits.count))
        let fraction = digits.dropFirst(point)
        return sign + digits.prefix(point) + zeros + "." + (fraction.isEmpty ? "0" : fraction)
    }
}
