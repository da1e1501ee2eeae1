// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineService

/// The features of the model in a domain's file: read, written as they were read, refused with their line.
struct DomainFeaturesTests {
    static let text = """
        # A domain of Tideline. Edit it by hand as you like: the server reads it again when it changes.
        format: 1
        name: library
        database:
          kind: sqlite
          path: /data/library.sqlite
        # Open: everybody may read and change everything, signed in or not.
        open: true
        namespace: Library
        description: "Books and who borrows them"
        enumerations:
          - name: Color
            database: color_code
            type: Byte
            flags: true
            description: "What a cover shows"
            members:
              - {name: Red, value: 1}
              - {name: Green, value: 2, description: "as grass"}
          - name: State
            members:
              - {name: Ordered, value: 0}
              - {name: OnShelf, value: 1}
        complexTypes:
          - name: Place
            open: true
            properties:
              - {name: Room, type: String, nullable: false, maxLength: 20}
              - {name: Shelf, type: Int16}
          - name: Corner
            base: Place
            properties:
              - {name: Tags, collection: String, nullItems: true}
        sets:
          - name: Books
            type: Book
            table: books
            description: "All books"
            conflict: ask
            version: Version
            media: Content
            search: [Title]
            abstract: true
            discriminator: Kind
            derived:
              - {name: PaperBook, value: P}
              - {name: Series, abstract: true, description: "More to come"}
              - {name: Volume, base: Series, value: V}
            complex:
              - {name: Size, type: Extent, nullable: false}
              - {name: Inner, type: Extent, in: Size, description: "Without the cover"}
            key: [Id]
            properties:
              - {name: Id, type: Int32, nullable: false, generated: on-insert}
              - {name: Kind, type: String, nullable: false, immutable: true}
              - {name: Title, type: String, nullable: false, pattern: "^[A-Z].*$", conflict: "words else ask", description: "As on the cover"}
              - {name: Version, type: Int64, nullable: false, readOnly: true}
              - {name: Content, type: Binary, stream: {type: application/pdf, typeProperty: ContentType}}
              - {name: ContentType, type: String}
              - {name: Cover, column: cover_path, type: String, stream: {file: true}}
              - {name: Width, column: size_width, type: Int32, in: Size, min: 1, max: 999, unit: mm, conflict: maximum}
              - {name: Width, column: inner_width, type: Int32, in: Size/Inner}
              - {name: Colors, type: Byte, default: 3, enum: Color}
              - {name: State, type: Int32, storage: member-name, enum: State}
              - {name: Place, column: place_json, complex: Place}
              - {name: History, collection: Corner}
              - {name: Palette, collection: Color}
              - {name: Rest, dynamic: true}
              - {name: Found, type: GeographyPoint, storage: geojson, srid: 4326}
              - {name: Price, type: Decimal, precision: 9, scale: 2, of: PaperBook, currency: EUR}
            unique:
              - [Title, Size/Width]
            navigation:
              - {name: Readers, target: Readers, collection: true, link: {set: Loans, toOwner: Book, toTarget: Reader}, partner: Books}
              - {name: Pages, target: Pages, collection: true, on: [{from: Id, to: Book}], onDelete: Cascade, contains: true, of: PaperBook, description: "One by one"}
          - name: Readers
            type: Reader
            table: readers
            key: [Id]
            properties:
              - {name: Id, type: Int32, nullable: false}
            navigation:
              - {name: Books, target: Books, collection: true, link: {set: Loans, toOwner: Reader, toTarget: Book}, partner: Readers}
          - name: Loans
            type: Loan
            table: loans
            key: [BookId, ReaderId]
            properties:
              - {name: BookId, type: Int32, nullable: false}
              - {name: ReaderId, type: Int32, nullable: false}
            navigation:
              - {name: Book, target: Books, dependent: true, nullable: false, on: [{from: BookId, to: Id}]}
              - {name: Reader, target: Readers, dependent: true, nullable: false, on: [{from: ReaderId, to: Id}]}
          - name: Pages
            type: Page
            table: pages
            contained: true
            key: [Book, Number]
            properties:
              - {name: Book, type: Int32, nullable: false}
              - {name: Number, type: Int32, nullable: false}
        singletons:
          - {name: Librarian, set: Readers, key: [1], nullable: true, description: "Who is in charge"}
        policies: []

        """

    @Test func `every feature is written as it was read`() throws {
        let domain = try Domain(yaml: Self.text)
        #expect(domain.yaml == Self.text)
        #expect(try Domain(yaml: domain.yaml).model == domain.model)
    }

