import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LINK_CHARACTERS, splitLinks, type TextPart } from "../../client/conversation/links";
import { mayHaveLinks } from "../../client/conversation/may-have-links";
import { seeded } from "../support/support";

const links = (text: string): readonly TextPart[] => splitLinks(text).filter(({ href }) => href !== undefined);
/** The links of a text as `shown → address`, with the host where another one is shown. */
const shown = (text: string): string[] =>
  links(text).map(({ text, href, host }) => `${text} → ${href}${host === undefined ? "" : ` (${host})`}`);

/** A text, and what of it is a link. */
const VECTORS: readonly [string, ...string[]][] = [
  ["See https://shop.example/poles?x=1", "https://shop.example/poles?x=1 → https://shop.example/poles?x=1"],
  ["HTTP://Shop.Example", "HTTP://Shop.Example → http://shop.example/"],
  ["www.shop.example/a", "www.shop.example/a → https://www.shop.example/a"],
  ["Go to www.shop.example.", "www.shop.example → https://www.shop.example/"],
  ["http://localhost:8080/x", "http://localhost:8080/x → http://localhost:8080/x"],
  // The punctuation of the sentence.
  ["(https://shop.example/a)", "https://shop.example/a → https://shop.example/a"],
  ["(see https://shop.example/a_(b))", "https://shop.example/a_(b) → https://shop.example/a_(b)"],
  ["https://shop.example/a...", "https://shop.example/a → https://shop.example/a"],
  ["https://shop.example/a?!", "https://shop.example/a → https://shop.example/a"],
  ["[https://shop.example/a]", "https://shop.example/a → https://shop.example/a"],
  ["“https://shop.example/a”", "https://shop.example/a → https://shop.example/a"],
  ["<https://shop.example/a>", "https://shop.example/a → https://shop.example/a"],
  ["**https://shop.example/a**", "https://shop.example/a → https://shop.example/a"],
  ["看https://shop.example/a。谢谢", "https://shop.example/a → https://shop.example/a"],
  ["看 https://shop.example/a。谢谢", "https://shop.example/a → https://shop.example/a"],
  [
    "https://a.example\nhttps://b.example", "https://a.example → https://a.example/",
    "https://b.example → https://b.example/",
  ],
  // What a browser would go to is shown where the text shows another host.
  ["https://аррӏе.example", "https://аррӏе.example → https://xn--80ak6aa92e.example/ (xn--80ak6aa92e.example)"],
  ["https://paypаl.example", "https://paypаl.example → https://xn--paypl-7ve.example/ (xn--paypl-7ve.example)"],
  ["https://bücher.example/a", "https://bücher.example/a → https://xn--bcher-kva.example/a (xn--bcher-kva.example)"],
  ["http://2130706433/a", "http://2130706433/a → http://127.0.0.1/a (127.0.0.1)"],
  ["https://shop%2eexample/", "https://shop%2eexample/ → https://shop.example/ (shop.example)"],
  ["https://ｓhop.example/", "https://ｓhop.example/ → https://shop.example/ (shop.example)"],
  // A name before the host deceives.
  ["https://shop.example@evil.example/"],
  ["https://user:pass@shop.example/"],
  ["https://@evil.example/"],
  ["www.shop.example@evil.example"],
  ["https:///evil.example"],
  // A backslash and characters that are not seen end an address.
  ["https://shop.example\\@evil.example", "https://shop.example → https://shop.example/"],
  ["https://shop.example/\u202egpj.exe", "https://shop.example/ → https://shop.example/"],
  ["https://shop\u200b.example.evil.example", "https://shop → https://shop/"],
  ["\u202ehttps://shop.example", "https://shop.example → https://shop.example/"],
  // Nothing but http, https, mail and phone.
  ["javascript:alert(1)"], ["JaVaScRiPt://shop.example/%0aalert(1)"], ["data:text/html,<b>x</b>"],
  ["vbscript:x"],
  ["file:///etc/passwd"], ["ftp://shop.example"], ["intent://shop.example"],
  ["xhttps://shop.example"], ["https://"], ["http://..."], ["www."], ["www.shop"], ["https://shop.example:99999/"],
  ["shop.example"], ["1.2.3"], ["e.g.this"],
  // Mail addresses.
  ["Write to help@shop.example.", "help@shop.example → mailto:help@shop.example"],
  ["(a.b+c@mail.shop.example)", "a.b+c@mail.shop.example → mailto:a.b+c@mail.shop.example"],
  ["mailto:help@shop.example", "help@shop.example → mailto:help@shop.example"],
  ["Straße@shop.example"], ["über@shop.example"], ["a@b"], ["@dana"], ["a@b@shop.example"],
  ["help@shop.example?bcc=x@evil.example", "help@shop.example → mailto:help@shop.example"],
  [`${"a".repeat(65)}@shop.example`], ["help@ſhop.example"], ["help@shop.example-x"], ["...help@shop.example"],
  ["é.help@shop.example"],
  // Phone numbers.
  ["Call +49 30 123456", "+49 30 123456 → tel:+4930123456"],
  ["+49 (0)30 123456-0", "+49 (0)30 123456-0 → tel:+49301234560"],
  ["+4930123456.", "+4930123456 → tel:+4930123456"],
  ["+1.555.123.4567", "+1.555.123.4567 → tel:+15551234567"],
  ["0049 30 123456", "0049 30 123456 → tel:004930123456"],
  ["(030) 123 45 67", "(030) 123 45 67 → tel:0301234567"],
  ["(555) 123-4567", "(555) 123-4567 → tel:5551234567"],
  ["555-123-4567", "555-123-4567 → tel:5551234567"],
  // Order numbers, dates, amounts, times, card numbers.
  ["Order 302-1234567-1234567"], ["Order 1234567890"], ["0012345678"], ["#555-123-45678"], ["A555-123-4567"],
  ["2026-11-24"], ["24.11.2026 10:00"], ["11/24/2026"], ["10:00-18:00"], ["+50.000.000"], ["+5 %"], ["1,000,000"],
  ["4111 1111 1111 1111"], ["4111-1111-1111-1111"], ["•••• •••• •••• 1234"], ["••••••••••••1234"],
  ["+49 •••• 123 4567"], ["+4930123456•"], ["https://shop.example/••••1234"], ["•555-123-4567"],
  ["DE89 3704 0044 0532 0130 00"], [`+${"1".repeat(16)}`], [`+49${"1".repeat(40)}`], ["192.168.10.10"],
];

