/**
 * The demo shop's "Sign in": signs one demo consumer in, as a real shop does with the ID tokens of its own provider.
 * The server makes the tokens; only the demo has their route.
 */

/** What the loader offers to pages. */
interface Earshot {
  identify(source: () => Promise<string>): void;
  signOut(): void;
}

const PLACE = "fernweh.signed-in";
const button = document.querySelector<HTMLButtonElement>("#sign-in");
const loader = document.querySelector<HTMLScriptElement>("script[src^='/embed/']");
const earshot = (): Earshot | undefined => (window as unknown as { Earshot?: Earshot }).Earshot;

async function idToken(): Promise<string> {
  const answer = await fetch("/demo/id-token", { method: "POST" });
  if (!answer.ok) throw new Error(`/demo/id-token: ${answer.status}`);
  return (await answer.json() as { idToken: string }).idToken;
}

function isSignedIn(): boolean {
  return sessionStorage.getItem(PLACE) !== null;
}

function show(): void {
  if (button) button.textContent = isSignedIn() ? "Sign out Carla" : "Sign in";
}

button?.addEventListener("click", () => {
  if (isSignedIn()) {
    sessionStorage.removeItem(PLACE);
    earshot()?.signOut();
  } else {
    sessionStorage.setItem(PLACE, "1");
    earshot()?.identify(idToken);
  }
  show();
});

function resume(): void {
  if (isSignedIn()) earshot()?.identify(idToken);
}

if (button) button.hidden = false;
show();
if (earshot()) resume();
else loader?.addEventListener("load", resume);

export {};
