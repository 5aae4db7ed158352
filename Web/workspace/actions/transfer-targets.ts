import { useEffect } from "react";
import type { Transfer } from "../../client/agent/commands";
import type { Standing } from "../../client/agent/people";
import { useCentre, useSessionState, useWorkspace } from "../app/session-context";
import { texts } from "../i18n/texts";
import { dialogTexts } from "../i18n/dialog-texts";

const text = dialogTexts.transfer;

/** A skill, a person or the queue, as a choice of the transfer dialog. */
export interface Target {
  readonly id: string;
  readonly name: string;
  readonly to: Pick<Transfer, "skill" | "agent">;
  readonly group: "queue" | "skill" | "agent";
  readonly hint: string;
  readonly person?: Standing;
}

/** Everything that this conversation can be transferred to now, with what helps to choose. */
export function useTargets(c: string): readonly Target[] {
  const { session, identity } = useWorkspace();
  const { team, inbox } = useSessionState();
  const { centre, agents } = useCentre();
  useEffect(() => session.topics.subscribe("team"), [session]);
  const row = inbox.rows.get(c);
  const skills = (centre?.skills ?? []).map(({ id, name }): Target => ({
    id: `skill ${id}`,
    name,
    group: "skill",
    to: { skill: id },
    hint: skillHint(team, id),
  }));
  const standing = (agent: string): Standing | undefined => team?.find(({ id }) => id === agent);
  const colleagues = agents.filter(({ id, off }) =>
    off !== true && id !== identity.agent.id && id !== row?.to && standing(id)?.readOnly !== true
  );
  const people = colleagues.map(({ id, name }) => personTarget(id, name, standing(id)));
  const queue: Target = { id: "queue", name: text.queue, group: "queue", to: {}, hint: text.queueHint };
  return [...(row?.status === "waiting" ? [] : [queue]), ...skills, ...people.sort((a, b) => order(a) - order(b))];
}

function skillHint(team: readonly Standing[] | undefined, skill: string): string {
  if (team === undefined) return "";
  const online = team.filter(({ skills, presence }) => skills.includes(skill) && presence.state === "online").length;
  return online === 0 ? text.nobody : text.online({ count: online });
}

function personTarget(id: string, name: string, person: Standing | undefined): Target {
  return {
    id: `agent ${id}`,
    name,
    group: "agent",
    to: { agent: id },
    hint: person === undefined ? "" : personHint(person),
    ...(person ? { person } : {}),
  };
}

function personHint({ presence, load, capacity }: Standing): string {
  const state = presence.reason ?? texts.presence.states[presence.state];
  return `${state} · ${
    text.load({ load: (load / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 }), capacity })
  }`;
}

/** Who is online comes first. */
function order({ person }: Target): number {
  return ["online", "occupied", "away", "offline"].indexOf(person?.presence.state ?? "offline");
}
