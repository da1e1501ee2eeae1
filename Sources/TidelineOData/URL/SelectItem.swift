// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One item of `$select`.
///
///     Name,Address/Street,Lines($filter=Price gt 1;$top=3),Shop.VipCustomer/Rating,@Core.Messages,Shop.*
///
/// Source: OData ABNF construction rules 4.01, section 2, `selectItem`.
public enum SelectItem: Hashable, Sendable {
    /// `*`: all structural properties.
    case all
    /// A structural or navigation property by its wire name.
    case property(String)
    /// More than one name, or options in parentheses.
    ///
    /// A name with a dot is a type that what precedes is cast to, or an action or function when it stands last; one that
    /// begins with `@` is an annotation.
    case path([String], options: QueryOptions)
    /// `Namespace.*`: all actions and functions of a namespace.
    case operations(namespace: String)
    /// One overload of a function by the names of its parameters: `Shop.Best(Year,Kind)`.
    case function(path: [String], parameters: [String])
}
