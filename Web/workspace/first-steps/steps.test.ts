import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Standing } from "../../client/agent/people";
import { firstSteps, isOwnPage, needsSeat, seesFirstSteps, type StepFacts, tryAddress } from "./steps";

const ADMINISTRATOR = ["conversations.answer", "brand.change", "people.change", "seats.change"];
type State = Standing["presence"]["state"];
const person = (id: string, state: State, skills: readonly string[] = ["general"]): Standing => ({
  id,
  name: id,
  role: "administrator",
  presence: { state, since: 0 },
  skills,
  load: 0,
  capacity: 3,
  open: 0,
});
const facts = (more: Partial<StepFacts> = {}): StepFacts => ({
  agent: { id: "dana", permissions: ADMINISTRATOR },
  standing: person("dana", "away"),
  people: 1,
  hasApp: true,
  hasConversation: false,
  isOnOwnPage: false,
  ...more,
});
const done = (more: Partial<StepFacts>): readonly string[] =>
  firstSteps(facts(more)).filter(({ isDone }) => isDone).map(({ name }) => name);

describe("The first steps", () => {
  test("are those that the person may take", () => {
    const names = (permissions: readonly string[], hasApp = true): readonly string[] =>
      firstSteps(facts({ agent: { id: "dana", permissions }, hasApp })).map(({ name }) => name);
    assert.deepEqual(names(ADMINISTRATOR), ["online", "line", "write", "invite"]);
    assert.deepEqual(names(["people.change"], false), ["invite"]);
    assert.deepEqual(names(["conversations.answer"], false), ["online"]);
  });

  test("notice each by itself that it is done", () => {
    assert.deepEqual(done({}), []);
    assert.deepEqual(done({ standing: person("dana", "online") }), ["online"]);
    assert.deepEqual(done({ standing: person("dana", "occupied") }), ["online"]);
    assert.deepEqual(done({ isOnOwnPage: true }), ["line"]);
    assert.deepEqual(done({ hasConversation: true }), ["write"]);
    assert.deepEqual(done({ people: 2 }), ["invite"]);
    assert.deepEqual(done({ standing: undefined, people: 0 }), []);
  });

  test("give who has no skill one, because going online alone would bring nothing", () => {
    const alone = { standing: person("dana", "online", []) };
    assert.equal(needsSeat(facts(alone)), true);
    assert.deepEqual(done(alone), []);
    const powerless = { ...alone, agent: { id: "dana", permissions: ["conversations.answer", "brand.change"] } };
    assert.equal(needsSeat(facts(powerless)), false);
    assert.deepEqual(done(powerless), ["online"]);
  });

  test("are for those who can change the brand or its people", () => {
    const sees = (...permissions: readonly string[]): boolean => seesFirstSteps({ agent: { id: "dana", permissions } });
    assert.deepEqual([sees("brand.change"), sees("people.change"), sees("conversations.answer", "wall.read")], [
      true,
      true,
      false,
    ]);
  });

  test("know a page of the brand’s own by its origin", () => {
    const own = (page: string | undefined): boolean => isOwnPage(page, "https://chat.example");
    assert.deepEqual(
      [own("https://shop.example/a?b"), own("https://chat.example/try/#a/b"), own(undefined), own("nonsense")],
      [true, false, false, false],
    );
  });

  test("show a page to try the widget on", () => {
    assert.equal(tryAddress("tulip", "shop"), "/try/#tulip/shop");
  });
});
