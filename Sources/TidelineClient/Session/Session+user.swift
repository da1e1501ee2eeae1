// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Who is signed in.
extension Session {
    /// The name of the signed-in user, as far as this machine knows.
    public func userName() throws -> String? {
        let kept = try tokens.load()
        return kept?.origin == address.origin ? kept?.user : nil
    }

    /// A request is not repeated under another name than the one that it was sent under: what it says may be for that alone.
    func requireSameName() throws {
        guard let formerName, let now = try userName() else { return }
        throw ClientError(
            .signInRequired,
            "The request was of \(formerName), who is called \(now) now.",
            advice: "Send it again.",
            status: 401
        )
    }

    /// Has an access token at hand, where somebody is signed in: ``userName()`` is then what the service calls the user now.
    ///
    /// - Throws: as a request does that needs one.
    package func prepare() async throws { _ = try await current() }
}
