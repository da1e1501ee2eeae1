// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What the services of accounts and users answer: `AmxResponse` in XML, also for what is refused.
struct AmxResponse: Hashable {
    var result: String?
    var token: String?
    var message: String?
    /// What went wrong, in lines.
    var error: String?

    static func result(_ result: String, token: String? = nil, message: String? = nil) -> AmxResponse {
        AmxResponse(result: result, token: token, message: message)
    }

    /// - Parameter reference: under which the server's log knows the request.
    static func fault(_ fault: BookmarksFault, reference: String) -> AmxResponse {
        AmxResponse(error: "\(fault.code): \(fault.message)\nReference: \(reference)")
    }

    /// The document: an element a line, as the service of 2010 wrote it.
    var bytes: [UInt8] {
        let typed = { (type: String) in "dt:type=\"\(type)\" xmlns:dt=\"urn:schemas-microsoft-com:datatypes\"" }
        var lines = ["<AmxResponse>"]
        if let error { lines.append("  <Error>\(Self.escaped(error))</Error>") }
        if let result { lines.append("  <Result \(typed("string"))>\(Self.escaped(result))</Result>") }
        if let token { lines.append("  <Token>\(Self.escaped(token))</Token>") }
        if let message { lines.append("  <Message>\(Self.escaped(message))</Message>") }
        lines.append("  <HasException \(typed("boolean"))>\(error == nil ? 0 : 1)</HasException>")
        return Array((lines + ["</AmxResponse>"]).joined(separator: "\n").utf8)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\r": result += "&#13;"
            // No character of XML 1.0.
            case "\0"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
