// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension AggregationTable {
    /// Sequences inside groups, and joins.
    package static let nested: [AggregationTable] = [
        AggregationTable("groupby((Kind),topcount(1,N))/groupby((Kind,Id))", "gadget|2", "item|1"),
        AggregationTable(
            "groupby((Kind),bottomcount(1,N)/aggregate(N with sum as S))",
            "gadget|0",
            "item|-7",
            "super|null"
        ),
        AggregationTable(
            "groupby((Kind),filter(N gt 0)/aggregate($count as Rows,N with sum as S))",
            "gadget|1|5",
            "item|1|1",
            "super|0|null"
        ),
        AggregationTable("groupby((OwnerId),orderby(N desc)/skip(1)/top(1))/groupby((OwnerId,Id))", "1|4", "2|5"),
        AggregationTable("groupby((Owner/Name),topcount(1,N))/groupby((Owner/Name,Id))", "null|2", "Ann|1"),
        AggregationTable(
            "groupby((Kind),groupby((OwnerId),aggregate(N with sum as S))/aggregate(S with max as Most))",
            "gadget|5",
            "item|1",
            "super|null"
        ),
        AggregationTable(
            "groupby((rollup(Kind,OwnerId)),topcount(1,N)/aggregate($count as Rows))",
            "gadget|null|1",
            "gadget|1|1",
            "gadget|2|1",
            "item|null|1",
            "item|1|1",
            "item|2|1",
            "super|null|0",
            "super|null|0"
        ),
        AggregationTable(
            "groupby((Kind),concat(topcount(1,N)/aggregate(N with sum as Top),aggregate($count as Rows)))",
            "gadget|null|2",
            "gadget|5|null",
            "item|null|2",
            "item|1|null",
            "super|null|null",
            "super|null|1"
        ),
        AggregationTable("groupby((Kind),toppercent(50,N))/groupby((Id))", "2"),
        AggregationTable("groupby((Kind),compute(N add 1 as M)/topcount(1,M))/groupby((Kind,M))", "gadget|6", "item|2"),
        AggregationTable("groupby((Owner))", "null|null", "1|Ann", "2|null"),
        AggregationTable(
            "groupby((Owner),aggregate(N with sum as S))/groupby((Owner/Name,S))",
            "null|null",
            "null|-2",
            "Ann|1"
        ),
        AggregationTable(
            "groupby((rollup(Owner,Kind)),aggregate($count as Rows))/filter(Owner/Id eq 1)/groupby((Kind,Rows))",
            "null|2",
            "gadget|1",
            "item|1"
        ),
        AggregationTable(
            "join(Parts as Part,filter(Id le 12))/groupby((Part))/groupby((Part/Id,Part/Label))",
            "11|bolt",
            "12|nut"
        ),
        AggregationTable("aggregate(N with sum from Kind with max as S,$count as Rows)", "5|5"),
        AggregationTable(
            "groupby((OwnerId),aggregate($count as Rows,N with sum from Kind with max as S,N with max from Kind with min as T))",
            "null|1|null|null",
            "1|2|1|0",
            "2|2|5|-7"
        ),
        AggregationTable(
            "groupby((rollup($all,OwnerId)),aggregate(N with sum from Kind with max as S))",
            "null|null",
            "null|5",
            "1|1",
            "2|5"
        ),
        AggregationTable("topsum(5,N)/topsum(5,N)/aggregate($count as Rows)", "1"),
        AggregationTable(
            "join(Parts as Part)/groupby((Id,Part/Label))",
            "1|bolt",
            "1|nut",
            "2|bolt",
            "4|null",
            "5|gear"
        ),
        AggregationTable(
            "outerjoin(Parts as Part)/groupby((Id,Part/Label))",
            "1|bolt",
            "1|nut",
            "2|bolt",
            "3|null",
            "4|null",
            "5|gear"
        ),
        AggregationTable("join(Parts as Part,filter(Weight gt 1))/aggregate(Part/Weight with sum as W)", "110.5"),
        AggregationTable(
            "outerjoin(Parts as Part,filter(Weight gt 1))/groupby((Id,Part/Id))",
            "1|11",
            "2|13",
            "3|null",
            "4|null",
            "5|15"
        ),
        AggregationTable(
            "join(Parts as Part,aggregate(Weight with sum as W))/groupby((Id,Part/W))",
            "1|2",
            "2|9",
            "4|null",
            "5|100"
        ),
        AggregationTable(
            "outerjoin(Parts as Part,filter(Weight gt 1)/aggregate($count as C))/groupby((Id,Part/C))",
            "1|1",
            "2|1",
            "3|null",
            "4|null",
            "5|1"
        ),
        AggregationTable("join(Parts as Part,topcount(1,Weight))/groupby((Id,Part/Id))", "1|11", "2|13", "5|15"),
        AggregationTable(
            "outerjoin(Parts as Part,orderby(Weight desc)/top(1))/groupby((Id,Part/Id))",
            "1|11",
            "2|13",
            "3|null",
            "4|14",
            "5|15"
        ),
        AggregationTable("join(Labels as Label)/groupby((Id,Label/Name))", "1|cold", "1|hot", "2|hot", "5|cold"),
        AggregationTable(
            "join(Parts as Part)/groupby((Owner/Name,Part/Maker/Name),aggregate($count as Rows))",
            "null|null|2",
            "Ann|null|1",
            "Ann|Ann|2"
        ),
        AggregationTable(
            "filter(N ge 0)/join(Parts as Part,compute(Weight mul 2 as Twice))/groupby((Kind),aggregate(Part/Twice with sum as T))",
            "gadget|18",
            "item|4"
        ),
        AggregationTable(
            "join(Parts as Part)/filter(Part/Maker/Name eq 'Ann')/groupby((Id),aggregate($count as Rows))",
            "1|1",
            "4|1"
        ),
    ]

    /// The entities that transformations leave, by their keys in the order of the plan.
    static let subsets: [AggregationTable] = [
        AggregationTable("topcount(2,N)", "1", "2"),
        AggregationTable("orderby(N desc)/top(2)", "2", "1"),
        AggregationTable("groupby((Kind),topcount(1,N))", "1", "2"),
        AggregationTable("groupby((OwnerId),orderby(N desc)/skip(1))/orderby(Id desc)", "5", "4"),
        AggregationTable("filter(N lt 5)/groupby((Kind),orderby(N)/top(1))", "5", "4"),
        AggregationTable("filter(N ge 0)/compute(N mul 2 as M)/toppercent(90,M)", "1", "2"),
    ]
}
