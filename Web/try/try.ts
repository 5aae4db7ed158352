/** Shows the widget of the app that the address names, `/try/#account/app`, as a page of the brand would. */
const [, account, app] = /^#([\w-]{1,64})\/([\w-]{1,64})$/u.exec(location.hash) ?? [];

if (account !== undefined && app !== undefined) {
  const script = document.createElement("script");
  script.src = `/embed/${account}/${app}.js`;
  document.head.append(script);
} else {
  document.getElementById("hint")?.setAttribute("hidden", "");
  document.getElementById("missing")?.removeAttribute("hidden");
}

// Another app: the widget starts once for a page.
addEventListener("hashchange", () => location.reload());

export {};
