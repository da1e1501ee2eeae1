// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

/// One record of a text, a decimal and another text, viewed and edited: each call a process of its own.
struct FilmTests {
    private static let nosferatu: [String: JSON] = ["Id": 2, "Title": "Nosferatu", "Gross": 1.5, "Summary": "Night"]

    /// A film as the service tells it, without what it says about the entity.
    private func film(_ address: String, _ tool: Tool) throws -> [String: JSON] {
        let answer = try tool.run("-sS", "-f", "-g", address, executable: "/usr/bin/curl")
        #expect(answer.status == 0, "\(answer)")
        let film = try JSONDecoder().decode([String: JSON].self, from: Data(answer.output.utf8))
        return film.filter { !$0.key.hasPrefix("@") }
    }

    @Test(.covers("MD-I01"))
    func `title, gross and summary of a film are edited on the device and over HTTP, and read anew by the other`()
        throws
    {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("films.sqlite"))
        try database.execute(
            """
            CREATE TABLE Films (
                Id INTEGER PRIMARY KEY, Title TEXT NOT NULL, Gross DECIMAL(12,2), Summary TEXT NOT NULL);
            INSERT INTO Films VALUES (1, 'Metropolis', 75000, 'Machines'), (2, 'Nosferatu', 1.5, 'Night');
            """
        )
        let (tool, data) = (Tool(home: folder.path), folder.file("data"))
        try tool.succeed("publish", "sqlite:" + database.path, "--data", data, "--domain", "films", "--open")
        let server = try ServerProcess(data: data)
        let service = server.address + "/odata/films/"
        let device = try Device("a", of: service, in: folder)
        #expect(
            try device.query("Films?$orderby=Id")
                == [["Id": 1, "Title": "Metropolis", "Gross": 75000, "Summary": "Machines"], Self.nosferatu]
        )

        try device.update("Films", "1", #"{"Title":"M","Gross":65000000.5,"Summary":""}"#)
        let onDevice: [String: JSON] = ["Id": 1, "Title": "M", "Gross": 65000000.5, "Summary": ""]
        #expect(try device.query("Films?$orderby=Id") == [onDevice, Self.nosferatu])
        try device.sync()
        #expect(try film(service + "Films(1)", tool) == onDevice)
        let row = "SELECT Title || '|' || Gross || '|' || Summary FROM Films WHERE Id = 1"
        #expect(try database.texts(row) == ["M|65000000.5|"])

        let edited = try tool.run(
            arguments: [
                "-sS", "-f", "-g", "-X", "PATCH", "-H", "Content-Type: application/json", "-d",
                #"{"Title":"Die Nibelungen","Gross":0.25,"Summary":"Two parts"}"#, service + "Films(1)",
            ],
            executable: "/usr/bin/curl"
        )
        #expect(edited.status == 0, "\(edited)")
        try device.sync()
        let overHTTP: [String: JSON] = ["Id": 1, "Title": "Die Nibelungen", "Gross": 0.25, "Summary": "Two parts"]
        #expect(try device.query("Films?$orderby=Id") == [overHTTP, Self.nosferatu])
        #expect(try film(service + "Films(1)", tool) == overHTTP)
        try device.verify()
        #expect(server.stop() == 0)
    }
}
