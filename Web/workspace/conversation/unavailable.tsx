import type { ReactElement } from "react";
import { go, type Route } from "../app/route";
import { dialogTexts } from "../i18n/dialog-texts";
import { Frame } from "../ui/pictures";

const text = dialogTexts.unavailable;

/** Shown in place of a conversation that does not exist, or that the person may not see. */
export default function ConversationUnavailable({ route }: { route: Route }): ReactElement {
  return (
    <section className="conversation conversation-none" id="conversation" aria-label={text.title} tabIndex={-1}>
      <div className="empty" role="alert">
        <GonePicture />
        <h2>{text.title}</h2>
        <p>{text.hint}</p>
        <button className="button" onClick={() => go({ ...route, c: undefined, card: false }, true)}>
          {text.back}
        </button>
      </div>
    </section>
  );
}

/** A bubble with a keyhole: the conversation doesn't exist or is not accessible. */
function GonePicture(): ReactElement {
  return (
    <Frame>
      <path className="soft" d="M12 78c0-30 26-54 58-54s58 24 58 54Z" />
      <path
        className="face"
        d="M44 30h52a8 8 0 0 1 8 8v24a8 8 0 0 1-8 8H66L52 82V70h-8a8 8 0 0 1-8-8V38a8 8 0 0 1 8-8Z"
      />
      <path
        className="line"
        d="M44 30h52a8 8 0 0 1 8 8v24a8 8 0 0 1-8 8H66L52 82V70h-8a8 8 0 0 1-8-8V38a8 8 0 0 1 8-8Z"
      />
      <path className="accent" d="M70 50a5 5 0 1 0-.1-10 5 5 0 0 0 .1 10Zm0 0v10" />
    </Frame>
  );
}
