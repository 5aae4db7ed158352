/** The texts of a sign-in that failed. They load with signed-in.ts. */
export const signInStrings = {
  failed: "We couldn’t sign you in",
  failedMore: "Please try again. You can also write without signing in.",
  missing: "Sign in to write to us",
  missingMore: "Sign in on this site, then try again.",
  again: "Try again",
  anonymous: "Continue without signing in",
};
