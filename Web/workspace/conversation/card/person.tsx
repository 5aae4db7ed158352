import { type ReactElement } from "react";
import type { WireConsumerCard } from "../../../protocol/agent-frames";
import { dialogTexts } from "../../i18n/dialog-texts";
import { Icon } from "../../ui/icons";

const text = dialogTexts.person;

/** What the brand's identity provider says about a consumer, and the other conversations of the same person. */
export default function Person({ who }: { who: WireConsumerCard }): ReactElement {
  const { verified, related } = who;
  return (
    <>
      {verified && (
        <section className="work person">
          <h3>
            {text.verified} <span className="person-mark"><Icon name="check" />{text.mark}</span>
          </h3>
          <dl className="facts">
            <Claim name={text.name} value={verified.name} />
            <Claim name={text.email} value={verified.email} />
            <Claim name={text.phone} value={verified.phone} />
            {verified.others.map(({ label, value }) => <Claim key={label} name={label} value={value} />)}
          </dl>
        </section>
      )}
      {related.length > 0 && (
        <section className="work person">
          <h3>{text.related}</h3>
          <ul className="person-related">
            {related.map((one) => (
              <li key={one.conversation}>
                <a className="link" dir="auto" href={`#/all/${one.conversation}`}>{one.name}</a>
                <span>{(one.signedIn ? text.signedIn : text.anonymous)({ app: one.app })}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Claim({ name, value }: { name: string; value: string | undefined }): ReactElement | null {
  if (value === undefined) return null;
  return (
    <div className="fact">
      <dt dir="auto">{name}</dt>
      <dd className="long" dir="auto">{value}</dd>
    </div>
  );
}
