/** When the widget asks who is there, before the first message. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ASK_AGAIN_MS, Outlook } from "../../widget/contact-centre/outlook";

class Page extends EventTarget {
  visibilityState = "visible";

  turns(state: string): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

/** A page with a clock of its own, whose questions are counted and not answered. */
class Surroundings {
  now = 1_000_000;
  asked = 0;
  readonly page = new Page();

  run(body: (around: this) => void): void {
    const { document, fetch } = globalThis;
    const clock = Date.now;
    Date.now = () => this.now;
    const ask = (): Promise<never> => {
      this.asked += 1;
      return new Promise(() => {});
    };
    Object.assign(globalThis, { document: this.page, fetch: ask });
    try {
      body(this);
    } finally {
      Date.now = clock;
      Object.assign(globalThis, { document, fetch });
    }
  }
}

describe("The availability that the widget asks for", () => {
  test("is asked for once a minute while it is in view", () => {
    new Surroundings().run((around) => {
      const outlook = new Outlook({ account: "a", app: "b" });
      outlook.text(() => {});
      around.now += ASK_AGAIN_MS - 1;
      outlook.text(() => {});
      assert.equal(around.asked, 1);
      around.now += 1;
      outlook.text(() => {});
      assert.equal(around.asked, 2);
    });
  });

  test("is asked for again when a page that was out of view for longer is looked at", () => {
    new Surroundings().run((around) => {
      const outlook = new Outlook({ account: "a", app: "b" });
      let renders = 0;
      const render = (): void => {
        renders += 1;
        outlook.text(render);
      };
      render();
      around.page.turns("hidden");
      around.now += ASK_AGAIN_MS;
      render();
      render();
      assert.equal(around.asked, 1, "nobody looks");
      around.page.turns("visible");
      assert.equal(around.asked, 2);
      assert.equal(renders, 4, "rendered once more");
    });
  });
});
