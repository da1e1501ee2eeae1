// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The JSON body of an error.
///
/// Source: OData JSON Format 4.01, section 21.1.
public enum ErrorBody {
    /// `{"error":{"code":…,"message":…,"target":…,"details":[…]}}`.
    public static func write(_ error: ODataError) -> [UInt8] { [] }

    /// The error of a body; `nil` when the body is no OData error, as when a proxy answered.
    public static func read(_ body: some Collection<UInt8>) -> ODataError? { nil }
}
