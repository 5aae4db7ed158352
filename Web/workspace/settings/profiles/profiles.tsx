import { type ReactElement, useCallback, useEffect, useState } from "react";
import { list } from "../../../client/core/parse";
import { useToast } from "../../app/page-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { useAsk, useNames } from "../settings-context";
import { type Group, groupOf, namesOf, type Profile, profileOf } from "./profile";
import { GroupForm, ProfileForm } from "./profile-forms";

const text = settingsTexts.profiles;

interface Loaded {
  readonly profiles: readonly Profile[];
  readonly groups: readonly Group[];
}

type Opened = { readonly profile: Profile | undefined } | { readonly group: Group | undefined };

/** The profiles of the brand, which say what people may do, and its groups, which say what people see. */
export function Profiles(): ReactElement {
  const { loaded, failed, reload } = useProfiles();
  const [opened, setOpened] = useState<Opened | undefined>();
  if (loaded === undefined) {
    return <p className={failed ? "bad" : "a-hint"}>{failed ? text.failed : settingsTexts.loading}</p>;
  }
  const close = (): void => setOpened(undefined);
  const saved = (): void => (close(), reload());
  return (
    <>
      {failed && <p className="bad" role="alert">{text.failed}</p>}
      <div className="people-head">
        <button type="button" className="button" onClick={() => setOpened({ profile: undefined })}>{text.make}</button>
      </div>
      <ul className="profiles">
        {loaded.profiles.map((one) => (
          <ProfileItem key={one.id} of={one} open={() => setOpened({ profile: one })} reload={reload} />
        ))}
      </ul>
      <h3>{text.groups}</h3>
      <p className="a-hint">{text.groupsHint}</p>
      <div className="people-head">
        <button type="button" className="button" onClick={() => setOpened({ group: undefined })}>
          {text.makeGroup}
        </button>
      </div>
      {loaded.groups.length === 0 && <p className="a-empty">{text.noGroups}</p>}
      <ul className="profiles">
        {loaded.groups.map((one) => (
          <GroupItem key={one.id} of={one} open={() => setOpened({ group: one })} reload={reload} />
        ))}
      </ul>
      {opened !== undefined && ("profile" in opened
        ? <ProfileForm of={opened.profile} close={close} saved={saved} />
        : <GroupForm of={opened.group} close={close} saved={saved} />)}
    </>
  );
}

function useProfiles(): { loaded: Loaded | undefined; failed: boolean; reload: () => void } {
  const ask = useAsk();
  const [loaded, setLoaded] = useState<Loaded | undefined>();
  const [failed, setFailed] = useState(false);
  const reload = useCallback((): void => {
    Promise.all([ask("GET", "/v1/profiles"), ask("GET", "/v1/groups")]).then(([profiles, groups]) => {
      setLoaded({ profiles: list(profiles["profiles"], profileOf), groups: list(groups["groups"], groupOf) });
      setFailed(false);
    }, () => setFailed(true));
  }, [ask]);
  useEffect(reload, [reload]);
  return { loaded, failed, reload };
}

function ProfileItem({ of, open, reload }: { of: Profile; open: () => void; reload: () => void }): ReactElement {
  const { role, roleHint } = settingsTexts.people;
  const name = of.builtIn ? role[of.id] ?? of.id : of.name;
  return (
    <li>
      <div>
        <strong dir="auto">{name}</strong> {of.builtIn && <span className="a-badge">{text.builtIn}</span>}
        {of.builtIn && <p>{roleHint[of.id]}</p>}
        <p className="a-hint">{namesOf(of.permissions).join(" · ")}</p>
      </div>
      {!of.builtIn && <Actions name={name} path={`/v1/profiles/${of.id}`} open={open} reload={reload} />}
    </li>
  );
}

function GroupItem({ of, open, reload }: { of: Group; open: () => void; reload: () => void }): ReactElement {
  const { agent, skill } = useNames();
  const parts = [...of.people.map(agent), ...of.skills.map(skill)];
  return (
    <li>
      <div>
        <strong dir="auto">{of.name}</strong>
        <p className="a-hint" dir="auto">{parts.join(" · ") || text.noPeople}</p>
      </div>
      <Actions name={of.name} path={`/v1/groups/${of.id}`} open={open} reload={reload} />
    </li>
  );
}

interface ActionProps {
  readonly name: string;
  readonly path: string;
  readonly open: () => void;
  readonly reload: () => void;
}

/** Edits, or removes after a question. The server refuses to remove a profile that people have. */
function Actions({ name, path, open, reload }: ActionProps): ReactElement {
  const ask = useAsk();
  const toast = useToast();
  const [sure, setSure] = useState(false);
  const remove = (): void => {
    setSure(false);
    ask("DELETE", path, {}).then(
      () => (toast(text.removed({ name })), reload()),
      () => (toast(text.notRemoved({ name }), true), reload()),
    );
  };
  return (
    <div className="api-key-sure" role="group" aria-label={name}>
      {sure
        ? (
          <>
            <button type="button" className="button button-danger" autoFocus onClick={remove}>{text.removeNow}</button>
            <button type="button" className="link" onClick={() => setSure(false)}>{text.keep}</button>
          </>
        )
        : (
          <>
            <button type="button" className="button" onClick={open}>{text.edit}</button>
            <button type="button" className="button" onClick={() => setSure(true)}>{text.remove}</button>
          </>
        )}
    </div>
  );
}
