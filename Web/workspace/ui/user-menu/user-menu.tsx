import { type ReactElement, useState } from "react";
import { Avatar } from "../avatar";
import { useMyName } from "../../app/session-context";
import { Popover } from "../popover";
import { lazyPart } from "../../app/lazy-parts/lazy-part";
import { onDemand } from "../../app/lazy-parts/on-demand-part";
import type { Route } from "../../app/route";
import { texts } from "../../i18n/texts";

const dialogs = {
  password: onDemand("PasswordDialog"),
  sessions: onDemand("SessionsDialog"),
  secondFactor: lazyPart("sign-in", () => import("../../sign-in/second-factor/second-factor-dialog")),
};
const UserMenuItems = onDemand("UserMenuItems");

/** A dialog that the menu opens. */
export type AccountDialog = keyof typeof dialogs;

/** Who I am, how it looks and sounds, and the way out. */
export function UserMenu({ leave, route }: { leave: () => void; route: Route }): ReactElement {
  const [open, setOpen] = useState(false);
  const [dialog, setDialog] = useState<AccountDialog | undefined>();
  const name = useMyName();
  const Shown = dialog && dialogs[dialog];
  return (
    <>
      {Shown && <Shown close={() => setDialog(undefined)} />}
      <Popover
        open={open}
        setOpen={setOpen}
        label={texts.account.open({ name })}
        className="menu-button"
        button={<Avatar name={name} />}
      >
        <UserMenuItems route={route} leave={leave} close={() => setOpen(false)} show={setDialog} />
      </Popover>
    </>
  );
}
