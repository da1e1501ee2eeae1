// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where the entities of an app are kept: the one value that chooses the implementation of its services.
///
///     memory
///     local /home/ann/spots.tideline
///     remote https://example.org/odata/fishing/
///     synced https://example.org/odata/fishing/ /home/ann/spots.tideline
///     fishing https://example.org/services/
///
/// Its text is what a settings file or an environment variable holds.
public enum ServiceConfiguration: Hashable, Sendable {
    /// On a service, which every call asks.
    case remote(service: String)
    /// In a file of this device, and nowhere else.
    case local(path: String)
    /// In a file of this device, in step with a service behind the calls.
    case synced(service: String, path: String)
    /// In memory, empty at the start and gone at the end: for tests and previews.
    case memory
    /// On a server that speaks the wire of the fishing app, `locations.php` below the address: its spots and nothing else.
    ///
    /// The credentials that it is signed in with are the user's key and a token. What the wire does not carry is refused:
    /// other sets and properties, null.
    case fishing(service: String)
}

extension ServiceConfiguration: LosslessStringConvertible {
    /// Reads the text; `nil` for anything else than the five forms.
    public init?(_ description: String) {
        let words = description.split(separator: " ", maxSplits: 2).map(String.init)
        switch (words.first, words.count) {
        case ("memory", 1): self = .memory
        case ("fishing", 2): self = .fishing(service: words[1])
        case ("remote", 2): self = .remote(service: words[1])
        case ("local", 2...): self = .local(path: words[1...].joined(separator: " "))
        case ("synced", 3): self = .synced(service: words[1], path: words[2])
        default: return nil
        }
    }

    public var description: String {
        switch self {
        case .remote(let service): "remote \(service)"
        case .local(let path): "local \(path)"
        case .synced(let service, let path): "synced \(service) \(path)"
        case .memory: "memory"
        case .fishing(let service): "fishing \(service)"
        }
    }
}
