/** Catch-up play, which is fetched when the first conversation is opened. */
// Shares one chunk with everything that the page needs at load: see lazy-part.tsx.
import "../../app/app";

export { CatchUp } from "../../../voice/play/catchup";
