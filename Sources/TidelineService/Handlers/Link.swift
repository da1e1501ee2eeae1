// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

/// Makes the addresses of next pages and deltas: the request's own query, well encoded, with another token.
struct Link {
    let call: Call

    /// The path and the query of the request with a token, for its next page.
    func next(_ token: String) -> String {
        make(token: ("$skiptoken", token)) { _ in true }
    }

    /// The path, filter, search, properties and expansions of the request with a token, for its changes.
    func delta(_ token: String) -> String {
        make(token: ("$deltatoken", token)) { ["filter", "search", "compute", "select", "expand"].contains($0) }
    }

    /// The request without a token: from the start.
    var fresh: String {
        make(token: nil) { _ in true }
    }

    private func make(token: (name: String, value: String)?, keeping isKept: (String) -> Bool) -> String {
        let cut = call.text.firstIndex(of: "?") ?? call.text.endIndex
        let path = call.text[..<cut].split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let decoded = try? PercentCoding.decode(segment)
            return decoded.map { PercentCoding.encode(segment: $0).split(separator: "/").joined(separator: "%2F") }
                ?? String(segment)
        }
        var parameters: [String] = []
        let query = cut == call.text.endIndex ? "" : call.text[call.text.index(after: cut)...]
        for parameter in query.split(separator: "&") {
            let mark = parameter.firstIndex(of: "=") ?? parameter.endIndex
            guard let name = try? PercentCoding.decode(parameter[..<mark]) else { continue }
            let bare = (name.hasPrefix("$") ? String(name.dropFirst()) : name).lowercased()
            let isToken = bare == "skiptoken" || bare == "deltatoken"
            guard !isToken, name.hasPrefix("@") || isKept(bare) else { continue }
            let value = mark == parameter.endIndex ? "" : String(parameter[parameter.index(after: mark)...])
            let decoded = (try? PercentCoding.decode(value[...])) ?? ""
            parameters.append("\(name)=\(PercentCoding.encode(queryValue: decoded))")
        }
        if let token { parameters.append("\(token.name)=\(token.value)") }
        let address = call.root + path.joined(separator: "/")
        return parameters.isEmpty ? address : "\(address)?\(parameters.joined(separator: "&"))"
    }
}
