import { Fragment, type ReactElement } from "react";
import { Dialog } from "./dialog";
import { Icon } from "./icons";
import { prefer, usePreferences } from "./preferences";
import { strings } from "./strings";

const text = strings.keys;

/** Keys of one shortcut: alternatives of sequences. */
type Keys = readonly (readonly string[])[];

const groups: readonly { title: string; rows: readonly (readonly [what: string, keys: Keys])[] }[] = [
  { title: text.groups.move, rows: [
    [text.next, [["j"], ["↓"]]], [text.previous, [["k"], ["↑"]]], [text.open, [["Enter"]]], [text.back, [["Esc"]]],
    [text.waiting, [["g", "w"]]], [text.mine, [["g", "m"]]], [text.all, [["g", "a"]]],
  ] },
  { title: text.groups.help, rows: [[text.details, [["i"]]], [text.sheet, [["?"]]]] },
  { title: text.groups.work, rows: [
    [text.take, [["t"]]], [text.reply, [["r"]]], [text.send, [["Enter"]]], [text.line, [["Shift + Enter"]]],
    [text.finish, [["e"], ["Alt + Shift + W"]]],
  ] },
  { title: text.groups.listen, rows: [
    [text.play, [["Space"]]], [text.unheard, [["n"]]], [text.catchUp, [["c"]]], [text.seek, [["←"], ["→"]]], [text.speed, [[","], ["."]]],
  ] },
  { title: text.groups.speak, rows: [
    [text.record, [["v"]]], [text.pauseHere, [["Space"]]], [text.stop, [["s"]]], [text.sendVoice, [["Enter"]]], [text.deleteVoice, [["Esc"]]],
  ] },
];

/** All shortcuts, and the switch for those of a single key. */
export function Sheet({ close }: { close: () => void }): ReactElement {
  const { keys } = usePreferences();
  return (
    <Dialog label={text.title} className="sheet" close={close}>
      <header className="bar">
        <h2>{text.title}</h2>
        <button className="icon-button" aria-label={text.close} onClick={close}><Icon name="close" /></button>
      </header>
      <div className="sheet-body">
        {groups.map(({ title, rows }) => (
          <section key={title} className="sheet-group">
            <h3>{title}</h3>
            <dl>{rows.map(([what, alternatives]) => <Shortcut key={what} what={what} alternatives={alternatives} />)}</dl>
          </section>
        ))}
      </div>
      <label className="sheet-switch">
        <input type="checkbox" role="switch" checked={keys} onChange={(event) => prefer({ keys: event.target.checked })} />
        <span><strong>{text.toggle}</strong><br />{text.toggleHint}</span>
      </label>
    </Dialog>
  );
}

function Shortcut({ what, alternatives }: { what: string; alternatives: Keys }): ReactElement {
  return (
    <div className="shortcut">
      <dt>{what}</dt>
      <dd>
        {alternatives.map((sequence, i) => (
          <Fragment key={i}>
            {i > 0 && <span className="shortcut-or"> {text.or} </span>}
            {sequence.map((key, k) => (
              <Fragment key={k}>{k > 0 && <span className="shortcut-or"> {text.then} </span>}<kbd>{key}</kbd></Fragment>
            ))}
          </Fragment>
        ))}
      </dd>
    </div>
  );
}
