/** What only the people of the brand are told about a conversation (docs/protocol.md sections 3 and 4). */
import type { WireInboxRow, WirePrivateContent } from "../../protocol/agent-frames";

/** Events that no consumer ever gets. */
export type PrivateContent = WirePrivateContent;

/** Waits for an agent again. `to`: meant for this agent, until then. */
export type Queued = Extract<PrivateContent, { kind: "queued" }>;

/** What routing says of a conversation (docs/protocol.md section 4, `routing`). */
export type RoutingInfo = NonNullable<WireInboxRow["routing"]>;
