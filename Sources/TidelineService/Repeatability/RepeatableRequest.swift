// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// What makes a request repeatable: its identifier, and whose it is.
///
///     Repeatability-Request-ID: 3f2a…-8000-8000-00000000002a     number 42 of a client of ours
///     Repeatability-Client-ID:  the client
///     Repeatability-First-Sent: Sat, 21 Nov 2026 13:00:00 GMT     read for its form only: no device clock decides
///
/// Source: OASIS Repeatable Requests 1.0, sections 2 and 3.
struct RepeatableRequest: Hashable {
    /// The identifier in lower case.
    let id: String
    /// The client; for a request that names none its own identifier stands for it.
    let client: String
    /// The client's transaction number, where the identifier carries one.
    let number: Int64?

    /// Seconds from 1970 to `Repeatability-First-Sent`.
    let firstSent: Int64

    /// How long ago a request of a client without numbers may first have been sent, in seconds.
    static let window: Int64 = 7 * 86_400
    /// How far a client's clock may be wrong, in seconds: answers are kept so much longer than the window.
    static let slack: Int64 = 86_400

    /// Makes sure that the answer to an earlier execution would still be kept.
    ///
    /// A client with numbers has a mark that never expires, so its clock decides nothing.
    ///
    /// - Throws: `OutsideRepeatabilityWindow`.
    func checkWindow(now: Int64) throws(ODataError) {
        guard number == nil, firstSent < now - Self.window || firstSent > now + Self.slack else { return }
        throw ODataError(
            service: ServiceCode.outsideRepeatabilityWindow,
            "A request is repeatable for \(Self.window / 86_400) days after it was first sent.",
            target: HTTPField.Name.repeatabilityFirstSent.rawName
        )
    }

    /// Under which name the records of a client without numbers are kept: each user has clients of its own.
    static func client(_ client: String, of user: String?) -> String { "\(user ?? "")\n\(client)" }

    /// - Parameter user: the user's name.
    /// - Returns: `nil` when the request is not repeatable.
    /// - Throws: `InvalidRepeatability` when one of the two fields is missing or malformed.
    static func read(_ fields: HTTPFields, user: String? = nil) throws(ODataError) -> RepeatableRequest? {
        let id = fields[.repeatabilityRequestID]
        let firstSent = fields[.repeatabilityFirstSent]
        if id == nil, firstSent == nil { return nil }
        guard let id, id.utf8.count == 36, case .guid(let guid)? = Value(text: id.lowercased(), as: .guid) else {
            throw invalid("Repeatability-Request-ID is missing or is no UUID.", .repeatabilityRequestID)
        }
        guard let firstSent, let time = HTTPDate.time(firstSent) else {
            throw invalid(
                "Repeatability-First-Sent is missing or is no date as HTTP writes it.",
                .repeatabilityFirstSent
            )
        }
        let client = fields[.repeatabilityClientID]
        if let client, client.isEmpty || client.utf8.count > 128 {
            throw invalid("Repeatability-Client-ID is empty or longer than 128 bytes.", .repeatabilityClientID)
        }
        let number = client == nil ? nil : number(of: guid)
        let own = client ?? "request:\(id.lowercased())"
        return RepeatableRequest(
            id: id.lowercased(),
            client: number == nil ? Self.client(own, of: user) : own,
            number: number,
            firstSent: time.seconds
        )
    }

    private static func invalid(_ message: String, _ name: HTTPField.Name) -> ODataError {
        ODataError(service: ServiceCode.invalidRepeatability, message, target: name.rawName)
    }

    /// The number in a UUID of version 8 as our clients make them: 48 bits of a hash, `8`, twelve zero bits; `10`, the
    /// number in 62 bits.
    static func number(of guid: GUID) -> Int64? {
        guard guid.high & 0xFFFF == 0x8000, guid.low >> 62 == 0b10 else { return nil }
        let number = Int64(guid.low & (1 << 62 - 1))
        return number > 0 ? number : nil
    }
}
