/** The dialogs, the search and the saved views: one chunk, because someone who needs one of them soon needs another. */
// Shares one chunk with everything that the page needs at load: see lazy-part.tsx.
import "../app";
export { default as CallButtons } from "../../call/call-buttons";
export { default as CallLine } from "../../call/call-line";
export { ConsumerCard } from "../../conversation/card/consumer-card";
export { default as CallbackDialog } from "../../actions/callback";
export { default as PasswordDialog } from "../../actions/password";
export { default as RoutingDetailsDialog } from "../../actions/routing-details";
export { default as SessionsDialog } from "../../actions/sessions/sessions";
export { default as TransferDialog } from "../../actions/transfer";
export { default as TakeOverDialog } from "../../actions/take-over";
export { CloseDialog, QuietCloseDialog } from "../../actions/wrap-up";
export { default as Blocking } from "../../conversation/card/blocking";
export { default as LinkedText } from "../../ui/marked-text/linked-text";
export { default as Person } from "../../conversation/card/person";
export { default as Labels } from "../../conversation/card/labels";
export { default as FirstSteps } from "../../first-steps/first-steps";
export { default as ConversationUnavailable } from "../../conversation/unavailable";
export { default as RatingLine } from "../../conversation/rating-line";
export { default as Preview } from "../../inbox/preview";
export { default as SavedViews } from "../../inbox/saved-views";
export { default as SearchPanel } from "../../inbox/search";
export { default as UserMenuItems } from "../../ui/user-menu/user-menu-items";
export { default as Offers } from "../../offers/offers";
export { default as AlertSettings } from "../../offers/alert-settings";
export { default as ShortcutSheet } from "../shortcuts/shortcut-sheet";
