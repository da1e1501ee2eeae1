// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionCase {
    /// Dynamic properties: `Score` is 5, 7.5, absent, absent and 'seven', `Made` a date, a moment and a time of day in the
    /// rows 1, 2 and 5, `Keeper` 1, '1' and 2 there, `Note` a text in 1 and 2, `Ratio` and `Ok` are in row 1 alone.
    static let dynamic: [ExpressionCase] = [
        ExpressionCase("Note eq 'hi'", 1),
        ExpressionCase("Note eq null", 3, 4, 5),
        ExpressionCase("Note ne 'hi'", 2, 3, 4, 5),
        ExpressionCase("contains(Note,'h')", 1),
        ExpressionCase("Score gt 6", 2),
        ExpressionCase("Score eq 5", 1),
        ExpressionCase("Score ne 5", 2, 3, 4, 5),
        ExpressionCase("Score eq 'seven'", 5),
        ExpressionCase("Score add 1 eq 6", 1),
        ExpressionCase("Score add null eq null", 1, 2, 3, 4, 5),
        ExpressionCase("Score in (5,7.5)", 1, 2),
        ExpressionCase("Ratio eq 0.5", 1),
        ExpressionCase("Ok", 1),
        ExpressionCase("Ok eq true", 1),
        ExpressionCase("not Ok"),
        ExpressionCase("Missing eq null", 1, 2, 3, 4, 5),
        // A value of any type is none that is null.
        ExpressionCase("Score eq null", 3, 4),
        ExpressionCase("null eq Score", 3, 4),
        ExpressionCase("Score ne null", 1, 2, 5),
        ExpressionCase("Score in (null)", 3, 4),
        ExpressionCase("Score in (5,null)", 1, 3, 4),
        ExpressionCase("Score eq N", 3),
        ExpressionCase("Score eq Flag", 3),
        ExpressionCase("Score ne Flag", 1, 2, 4, 5),
        ExpressionCase("Flag eq Score", 3),
        ExpressionCase("Score in Sizes"),
        ExpressionCase("Missing in Tags", 5),
        // Of another entity, or of one that was cast.
        ExpressionCase("Parent/Score eq 5", 2, 4),
        ExpressionCase("Parent/Score eq null", 1, 3),
        ExpressionCase("Test.Gadget/Score gt 6", 2),
        ExpressionCase("Test.Gadget/Score eq null", 1, 3, 4, 5),
        ExpressionCase("$root/Items(1)/Score eq 5", 1, 2, 3, 4, 5),
        ExpressionCase("$root/Items(5)/Score eq null"),
        ExpressionCase("$root/Items(4)/Score eq null", 1, 2, 3, 4, 5),
        // A cast says of which type it is.
        ExpressionCase("cast(Score,Edm.String) eq '5'", 1),
        ExpressionCase("cast(Score,Edm.String) eq '7.5'", 2),
        ExpressionCase("cast(Score,Edm.String) eq 'seven'", 5),
        ExpressionCase("cast(Ok,Edm.String) eq 'true'", 1),
        ExpressionCase("cast(Score,Edm.Int32) eq 8", 2),
        ExpressionCase("cast(Score,Edm.Double) lt 6", 1),
        ExpressionCase("cast(Score,Edm.Decimal) gt cast(Ratio,Edm.Decimal)", 1),
        ExpressionCase("cast(Score,Edm.Decimal) eq cast(Ratio,Edm.Decimal)", 3, 4, 5),
        ExpressionCase("Children/aggregate(cast(Score,Edm.Decimal) with sum) eq 7.5", 1),
        ExpressionCase("case(N gt 0:Score,true:1) eq 5", 1),
        ExpressionCase("year(Made) eq 2024", 1),
        ExpressionCase("year(Made) eq 2023", 2),
        ExpressionCase("hour(Made) eq 7", 2, 5),
        ExpressionCase("round(Score) eq 8", 2),
        // Of @me both are texts.
        ExpressionCase("Keeper eq @me", 1, 2),
        ExpressionCase("Keeper ne @me", 3, 4, 5),
        ExpressionCase("Keeper eq @me/None"),
        ExpressionCase("Keeper in @me/Teams", 5),
        // Nothing says what is meant.
        ExpressionCase("Score eq Ratio", refused: .unsupported),
        ExpressionCase("Score gt Ratio", refused: .unsupported),
        ExpressionCase("Score gt @me", refused: .unsupported),
        ExpressionCase("Score add Ratio gt 1", refused: .unsupported),
        ExpressionCase("-Score lt 1", refused: .unsupported),
        ExpressionCase("case(N gt 0:Score) eq 5", refused: .unsupported),
        ExpressionCase("Children/aggregate(Score with sum) gt 1", refused: .unsupported),
        ExpressionCase("Children/aggregate(Score with countdistinct) gt 1", refused: .unsupported),
        ExpressionCase("geo.length(Score) gt 1", refused: .unsupported),
        ExpressionCase("Score eq Test.Color'Red'", refused: .unsupported),
    ]
}
