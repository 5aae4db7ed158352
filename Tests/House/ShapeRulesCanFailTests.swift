import Testing

@Suite struct `Each rule of shape` {
    private func source(_ text: String) -> SwiftSource { SwiftSource(path: "Bad.swift", text: text) }
    private func web(_ text: String, path: String = "Bad.ts") -> WebSource { WebSource(path: path, text: text) }
    private func lines(_ count: Int) -> String { String(repeating: "    a()\n", count: count) }

    @Test func `adds up a type's extensions over the files of a target`() {
        let body = source("struct A {\n\(lines(198))}\n")
        let rest = source("extension A: B\nwhere C: D {\n\(lines(198))}\n")
        #expect(Rules.typeSize([body, rest]).count == 1)
        #expect(Rules.typeSize([body, rest])[0].advice.contains("A is 401 lines long over 2 place(s)"))
        #expect(Rules.typeSize([body, source("extension A {\n\(lines(198))}\n")]).isEmpty)
        #expect(Rules.typeSize([body, source("struct B {\n\(lines(300))}\n")]).isEmpty, "another type")
    }

    @Test(arguments: [
        "final class A {\n    var a = 1\n}", "actor A {\n    public var a: Int { didSet { b() } }\n}",
        "struct A {\n    var a = 1\n    mutating func b() {}\n}", "final class A {\n    let a = Mutex<Int>(1)\n}",
        "enum A {\n    final class B {\n        weak var a: A?\n    }\n}", "class A {\n    var a = { 1 }()\n}",
    ])
    func `refuses state that others can change`(text: String) {
        #expect(Rules.ownedState([source(text)]).count == 1)
    }

    @Test func `refuses state whose type changes it in another file`() {
        let extensions = source("extension A {\n    mutating func b() {}\n}")
        #expect(Rules.ownedState([source("struct A {\n    var a = 1\n}"), extensions]).count == 1)
    }

    @Test(arguments: [
        "final class A {\n    private var a = 1\n    private(set) var b = 2\n"
            + "    let c = 3\n    static let d = Mutex(1)\n}",
        "struct A {\n    var a = 1\n    func b() {}\n}",
        "actor A {\n    var a: Int { 1 }\n    func b() {\n        var c = 1\n    }\n}",
    ])
    func `allows owned state, values without behaviour and computed properties`(text: String) {
        #expect(Rules.ownedState([source(text)]).isEmpty)
    }

    @Test(arguments: ["func a() {", "init(\n    a: Int\n) async {", "var a: Int {", "func a<B>() -> [B]\nwhere B: C {"])
    func `refuses a long function`(head: String) {
        #expect(Rules.functionLength(source("struct A {\n\(head)\n\(lines(60))}\n}")).count == 1)
    }

    @Test func `allows a function of 60 lines, and a long type of short functions`() {
        #expect(Rules.functionLength(source("func a() {\n\(lines(58))}")).isEmpty)
        #expect(Rules.functionLength(source("protocol A {\n    func a()\n}\nstruct B {\n\(lines(80))}")).isEmpty)
    }

    @Test(arguments: [
        "func a(b: Int, _ c: Int, d e: Int, f: [A: B], g: (A, B) -> C, h: D<A, B>) {}",
        "protocol A {\n    func b<C: D>(_: C, d: C, e: C, f: C, g: C, h: C)\n}",
        "struct A {\n    let b: B\n    static func make(b: B, c: B, d: B, e: B, f: B, g: B) -> A {}\n}",
        "struct A {\n    let b, c, d, e, f: B\n    init(b: B, c: B, d: B, e: B, f: B, g: B) {}\n}",
        "final class A {\n\(sixProperties)    init(\n\(sixParameters)    ) {}\n}",
        "struct A {\n    subscript(b: B, c: B, d: B, e: B, f: B, g: B) -> A { self }\n}",
    ])
    func `refuses a function with six parameters`(text: String) {
        #expect(Rules.parameterCount([source(text)]).count == 1)
    }

