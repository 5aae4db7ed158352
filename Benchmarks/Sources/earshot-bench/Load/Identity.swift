import Foundation

/// An anonymous consumer of the demo brand, created as the widget does it.
struct Consumer {
    let token: String
    let conversation: String

    /// Makes `count` of them, from many addresses: the server allows one address only five at once.
    static func make(_ count: Int, port: UInt16, tls: TLS? = nil) throws -> [Consumer] {
        var consumers: [Consumer] = []
        // From 127.1.0.0 on: every address of 127/8 is this machine.
        var source = UInt32.random(in: 1 << 16..<1 << 23)
        while consumers.count < count {
            source += 1
            let web = try WebClient(port: port, source: source, tls: tls)
            for _ in 0..<min(perAddress, count - consumers.count) { try consumers.append(make(over: web)) }
        }
        return consumers
    }

    static func make(over web: WebClient) throws -> Consumer {
        let object = try web.post("/v1/consumers", ["account": "demo", "app": "shop"]).object(expecting: 201)
        guard let token = object["token"] as? String, let conversation = object["conversation"] as? String else {
            throw Failure("a consumer without token or conversation")
        }
        return Consumer(token: token, conversation: conversation)
    }

    private static let perAddress = 5

    func hello(after: Int? = nil, epoch: String? = nil) -> String {
        guard let after, let epoch else { return #"{"hello":{"token":"\#(token)"}}"# }
        return #"{"hello":{"token":"\#(token)","after":\#(after),"epoch":"\#(epoch)"}}"#
    }
}

/// A signed-in agent of the demo brand.
struct Agent {
    let web: WebClient
    let id: String

    /// Signs in with the login that the demo wrote into its data folder.
    init(data: String, port: UInt16, email: String = "dana@demo.example", tls: TLS? = nil) throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: data + "/demo-logins.json"))
        let logins = try JSONSerialization.jsonObject(with: file) as? [[String: Any]] ?? []
        guard let password = logins.first(where: { $0["email"] as? String == email })?["password"] as? String else {
            throw Failure("no login for \(email)")
        }
        web = try WebClient(port: port, tls: tls)
        let answer = try web.post("/v1/login", ["account": "demo", "email": email, "password": password])
        let object = try answer.object(expecting: 200)
        guard let csrf = object["csrf"] as? String, let agent = object["agent"] as? [String: Any],
            let id = agent["id"] as? String,
            let cookie = answer.headers["set-cookie"]?.split(separator: ";").first
        else { throw Failure("a login without cookie, csrf or agent") }
        self.id = id
        web.headers = [
            ("Cookie", String(cookie)), ("X-Earshot-CSRF", csrf),
            ("Origin", tls == nil ? "http://localhost" : "https://localhost"),
        ]
    }

    /// A hello frame with a new ticket: a ticket opens one socket.
    func hello() throws -> String {
        guard let ticket = try web.post("/v1/tickets").object(expecting: 200)["ticket"] as? String else {
            throw Failure("no ticket")
        }
        return #"{"hello":{"ticket":"\#(ticket)"}}"#
    }
}