    @Test func `what the lines say is in the model`() throws {
        let model = try Domain(yaml: Self.text).model
        let book = try #require(model[set: "Books"]).type
        #expect(model[enumeration: "Color"]?.members.map(\.value) == [1, 2])
        #expect(model[complexType: "Corner"]?.baseType == "Place")
        #expect(book.wirePath(of: 8) == "Size/Inner/Width")
        #expect(book.properties[7].maximum == .integer(999))
        #expect(book.properties[4].stream == MediaStream(contentType: "application/pdf", contentTypeProperty: 5))
        #expect(book.properties[12].structure == .collection(of: .complex("Corner")))
        #expect(book.properties[13].structure == .collection(of: .enumeration("Color")))
        #expect(book.dynamicProperty == 14)
        #expect(book.conflictPolicy == .ask)
        #expect(book.properties[2].conflictPolicy == ConflictPolicy(.words, else: .ask))
        #expect(book.properties[7].conflictPolicy == .maximum)
        #expect(book.derivedTypes.map(\.discriminatorValue) == [.string("P"), nil, .string("V")])
        #expect(book.mediaProperty == 4 && book.version == 3 && book.discriminator == 1)
        #expect(book.navigationProperties[0].link == LinkTable(set: "Loans", toOwner: "Book", toTarget: "Reader"))
        #expect(book.navigationProperties[1].isContainment)
        #expect(model[singleton: "Librarian"]?.key == Key([.integer(1)]))
    }

    @Test func `members may be names alone, numbered in their order`() throws {
        let short = Self.text.replacing(
            "      - {name: Ordered, value: 0}\n      - {name: OnShelf, value: 1}",
            with: "      - Ordered\n      - OnShelf"
        )
        #expect(short != Self.text)
        #expect(try Domain(yaml: short).model == Domain(yaml: Self.text).model)
    }

    @Test(arguments: [
        (
            "enum: Color}", "enum: Colour}",
            "sets[1].properties[10].enum is \"Colour\", and there is no such enumeration."
        ),
        ("type: Byte, default", "type: Int32, default", "sets[1].properties[10].enum needs the type Byte."),
        (
            "complex: Place}", "complex: Plaza}",
            "sets[1].properties[12].complex is \"Plaza\", and there is no such complex type."
        ),
        (
            "collection: Corner", "collection: Korner",
            "sets[1].properties[13].collection is \"Korner\", which is no primitive type of OData."
        ),
        (
            "in: Size/Inner", "in: Size/Outer",
            "sets[1].properties[9].in is \"Size/Outer\", and no such complex property stands above."
        ),
        (
            "of: PaperBook, currency", "of: Scroll, currency",
            "sets[1].properties[17].of is \"Scroll\", and there is no such derived type."
        ),
        ("value: V}", "value: P}", "sets[1].derived[3] has the value of another type."),
        ("base: Series,", "base: Saga,", "sets[1].derived[3].base is \"Saga\", and no such type stands above."),
        ("media: Content", "media: Title", "sets[1].media is \"Title\", which is no stream."),
        ("search: [Title]", "search: [Version]", "sets[1].search[1] is \"Version\", which is no text."),
        ("typeProperty: ContentType", "typeProperty: Nothing", "Books has no property Nothing to stand here once."),
        ("type: Binary, stream", "type: Int32, stream", "sets[1].properties[5].stream needs the type Binary."),
        (
            "toOwner: Book, toTarget: Reader", "toOwner: Reader, toTarget: Reader",
            "Loans.Reader does not lead to Books, as Books.Readers needs it."
        ),
        (
            "link: {set: Loans, toOwner: Book", "link: {set: Lones, toOwner: Book",
            "The link table Lones of Books.Readers is no set."
        ),
        ("set: Readers, key: [1]", "set: Readers, key: [one]", "singletons[1].key[1] is not a value of Edm.Int32."),
        (
            "name: Librarian, set: Readers", "name: books, set: Readers",
            "There are two sets or singletons named books; letter case does not count."
        ),
        ("min: 1, max", "min: low, max", "sets[1].properties[8].min is not a value of Edm.Int32."),
        (
            "{name: Green, value: 2", "{name: Green, value: 256",
            "enumerations[1].members[2].value is not a value of Edm.Byte."
        ),
        ("conflict: ask", "conflict: {by: ask}", "sets[1].conflict is not text."),
        (
            "conflict: maximum", "conflict: newest",
            "sets[1].properties[8].conflict is \"newest\", which is none of serverWins, clientWins, lastEdit, counter, "
                + "union, minimum, maximum, words, lines, ask, custom(Name), alone or before \"else\" and one of "
                + "serverWins, clientWins, lastEdit, ask."
        ),
        (
            "conflict: maximum", "conflict: words",
            "sets[1].properties[8].conflict is \"words\", which needs a text."
        ),
        ("name: Corner\n", "name: State\n", "There are two types named State."),
        ("dynamic: true}", "dynamic: true, complex: Place}", "sets[1].properties[15] has complex and dynamic."),
    ])
    func `what cannot be is refused where it stands`(line: String, wrong: String, message: String) {
        let text = Self.text.replacing(line, with: wrong, maxReplacements: 1)
        #expect(text != Self.text)
        let error = #expect(throws: DomainError.self) { try Domain(yaml: text) }
        #expect(error?.message == message)
        #expect(error?.line != nil)
    }
}
