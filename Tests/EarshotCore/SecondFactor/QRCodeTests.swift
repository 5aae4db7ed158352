import Testing

@testable import EarshotCore

@Suite struct `A QR code` {
    /// Read by zxing-cpp 2 as HELLO. The end-to-end tests read a whole link from the page with it.
    private static let hello = [
        "#######.##.#..#######",
        "#.....#..##.#.#.....#",
        "#.###.#..####.#.###.#",
        "#.###.#.#..#..#.###.#",
        "#.###.#.#...#.#.###.#",
        "#.....#.#.##..#.....#",
        "#######.#.#.#.#######",
        "........#####........",
        "#...#.######.#####..#",
        "...###..#.###..#.####",
        "#.##..#.#.##..###..#.",
        "###..#...#...##.#....",
        "..#.###..#..###...##.",
        "........###.###..#.##",
        "#######.##..##...#.#.",
        "#.....#....##..#...#.",
        "#.###.#.#..#..###.#.#",
        "#.###.#....##....#.##",
        "#.###.#..###..####...",
        "#.....#..#...##......",
        "#######.#...#####.#.#",
    ]

    @Test func `is the one that readers read`() throws {
        let code = try #require(QRCode("HELLO"))
        let rows = (0..<code.size).map { y in
            String((0..<code.size).map { x in code.isDark(x, y) ? "#" : "." as Character })
        }
        #expect(rows == Self.hello)
    }

    @Test(arguments: [
        (0, 21), (14, 21), (15, 25), (26, 25), (27, 29), (122, 45), (180, 53), (181, 57), (2_331, 177),
    ]) func `has the smallest size that holds the text`(bytes: Int, size: Int) throws {
        #expect(try #require(QRCode(String(repeating: "x", count: bytes))).size == size)
    }

    @Test func `holds 2,331 bytes at most`() {
        #expect(QRCode(String(repeating: "x", count: 2_332)) == nil)
    }

    @Test func `is a path of its dark modules`() throws {
        let code = try #require(QRCode("HELLO"))
        #expect(code.path.hasPrefix("M0 0h7v1h-7z") && code.path.wholeMatch(of: /(M\d+ \d+h\d+v1h-\d+z)+/) != nil)
        let drawn = code.path.matches(of: /h(\d+)v/).compactMap { Int($0.1) }.reduce(0, +)
        #expect(drawn == Self.hello.joined().count { $0 == "#" })
    }
}
