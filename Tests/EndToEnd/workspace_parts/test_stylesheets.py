"""The stylesheets that parts of the workspace bring along change nothing in the parts that are already there."""

import requests
from playwright.sync_api import expect

from support import api, wire
from support.browser.pages import signed_in_state
from support.identity_provider import IdentityProvider

# What depends on the place of an element, on the focus, and on what was shown a moment ago, is left out.
STYLES = """async () => {
  document.activeElement?.blur();
  const running = document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity);
  await Promise.allSettled(running.map(one => one.finished));
  const places = new RegExp('^(width|height|(min-|max-)?(block|inline)-size|inset|top|right|bottom|left|' +
    'perspective-origin|transform-origin|transition|animation|outline|--)');
  const elements = [...document.querySelectorAll('body *')];
  return elements.filter(e => !e.closest('.offers, .aloud, [role=status], script')).map(e => {
    const style = getComputedStyle(e);
    const names = [...style].filter(name => !places.test(name));
    const values = names.map(name => `${name}: ${style.getPropertyValue(name)}`);
    return [`${e.tagName} ${e.getAttribute('class') ?? ''}`, values, e.disabled === true];
  });
}"""


def say(server, consumer: api.Consumer, text: str) -> None:
    async def story():
        live = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await live.until("ready")
        await live.send({"send": "1", "text": text})
        await live.until("ok")
        await live.close()

    wire.run(story())


def signed_in_consumer(server, demo, manager, tmp_path) -> api.Consumer:
    provider = IdentityProvider(tmp_path)
    saved = manager.session.put(
        f"{manager.base}/v1/identity-provider", json=provider.setting(), headers=manager.headers, timeout=20)
    assert saved.status_code == 200, saved.text
    token = provider.token("carla", name="Carla Lopez", email="carla@tulip.example", email_verified=True)
    answer = requests.post(
        f"{server.url}/v1/consumers/sign-in",
        json={"account": demo.account, "app": demo.app, "idToken": token}, timeout=20)
    assert answer.ok, answer.text
    return api.identity(answer.json())


def test_a_visit_to_settings_and_wall_leaves_inbox_and_consumer_panel_as_they_were(
    browser, server, demo, manager, tmp_path
):
    consumer = signed_in_consumer(server, demo, manager, tmp_path)
    say(server, consumer, "Is this the right counter?")
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, reduced_motion="reduce",
        storage_state=signed_in_state(browser, server, demo, demo.manager))
    page = context.new_page()
    inbox = f"{server.url}/workspace/#/all/{consumer.conversation}"
    page.goto(inbox)

    def styles() -> list:
        expect(page.get_by_text("carla@tulip.example")).to_be_visible()
        expect(page.get_by_role("region", name="Messages", exact=True)).to_contain_text("Is this the right counter?")
        page.wait_for_load_state("networkidle")
        page.mouse.move(720, 5)
        return page.evaluate(STYLES)

    before = styles()
    page.goto(f"{server.url}/workspace/#/admin/people")
    expect(page.get_by_role("table")).to_be_visible()
    page.goto(f"{server.url}/workspace/#/wall")
    expect(page.get_by_role("table", name="Queues")).to_be_visible()
    page.goto(inbox)
    after = styles()
    loaded = page.evaluate("[...document.styleSheets].map(sheet => sheet.href?.split('/').pop())")
    assert {"settings.css", "wall.css", "actions.css"} <= set(loaded), loaded
    assert [name for name, *_ in before] == [name for name, *_ in after], "the premise: the same elements"
    changed = [
        (name, sorted(set(was) ^ set(now)))
        for (name, was, was_disabled), (_, now, is_disabled) in zip(before, after)
        if was != now and was_disabled == is_disabled
    ]
    assert not changed, changed[:20]
    context.close()