    @Test func `allows five parameters, and an initialiser of a struct from its stored properties`() {
        let memberwise = "    init(\n\(Self.sixParameters)    ) {}\n"
        let allowed = [
            "func a(b: Int, c: [A: B], d: (A, B) -> C = { $0 ? 1 : 2 }, e: D<A, B>, f: A = .init(b: 1, c: 2)) {}",
            "struct A {\n\(Self.sixProperties)\(memberwise)}",
            "func a() {\n    b(1, 2, 3, 4, 5, 6)\n}",
        ]
        for text in allowed { #expect(Rules.parameterCount([source(text)]).isEmpty, "\(text)") }
        let body = source("struct A {\n\(Self.sixProperties)}")
        #expect(Rules.parameterCount([body, source("extension A {\n\(memberwise)}")]).isEmpty, "in another file")
        #expect(Rules.parameterCount([body, source("extension B {\n\(memberwise)}")]).count == 1, "another type")
    }

    private static let sixProperties = "bcdefg".map { "    let \($0): B\n" }.joined()
    private static let sixParameters = "bcdefg".map { "        \($0): B,\n" }.joined()

    @Test(arguments: [
        "public struct A {}", "    package func a()", "public static let a = 1", "@inlinable\npublic init() {}",
        "/// A.\npublic enum A {\n    case a\n}", "/// A.\npackage protocol A {\n    func a()\n}",
        "// A.\npublic let a = 1",
        "public private(set) var a = 1", "/// A.\n\npublic let a = 1",
    ])
    func `refuses a published declaration without a doc comment`(text: String) {
        #expect(Rules.docComments(source(text)).count == 1)
    }

    @Test(arguments: [
        "/// A.\npublic struct A {\n    let a = 1\n    /// B.\n    @b(\"c\")\n    public let b = 1\n}",
        "struct A {\n    case a\n}",
        "/// A.\npublic enum A {\n    /// B.\n    case b, c\n"
            + "    func d() {\n        switch a {\n        case .b: 1\n        }\n    }\n}",
        "public extension A {}", "public import A", "public func hash(into hasher: inout Hasher) {}",
        "/** A. */\npublic let a = 1",
    ])
    func `allows what is documented, what is internal and what the standard library documents`(text: String) {
        #expect(Rules.docComments(source(text)).isEmpty)
    }

    @Test(arguments: [
        "let a = 1;", "export let a;", "const a = new Map();\nfunction b() { a.set(1, 2) }", "const a = [];\na.push(1)",
        "const a = new WeakMap<A, B>();", "const a: B = { c: 1 };\nfunction d() { a.c = 2 }", "var a = 1",
        "const a = new Store<B>({ c: 1 });", "const a = new Thing();", "export const a: Thing = new Thing(1);",
        "const a = new AudioContext();",
    ])
    func `refuses state of a module`(text: String) {
        #expect(Rules.webModuleState(web(text)).count == 1)
    }

    @Test(arguments: [
        "const a = 1;", "const a = new Map([[1, 2]]);\na.get(1)", "function a() {\n  let b = 1;\nlet c = 2;\n}",
        "class A {\n  b = new Map();\n}", "const a = [1];\nconst b = a[0] === 1;", "// let a = 1",
        "const a = { b: 1 };\nif (a.b == 2) c()",
        "const a = new Intl.Collator();", "const a = new TextEncoder();", "function a() {\n  const b = new Thing();\n}",
    ])
    func `allows constants and what belongs to a function or an object`(text: String) {
        #expect(Rules.webModuleState(web(text)).isEmpty)
    }

    @Test(arguments: [
        "function a(b: C): Promise<void> {", "const a = async (b) => {", "class A {\n  a(b) {", "a.on(\"b\", () => {",
    ])
    func `refuses a long function of Web`(head: String) {
        #expect(Rules.webFunctionLength(web("\(head)\n\(lines(40))}")).count == 1)
    }

    @Test func `allows a component 60 lines, and blocks that are no function`() {
        #expect(Rules.webFunctionLength(web("export function A() {\n\(lines(58))}", path: "a.tsx")).isEmpty)
        #expect(Rules.webFunctionLength(web("export function A() {\n\(lines(60))}", path: "a.tsx")).count == 1)
        #expect(Rules.webFunctionLength(web("export function a() {\n\(lines(58))}", path: "a.tsx")).count == 1)
        #expect(Rules.webFunctionLength(web("const A = () => (\n\(lines(60)));", path: "a.tsx")).count == 1)
        #expect(Rules.webFunctionLength(web("if (a) {\n\(lines(50))}\nconst b = {\n\(lines(50))};")).isEmpty)
    }
}
