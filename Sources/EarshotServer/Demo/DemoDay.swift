import EarshotModel

/// A day of the demo brand, told backwards from now: what consumers and agents said, and how it ended. Everything that
/// a page can show appears in it.
public enum DemoDay {
    /// How much of it.
    public enum Mode: Sendable {
        /// A day that is over, and nobody at the services.
        case quiet
        /// The same, and consumers and agents who go on.
        case busy
    }

    struct Talk {
        let consumer: String
        let skill: SkillID
        var language = "en"
        let lines: [Line]
    }

    struct Line {
        /// How long ago.
        let minutes: Double
        /// Nobody: the consumer; `dana`: an agent.
        let by: String?
        let act: Act
    }

    enum Act {
        case text(String)
        /// A file of Web/demo/voices.
        case voice(String)
        case note(String, mentions: [String] = [])
        case take, close
        case transfer(SkillID?, to: String? = nil, note: String? = nil)
        case callback(minutes: Int)
        case tags([String])
        case dispose(String)
        case rate(Int, nps: Int? = nil, String? = nil)
        case fact(String, String)
    }

    static func consumer(_ minutes: Double, _ text: String) -> Line {
        Line(minutes: minutes, by: nil, act: .text(text))
    }
    static func spoken(_ minutes: Double, _ file: String) -> Line { Line(minutes: minutes, by: nil, act: .voice(file)) }
    static func agent(_ minutes: Double, _ name: String, _ text: String) -> Line {
        Line(minutes: minutes, by: name, act: .text(text))
    }
    static func does(_ minutes: Double, _ name: String?, _ act: Act) -> Line {
        Line(minutes: minutes, by: name, act: act)
    }

    static let talks: [Talk] = waiting + working + over
}

extension DemoDay {
    /// In the queues.
    private static let waiting = [
        Talk(consumer: "Ella Brandt", skill: DemoContactCentre.advice, lines: [spoken(4, "tent")]),
        Talk(
            consumer: "Tom Okafor", skill: DemoContactCentre.orders,
            lines: [consumer(11, "Hi, where is my parcel? FW-4711"), spoken(10, "parcel")]),
        Talk(
            consumer: "Aylin Demir", skill: DemoContactCentre.advice, language: "de",
            lines: [consumer(2, "Hallo! Welcher Schlafsack hält minus zehn Grad aus?")]),
        Talk(
            consumer: "Greta Lindqvist", skill: DemoContactCentre.advice,
            lines: [
                spoken(38, "stove"), does(36, "omar", .take),
                agent(35, "omar", "Good question. Gas may not go on the ferry, but every outdoor shop in Oslo has it."),
                consumer(21, "And by train? We go via Gothenburg."),
                does(
                    20, "omar",
                    .note("Rail rules: not sure about gas on SJ. Somebody from advice knows?", mentions: ["lea"])),
                does(
                    19, "omar",
                    .transfer(
                        DemoContactCentre.advice, to: "lea",
                        note: "She goes by train via Gothenburg; is gas allowed on SJ?")),
            ]),
    ]

    /// Being answered.
    private static let working = [
        Talk(
            consumer: "Marta Rossi", skill: DemoContactCentre.advice,
            lines: [
                spoken(52, "boots"), does(51, "dana", .take),
                agent(
                    50, "dana",
                    "Hello Marta, of course you can. Which size do you have now, and which would you like?"),
                consumer(48, "39, and I would like 39.5"), does(47, "dana", .fact("order", "FW-3920")),
                agent(46, "dana", "Let me look whether the warehouse has them."),
                does(46, "dana", .callback(minutes: 90)), does(46, "dana", .tags(["vip"])),
            ]),
        Talk(
            consumer: "Jonas Weber", skill: DemoContactCentre.orders,
            lines: [
                consumer(33, "Can I still change the address of FW-4802?"), does(32, "dana", .take),
                agent(31, "dana", "Yes, it leaves at four. What is the new one?"),
                consumer(6, "Gartenweg 9, 10999 Berlin"), consumer(5, "Sorry for the delay!"),
            ]),
        Talk(
            consumer: "Sofia Marques", skill: DemoContactCentre.returns,
            lines: [
                consumer(64, "The jacket came with a broken zip."), spoken(63, "jacket"), does(60, "ines", .take),
                agent(58, "ines", "Oh no. Please do not pull it. I send you a new one, and a label for the old one."),
                does(57, "ines", .tags(["damaged"])),
                consumer(55, "Perfect, thank you"),
            ]),
        Talk(
            consumer: "Peter Novak", skill: DemoContactCentre.orders,
            lines: [
                consumer(27, "My tent should have come yesterday, and we leave on Friday!"), does(26, "noah", .take),
                does(25, "noah", .note("Callback for yesterday, still in Leipzig. Express?", mentions: ["mira"])),
                does(24, "mira", .note("Yes, send a new one by express, on us.")),
                agent(22, "noah", "I am sending you another one by express today. It arrives on Thursday before noon."),
                does(22, "noah", .tags(["late parcel"])),
            ]),
        Talk(
            consumer: "Hanna Schulz", skill: DemoContactCentre.advice,
            lines: [
                consumer(17, "Do you have gift cards?"), does(16, "kenji", .take),
                agent(15, "kenji", "We do, from 20 euros, by e-mail or on paper."),
                consumer(13, "On paper please. How long does it take?"),
            ]),
    ]

