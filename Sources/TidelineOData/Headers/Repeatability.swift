// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import TidelineModel

/// The headers of a request that may be sent again with no second effect.
///
/// Source: OASIS Repeatable Requests 1.0, section 3.
public struct Repeatability: Hashable, Sendable {
    /// `Repeatability-Request-ID`.
    public var requestID: GUID
    /// `Repeatability-Client-ID`: any text, or `nil`.
    public var clientID: String?
    /// `Repeatability-First-Sent`, as it was written: an IMF-fixdate.
    public var firstSent: String

    public init(requestID: GUID, clientID: String? = nil, firstSent: String) {
        self.requestID = requestID
        self.clientID = clientID
        self.firstSent = firstSent
    }

    /// Reads the headers; `nil` when the request is none that may be repeated.
    ///
    /// - Throws: `InvalidHeader` when one of the pair is missing, or is no UUID or no date.
    public static func read(_ fields: HTTPFields) throws(ODataError) -> Repeatability? {
        let id = fields[.repeatabilityRequestID]
        let firstSent = fields[.repeatabilityFirstSent]
        guard id != nil || firstSent != nil else { return nil }
        guard let id, case .guid(let guid)? = Value(text: id, as: .guid) else {
            throw ODataError(.invalidHeader, "Repeatability-Request-ID is no UUID.", target: "Repeatability-Request-ID")
        }
        guard let firstSent, isDate(firstSent) else {
            throw ODataError(
                .invalidHeader,
                "Repeatability-First-Sent is no date such as Sat, 21 Nov 2026 13:31:00 GMT.",
                target: "Repeatability-First-Sent"
            )
        }
        return Repeatability(requestID: guid, clientID: fields[.repeatabilityClientID], firstSent: firstSent)
    }

    /// The headers to send.
    public func write(to fields: inout HTTPFields) {
        fields[.repeatabilityRequestID] = (Value.guid(requestID).text ?? "")
        fields[.repeatabilityFirstSent] = firstSent
        if let clientID { fields[.repeatabilityClientID] = clientID }
    }

    /// Whether the text has the form of an IMF-fixdate: `Sat, 21 Nov 2026 13:31:00 GMT`.
    static func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 29 else { return false }
        let form = Array("Aaa, 00 Aaa 0000 00:00:00 GMT".utf8)
        for (byte, kind) in zip(bytes, form) {
            switch kind {
            case UInt8(ascii: "0"): guard byte >= 0x30, byte <= 0x39 else { return false }
            case UInt8(ascii: "A"), UInt8(ascii: "a"):
                guard byte | 0x20 >= 0x61, byte | 0x20 <= 0x7A else { return false }
            default: guard byte == kind else { return false }
            }
        }
        return true
    }
}
