import EarshotModel
public import Foundation

/// The files that are generated from `WireSchema`: JSON Schemas, the AsyncAPI document, TypeScript, the coding keys of
/// the Swift types, tables in docs/protocol.md, and the permissions in docs/openapi.yaml.
///
/// `bin/generate` writes the files. A test fails if generating them again changes one.
public enum GeneratedFiles {
    /// The path and the complete text of each generated file.
    ///
    /// - Parameters:
    ///   - protocolPage: the current text of docs/protocol.md, of which only the tables are replaced.
    ///   - openAPI: the current text of docs/openapi.yaml, of which only the permissions are replaced.
    public static func all(protocolPage: String, openAPI: String) -> [(path: String, text: String)] {
        [
            ("docs/schema/client-frames.json", JSONSchemaWriter.clientFrames),
            ("docs/schema/server-frames.json", JSONSchemaWriter.serverFrames),
            ("docs/schema/settings.json", JSONSchemaWriter.settings),
            ("docs/schema/codes.json", JSONSchemaWriter.codes),
            ("docs/schema/limits.json", JSONSchemaWriter.limits),
            ("docs/schema/asyncapi.yaml", AsyncAPIWriter.document),
            ("Sources/EarshotModel/Wire/WireKeys.swift", SwiftKeysWriter.keys),
            ("Web/protocol/frames.ts", TypeScriptWriter.frames),
            ("Web/protocol/agent-frames.ts", TypeScriptWriter.agentFrames),
            ("Web/protocol/shapes.ts", ShapeWriter.shared),
            ("Web/protocol/agent-shapes.ts", ShapeWriter.agents),
            ("Web/protocol/call-shapes.ts", ShapeWriter.calls),
            ("Web/protocol/codes.ts", TypeScriptWriter.codes),
            ("Web/protocol/limits.ts", TypeScriptWriter.limits),
            ("Web/protocol/permissions.ts", PermissionWriter.typeScript),
            ("Web/protocol/settings.ts", TypeScriptWriter.settings),
            ("docs/protocol.md", ProtocolTables.filled(into: protocolPage)),
            ("docs/openapi.yaml", PermissionWriter.filled(into: openAPI)),
        ]
    }

    /// The paths of the generated files that are missing or out of date in the repository at `root`.
    public static func outdated(in root: URL) throws -> [String] {
        try current(root).filter { file in
            file.text != (try? String(contentsOf: root.appending(path: file.path), encoding: .utf8))
        }.map(\.path)
    }

    /// Writes all generated files into the repository at `root`.
    public static func write(into root: URL) throws {
        for (path, text) in try current(root) {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    private static func current(_ root: URL) throws -> [(path: String, text: String)] {
        func page(_ name: String) throws -> String {
            try String(contentsOf: root.appending(path: "docs/\(name)"), encoding: .utf8)
        }
        return all(protocolPage: try page("protocol.md"), openAPI: try page("openapi.yaml"))
    }
}
