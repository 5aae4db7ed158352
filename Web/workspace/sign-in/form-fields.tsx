import { type ReactElement, useState } from "react";
import { signInTexts } from "../i18n/sign-in-texts";
import { Icon } from "../ui/icons";

const text = signInTexts;

/** What is wrong with a form, announced when it appears. */
export function FormError({ error }: { error: string }): ReactElement {
  return (
    <p className="form-error" role="alert" hidden={error === ""}>
      <Icon name="warn" />
      <span>{error}</span>
    </p>
  );
}

export interface FieldProps {
  id: string;
  name: string;
  label: string;
  value: string;
  complete: string;
  type?: string;
  focus?: boolean;
}

/** A field of a form for people who are not signed in. */
export function Field({ id, name, label, value, complete, type = "text", focus = false }: FieldProps): ReactElement {
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        defaultValue={value}
        autoComplete={complete}
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus={focus}
        data-focus={focus || undefined}
      />
    </div>
  );
}

/** A field for a password, which can be shown; `fresh`: for a new one. */
export function Password(
  { id, focus, fresh = false }: { id: string; focus: boolean; fresh?: boolean },
): ReactElement {
  const [shown, setShown] = useState(false);
  return (
    <div className="form-field">
      <label htmlFor={id}>{fresh ? text.newPassword : text.password}</label>
      <div className="field-row">
        <input
          id={id}
          name="password"
          type={shown ? "text" : "password"}
          autoComplete={fresh ? "new-password" : "current-password"}
          required
          autoFocus={focus}
          data-focus={focus || undefined}
        />
        <button
          type="button"
          className="icon-button"
          aria-pressed={shown}
          aria-label={text.show}
          onClick={() => setShown(!shown)}
        >
          <Icon name="eye" />
        </button>
      </div>
    </div>
  );
}
