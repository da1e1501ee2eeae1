// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Images of disks, of which each page is kept once: thousands of databases differ in a few pages.
struct PageShelf {
    /// An image whose bytes are on the shelf.
    struct Image: Hashable {
        struct File: Hashable {
            var path: String
            /// In bytes.
            var size: Int
            var pages: [Int32]
        }

        var folders: [String]
        /// In the order of their paths.
        var files: [File]
    }

    private static let page = 4096
    private var pages: [[UInt8]] = []
    private var places: [[UInt8]: Int32] = [:]

    mutating func put(_ image: DiskImage) -> Image {
        var files: [Image.File] = []
        for (path, bytes) in image.files.sorted(by: { $0.key < $1.key }) {
            let starts = stride(from: 0, to: bytes.count, by: Self.page)
            let pages = starts.map { put(Array(bytes[$0..<min($0 + Self.page, bytes.count)])) }
            files.append(Image.File(path: path, size: bytes.count, pages: pages))
        }
        return Image(folders: image.folders, files: files)
    }

    private mutating func put(_ page: [UInt8]) -> Int32 {
        if let place = places[page] { return place }
        let place = Int32(pages.count)
        places[page] = place
        pages.append(page)
        return place
    }

    func take(_ image: Image) -> DiskImage {
        var result = DiskImage(folders: image.folders)
        for file in image.files {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(file.size)
            for page in file.pages { bytes += pages[Int(page)] }
            result.files[file.path] = bytes
        }
        return result
    }
}
