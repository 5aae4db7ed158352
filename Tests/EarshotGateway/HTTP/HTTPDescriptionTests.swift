import EarshotModel
import FoundationEssentials
import HTTPTypes
import Logging
import Testing

@testable import EarshotGateway

/// docs/openapi.yaml and docs/protocol.md against the table that the server runs on.
@Suite struct `The description of the routes` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    private static func document(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: "docs/\(name)")), as: UTF8.self)
    }

    private static func routes() async throws -> [Route] {
        let brand = try await TestBrand()
        return try GatewayParts(
            GatewayConfiguration(host: "127.0.0.1", port: 0, security: .loopback), services: brand.services,
            metrics: GatewayMetrics(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ).router.routes
    }

    @Test func `in OpenAPI has every route and no other`() async throws {
        let operations = Self.operations(try Self.document("openapi.yaml"))
        let routes = try await Self.routes()
        #expect(Set(operations.keys) == Set(routes.map(\.title)))
    }

    @Test func `in OpenAPI has every field, its need and its limit`() async throws {
        let operations = Self.operations(try Self.document("openapi.yaml"))
        for route in try await Self.routes() {
            let text = try #require(operations[route.title])
            for field in route.body.fields {
                #expect(text.contains("\n                \(field.name): {"), "\(route.title): \(field.name)")
                if case .text(let bytes) = field.kind {
                    let type = field.isRequired ? "string" : "[string, \"null\"]"
                    let described = "\(field.name): { type: \(type), maxLength: \(bytes)"
                    #expect(
                        text.contains(described + " }") || text.contains(described + ","),
                        "\(route.title): \(field.name)")
                }
            }
            let required = route.body.fields.filter(\.isRequired).map(\.name).joined(separator: ", ")
            if !required.isEmpty { #expect(text.contains("required: [\(required)]"), "\(route.title)") }
            #expect(text.contains("consumer: []") == (route.handler.takesConsumers), "\(route.title)")
            #expect(text.contains("agent: []") == (route.handler.takesAgents), "\(route.title)")
            #expect(text.contains("csrf: []") == (route.handler.takesAgents && route.changesState), "\(route.title)")
        }
    }

    @Test func `in the protocol has every route`() async throws {
        let protocolText = try Self.document("protocol.md")
        for route in try await Self.routes() { #expect(protocolText.contains("`\(route.title)"), "\(route.title)") }
    }

    @Test func `in the protocol names the permission of each route`() async throws {
        let rows = try Self.document("protocol.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        for route in try await Self.routes() {
            guard let permission = route.handler.permission, permission != .readConversations else { continue }
            let row = try #require(rows.first { $0.contains("`\(route.title)") }, "\(route.title)")
            #expect(
                row.contains("`\(permission.rawValue)`") || row.contains("the same permission"), "\(route.title)")
        }
    }

    /// The text of each operation: `POST /v1/login` and the lines below it.
    private static func operations(_ document: String) -> [String: String] {
        var found: [String: String] = [:]
        var path: Substring = ""
        var title: String?
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "components:" { break }
            let indent = line.prefix { $0 == " " }.count
            if indent == 2, line.hasPrefix("  /"), line.hasSuffix(":") {
                (path, title) = (line.dropFirst(2).dropLast(), nil)
            }
            if indent == 4, line.hasSuffix(":") {
                let method = line.dropFirst(4).dropLast()
                title = method == "parameters" ? nil : "\(method.uppercased()) \(path)"
            }
            if let title { found[title, default: ""] += "\n" + line }
        }
        return found
    }
}
