public import EarshotModel

/// What a brand's name, colour, welcome text and allowed origins may be, for the command line and for managers alike.
public enum BrandRules {
    /// The lengths of a name, in characters.
    public static let nameLength = 1...100
    /// The longest welcome text, in characters.
    public static let longestWelcome = 500
    /// The longest label of a launcher, in characters.
    public static let longestLabel = 60
    /// The most origins of an app.
    public static let mostOrigins = 100

    /// Checks the name of a brand, an app or a person.
    /// - Throws: `out_of_range`.
    public static func check(name: String) throws(Rejection) {
        guard nameLength.contains(name.count) else {
            throw Rejection(
                .outOfRange, "A name must have 1 to \(nameLength.upperBound) characters.", at: "name",
                limit: nameLength.upperBound)
        }
    }

    /// Checks a colour.
    /// - Throws: `out_of_range`.
    public static func check(color: String) throws(Rejection) {
        guard color.wholeMatch(of: /#[0-9a-fA-F]{6}/) != nil else {
            throw Rejection(.outOfRange, "Write the colour as #rrggbb.", at: "color")
        }
    }

    /// Checks a welcome text. An empty one is the widget's own.
    /// - Throws: `out_of_range`.
    public static func check(welcome: String) throws(Rejection) {
        guard welcome.count <= longestWelcome else {
            throw Rejection(
                .outOfRange, "A welcome text has at most \(longestWelcome) characters.", at: "welcome",
                limit: longestWelcome)
        }
    }

    /// Checks the label of a launcher. An empty one is the loader's own.
    /// - Throws: `out_of_range`.
    public static func check(label: String) throws(Rejection) {
        guard label.count <= longestLabel else {
            throw Rejection(
                .outOfRange, "The launcher's label has at most \(longestLabel) characters.", at: "label",
                limit: longestLabel)
        }
    }

    /// Checks a choice of a fixed set.
    /// - Throws: `out_of_range`.
    public static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String, at field: String, of _: Choice.Type = Choice.self
    ) throws(Rejection) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Rejection(.outOfRange, "The launcher's \(field) is one of: \(choices).", at: field)
        }
        return choice
    }

    /// Checks the origins whose pages may embed an app.
    /// - Throws: `out_of_range`.
    public static func check(origins: [String]) throws(Rejection) {
        guard origins.count <= mostOrigins else {
            throw Rejection(
                .outOfRange, "An app has at most \(mostOrigins) origins.", at: "origins", limit: mostOrigins)
        }
        for origin in origins where origin.wholeMatch(of: /https?:\/\/[a-z0-9.-]+(:[0-9]+)?/) == nil {
            throw Rejection(
                .outOfRange,
                "\(origin.prefix(100)) is not an origin. "
                    + "Write it like https://shop.example: in lower case and without a path.",
                at: "origins")
        }
    }
}
