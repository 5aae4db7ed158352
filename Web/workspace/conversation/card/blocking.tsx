import { type ReactElement, useEffect, useState, useSyncExternalStore } from "react";
import { may } from "../../../client/agent/permissions";
import { request } from "../../app/agent-session";
import { useToast } from "../../app/page-context";
import { useWorkspace } from "../../app/session-context";
import { dialogTexts } from "../../i18n/dialog-texts";
import { CloseButton, Dialog } from "../../ui/dialog";
import { ConsumerBlock } from "./consumer-block";

const text = dialogTexts.block;

interface BlockingProps {
  readonly c: string;
  /** The consumer's name. */
  readonly who: string;
}

/** Says whether the consumer is blocked, and changes it. Shown to people who may block. */
export default function Blocking({ c, who }: BlockingProps): ReactElement | null {
  const { identity } = useWorkspace();
  if (!may(identity, "consumers.block")) return null;
  return <BlockState key={c} c={c} who={who} />;
}

function BlockState({ c, who }: BlockingProps): ReactElement {
  const { csrf } = useWorkspace();
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
      {asks && (
        <BlockDialog
          who={who}
          busy={busy}
          failed={problem === "notChanged"}
          close={() => setAsks(false)}
          block={() => void change(true)}
        />
      )}
    </section>
  );
}

interface DialogProps {
  readonly who: string;
  readonly busy: boolean;
  readonly failed: boolean;
  readonly close: () => void;
  readonly block: () => void;
}

/** Says what blocking does, before it is done. */
function BlockDialog({ who, busy, failed, close, block }: DialogProps): ReactElement {
  const { identity } = useWorkspace();
  const title = text.sure({ who });
  return (
    <Dialog label={title} className="block" close={close}>
      <header className="bar">
        <h2 dir="auto">{title}</h2>
        <CloseButton close={close} />
      </header>
      <ul className="block-effects">
        <li>{text.ends({ brand: identity.account.name })}</li>
        {text.effects.map((effect) => <li key={effect}>{effect}</li>)}
      </ul>
      <p className="problem" role="alert">{failed ? text.notChanged : ""}</p>
      <footer className="dialog-foot">
        <button className="button" data-focus onClick={close}>{dialogTexts.cancel}</button>
        <button className="button button-danger" disabled={busy} onClick={block}>{text.confirm}</button>
      </footer>
    </Dialog>
  );
}
