/** A one-time link that the workspace was opened with. */
export interface Link {
  readonly token: string;
  /** It signs in at once, as the demo's links do. Otherwise it sets a password. */
  readonly signsIn: boolean;
}
