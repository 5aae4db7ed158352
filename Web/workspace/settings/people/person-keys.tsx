import type { ReactElement } from "react";
import { useWorkspace } from "../../app/session-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { systemClock } from "../../../client/core/browser";
import { keysMadeBy } from "../keys/api-key";
import { Revoke, useKeys } from "../keys/keys";
import type { Person } from "./person";

const text = settingsTexts.personKeys;

/** The API keys that a person made, who may not sign in any longer: programs keep using them until they are revoked. */
export function PersonKeys({ person }: { person: Person }): ReactElement | null {
  const { permissions } = useWorkspace().identity.agent;
  return permissions.includes("keys.manage") ? <KeysLeft person={person} /> : null;
}

function KeysLeft({ person: { id, name } }: { person: Person }): ReactElement | null {
  const { keys, reload } = useKeys();
  const made = keysMadeBy(id, keys ?? [], systemClock.now());
  if (made.length === 0) return null;
  return (
    <section className="person-link" aria-label={text.title}>
      <h3>{text.title}</h3>
      <p>{text.lead({ name })}</p>
      <ul className="person-keys">
        {made.map((key) => (
          <li key={key.id}>
            <span dir="auto">{key.name}</span> <Revoke of={key} reload={reload} />
          </li>
        ))}
      </ul>
    </section>
  );
}
