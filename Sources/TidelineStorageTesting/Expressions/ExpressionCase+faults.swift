// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionCase {
    /// Divisions of integers by a zero in the data; `N` is 1, 5, null, 0 and -7.
    static let faults: [ExpressionCase] = [
        ExpressionCase("20 div N gt 1", fails: [4]),
        ExpressionCase("10 mod N eq 1", fails: [4]),
        ExpressionCase("not (20 div N gt 1)", fails: [4]),
        ExpressionCase("10 div N add 10 mod N gt 1", fails: [4]),
        ExpressionCase("N ne 0 and 20 div N gt 1", fails: []),
        ExpressionCase("10 div N gt 1 and N ne 0", fails: []),
        ExpressionCase("N eq 0 or 10 div N gt 1", fails: []),
        ExpressionCase("not (N ne 0 and 10 div N gt 1)", fails: []),
        ExpressionCase("N gt 3 or 10 mod N eq 1", fails: [4]),
        ExpressionCase("N gt 3 and 10 mod N eq 1", fails: []),
        ExpressionCase("case(N eq 0:1,true:10 div N) eq 1", fails: []),
        ExpressionCase("case(N ne 0:1,true:10 div N) eq 1", fails: [4]),
        ExpressionCase("case(10 div N eq 1:1,true:2) eq 1", fails: [4]),
        ExpressionCase("Parts/any(p:p/Id div (p/Id sub 11) gt 0)", fails: [1]),
        ExpressionCase("Parts/any(p:p/Id ne 11 and p/Id div (p/Id sub 11) gt 0)", fails: []),
        ExpressionCase("Parts/$count($filter=Id mod (Id sub 13) eq 0) gt 0", fails: [2]),
        ExpressionCase("Parts/aggregate(Id div $it/N with sum) gt 0", fails: [4]),
        ExpressionCase("Parts/$filter(Label ne null)/aggregate(Id div $it/N with sum) gt 0", fails: []),
        ExpressionCase("10.5 div N gt 1", fails: []),
        ExpressionCase("W div N gt 1", fails: []),
        ExpressionCase("N div 2 gt 1", fails: []),
    ]
}
