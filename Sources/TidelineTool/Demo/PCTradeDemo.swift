// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The data of `pctrade`: a shop for computer parts.
enum PCTradeDemo {
    /// The types that INTEGER does not tell.
    static let types: [String: [String: PrimitiveType]] = [
        "Orders": ["OrderId": .int32, "OrderStatus": .int32],
        "OrderDetails": ["DetailId": .int32, "Order": .int32, "Product": .int32, "Quantity": .int32],
        "Products": ["ProductId": .int32, "GroupId": .int32],
        "Workers": ["WorkerId": .int32],
    ]

    /// Tables and rows: 20 clients, 60 orders with 180 details, 82 products, 8 workers.
    static var sql: String { tables + rows }

    private static let tables = """
        CREATE TABLE Clients (
            ClientId GUID NOT NULL PRIMARY KEY,
            ClientName VARCHAR(100) NOT NULL,
            ContactPhone VARCHAR(30)
        );
        CREATE TABLE Products (
            ProductId INT NOT NULL PRIMARY KEY,
            Name VARCHAR(100) NOT NULL,
            GroupId INT NOT NULL,
            Price DECIMAL(19,4) NOT NULL
        );
        CREATE TABLE Orders (
            OrderId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            OrderDate DATETIME NOT NULL,
            OrderStatus INT NOT NULL DEFAULT 0,
            Client GUID NOT NULL REFERENCES Clients (ClientId)
        );
        CREATE TABLE OrderDetails (
            DetailId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            "Order" INT NOT NULL REFERENCES Orders (OrderId) ON DELETE CASCADE,
            Product INT NOT NULL REFERENCES Products (ProductId),
            Quantity INT NOT NULL,
            Price DECIMAL(19,4) NOT NULL,
            Total DECIMAL(19,4) NOT NULL
        );
        CREATE TABLE Workers (
            WorkerId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            LastName VARCHAR(50) NOT NULL,
            FirstName VARCHAR(50) NOT NULL,
            BirthDate DATE,
            Phone VARCHAR(30),
            Position VARCHAR(50) NOT NULL
        );
        CREATE INDEX OrdersByClient ON Orders (Client);
        CREATE INDEX OrderDetailsByOrder ON OrderDetails ("Order");
        CREATE INDEX OrderDetailsByProduct ON OrderDetails (Product);

        """

    private static let clientNames = [
        "Harbour Lights Café", "Northgate School", "Millpond Press", "Dr. Ines Falk", "Copper & Sons", "Larkfield Farm",
        "Quay Street Books", "Studio Weber", "The Anchor Inn", "Bluebell Nursery", "Hansen Boatyard", "Saltmarsh Radio",
        "Ottery Dental", "Pier Cycles", "Rookwood Law", "Tamsin O'Neill", "Ferry Bakery", "Gull Rock Hotel",
        "Westbeach Surf", "Old Mill Theatre",
    ]

    private static let productKinds: [(name: String, group: Int, price: Int)] = [
        ("Case", 1, 690_000), ("Power supply", 1, 845_000), ("Mainboard", 2, 1_290_000), ("Processor", 2, 2_180_000),
        ("Memory module", 2, 549_500), ("Solid-state disk", 3, 799_000), ("Hard disk", 3, 945_000),
        ("Graphics card", 4, 3_495_000), ("Monitor", 4, 2_299_000), ("Keyboard", 5, 395_000),
    ]

    /// The products of group 10, each in seven sizes: for the action `TestStoredProcedure`, whose documented call asks for
    /// that group and counts 42.
    private static let protection: [(name: String, price: Int)] = [
        ("Network filter", 189_000), ("Surge strip", 245_000), ("Battery backup", 1_490_000),
        ("Line conditioner", 1_120_000), ("Cable lock", 129_500), ("Dust cover", 89_000),
    ]

    /// What the documented call names first.
    private static let firstOfProtection = "APC ProtectNet PNET1GB"

