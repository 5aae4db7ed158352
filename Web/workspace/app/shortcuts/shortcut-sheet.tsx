import { Fragment, type ReactElement } from "react";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { CHORDS, type ShortcutAction } from "./keymap";
import { usePage } from "../page-context";
import { usePreferences } from "../preferences";
import { dialogTexts } from "../../i18n/dialog-texts";

const text = dialogTexts.keys;

/** The keys of one shortcut: alternatives, each a sequence. */
type Keys = readonly (readonly string[])[];

/** The key combination of an action. */
function chord(act: ShortcutAction): readonly string[] {
  const code = Object.entries(CHORDS).find(([, name]) => name === act)?.[0] ?? "";
  return [`Alt + Shift + ${code.replace("Key", "")}`];
}

const groups: readonly { title: string; rows: readonly (readonly [what: string, keys: Keys])[] }[] = [
  {
    title: text.groups.move,
    rows: [
      [text.next, [["j"], ["↓"]]],
      [text.previous, [["k"], ["↑"]]],
      [text.open, [["Enter"]]],
      [text.nextWork, [chord("next")]],
      [text.back, [["Esc"]]],
      [text.deselect, [chord("deselect")]],
      [text.mine, [["g", "m"]]],
      [text.queueList, [["g", "q"]]],
      [text.waiting, [["g", "w"]]],
      [text.all, [["g", "a"]]],
      [text.closed, [["g", "c"]]],
      [text.mentions, [["g", "n"]]],
      [text.search, [["g", "s"]]],
    ],
  },
  {
    title: text.groups.work,
    rows: [
      [text.accept, [["a"], chord("accept")]],
      [text.decline, [["d"]]],
      [text.take, [["t"]]],
      [text.reply, [["r"]]],
      [text.canned, [["/"]]],
      [text.send, [["Enter"]]],
      [text.line, [["Shift + Enter"]]],
      [text.note, [["m"], chord("note")]],
      [text.transfer, [["x"], chord("transfer")]],
      [text.toQueue, [chord("queue")]],
      [text.promise, [["b"]]],
      [text.settle, [["y"]]],
      [text.undo, [["z"]]],
      [text.urgent, [["u"]]],
      [text.tags, [["l"]]],
      [text.why, [["w"]]],
      [text.finish, [["e"], chord("close")]],
      [text.takeOver, [chord("takeOver")]],
      [text.leaveIt, [chord("leave")]],
      [text.copy, [chord("copy")]],
    ],
  },
  {
    title: text.groups.listen,
    rows: [
      [text.play, [["Space"]]],
      [text.unplayed, [["n"]]],
      [text.catchUp, [["c"]]],
      [text.seek, [["←"], ["→"]]],
      [text.speed, [[","], ["."]]],
    ],
  },
  {
    title: text.groups.speak,
    rows: [
      [text.record, [["v"]]],
      [text.pauseHere, [["Space"]]],
      [text.stop, [["s"]]],
      [text.sendVoice, [["Enter"]]],
      [text.deleteVoice, [["Esc"]]],
    ],
  },
  {
    title: text.groups.help,
    rows: [[text.status, [chord("status")]], [text.details, [["i"]]], [text.sheet, [["?"]]], [text.logout, [
      chord("logout"),
    ]]],
  },
];

/** All keyboard shortcuts, and the switch for single-key shortcuts. */
export default function ShortcutSheet({ close }: { close: () => void }): ReactElement {
  const { set: prefer } = usePage().preferences;
  const { keys } = usePreferences();
  return (
    <Dialog label={text.title} className="sheet" close={close}>
      <header className="bar">
        <h2>{text.title}</h2>
        <button className="icon-button" aria-label={text.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div className="sheet-body" tabIndex={0} role="region" aria-label={text.title}>
        {groups.map(({ title, rows }) => (
          <section key={title} className="sheet-group">
            <h3>{title}</h3>
            <dl>
              {rows.map(([what, alternatives]) => <Shortcut key={what} what={what} alternatives={alternatives} />)}
            </dl>
          </section>
        ))}
      </div>
      <label className="sheet-switch">
        <input
          type="checkbox"
          role="switch"
          checked={keys}
          onChange={(event) => prefer({ keys: event.target.checked })}
        />
        <span>
          <strong>{text.toggle}</strong>
          <br />
          {text.toggleHint}
        </span>
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
            {i > 0 && <span className="shortcut-or">{text.or}</span>}
            {sequence.map((key, k) => (
              <Fragment key={k}>
                {k > 0 && <span className="shortcut-or">{text.then}</span>}
                <kbd>{key}</kbd>
              </Fragment>
            ))}
          </Fragment>
        ))}
      </dd>
    </div>
  );
}
