import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

@Suite struct `A card number in a text` {
    /// The test numbers that card schemes and payment services publish.
    static let published = [
        "4111111111111111", "4242424242424242", "4012888888881881", "4222222222222", "5555555555554444",
        "5105105105105100", "2223003122003222", "2223000048400011", "378282246310005", "371449635398431",
        "378734493671000", "6011111111111117", "6011000990139424", "30569309025904", "38520000023237",
        "36227206271667", "3530111333300000", "3566002020360505", "6200000000000005", "6759649826438453",
        "4917610000000000003",
    ]

    @Test(arguments: published)
    func `is masked but for its last four digits`(number: String) {
        let mask = String(repeating: "•", count: number.count - 4) + number.suffix(4)
        #expect(CardNumbers.masked(number) == mask)
        #expect(CardNumbers.masked("My card is \(number), thanks.") == "My card is \(mask), thanks.")
    }

    @Test(arguments: [
        ("4111 1111 1111 1111", "•••• •••• •••• 1111"),
        ("4111-1111-1111-1111", "••••-••••-••••-1111"),
        ("4111.1111.1111.1111", "••••.••••.••••.1111"),
        ("4111\u{A0}1111\u{A0}1111\u{A0}1111", "••••\u{A0}••••\u{A0}••••\u{A0}1111"),
        ("4111\u{2011}1111\u{2011}1111\u{2011}1111", "••••\u{2011}••••\u{2011}••••\u{2011}1111"),
        ("4111 - 1111 - 1111 - 1111", "•••• - •••• - •••• - 1111"),
        ("4111\n1111\n1111\n1111", "••••\n••••\n••••\n1111"),
        ("3782 822463 10005", "•••• •••••• •0005"),
        ("\u{FF14}111 1111 1111 1111", "•••• •••• •••• 1111"),
        ("٤١١١ ١١١١ ١١١١ ١١١١", "•••• •••• •••• ١١١١"),
        ("4111 1111 1111 1111 12 27 123", "•••• •••• •••• 1111 12 27 123"),
        ("12 27 4111 1111 1111 1111", "12 27 •••• •••• •••• 1111"),
        ("4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "• • • • • • • • • • • • 1 1 1 1"),
        ("4111111111111111 5555555555554444", "••••••••••••1111 ••••••••••••4444"),
        ("4111\u{200B}1111\u{200B}1111\u{200B}1111", "••••\u{200B}••••\u{200B}••••\u{200B}1111"),
    ])
    func `is found as people write it`(text: String, masked: String) {
        #expect(CardNumbers.masked(text) == masked)
        #expect(CardNumbers.masked(masked) == masked, "masking again changes nothing")
    }

    @Test(arguments: [
        "0000000000000000", "9999999999999995", "1234567812345670", "490154203237518", "49927398716", "79927398713",
        "4111111111111112", "8901260222780921759", "41111111111111111", "94111111111111111",
        "4111 1111 1111 11112",
        "4111    1111    1111    1111", "+49 151 1234 5678", "DE89 3704 0044 0532 0130 00", "1763798400000",
        "3.14159265358979", "Order 2026-000123-45", "", "no digits at all",
    ])
    func `is not seen in other numbers`(text: String) {
        #expect(CardNumbers.masked(text) == text)
    }

    @Test func `is found in all of 10,000 made ones`() {
        var random = SeededGenerator(seed: 59)
        let prefixes = [
            (["4"], [13, 16, 19]), (["51", "55", "2221", "2720"], [16]), (["34", "37"], [15]),
            (["6011", "644", "65"], [16, 19]), (["300", "36", "38"], [14]), (["3528", "3589"], [16]),
            (["50", "56", "67"], [12, 16, 19]), (["62"], [16, 19]),
        ]
        let separators = ["", " ", "-", ".", "\u{A0}", "\u{2011}", " - "]
        for _ in 0..<10_000 {
            let (starts, lengths) = prefixes[Int.random(in: 0..<prefixes.count, using: &random)]
            let length = lengths[Int.random(in: 0..<lengths.count, using: &random)]
            var digits = starts[Int.random(in: 0..<starts.count, using: &random)].compactMap(\.wholeNumberValue)
            while digits.count < length - 1 { digits.append(.random(in: 0..<10, using: &random)) }
            digits.append((0...9).first { Self.isValid(digits + [$0]) } ?? 0)
            let separator = separators[Int.random(in: 0..<separators.count, using: &random)]
            let text = stride(from: 0, to: digits.count, by: 4)
                .map { digits[$0..<min($0 + 4, digits.count)].map(String.init).joined() }.joined(separator: separator)
            let masked = CardNumbers.masked("card: \(text) ok?")
            #expect(masked.filter { $0 == "•" }.count == length - 4, "\(text)")
        }
    }

    @Test func `is seen in at most one of 1,000 order numbers, phone numbers, IMEIs and timestamps`() {
        var random = SeededGenerator(seed: 7)
        func digits(_ count: Int) -> String {
            (0..<count).map { _ in String(Int.random(in: 0..<10, using: &random)) }.joined()
        }
        var wrong = 0
        let count = 10_000
        for index in 0..<count {
            let text =
                switch index % 6 {
                case 0: "Order \(digits(10))"
                case 1: "Order \(Int.random(in: 100..<130, using: &random))-\(digits(7))-\(digits(7))"
                case 2: "+49 15\(digits(1)) \(digits(8))"
                case 3: "0\(digits(3)) \(digits(7))"
                case 4: "IMEI 35\(digits(13))"
                default: "\(Int.random(in: 1_700_000_000_000..<1_800_000_000_000, using: &random))"
                }
            if CardNumbers.masked(text) != text { wrong += 1 }
        }
        #expect(wrong <= count / 1000, "\(wrong)")
    }

    @Test func `cannot be guessed from a hash of the text`() {
        let text = Array("4111 1111 1111 1111".utf8)
        #expect(CardNumbers.withoutDigits(text) == Array("0000 0000 0000 0000".utf8))
        #expect(CardNumbers.withoutDigits(Array("٤111".utf8)) == Array("0000".utf8))
        #expect(CardNumbers.withoutDigits(Array("٤11".utf8)) == Array("٤11".utf8))
        #expect(CardNumbers.withoutDigits(Array("at 9:15".utf8)) == Array("at 9:15".utf8))
    }

    /// The rule of the check digit, written another way than in the product.
    private static func isValid(_ digits: [Int]) -> Bool {
        var sum = 0
        for (index, digit) in digits.reversed().enumerated() {
            sum += index % 2 == 0 ? digit : [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit]
        }
        return sum % 10 == 0
    }
}

@Suite struct `A conversation with card numbers` {
    private func texts(_ scenario: ConversationScenario) -> [String] {
        scenario.events.compactMap { if case .text(let text) = $0.kind { text } else { nil } }
    }

