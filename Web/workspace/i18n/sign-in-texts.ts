import { compiled } from "./compile";
import signIn from "./en/sign-in";

/** The texts of the sign-in page and the dialog for an expired session. */
export const signInTexts = compiled(signIn);