describe("Links in a text", () => {
  for (const [text, ...expected] of VECTORS) {
    test(`${JSON.stringify(text)} has ${expected.length}`, () => {
      assert.deepEqual(shown(text), expected);
      assert(expected.length === 0 || mayHaveLinks(text), "the rules would not be loaded for it");
    });
  }

  test("end where an address is longer than a link may be", () => {
    const begin = "https://shop.example/";
    const address = (length: number): string => begin + "a".repeat(length - begin.length);
    assert.equal(links(address(LINK_CHARACTERS - 1)).length, 1);
    assert.equal(links(address(LINK_CHARACTERS)).length, 1);
    assert.equal(links(address(LINK_CHARACTERS + 1)).length, 0);
  });

  test("leave every text as it is, and lead only to what is shown", () => {
    const random = seeded(24);
    const pieces = [
      "https://", "http://", "www.", "shop", ".example", "/a", "?b=", "#", "@", ":", ")", "(", ".", ",", " ", "\n",
      "+49",
      "00", "30 ", "123", "4567", "-", "•", "\u202e", "\u200b", "é", "а", "😀", "\\", "<", '"', "javascript:",
      "%2e", "[",
    ];
    for (let round = 0; round < 4000; round += 1) {
      const length = 1 + Math.floor(random() * 14);
      const text = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join("");
      const parts = splitLinks(text);
      assert.equal(parts.map((part) => part.text).join(""), text);
      for (const { href, text: label, host } of parts) {
        if (href === undefined) continue;
        assert(/^(?:https?:\/\/|mailto:|tel:)/.test(href), href);
        assert(!/[•\u202e\u200b]|^\s|\s$/u.test(label), label);
        if (!href.startsWith("http")) continue;
        const url = new URL(href);
        assert.equal(url.username + url.password, "");
        assert(label.toLowerCase().includes(url.hostname) || host === url.hostname, `${label} hides ${href}`);
      }
    }
  });

  test("are found in time that grows with the text, whatever it is", () => {
    const hostile = [
      "a", "a.", "a@", "www.", "https://", "http://a", ")", "(", "1", "+1", "00 1", "+49 ", "1-", "555-", "(030)",
      "@a.",
      "•", "a-", "https://a)", "\u202e", "...", "()",
    ];
    for (const piece of hostile) {
      // A rule that reads the rest of the text again at every place would need minutes for this.
      const text = piece.repeat(Math.ceil(400_000 / piece.length));
      assert.equal(splitLinks(text).map((part) => part.text).join("").length, text.length);
    }
  });
});
