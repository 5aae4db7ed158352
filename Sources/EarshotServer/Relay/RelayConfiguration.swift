import Configuration
import Crypto
import EarshotCore
import Foundation

/// The servers that help calls connect, as the operator names them. docs/how-to/relay-calls.md.
public struct RelayConfiguration: Sendable, Equatable {
    /// Addresses such as `turn:relay.example:3478?transport=udp`.
    public var urls: [String] = []
    /// The file with the secret that the server shares with the relay, in one line.
    public var secretFile: String?
    /// Whether media may only go over the relay, so that no side learns where the other one is.
    public var isRequired = false

    static let mostURLs = 8
    static let secretBytes = 16...256

    /// The secret.
    /// - Throws: `ServerFailure` with what to do about the file.
    func secret() throws -> SymmetricKey? {
        guard let secretFile else { return nil }
        guard let content = FileManager.default.contents(atPath: secretFile) else {
            throw ServerFailure(
                .unusableData, "The relay's secret, \(secretFile) (EARSHOT_RELAY_SECRET_FILE), cannot be read.")
        }
        let secret = String(decoding: content, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard Self.secretBytes.contains(secret.utf8.count), !secret.contains(where: \.isNewline) else {
            throw ServerFailure(
                .unusableData,
                "The relay's secret, \(secretFile), must be one line of \(Self.secretBytes.lowerBound) to "
                    + "\(Self.secretBytes.upperBound) bytes: the value of static-auth-secret in turnserver.conf.")
        }
        return SymmetricKey(data: Data(secret.utf8))
    }

    /// What calls use.
    /// - Throws: `ServerFailure` where the secret cannot be used.
    func relay() throws -> CallRelay {
        CallRelay(urls: urls, secret: try secret(), isRequired: isRequired)
    }
}

extension ErrorCollector {
    /// The servers of calls.
    mutating func relay(_ reader: ConfigReader) -> RelayConfiguration {
        var relay = RelayConfiguration()
        relay.urls = reader.stringArray(forKey: "relay.urls", default: [])
        relay.secretFile = reader.string(forKey: "relay.secret.file")
        relay.isRequired = truth(reader.string(forKey: "relay.only"), "EARSHOT_RELAY_ONLY")
        let addresses = relay.urls.map(RelayAddress.init)
        if relay.urls.count > RelayConfiguration.mostURLs {
            all.append("EARSHOT_RELAY_URLS may name up to \(RelayConfiguration.mostURLs) addresses")
        }
        for (url, address) in zip(relay.urls, addresses) where address == nil {
            all.append(
                "EARSHOT_RELAY_URLS must name addresses like turn:relay.shop.example:3478?transport=udp or "
                    + "stun:relay.shop.example:3478, separated by commas, not \"\(url)\"")
        }
        let hasRelay = addresses.contains { $0?.scheme.isRelay == true }
        if hasRelay != (relay.secretFile != nil) {
            all.append(
                "EARSHOT_RELAY_SECRET_FILE and a turn: address in EARSHOT_RELAY_URLS must be set together")
        }
        if relay.isRequired, !hasRelay {
            all.append("EARSHOT_RELAY_ONLY needs a turn: address in EARSHOT_RELAY_URLS")
        }
        return relay
    }

    private mutating func truth(_ text: String?, _ name: String) -> Bool {
        switch text {
        case nil, "false": return false
        case "true": return true
        case let text?:
            all.append("\(name) must be true or false, not \"\(text)\"")
            return false
        }
    }
}
