import { type ReactElement, type ReactNode, useEffect, useState } from "react";
import type { Thread } from "../../../client/agent/agent-thread";
import type { InboxRow } from "../../../client/conversation/events";
import { Avatar } from "../../ui/avatar";
import { useSessionState } from "../../app/session-context";
import { dateTimeText, languageName } from "../../ui/format";
import { Icon } from "../../ui/icons";
import { onDemand } from "../../app/lazy-parts/on-demand-part";
import { go, type Route } from "../../app/route";
import { CardSkeleton } from "../../ui/skeletons";
import { texts } from "../../i18n/texts";

const text = texts.card;

const Labels = onDemand("Labels");
const Blocking = onDemand("Blocking");
const Person = onDemand("Person");

/** What is known about the consumer. */
export function ConsumerCard({ route, close }: { route: Route; close: () => void }): ReactElement | null {
  const state = useSessionState();
  const c = route.c;
  if (c === undefined) return null;
  const thread = state.threads.get(c);
  const row = state.inbox.rows.get(c);
  const who = thread?.who;
  return (
    <aside className="card" id="card" aria-label={text.title} tabIndex={-1}>
      <header className="bar">
        <button className="icon-button only-phone" aria-label={text.back} onClick={() => go({ ...route, card: false })}>
          <Icon name="back" flip />
        </button>
        <h2>{text.title}</h2>
        <button className="icon-button not-phone" aria-label={texts.conversation.hideDetails} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {who === undefined || thread === undefined ? <CardSkeleton /> : <Facts c={c} thread={thread} row={row} />}
    </aside>
  );
}

function Facts({ c, thread, row }: { c: string; thread: Thread; row: InboxRow | undefined }): ReactElement {
  const { me } = useSessionState();
  const who = thread.who;
  return (
    <div className="card-body">
      <div className="card-head">
        <Avatar name={who?.name ?? ""} large />
        <p className="card-name" dir="auto">{who?.name}</p>
      </div>
      {who && (who.verified || who.related.length > 0) && <Person who={who} />}
      <Labels c={c} thread={thread} row={row} />
      <dl className="facts">
        <Fact name={text.since}>{who?.since !== undefined && dateTimeText(who.since)}</Fact>
        <Fact name={text.channel}>{texts.channel[row?.channel ?? ""] ?? row?.channel}</Fact>
        <Fact name={text.app}>{who?.app}</Fact>
        <Fact name={text.page}>{who?.page && <Page url={who.page} />}</Fact>
        <Fact name={text.language}>{who?.language && languageName(who.language)}</Fact>
        <Fact name={text.device}>{who?.device}</Fact>
        <Fact name={text.messages}>{messages(thread)}</Fact>
        <Fact name={text.assigned}>{row?.to === me ? texts.inbox.you2 : row?.toName ?? text.nobody}</Fact>
        <Fact name={text.id}>
          <CopyID id={c} />
        </Fact>
      </dl>
      <Blocking c={c} who={who?.name ?? ""} />
    </div>
  );
}

/** A fact; nothing is shown where it is unknown. */
function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement | null {
  if (children === undefined || children === false || children === null || children === "") return null;
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

/** A page's address without its scheme. Only web addresses become links. */
function Page({ url }: { url: string }): ReactElement {
  if (!/^https?:\/\//u.test(url)) return <span className="long">{url}</span>;
  return (
    <a className="long" href={url} target="_blank" rel="noopener noreferrer nofollow" title={url}>
      {url.replace(/^https?:\/\//u, "")}
    </a>
  );
}

/** The number of loaded messages, marked where older ones are not loaded. */
function messages(thread: Thread): string {
  const said = thread.timeline.events.filter(({ content }) => content.kind === "text" || content.kind === "audio");
  const voice = said.filter(({ content }) => content.kind === "audio").length;
  const total = thread.timeline.more ? text.atLeast({ count: said.length }) : String(said.length);
  return voice === 0 ? total : text.messagesWithVoice({ total, voice });
}

function CopyID({ id }: { id: string }): ReactElement {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    const done = navigator.clipboard?.writeText(id) ?? Promise.reject(new Error("no clipboard"));
    done.then(() => setState("copied"), () => setState("failed"));
  };
  return (
    <span className="copy">
      <code className="id">{id}</code>
      <button className="icon-button" onClick={copy} aria-label={`${text.copy}: ${text.id}`} title={text.copy}>
        <Icon name={state === "copied" ? "check" : "copy"} />
      </button>
      <span className="copy-said" role="status">
        {state === "copied" ? text.copied : state === "failed" ? text.copyFailed : ""}
      </span>
    </span>
  );
}
