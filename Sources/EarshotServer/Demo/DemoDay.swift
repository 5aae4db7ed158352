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
    /// In the queues, none of which Dana has.
    private static let waiting = [
        Talk(
            consumer: "Tom Okafor", skill: DemoContactCentre.orders,
            lines: [consumer(11, "Hi, where is my parcel? FW-4711"), spoken(10, "parcel")]),
        Talk(
            consumer: "Aylin Demir", skill: DemoContactCentre.returns, language: "de",
            lines: [consumer(2, "Hallo! Wohin schicke ich den Schlafsack zurück?")]),
        Talk(
            consumer: "Greta Lindqvist", skill: DemoContactCentre.advice,
            lines: [
                spoken(38, "stove"), does(36, "omar", .take),
                agent(35, "omar", "Good question. Gas may not go on the ferry, but every outdoor shop in Oslo has it."),
                consumer(21, "Then please send the stove to our cabin in Norway."),
                does(
                    20, "omar",
                    .note("A cabin without a street: do we ship there? Somebody from orders knows?", mentions: ["noah"])
                ),
                does(
                    19, "omar",
                    .transfer(DemoContactCentre.orders, note: "She wants her stove sent to a cabin in Norway.")),
            ]),
    ]

    /// Being answered.
    private static let working = [
        Talk(
            consumer: "Ella Brandt", skill: DemoContactCentre.advice,
            lines: [spoken(4, "tent"), does(3, "omar", .take)]),
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
    private static let over: [Talk] =
        [
            Answered(
                consumer: "Lukas Meyer", skill: DemoContactCentre.advice, ago: 410, agent: "dana",
                question: "Is the Fjell 2 tent good in snow?",
                answer: "It is made for three seasons. For snow I would take the Fjell 2 W.",
                rating: .rate(5, nps: 10)),
            Answered(
                consumer: "Chiara Conti", skill: DemoContactCentre.orders, ago: 395, agent: "omar",
                question: "Can I pay when it arrives?",
                answer: "Not yet, I am afraid. Invoice works, with 30 days.",
                rating: .rate(4)),
            Answered(
                consumer: "Yusuf Aydin", skill: DemoContactCentre.returns, ago: 372, agent: "ines",
                question: "I want to send back the stove.",
                answer: "Here is your label. The money is back three days after it arrives.",
                rating: .rate(5, nps: 9), disposition: "refund"),
            Answered(
                consumer: "Emma Clark", skill: DemoContactCentre.orders, ago: 350, agent: "noah",
                question: "FW-4688 lacks the pegs!",
                answer: "So sorry. We sent them by letter today.",
                rating: .rate(3, nps: 6)),
            Answered(
                consumer: "Paul Richter", skill: DemoContactCentre.advice, ago: 331, agent: "lea",
                question: "Which rope for a washing line, haha",
                answer: "Any of them, haha. The 4 mm one is the cheapest.",
                rating: .rate(5, nps: 10)),
            Answered(
                consumer: "Ines Alvarez", skill: DemoContactCentre.returns, ago: 304, agent: "noah",
                question: "Wrong colour, can I change it?",
                answer: "Yes. I have set the blue one aside for you.",
                rating: .rate(4), disposition: "exchange"),
            Answered(
                consumer: "Oskar Lund", skill: DemoContactCentre.orders, ago: 290, agent: "dana",
                question: "Do you ship to Iceland?",
                answer: "We do, 24 euros, about a week."),
            Answered(
                consumer: "Mia Wagner", skill: DemoContactCentre.advice, ago: 266, agent: "kenji",
                question: "How do I wash down?",
                answer: "In a wool programme with a tennis ball, and patience.",
                rating: .rate(5, nps: 9)),
            Answered(
                consumer: "David Cohen", skill: DemoContactCentre.orders, ago: 241, agent: "omar",
                question: "Invoice for FW-4501 please",
                answer: "Sent to your address.",
                rating: .rate(4)),
            Answered(
                consumer: "Nora Haugen", skill: DemoContactCentre.advice, ago: 215, agent: "lea",
                question: "Is the pack a cabin bag?",
                answer: "The 35 litre one is, with its belt folded away.",
                rating: .rate(2, nps: 4, "I waited very long")),
            Answered(
                consumer: "Ben Fischer", skill: DemoContactCentre.returns, ago: 190, agent: "ines",
                question: "Second pair of poles was in the box?",
                answer: "Lucky you! Please send them back with this label.",
                rating: .rate(5), disposition: "solved"),
            Answered(
                consumer: "Alice Martin", skill: DemoContactCentre.orders, ago: 161, agent: "dana",
                question: "Please cancel FW-4790",
                answer: "Done, nothing was charged.",
                rating: .rate(5, nps: 10)),
        ].map(\.talk) + [
            Talk(
                consumer: "Karla Jensen", skill: DemoContactCentre.advice,
                lines: [
                    spoken(142, "tent"), does(141, "dana", .take), does(139, "dana", .voice("answer")),
                    spoken(137, "thanks"), agent(136, "dana", "My pleasure. Have a good trip!"),
                    does(135, "dana", .tags(["praise"])), does(134, "dana", .dispose("solved")),
                    does(134, "dana", .close), does(133, nil, .rate(5, nps: 10, "Dana is wonderful")),
                ])
        ]

    /// A conversation of one question and one answer, which its agent closed.
    private struct Answered {
        let consumer: String
        let skill: SkillID
        /// How many minutes ago it began.
        let ago: Double
        let agent: String
        let question: String
        let answer: String
        /// The consumer's answer to the survey, if any.
        var rating: Act?
        var disposition = "solved"

        var talk: Talk {
            var lines = [
                DemoDay.consumer(ago, question), does(ago - 2, agent, .take), DemoDay.agent(ago - 4, agent, answer),
                DemoDay.consumer(ago - 6, "Thank you!"),
                does(ago - 8, agent, .dispose(disposition)), does(ago - 8, agent, .close),
            ]
            if let rating { lines.append(does(ago - 10, nil, rating)) }
            return Talk(consumer: consumer, skill: skill, lines: lines)
        }
    }
}
