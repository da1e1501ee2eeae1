// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Calculated properties of ``ExpressionWorld``: a path to one stands for its expression.
///
///     PartSum   2, 9, null, null, 100        PartCount   2, 1, 0, 1, 1        Twice   2, 10, null, 0, -14
extension ExpressionCase {
    static let calculated: [ExpressionCase] = [
        ExpressionCase("OwnerName eq 'Ann'", 1, 4),
        ExpressionCase("OwnerName eq null", 2, 3, 5),
        ExpressionCase("OwnWords eq 'Ann!'", 1, 4),
        ExpressionCase("PartSum gt 5", 2, 5),
        ExpressionCase("PartSum eq null", 3, 4),
        ExpressionCase("PartCount eq 0", 3),
        ExpressionCase("Twice eq 10", 2),
        ExpressionCase("Twice add 1 gt 2", 1, 2),
        ExpressionCase("Twice eq null", 3),
        ExpressionCase("Heavy", 1, 2, 5),
        ExpressionCase("not Heavy", 3, 4),
        // Behind a navigation property; without an entity there is no count of nothing but null.
        ExpressionCase("Parent/PartCount eq 2", 2, 4),
        ExpressionCase("Parent/PartCount ne null", 2, 4, 5),
        ExpressionCase("Parent/PartCount eq null", 1, 3),
        ExpressionCase("Parent/PartSum gt 5", 5),
        ExpressionCase("Parent/OwnerName eq 'Ann'", 2, 4),
        ExpressionCase("Parent/Parent/PartCount eq 2", 5),
        ExpressionCase("Parent/Heavy", 2, 4, 5),
        ExpressionCase("Parent/Heavy eq null", 1, 3),
        ExpressionCase("Owner/Heaviest eq 100", 2, 5),
        ExpressionCase("Owner/Heaviest eq 2", 1, 4),
        ExpressionCase("Owner/Heaviest eq null", 3),
        // Inside lambdas, counts and aggregates: of the item, and of what stands outside.
        ExpressionCase("Parts/any(p:p/Double gt 100)", 5),
        ExpressionCase("Parts/any(p:p/Siblings gt 1)", 1),
        ExpressionCase("Parts/any(p:p/Siblings lt PartCount)"),
        ExpressionCase("Parts/any(p:p/Siblings eq $it/PartCount)", 1, 2, 4, 5),
        ExpressionCase("Children/any(c:c/PartSum gt $it/PartSum)", 1, 2),
        ExpressionCase("Children/any(c:c/Heavy and Heavy)", 1, 2),
        ExpressionCase("Parts/$count($filter=Double gt 2) eq 1", 1, 2, 5),
        ExpressionCase("Parts/aggregate(Double with sum) eq 4", 1),
        ExpressionCase("$it/PartCount eq 2", 1),
        // Cast to a derived type first.
        ExpressionCase("Test.Gadget/PartCount eq 1", 2, 4),
        ExpressionCase("Test.Gadget/PartCount eq 0", 3),
        ExpressionCase("Loop eq 1", refused: .invalidPath),
        ExpressionCase("Ring eq 1", refused: .invalidPath),
        ExpressionCase("Endless eq 1", refused: .invalidPath),
        ExpressionCase("Wrong eq 1", refused: .wrongType),
        ExpressionCase("OwnerName/Name eq 'Ann'", refused: .invalidPath),
        ExpressionCase("Parts/Double gt 1", refused: .invalidPath),
    ]
}