    private static let productLines = ["Shore", "Reef", "Current", "Deep"]

    private static let workers: [(last: String, first: String, born: String, phone: String?, position: String)] = [
        ("Marsh", "Ellen", "1984-03-12", "+44 1632 960101", "Manager"),
        ("Okafor", "Daniel", "1990-11-02", "+44 1632 960102", "Sales"),
        ("Lindqvist", "Maja", "1995-06-27", nil, "Sales"),
        ("Pereira", "Rui", "1979-01-19", "+44 1632 960104", "Purchasing"),
        ("Novak", "Jana", "1988-09-05", "+44 1632 960105", "Accounts"),
        ("Achterberg", "Joost", "2001-04-30", nil, "Workshop"),
        ("Sato", "Kenji", "1993-12-14", "+44 1632 960107", "Workshop"),
        ("Bright", "Olive", "1969-08-08", "+44 1632 960108", "Service"),
    ]

    private static var rows: String {
        var numbers = DemoNumbers(seed: 20_261_121)
        var sql = ""
        var clients: [String] = []
        for (place, name) in clientNames.enumerated() {
            let id = numbers.guid()
            clients.append(id)
            // Every fifth client left no number. 01632 960xxx is kept for stories.
            let phone = place % 5 == 4 ? "NULL" : DemoSQL.text("+44 1632 9602\(DemoSQL.two(place))")
            sql += "INSERT INTO Clients VALUES (\(DemoSQL.text(id)), \(DemoSQL.text(name)), \(phone));\n"
        }
        var prices: [Int] = []
        for line in productLines.indices {
            for kind in productKinds {
                prices.append(kind.price + kind.price / 4 * line)
                let name = "\(kind.name) \(productLines[line])"
                sql += "INSERT INTO Products VALUES (\(prices.count), \(DemoSQL.text(name)), \(kind.group), "
                sql += "\(DemoSQL.money(prices[prices.count - 1])));\n"
            }
        }
        for (place, size) in (1...7).flatMap({ size in protection.indices.map { ($0, size) } }).enumerated() {
            let kind = protection[size.0]
            let name = place == 0 ? firstOfProtection : "\(kind.name) \(size.1)"
            let price = kind.price + kind.price / 8 * (size.1 - 1)
            sql += "INSERT INTO Products VALUES (\(prices.count + 1 + place), \(DemoSQL.text(name)), 10, "
            sql += "\(DemoSQL.money(price)));\n"
        }
        for order in 1...60 {
            let date =
                "\(DemoSQL.date(day: order * 5 + numbers.below(4)))T\(DemoSQL.two(8 + numbers.below(10))):"
                + "\(DemoSQL.two(numbers.below(60))):00Z"
            let status = order <= 40 ? 2 : numbers.below(2)
            let client = clients[numbers.below(clients.count)]
            sql += "INSERT INTO Orders (OrderDate, OrderStatus, Client) "
            sql += "VALUES ('\(date)', \(status), \(DemoSQL.text(client)));\n"
            let first = numbers.below(prices.count)
            for detail in 0..<3 {
                let product = (first + detail * 7) % prices.count
                let quantity = 1 + numbers.below(6)
                let price = prices[product]
                sql += "INSERT INTO OrderDetails (\"Order\", Product, Quantity, Price, Total) VALUES (\(order), "
                sql += "\(product + 1), \(quantity), \(DemoSQL.money(price)), \(DemoSQL.money(price * quantity)));\n"
            }
        }
        for worker in workers {
            sql += "INSERT INTO Workers (LastName, FirstName, BirthDate, Phone, Position) VALUES ("
            sql += "\(DemoSQL.text(worker.last)), \(DemoSQL.text(worker.first)), '\(worker.born)', "
            sql += "\(worker.phone.map(DemoSQL.text) ?? "NULL"), \(DemoSQL.text(worker.position)));\n"
        }
        return sql
    }
}
