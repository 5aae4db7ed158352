/// Rules about the shape of Swift code: how long a type and a function may be, who may write a type's state, what is
/// documented.
extension Rules {
    static let longestType = 400
    static let longestSwiftFunction = 60
    static let mostParameters = 5

    /// A type is at most 400 lines long: its body and all its extensions in one target, with the types nested in them.
    static func typeSize(_ sources: [SwiftSource]) -> [Violation] {
        var found: [String: (lines: Int, places: [(path: String, line: Int, lines: Int)])] = [:]
        for source in sources {
            let declarations = SwiftDeclarations(source)
            for type in declarations.all where type.isType && type.keyword != "protocol" && type.body != nil {
                let lines = declarations.lineCount(of: type)
                let name = declarations.qualifiedName(of: type)
                found[name, default: (0, [])].lines += lines
                found[name, default: (0, [])].places.append((source.path, type.line + 1, lines))
            }
        }
        return found.filter { $0.value.lines > longestType }.sorted { $0.key < $1.key }.compactMap { name, type in
            type.places.max { $0.lines < $1.lines }.map { largest in
                Violation(
                    path: largest.path, line: largest.line,
                    advice: """
                        \(name) is \(type.lines) lines long over \(type.places.count) place(s); at most \
                        \(longestType) are allowed. Give one of its jobs, with the state that the job needs, to a \
                        type of its own.
                        """)
            }
        }
    }

    /// A type with behaviour owns its state. This holds for classes, actors, and structs with a mutating function:
    /// a stored `var` is private or private(set), and a stored `let` that holds a lock is private.
    static func ownedState(_ sources: [SwiftSource]) -> [Violation] {
        let files = sources.map { ($0, SwiftDeclarations($0)) }
        let mutating = Set(
            files.flatMap { _, declarations in
                declarations.all.filter { $0.keyword == "func" && $0.modifiers.contains("mutating") }
                    .compactMap { declarations.parent(of: $0).map(declarations.qualifiedName) }
            })
        return files.flatMap { source, declarations in
            declarations.all.filter(\.isStored).compactMap { property in
                guard let type = declarations.parent(of: property), !property.modifiers.contains("static"),
                    type.keyword == "class" || type.keyword == "actor"
                        || type.keyword == "struct" && mutating.contains(declarations.qualifiedName(of: type)),
                    property.modifiers.isDisjoint(with: ["private", "private(set)"]), mustBePrivate(property)
                else { return nil }
                let name = declarations.qualifiedName(of: type)
                return Violation(
                    path: source.path, line: property.line + 1,
                    advice: """
                        `\(property.name)` of \(name) can be changed from outside. Make it `private` or \
                        `private(set)` and give \(name) a method that makes the change.
                        """,
                    name: "\(name).\(property.name)")
            }
        }
    }

    private static func mustBePrivate(_ property: SwiftDeclaration) -> Bool {
        property.keyword == "var" || property.rest.contains(/\b(?:Mutex|Locked|Atomic)\s*[<(]/)
    }

    /// A function, initialiser or computed property is at most 60 lines long.
    static func functionLength(_ source: SwiftSource) -> [Violation] {
        let declarations = SwiftDeclarations(source)
        let functions: Set<String> = ["func", "init", "deinit", "subscript", "var"]
        return declarations.all.filter { functions.contains($0.keyword) && $0.body != nil }.compactMap { function in
            let lines = declarations.lineCount(of: function)
            guard lines > longestSwiftFunction else { return nil }
            return Violation(
                path: source.path, line: function.line + 1,
                advice: """
                    `\(function.name.isEmpty ? function.keyword : function.name)` is \(lines) lines long; at most \
                    \(longestSwiftFunction) are allowed (aim at 40). Move a step of it into a function with a name \
                    of its own.
                    """)
        }
    }

    /// A function, initialiser or subscript takes at most five parameters. An initialiser of a struct may take more if
    /// each of them is one of the struct's stored properties.
    static func parameterCount(_ sources: [SwiftSource]) -> [Violation] {
        let files = sources.map { ($0, SwiftDeclarations($0)) }
        var properties: [String: Set<String>] = [:]
        for (_, declarations) in files {
            for property in declarations.all where property.isStored {
                guard let type = declarations.parent(of: property), type.keyword == "struct" else { continue }
                properties[declarations.qualifiedName(of: type), default: []].insert(property.name)
            }
        }
        let functions: Set<String> = ["func", "init", "subscript"]
        return files.flatMap { source, declarations in
            declarations.all.filter { functions.contains($0.keyword) }.compactMap { function in
                let parameters = declarations.parameters(of: function)
                let type = declarations.parent(of: function).map(declarations.qualifiedName)
                let isMemberwise =
                    function.keyword == "init"
                    && type.flatMap { properties[$0] }?.isSuperset(of: parameters) == true
                guard parameters.count > mostParameters, !isMemberwise else { return nil }
                let name = function.name.isEmpty ? "\(type ?? "").\(function.keyword)" : function.name
                return Violation(
                    path: source.path, line: function.line + 1,
                    advice: """
                        `\(name)` takes \(parameters.count) parameters; at most \(mostParameters) are allowed. \
                        Declare a struct for those that belong together (for example \
                        `struct Request { let author: String; let at: Timestamp }`) and take that as one parameter. \
                        Only an initialiser of a struct may take more, if each parameter is a stored property of \
                        the struct.
                        """)
            }
        }
    }

    /// Members whose meaning a protocol of the standard library fixes: they need no comment of their own.
    private static let standardMembers: Set<String> = [
        "hash", "encode", "description", "debugDescription", "rawValue", "==",
    ]

    /// Every public and package declaration has a doc comment: types and their members, the requirements of protocols,
    /// enum cases.
    static func docComments(_ source: SwiftSource) -> [Violation] {
        let declarations = SwiftDeclarations(source)
        return declarations.all.filter { declaration in
            declaration.keyword != "extension" && isPublished(declaration, in: declarations)
                && !standardMembers.contains(declaration.name)
                && !(declaration.keyword == "init" && declaration.rest.hasPrefix("(from "))
                && !hasDocComment(above: declaration.line, in: source)
        }.map { declaration in
            Violation(
                path: source.path, line: declaration.line + 1,
                advice: """
                    \(declaration.keyword) \(declaration.name) has no doc comment. Add a `///` line that says in \
                    plain words what it is or does.
                    """)
        }
    }

    private static let publishing: Set<String> = ["public", "package", "open"]

    private static func isPublished(_ declaration: SwiftDeclaration, in declarations: SwiftDeclarations) -> Bool {
        guard declaration.modifiers.isDisjoint(with: publishing) else { return true }
        guard let parent = declarations.parent(of: declaration), !parent.modifiers.isDisjoint(with: publishing) else {
            return false
        }
        return parent.keyword == "enum" && declaration.keyword == "case" || parent.keyword == "protocol"
    }

    private static func hasDocComment(above line: Int, in source: SwiftSource) -> Bool {
        var above = line - 1
        while above >= 0 {
            let text = source.raw[above].drop { $0 == " " }
            if text.hasPrefix("///") || text.hasSuffix("*/") { return true }
            guard text.hasPrefix("@") || text.hasPrefix("#if") || text.hasPrefix("// swift-format-ignore") else {
                return false
            }
            above -= 1
        }
        return false
    }
}