    @Test func `stores the masked text`() {
        let scenario = ConversationScenario().given(.say("4111 1111 1111 1111"), by: .consumer)
        #expect(texts(scenario) == ["•••• •••• •••• 1111"])
        #expect(scenario.state.last?.text == "•••• •••• •••• 1111")
    }

    @Test func `masks the last piece of a number in two or three messages`() {
        let two = ConversationScenario().given(.say("it is 4111 1111"), by: .consumer)
            .given(.say("1111 1111 ok?"), by: .consumer)
        #expect(texts(two) == ["it is 4111 1111", "•••• •••• ok?"])
        let three = ConversationScenario().given(.say("4111"), by: .consumer).given(.say("1111 1111"), by: .consumer)
            .given(.say("1111"), by: .consumer)
        #expect(texts(three) == ["4111", "1111 1111", "••••"])
    }

    @Test func `follows each author alone`() {
        let scenario = ConversationScenario().given(.say("4111 1111"), by: .consumer)
            .given(.say("go on"), by: .dana).given(.say("1111 1111"), by: .dana)
            .given(.say("1111 1111"), by: .consumer)
        #expect(texts(scenario) == ["4111 1111", "go on", "1111 1111", "•••• ••••"])
    }

    @Test(arguments: [(120, "•••• ••••"), (121, "1111 1111")])
    func `joins what is written within two minutes`(seconds: Int64, stored: String) {
        let scenario = ConversationScenario().given(.say("4111 1111"), by: .consumer)
            .after(seconds: seconds).given(.say("1111 1111"), by: .consumer)
        #expect(texts(scenario) == ["4111 1111", stored])
    }

    @Test func `does not join over a text between`() {
        let scenario = ConversationScenario().given(.say("4111 1111"), by: .consumer)
            .given(.say("hm"), by: .consumer).given(.say("1111 1111"), by: .consumer)
        #expect(texts(scenario).last == "1111 1111")
    }

    @Test func `masks notes, transfer notes, attributes and survey answers`() throws {
        let number = "4111111111111111"
        let mask = "••••••••••••1111"
        let open = ConversationScenario().given(.say("hello"), by: .consumer).given(.take, by: .dana)
        for command: Command in [
            .note(.init(text: number)), .attribute(.init(name: "card", value: number)),
            .transfer(.init(note: number)),
        ] {
            let kinds = "\(try open.kinds(of: command, by: .dana))"
            #expect(kinds.contains(mask) && !kinds.contains(number), "\(command)")
        }
    }

    @Test func `keeps the number where the brand wants that`() throws {
        let scenario = ConversationScenario()
        var context = scenario.context()
        context.masksCardNumbers = false
        let kinds = try scenario.kinds(of: .say("4111111111111111"), by: .consumer, in: context)
        #expect(kinds.last == .text("4111111111111111"))
    }

    @Test func `is the fold of its events`() {
        let scenario = ConversationScenario().given(.say("4111"), by: .consumer).given(.say("22 33"), by: .consumer)
        #expect(ConversationState.fold(scenario.events, of: scenario.state.identity) == scenario.state)
    }
}
