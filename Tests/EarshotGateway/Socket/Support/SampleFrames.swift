import EarshotModel

/// A frame of each kind that the brand's people send, by its title in the schema. `ID` is the conversation.
enum SampleFrames {
    static let ofConversations = [
        "watch": #"{"watch":"ID"}"#, "page": #"{"page":"ID","before":9}"#, "take": #"{"take":"k1","c":"ID"}"#,
        "send (text)": #"{"send":"k2","text":"x","c":"ID"}"#, "send (audio)": #"{"send":"k3","audio":"m","c":"ID"}"#,
        "close": #"{"close":"k4","c":"ID"}"#, "got": #"{"got":1,"c":"ID"}"#, "read": #"{"read":1,"c":"ID"}"#,
        "played": #"{"played":2,"c":"ID","spans":[[0,5]]}"#, "ask decline": ask(#""decline":{}"#),
        "ask transfer": ask(#""transfer":{"skill":"general"}"#), "ask takeOver": ask(#""takeOver":{}"#),
        "ask join": ask(#""join":{}"#), "ask leave": ask(#""leave":{}"#), "ask note": ask(#""note":{"text":"x"}"#),
        "ask callback": ask(#""callback":60"#), "ask tags": ask(#""tags":["x"]"#),
        "ask attribute": ask(#""attribute":{"name":"a","value":"b"}"#), "ask dispose": ask(#""dispose":"d""#),
        "ask urgent": ask(#""urgent":true"#), "ask closeQuietly": ask(#""closeQuietly":{}"#),
        "ask reopen": ask(#""reopen":{}"#), "ask settle": ask(#""settle":{}"#), "ask noticed": ask(#""noticed":{}"#),
        "ask invite": ask(#""invite":"voice""#), "ask hangUp": ask(#""hangUp":{"call":1}"#),
        "call": #"{"call":1,"c":"ID","device":"d"}"#,
        "signal": #"{"signal":{"media":{"microphone":true,"camera":false,"screen":false}},"call":1,"c":"ID"}"#,
    ]

    /// Those that name no conversation, or have no answer.
    static let others = [
        "state": #"{"state":"online"}"#, "team": #"{"team":true}"#, "wall": #"{"wall":true}"#,
        "check": #"{"check":"ID"}"#, "typing": #"{"typing":true,"c":"ID"}"#, "unwatch": #"{"unwatch":"ID"}"#,
    ]

    private static func ask(_ wish: String) -> String { #"{"ask":"KEY","c":"ID",\#(wish)}"# }
}

extension TestSocket {
    /// The code of the next refusal.
    func refusal() async throws -> String {
        while true {
            switch try await nextFrame() {
            case .problem(let problem): return problem.code
            case .no(let refusal): return refusal.code
            default: continue
            }
        }
    }
}
