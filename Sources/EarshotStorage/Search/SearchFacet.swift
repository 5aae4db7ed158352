import EarshotDomain
import EarshotModel

/// A property of a conversation by which searches filter, as it is stored in the table `search_facet`.
struct SearchFacet: Hashable {
    enum Kind: String {
        case agent, csat, skill, tag
    }

    let kind: Kind
    let value: String

    /// The facets of a conversation with this routing state.
    static func all(of routing: RoutingState) -> Set<SearchFacet> {
        var facets = Set(routing.tags.map { SearchFacet(kind: .tag, value: $0) })
        if let skill = routing.skill { facets.insert(SearchFacet(kind: .skill, value: skill.rawValue)) }
        if let agent = routing.previous { facets.insert(SearchFacet(kind: .agent, value: agent.rawValue)) }
        if let csat = routing.csat { facets.insert(SearchFacet(kind: .csat, value: String(csat))) }
        return facets
    }
}
