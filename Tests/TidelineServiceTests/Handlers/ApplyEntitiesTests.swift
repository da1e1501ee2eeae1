// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineService

/// `$apply` whose result are entities, and what is related to them.
///
/// Alice sees the clients 1 (Ann) and 3 (Cid), and their orders 10 (ten, 100) and 30 (thirty, 300).
struct ApplyEntitiesTests {
    /// All clients can be seen, and the orders of one's own.
    private static let policies = [
        Policy(role: "*", sets: ["Clients"], operations: [.read]),
        Policy(role: "buyer", sets: ["Orders"], operations: [.read], where: "Client/OwnerId eq @me"),
    ]
    private static let root = "/odata/shop/$metadata#"

    /// The text of an answer without ETags.
    private func text(
        _ shop: Shop,
        _ path: String,
        _ headers: [String: String] = [:],
        as user: UserContext = Shop.alice
    ) -> String {
        shop.get(path.replacing(" ", with: "%20"), headers, as: user).text
            .replacing(/"@(odata\.)?etag":"W\/\\"[^"]*\\"",/, with: "")
    }

    @Test func `expansions and selections follow transformations that choose entities`() throws {
        let shop = try Shop()
        #expect(
            text(shop, "Orders?$apply=topcount(1,Total)&$expand=Client($select=Name)&$select=Title")
                == ##"{"@context":"\##(Self.root)Orders(OrderId,Title,Client(ClientId,Name))","value":[{"OrderId":30,"Title":"thirty","Client":{"ClientId":3,"Name":"Cid"}}]}"##
        )
        #expect(
            text(shop, "Orders?$apply=filter(Total gt 100)")
                == ##"{"@context":"\##(Self.root)Orders","value":[{"OrderId":30,"Title":"thirty","Total":300,"ClientId":3}]}"##
        )
        #expect(shop.get("Orders?$apply=identity").text.contains("@etag"))
        let made = text(shop, "Orders?$apply=compute(Total mul 2 as Twice)/orderby(Twice desc)&$select=Twice")
        #expect(
            made
                == ##"{"@context":"\##(Self.root)Orders(OrderId,Twice)","value":[{"OrderId":30,"Twice@type":"Int64","Twice":600},{"OrderId":10,"Twice@type":"Int64","Twice":200}]}"##
        )
    }

    @Test func `groups keep their first entities`() throws {
        let shop = try Shop(open: true)
        try shop.sql("INSERT INTO Orders VALUES (11, 'eleven', 110, 1), (12, 'twelve', 90, 1)")
        let answer = text(shop, "Orders?$apply=groupby((ClientId),topcount(1,Total))&$select=OrderId&$count=true")
        #expect(
            answer
                == ##"{"@context":"\##(Self.root)Orders(OrderId)","@count":4,"value":[{"OrderId":11},{"OrderId":20},{"OrderId":30},{"OrderId":40}]}"##
        )
    }

    @Test func `pages of chosen entities go on in their order, and for these transformations alone`() throws {
        let shop = try Shop()
        let page = shop.get("Orders?$apply=orderby(Total%20desc)&$select=OrderId", ["Prefer": "maxpagesize=1"])
        #expect(page.text.contains(#""OrderId":30"#) && !page.text.contains(#""OrderId":10"#))
        let next = try #require(page.link("nextLink"))
        let last = shop.get(next)
        #expect(last.text.contains(#""OrderId":10"#) && !last.text.contains(#""OrderId":30"#))
        #expect(last.link("nextLink") == nil)
        let other = next.replacing("Total%20desc", with: "Total")
        #expect(shop.get(other).status == 410 || shop.get(other).status == 400)
    }

    @Test func `expand has what is related, as far as its filter takes it`() throws {
        let shop = try Shop()
        #expect(
            text(shop, "Clients?$apply=expand(Orders,filter(Total gt 100))&$select=Name")
                == ##"{"@context":"\##(Self.root)Clients(ClientId,Name,Orders())","value":[{"ClientId":1,"Name":"Ann","Orders":[]},{"ClientId":3,"Name":"Cid","Orders":[{"OrderId":30,"Title":"thirty","Total":300,"ClientId":3}]}]}"##
        )
        let deep = text(shop, "Clients?$apply=filter(ClientId eq 1)/expand(Orders,expand(Client))&$select=Name")
        #expect(
            deep.contains(#""Orders":[{"OrderId":10,"Title":"ten","Total":100,"ClientId":1,"Client":{"ClientId":1,"#)
        )
        #expect(shop.get("Clients?$apply=expand(Orders,top(1))").status == 501)
        #expect(shop.get("Clients?$apply=expand(Orders,filter(Total%20gt%201))/filter(Orders/any())").status == 501)
    }

    @Test func `addnested adds what sequences make of the related entities`() throws {
        let shop = try Shop(policies: Self.policies)
        #expect(
            text(
                shop,
                "Clients?$apply=addnested(Orders,filter(Total gt 100) as Dear,orderby(Total) as All)&$select=Name"
            )
                == ##"{"@context":"\##(Self.root)Clients(ClientId,Name,Dear(),All())","value":["##
                + ##"{"ClientId":1,"Name":"Ann","Dear@context":"#Orders","Dear":[],"All@context":"#Orders","All":[{"OrderId":10,"Title":"ten","Total":100,"ClientId":1}]},"##
                + ##"{"ClientId":2,"Name":"Ben","Dear@context":"#Orders","Dear":[],"All@context":"#Orders","All":[]},"##
                + ##"{"ClientId":3,"Name":"Cid","Dear@context":"#Orders","Dear":[{"OrderId":30,"Title":"thirty","Total":300,"ClientId":3}],"All@context":"#Orders","All":[{"OrderId":30,"Title":"thirty","Total":300,"ClientId":3}]}]}"##
        )
        let four = text(
            shop,
            "Clients?$apply=filter(ClientId eq 1)/addnested(Orders,identity as All)&$select=Name",
            ["OData-MaxVersion": "4.0"]
        )
        #expect(four.contains(##""All@odata.context":"#Orders","All":["##))
        #expect(shop.get("Clients?$apply=addnested(Orders,identity%20as%20Name)").status == 400)
    }

    @Test func `addnested aggregates what may be seen of the related entities`() throws {
        let shop = try Shop(policies: Self.policies)
        let sums = "addnested(Orders,filter(Total gt 0)/aggregate(Total with sum as Sum,$count as Number) as Sums)"
        #expect(
            text(shop, "Clients?$apply=\(sums)&$select=Name")
                == ##"{"@context":"\##(Self.root)Clients(ClientId,Name,Sums())","value":["##
                + ##"{"ClientId":1,"Name":"Ann","Sums@context":"#Orders(Sum,Number)","Sums":[{"Sum@type":"Int64","Sum":100,"Number@type":"Int64","Number":1}]},"##
                + ##"{"ClientId":2,"Name":"Ben","Sums@context":"#Orders(Sum,Number)","Sums":[{"Sum@type":"Int64","Sum":null,"Number@type":"Int64","Number":0}]},"##
                + ##"{"ClientId":3,"Name":"Cid","Sums@context":"#Orders(Sum,Number)","Sums":[{"Sum@type":"Int64","Sum":300,"Number@type":"Int64","Number":1}]}]}"##
        )
        let both = text(shop, "Clients?$apply=filter(ClientId eq 3)/\(sums)&$expand=Orders($select=Title)&$select=Code")
        #expect(
            both.contains(
                ##""Code":null,"Orders":[{"OrderId":30,"Title":"thirty"}],"Sums@context":"#Orders(Sum,Number)","Sums":[{"Sum@type":"Int64","Sum":300,"##
            )
        )
        #expect(shop.get("Clients/$count?$apply=\(sums.replacing(" ", with: "%20"))").text == "3")
    }

    @Test func `a join has each pair that may be seen`() throws {
        let shop = try Shop(policies: Self.policies)
        #expect(
            text(shop, "Clients?$apply=join(Orders as Order)&$select=Name&$expand=Order($select=Title)")
                == ##"{"@context":"\##(Self.root)Clients(Name,Order(Title))","value":[{"Name":"Ann","Order":{"@context":"#Orders(Title)/$entity","Title":"ten"}},{"Name":"Cid","Order":{"@context":"#Orders(Title)/$entity","Title":"thirty"}}]}"##
        )
        #expect(
            text(shop, "Clients?$apply=outerjoin(Orders as Order)&$select=ClientId&$expand=Order&$filter=ClientId le 2")
                == ##"{"@context":"\##(Self.root)Clients(ClientId,Order())","value":[{"ClientId":1,"Order":{"@context":"#Orders/$entity","OrderId":10,"Title":"ten","Total":100,"ClientId":1}},{"ClientId":2,"Order":null}]}"##
        )
        // Without $expand the related entity is not there.
        #expect(
            text(shop, "Clients?$apply=join(Orders as Order)&$select=Name")
                == ##"{"@context":"\##(Self.root)Clients(Name)","value":[{"Name":"Ann"},{"Name":"Cid"}]}"##
        )
        #expect(
            text(shop, "Clients?$apply=join(Orders as Order)/groupby((Name),aggregate(Order/Total with sum as Sum))")
                == ##"{"@context":"\##(Self.root)Clients(Name,Sum)","value":[{"Name":"Ann","Sum@type":"Int64","Sum":100},{"Name":"Cid","Sum@type":"Int64","Sum":300}]}"##
        )
        #expect(shop.get("Clients?$apply=join(Orders%20as%20Name)").status == 400)
        #expect(shop.get("Orders?$apply=join(Client%20as%20C)").status == 400)
        #expect(shop.get("Clients?$apply=join(Orders%20as%20Order)&$expand=Orders").status == 501)
    }

    @Test func `a union of entities has one twice that both parts have, with what is expanded`() throws {
        let shop = try Shop()
        let union =
            "Orders?$apply=concat(topcount(1,Total),filter(Total gt 0))&$select=OrderId&$expand=Client($select=Name)"
        #expect(
            text(shop, union + "&$count=true&$orderby=OrderId")
                == ##"{"@context":"\##(Self.root)Orders(OrderId,Client(ClientId,Name))","@count":3,"value":[{"OrderId":10,"Client":{"ClientId":1,"Name":"Ann"}},{"OrderId":30,"Client":{"ClientId":3,"Name":"Cid"}},{"OrderId":30,"Client":{"ClientId":3,"Name":"Cid"}}]}"##
        )
        #expect(text(shop, union + "&$top=1&$filter=OrderId gt 10").contains(#""value":[{"OrderId":30,"Client""#))
    }

    @Test func `nest has each result in one row`() throws {
        let shop = try Shop()
        #expect(
            text(shop, "Orders?$apply=filter(Total gt 100)/nest(groupby((Title)) as Titles,identity as All)")
                == ##"{"@context":"\##(Self.root)Orders(Titles(),All())","value":[{"Titles@context":"#Orders(Title)","Titles":[{"Title":"thirty"}],"All@context":"#Orders","All":[{"OrderId":30,"Title":"thirty","Total":300,"ClientId":3}]}]}"##
        )
        #expect(shop.get("Orders?$apply=nest(identity%20as%20A,identity%20as%20A)").status == 400)
    }

    @Test(arguments: [Stand.Kind.sqlite, .postgres])
    func `each database chooses, nests and joins behind the policies`(kind: Stand.Kind) throws {
        let stand = try Stand(
            kind,
            tables: """
                CREATE TABLE "Clients" ("Id" INTEGER PRIMARY KEY, "Name" VARCHAR(20) NOT NULL, "Owner" INTEGER);
                CREATE TABLE "Orders" ("Id" INTEGER PRIMARY KEY, "Total" INTEGER NOT NULL,
                    "Client" INTEGER REFERENCES "Clients"("Id"));
                INSERT INTO "Clients" VALUES (1,'Ann',1),(2,'Ben',2),(3,'Cid',1);
                INSERT INTO "Orders" VALUES (10,100,1),(11,50,1),(20,200,2),(30,300,3);
                """,
            policies: [
                Policy(role: "*", sets: ["Clients"], operations: [.read]),
                Policy(role: "*", sets: ["Orders"], operations: [.read], where: "ClientRef/Owner eq @me"),
            ]
        )
        func answer(_ path: String) -> String {
            stand.get(path.replacing(" ", with: "%20"), ["Accept": "application/json;metadata=none"]).text
        }
        #expect(
            answer("Orders?$apply=groupby((Client),topcount(1,Total))&$select=Id&$expand=ClientRef($select=Name)")
                == ##"{"value":[{"Id":10,"ClientRef":{"Id":1,"Name":"Ann"}},{"Id":30,"ClientRef":{"Id":3,"Name":"Cid"}}]}"##
        )
        #expect(
            answer(
                "Clients?$apply=addnested(Orders,filter(Total ge 100) as Big,aggregate(Total with sum as Sum) as All)&$select=Id"
            )
                == ##"{"value":[{"Id":1,"Big":[{"Id":10,"Total":100,"Client":1}],"All":[{"Sum":150}]},{"Id":2,"Big":[],"All":[{"Sum":null}]},{"Id":3,"Big":[{"Id":30,"Total":300,"Client":3}],"All":[{"Sum":300}]}]}"##
        )
        #expect(
            answer("Clients?$apply=outerjoin(Orders as O)/groupby((Id,O/Id))")
                == ##"{"value":[{"Id":1,"O":{"Id":10}},{"Id":1,"O":{"Id":11}},{"Id":2,"O":null},{"Id":3,"O":{"Id":30}}]}"##
        )
        #expect(
            answer("Clients?$apply=groupby((Owner),join(Orders as O)/aggregate(O/Total with sum as Sum))")
                == ##"{"value":[{"Owner":1,"Sum":450},{"Owner":2,"Sum":null}]}"##
        )
    }
}
