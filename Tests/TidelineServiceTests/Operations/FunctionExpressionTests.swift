// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

/// Functions of the model inside `$filter`, `$orderby` and `$compute`.
///
/// Orders: 10 of client 1 (100), 20 of client 2 (200), 30 of client 3 (300), 40 of nobody (0).
struct FunctionExpressionTests {
    private func ids(_ shop: Shop, _ query: String, as user: UserContext? = nil) -> String {
        let reply =
            user.map { shop.get("Orders?$select=OrderId&\(query)", as: $0) }
            ?? shop.get("Orders?$select=OrderId&\(query)")
        guard reply.status == 200 else { return "\(reply.status) \(reply.text)" }
        return reply.text.matches(of: /"OrderId":(\d+)/).map { String($0.1) }.joined(separator: " ")
    }

    @Test(arguments: [
        ("Shop.Sum() eq 600 and OrderId eq 10", "10"),
        ("Sum() sub Total lt 400", "30"),
        ("SumOf(clientId=3) eq Total", "30"),
        ("SumOf(clientId=ClientId) eq Total and OrderId ne 30", "10 20"),
        ("SumOf(clientId=ClientId) eq null", "40"),
        ("Shop.SumOf(clientId=1 add 1) eq Total", "20"),
        ("Echo(text=Title) eq Title", "10 20 30 40"),
        ("Echo(text=concat(Title,'x')) eq 'tenx'", "10"),
        ("length(Echo(text='a''b;--')) eq 6 and OrderId eq 40", "40"),
        ("MoodOf(mood=Shop.Mood'Wild') eq 'Wild' and OrderId eq 10", "10"),
        ("Words(list=[\"a\",\"b\"])/any(w:w eq 'b!') and OrderId eq 10", "10"),
        ("Words(list=[\"a\",\"b\"])/$count eq OrderId sub 8", "10"),
        ("Words(list=[\"a\",\"b\"],suffix='-')/1 eq 'b-' and OrderId eq 20", "20"),
        ("Title in Words(list=[\"ten\"],suffix='')", "10"),
        ("Summary()/Count eq 4 and OrderId eq 10", "10"),
        ("Summary()/Sum eq Total mul 2", "30"),
    ])
    func `an unbound function is a value`(_ filter: String, _ rows: String) throws {
        #expect(ids(try Counter.shop(), "$filter=\(filter.encoded)") == rows)
    }

    @Test(arguments: [
        ("Shop.Share() eq 20", "20"),
        ("Share(percent=50) gt 100", "30"),
        ("$it/Shop.Share(percent=100) eq Total", "10 20 30 40"),
        ("Share(percent=OrderId) eq 10", "10"),
        ("Client/Orders/any(o:o/Shop.Share(percent=100) eq 300)", "30"),
        ("$root/Orders(30)/Shop.Share() eq Total sub 270", "30"),
        ("$root/Orders/Shop.Average() lt Total", "20 30"),
        ("Client/Orders/Shop.Above(least=200)/any()", "20 30"),
        ("Client/Orders/Shop.Above(least=150)/$count eq 1", "20 30"),
        ("$root/Orders/Shop.Above(least=250)/any(o:o/OrderId eq OrderId add 10)", "20"),
        ("Shop.Siblings()/$count eq 3", "10 20 30 40"),
        ("Shop.Siblings()/aggregate(Total with sum) eq 300", "30"),
        ("Shop.Siblings()/all(o:o/Total lt Total)", "30"),
    ])
    func `a bound function is called on an entity or a collection`(_ filter: String, _ rows: String) throws {
        #expect(ids(try Counter.shop(), "$filter=\(filter.encoded)") == rows)
    }

    @Test(arguments: [
        ("Top(count=2)/any(o:o/OrderId eq OrderId)", "20 30"),
        ("$root/Top(count=2)/any(o:o/OrderId eq $it/OrderId)", "20 30"),
        ("$root/Top(count=4,least=250)/$count eq 1 and OrderId eq 10", "10"),
        ("Top(count=4)(30)/Total eq 300 and OrderId eq 30", "30"),
        ("Find(title=Title)/Total eq Total", "10 20 30 40"),
        ("Find(title='absent')/Total eq null and OrderId eq 10", "10"),
        ("Top(count=3)/aggregate(Total with average) eq 200 and OrderId eq 10", "10"),
    ])
    func `a function that gives entities is a collection or an entity`(_ filter: String, _ rows: String) throws {
        #expect(ids(try Counter.shop(), "$filter=\(filter.encoded)") == rows)
    }

