import { type ReactElement, useEffect, useState, useSyncExternalStore } from "react";
import { may } from "../../../client/agent/permissions";
import { request } from "../../app/agent-session";
import { useToast } from "../../app/page-context";
import { useWorkspace } from "../../app/session-context";
import { dialogTexts } from "../../i18n/dialog-texts";
import { ConsumerBlock } from "./consumer-block";
import { EffectsDialog } from "./effects-dialog";
import { SignOut } from "./sign-out";

const text = dialogTexts.block;

interface BlockingProps {
  readonly c: string;
  /** The consumer's name. */
  readonly who: string;
}

/** Says whether the consumer is blocked, and changes it; signs them out. Shown to people who may block. */
export default function Blocking({ c, who }: BlockingProps): ReactElement | null {
  const { identity } = useWorkspace();
  if (!may(identity, "consumers.block")) return null;
  return <BlockState key={c} c={c} who={who} />;
}

function BlockState({ c, who }: BlockingProps): ReactElement {
  const { csrf, identity } = useWorkspace();
  const [block] = useState(() => new ConsumerBlock(request, csrf, c));
  const { blocked, busy, problem } = useSyncExternalStore(block.store.subscribe, block.store.get);
  const [asks, setAsks] = useState(false);
  const toast = useToast();
  useEffect(() => void block.load(), [block]);
  const change = async (next: boolean): Promise<void> => {
    if (!await block.change(next)) return;
    setAsks(false);
    toast((next ? text.done : text.undone)({ who }));
  };
  return (
    <section className="work consumer-block" aria-busy={blocked === undefined && problem === undefined}>
      <h3>{text.title}</h3>
      {blocked && <p className="block-state">{text.state}</p>}
      {problem !== undefined && !asks && (
        <p className="block-problem" role="alert">
          {text[problem]}{" "}
          {problem === "notLoaded" && (
            <button className="link" onClick={() => void block.load()}>{dialogTexts.why.again}</button>
          )}
        </p>
      )}
      <button
        className="button"
        disabled={blocked === undefined}
        onClick={() => blocked ? void change(false) : setAsks(true)}
      >
        {blocked ? text.unblock : text.block}
      </button>
      <SignOut c={c} who={who} />
      {asks && (
        <EffectsDialog
          title={text.sure({ who })}
          effects={[text.ends({ brand: identity.account.name }), ...text.effects]}
          confirm={text.confirm}
          busy={busy}
          failed={problem === "notChanged"}
          close={() => setAsks(false)}
          act={() => void change(true)}
        />
      )}
    </section>
  );
}
