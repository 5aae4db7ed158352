import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HTTPProblem } from "../../../client/core/api";
import type { Json } from "../../../client/core/parse";
import { BrandEditor, isInsecure, originOf } from "./brand-editor";
import { checkColor } from "./color-check";

const BRAND = { id: "tulip", name: "Tulip", color: "#1f6f5c", welcome: "Hi!", logo: "" };
const LOOK = { side: "right", icon: "chat", label: "", line: "<script>" };
const SHOP = { id: "shop", name: "Shop", origins: ["https://shop.example"], ...LOOK };
const BLOG = { id: "blog", name: "Blog", origins: [], ...LOOK };

/** A server that has a brand with two apps, and what was asked of it. */
class Server {
  brand: Json = BRAND;
  apps: readonly Json[] = [BLOG, SHOP];
  readonly asked: [string, string, unknown][] = [];
  refused: { readonly path: string; readonly problem: HTTPProblem } | undefined;

  readonly ask = async (method: string, path: string, body?: object): Promise<Json> => {
    if (body) this.asked.push([method, path, body]);
    if (this.refused?.path === path) throw this.refused.problem;
    if (method === "GET") return { brand: this.brand, apps: this.apps };
    if (path === "/v1/brand") return { brand: this.brand = { ...this.brand, ...body } };
    const app = { ...this.apps.find(({ id }) => path.endsWith(`/${id}`)), ...body };
    this.apps = this.apps.map((one) => one["id"] === (app as Json)["id"] ? app : one);
    return { app };
  };

  async editor(): Promise<BrandEditor> {
    const editor = new BrandEditor(this.ask);
    await editor.load();
    return editor;
  }
}

describe("A brand as a manager changes it", () => {
  test("is sent with what differs only", async () => {
    const server = new Server();
    const editor = await server.editor();
    editor.change({ color: "#b3261e" });
    editor.changeApp("shop", { origins: ["https://shop.example", "https://www.shop.example"] });
    assert.equal(editor.isDirty, true);
    assert.equal(await editor.save(), true);
    assert.deepEqual(server.asked, [
      ["PATCH", "/v1/brand", { color: "#b3261e" }],
      ["PATCH", "/v1/apps/shop", { origins: ["https://shop.example", "https://www.shop.example"] }],
    ]);
    assert.equal(editor.isDirty, false);
  });

  test("has no change when the old value is typed again, or the changes are discarded", async () => {
    const editor = await new Server().editor();
    editor.change({ name: "Other" });
    editor.change({ name: "Tulip" });
    assert.equal(editor.isDirty, false);
    editor.change({ welcome: "" });
    editor.discard();
    assert.deepEqual([editor.isDirty, editor.store.get().draft?.brand.welcome], [false, "Hi!"]);
  });

  test("keeps the changes that were refused, and does not send again what was saved", async () => {
    const server = new Server();
    const editor = await server.editor();
    editor.change({ name: "Tulip & Co" });
    editor.changeApp("shop", { name: "" });
    const problem = new HTTPProblem(422, "out_of_range", "A name must have 1 to 100 characters.");
    server.refused = { path: "/v1/apps/shop", problem };
    assert.equal(await editor.save(), false);
    assert.deepEqual(editor.store.get().refused, { code: "out_of_range", text: problem.message });
    assert.deepEqual([editor.isDirty, editor.store.get().draft?.apps[1]?.name], [true, ""]);
    server.refused = undefined;
    editor.changeApp("shop", { name: "Store" });
    assert.equal(editor.store.get().refused, undefined);
    assert.equal(await editor.save(), true);
    assert.deepEqual(server.asked.map(([, path]) => path), ["/v1/brand", "/v1/apps/shop", "/v1/apps/shop"]);
    assert.equal(editor.isDirty, false);
  });

  test("is not loaded over unsaved changes", async () => {
    const server = new Server();
    const editor = await server.editor();
    editor.change({ name: "Mine" });
    server.brand = { ...BRAND, name: "Theirs" };
    await editor.load();
    assert.equal(editor.store.get().draft?.brand.name, "Mine");
    editor.discard();
    await editor.load();
    assert.equal(editor.store.get().draft?.brand.name, "Theirs");
  });

  test("can be loaded again after a failure", async () => {
    const server = new Server();
    server.refused = { path: "/v1/brand", problem: new HTTPProblem(503, "unavailable", "") };
    const editor = await server.editor();
    assert.equal(editor.store.get().phase, "failed");
    server.refused = undefined;
    await editor.load();
    assert.equal(editor.store.get().phase, "ready");
  });
});

describe("A website that may embed the widget", () => {
  test("is the origin of the address that was typed", () => {
    assert.equal(originOf("https://Shop.Example/path?x=1"), "https://shop.example");
    assert.equal(originOf("http://localhost:8080/"), "http://localhost:8080");
    assert.equal(originOf("Shop.example"), "https://shop.example");
    for (const other of ["my shop", "ftp://shop.example", ""]) assert.equal(originOf(other), other);
  });

  test("has no microphone without https, unless it is this very computer", () => {
    for (const origin of ["http://shop.example", "http://shop.example:8080", "http://localhost.shop.example"]) {
      assert.equal(isInsecure(origin), true, origin);
    }
    for (const origin of [
      "https://shop.example", "http://localhost", "http://localhost:8080", "http://shop.localhost:1",
      "http://127.0.0.1:5", "http://[::1]:5",
    ]) assert.equal(isInsecure(origin), false, origin);
  });

  test("is allowed at once, without what else is not saved yet", async () => {
    const server = new Server();
    const editor = await server.editor();
    editor.change({ name: "Mine" });
    editor.changeApp("shop", { label: "Ask us" });
    assert.equal(await editor.allow("shop", "https://new.example"), true);
    const origins = ["https://shop.example", "https://new.example"];
    assert.deepEqual(server.asked, [["PATCH", "/v1/apps/shop", { origins }]]);
    assert.deepEqual(editor.store.get().draft?.apps[1]?.origins, origins);
    assert.equal(editor.isDirty, true);
    await editor.save();
    assert.deepEqual(server.asked.at(-1), ["PATCH", "/v1/apps/shop", { label: "Ask us" }]);
    server.refused = { path: "/v1/apps/shop", problem: new HTTPProblem(0, "network", "") };
    assert.equal(await editor.allow("shop", "https://other.example"), false);
    assert.equal(editor.isDirty, false);
  });
});

describe("A colour", () => {
  test("is checked for the text on it: white on dark colours, dark on pale ones", () => {
    assert.deepEqual(checkColor("#1F6F5C"), { ratio: 6, isTextWhite: true, instead: undefined, ink: undefined });
    const yellow = checkColor("#ffd400");
    assert.deepEqual([yellow?.isTextWhite, yellow?.instead], [false, undefined]);
    assert(yellow !== undefined && yellow.ratio > 10 && yellow.ink !== undefined);
  });

  test("on which neither white nor dark text can be read is replaced by the nearest one on which it can", () => {
    const gray = checkColor("#787878");
    assert.deepEqual([gray?.ratio, gray?.instead === undefined], [4.4, false]);
    const better = checkColor(gray?.instead ?? "");
    assert(better !== undefined && better.ratio >= 4.5 && better.instead === undefined);
  });

  test("has six digits", () => {
    for (const text of ["", "red", "#fff", "#12345", "#1234567", "1f6f5c"]) assert.equal(checkColor(text), undefined);
  });
});
