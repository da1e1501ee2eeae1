// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Reads the text of an expression.
public enum ExpressionParser {
    /// Reads an expression from decoded text, such as a filter in `domain.yaml` or in a subscription.
    public static func parse(_ text: String) throws(ODataError) -> Expression { throw ODataError(.notSupported, "") }
}