    @Test
    func `functions order, compute and choose in expansions`() throws {
        let shop = try Counter.shop()
        #expect(ids(shop, "$orderby=Shop.Share()%20desc") == "30 20 10 40")
        let computed = shop.get(
            "Orders?$select=Double&$top=1&$orderby=OrderId&$compute=Share(percent=200)%20as%20Double"
        )
        #expect(computed.text.contains(#""Double":200"#), "\(computed.text)")
        let nested = shop.get(
            "Clients(3)?$select=ClientId&$expand=Orders($select=OrderId;$filter=Shop.Share()%20eq%2030)"
        )
        #expect(nested.text.contains(#""OrderId":30"#), "\(nested.text)")
        #expect(shop.get("Orders/$count?$filter=Share()%20ge%2020").text == "2")
    }

    @Test(arguments: [
        ("Reset() eq 1", 400), ("Shop.Close() eq 1", 400), ("SumOf() eq 1", 400), ("SumOf(other=1) eq 1", 400),
        ("SumOf(clientId='x') eq 1", 400), ("SumOf(clientId=null) eq 1", 400), ("SumOf(clientId=5000000000) eq 1", 400),
        ("Sum()/Other eq 1", 400), ("Other.Sum() eq 1", 501), ("Summary() eq null", 501), ("Top(count=1) eq null", 501),
        ("Find(title='ten') eq null", 501), ("Client/Orders/Shop.Average() gt 1", 501),
        ("Words(list='a')/any()", 400),
    ])
    func `a wrong call is refused`(_ filter: String, _ status: Int) throws {
        let reply = try Counter.shop().get("Orders?$filter=\(filter.encoded)")
        #expect(reply.status == status, "\(reply.text)")
    }

    @Test func `an expression calls twenty functions at most`() throws {
        let shop = try Counter.shop()
        func filter(_ count: Int) -> String {
            (0..<count).map { "Sum() gt \($0)" }.joined(separator: " and ").encoded
        }
        #expect(shop.get("Orders?$filter=\(filter(20))").status == 200)
        let reply = shop.get("Orders?$filter=\(filter(21))")
        #expect(reply.status == 400, "\(reply.text)")
        #expect(reply.text.contains("more than 20 functions"))
    }

    @Test
    func `a function is called by whom a policy lets, and sees entities that the policies show`() throws {
        let calls = [
            Policy(role: "buyer", sets: [], operations: [], calls: ["Top", "Share", "Siblings", "Above", "Find"])
        ]
        let shop = try Counter.shop(open: false, policies: Shop.policies + calls)
        let refused = shop.get("Orders?$filter=Sum()%20eq%20600")
        #expect(refused.status == 403, "\(refused.text)")
        // Not even what parameters it has.
        #expect(shop.get("Orders?$filter=Echo(other=1)%20eq%201").status == 403)
        #expect(shop.get("Orders?$orderby=Sum()").status == 403)
        // Order 20 is Bob's, order 40 is nobody's: neither is there.
        #expect(ids(shop, "$filter=\("Shop.Siblings()/$count eq 1".encoded)") == "10 30")
        #expect(ids(shop, "$filter=\("Top(count=4)/$count eq 2".encoded)") == "10 30")
        #expect(ids(shop, "$filter=\("Find(title='twenty')/Total eq null".encoded)") == "10 30")
        #expect(ids(shop, "$filter=\("$root/Orders(20)/Shop.Share() eq null".encoded)") == "10 30")
        #expect(ids(shop, "$filter=\("$root/Orders/Shop.Above(least=0)/$count eq 2".encoded)") == "10 30")
    }

    @Test func `changes of what a function decides are not tracked`() throws {
        let shop = try Counter.shop()
        let reply = shop.get("Orders?$filter=Share()%20eq%2020", ["Prefer": "track-changes"])
        #expect(reply.fields[.preferenceApplied]?.contains("track-changes") != true)
        #expect(!reply.text.contains("deltaLink"))
    }
}

extension String {
    /// As the value of a query option.
    fileprivate var encoded: String { PercentCoding.encode(queryValue: self) }
}