    /// Closed today.
    private static let over =
        [
            ended(
                "Lukas Meyer", DemoContactCentre.advice, 410, "dana", "Is the Fjell 2 tent good in snow?",
                "It is made for three seasons. For snow I would take the Fjell 2 W.", 5, nps: 10),
            ended(
                "Chiara Conti", DemoContactCentre.orders, 395, "omar", "Can I pay when it arrives?",
                "Not yet, I am afraid. Invoice works, with 30 days.", 4),
            ended(
                "Yusuf Aydin", DemoContactCentre.returns, 372, "ines", "I want to send back the stove.",
                "Here is your label. The money is back three days after it arrives.", 5, nps: 9, disposition: "refund"),
            ended(
                "Emma Clark", DemoContactCentre.orders, 350, "noah", "FW-4688 lacks the pegs!",
                "So sorry. We sent them by letter today.", 3, nps: 6),
            ended(
                "Paul Richter", DemoContactCentre.advice, 331, "lea", "Which rope for a washing line, haha",
                "Any of them, haha. The 4 mm one is the cheapest.", 5, nps: 10),
            ended(
                "Ines Alvarez", DemoContactCentre.returns, 304, "noah", "Wrong colour, can I change it?",
                "Yes. I have set the blue one aside for you.", 4, disposition: "exchange"),
            ended(
                "Oskar Lund", DemoContactCentre.orders, 290, "dana", "Do you ship to Iceland?",
                "We do, 24 euros, about a week.", nil),
            ended(
                "Mia Wagner", DemoContactCentre.advice, 266, "kenji", "How do I wash down?",
                "In a wool programme with a tennis ball, and patience.", 5, nps: 9),
            ended(
                "David Cohen", DemoContactCentre.orders, 241, "omar", "Invoice for FW-4501 please",
                "Sent to your address.", 4),
            ended(
                "Nora Haugen", DemoContactCentre.advice, 215, "lea", "Is the pack a cabin bag?",
                "The 35 litre one is, with its belt folded away.", 2, nps: 4, words: "I waited very long"),
            ended(
                "Ben Fischer", DemoContactCentre.returns, 190, "ines", "Second pair of poles was in the box?",
                "Lucky you! Please send them back with this label.", 5, disposition: "solved"),
            ended(
                "Alice Martin", DemoContactCentre.orders, 161, "dana", "Please cancel FW-4790",
                "Done, nothing was charged.",
                5, nps: 10),
        ] + [
            Talk(
                consumer: "Karla Jensen", skill: DemoContactCentre.advice,
                lines: [
                    spoken(142, "tent"), does(141, "dana", .take), does(139, "dana", .voice("answer")),
                    spoken(137, "thanks"), agent(136, "dana", "My pleasure. Have a good trip!"),
                    does(135, "dana", .tags(["praise"])), does(134, "dana", .dispose("solved")),
                    does(134, "dana", .close), does(133, nil, .rate(5, nps: 10, "Dana is wonderful")),
                ])
        ]

    private static func ended(
        _ consumer: String, _ skill: SkillID, _ ago: Double, _ agent: String, _ question: String, _ answer: String,
        _ csat: Int?, nps: Int? = nil,
        disposition: String = "solved", words: String? = nil
    ) -> Talk {
        var lines = [
            self.consumer(ago, question), does(ago - 2, agent, .take), self.agent(ago - 4, agent, answer),
            self.consumer(ago - 6, "Thank you!"),
            does(ago - 8, agent, .dispose(disposition)), does(ago - 8, agent, .close),
        ]
        if let csat { lines.append(does(ago - 10, nil, .rate(csat, nps: nps, words))) }
        return Talk(consumer: consumer, skill: skill, lines: lines)
    }
}
