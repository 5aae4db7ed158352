/** The line that puts the widget of an app on a page. */
export function snippet(address: string, account: string, app: string): string {
  return `<script src="${address}/embed/${account}/${app}.js" async></script>`;
}

/** The server's own page that shows the widget of an app, to try it before a site has it. */
export function tryAddress(account: string, app: string): string {
  return `/try/#${account}/${app}`;
}
