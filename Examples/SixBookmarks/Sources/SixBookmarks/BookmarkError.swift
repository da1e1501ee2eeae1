// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why a bookmark cannot be changed so; the description is for the person at the screen.
public enum BookmarkError: Error, Hashable, CustomStringConvertible {
    case allPlacesTaken
    case noSuchPlace(Int)
    case emptyPlace(Int)
    case takenPlace(Int)
    case emptyName
    case emptyAddress
    /// A name or an address with more characters than it may have.
    case tooLong(String, most: Int)
    case notAnAddress(String)
    /// An address that ends before it says of which site, as `https://`.
    case noHost(String)
    /// An address of a kind that is never opened, as `javascript:`.
    case refusedScheme(String)
    case nobodySignedIn

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .allPlacesTaken: "All six places are taken. Delete a bookmark first."
        case .noSuchPlace(let place): "There is no place \(place). Places are 1 to 6."
        case .emptyPlace(let place): "Place \(place) is empty; there is nothing to change."
        case .takenPlace(let place): "Place \(place) is taken. Choose another, or move what is there."
        case .emptyName: "The name is missing. Give the bookmark a name."
        case .emptyAddress: "The address is missing. Give the address of a page."
        case .tooLong(let what, let most): "The \(what) is too long. It has at most \(most) characters."
        case .notAnAddress(let text): "\"\(text)\" is no address. It begins with http:// or https://."
        case .noHost(let text): "\"\(text)\" has no host. After https:// comes the name of a site, like example.com."
        case .refusedScheme(let scheme): "Addresses of the kind \"\(scheme):\" are not taken. Use http:// or https://."
        case .nobodySignedIn: "This file belongs to nobody yet. Make it with `start`."
        }
    }
}
