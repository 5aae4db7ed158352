import EarshotModel

extension WireType {
    /// The type as a TypeScript reader gives it. An omitted list is empty, `null` is absent, and a tuple has names.
    var asRead: WireType {
        switch self {
        case .list(let type): .list(type.asRead)
        case .nullable(let type): type.asRead
        case .empty: .object([])
        case .object(let fields): .object(fields.map(\.asRead))
        case .tuple(let fields):
            .object(fields.map { WireField($0.name, $0.type == .integer(0...1) ? .boolean : $0.type.asRead) })
        default: self
        }
    }
}

extension WireField {
    fileprivate var asRead: WireField {
        if case .list = type { return WireField(name, type.asRead) }
        if case .nullable = type { return WireField(name, type.asRead, optional: true) }
        return WireField(name, type.asRead, optional: isOptional)
    }
}

extension WireEventKind {
    /// What a reader puts next to the kind: the members of the kind's object, or the kind itself where it is none.
    var content: WireType {
        switch type {
        case .object, .empty: type
        default: .object([WireField(name, type)])
        }
    }
}

extension WireFrame {
    /// Whether no consumer sends or gets this frame.
    var isAgents: Bool { audience == .agent }
}

extension WireSchema {
    /// The named types that only the frames of agents use, or those that consumers' frames use.
    static func types(isAgents: Bool) -> [(name: String, type: WireType, about: String)] {
        types.filter { ["ConsumerCard", "InboxRow", "Colleague", "Wall"].contains($0.name) == isAgents }
    }
}
