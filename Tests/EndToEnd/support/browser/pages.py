"""The pages as people use them: by roles and names, never by classes."""

import base64
import re

from playwright.sync_api import Browser, BrowserContext, Frame, FrameLocator, Locator, Page, expect

from support.demo import Demo, Login
from support.server import Server

RECORD, SEND_VOICE, STOP, TRASH = "Record a voice message", "Send voice message", "Stop and listen", "Delete recording"
CLOSED = "This conversation was closed."
VOICE_LENGTH = re.compile(r"Play voice message")


def from_second(seconds: int) -> re.Pattern:
    """What a timer shows from this second on. Not only at this second: a check once per second may miss it."""
    return re.compile(
        "^(" + "|".join(f"{second // 60}:{second % 60:02d}" for second in range(seconds, seconds + 60)) + ")"
    )


class ConsumerPage:
    """The demo shop, and the widget in its iframe."""

    def __init__(self, context: BrowserContext, server: Server, path: str = "/demo/"):
        self.page = context.new_page()
        self.page.goto(server.url + path)

    @classmethod
    def of(cls, page: Page) -> "ConsumerPage":
        """A page that stands there already: a shop at another address, say."""
        made = cls.__new__(cls)
        made.page = page
        return made

    @property
    def launcher(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile("^Messages"))

    @property
    def widget(self) -> FrameLocator:
        return self.page.frame_locator("iframe")

    @property
    def composer(self) -> Locator:
        return self.widget.get_by_role("textbox", name="Your message")

    @property
    def messages(self) -> Locator:
        return self.widget.get_by_role("listitem")

    def open(self) -> "ConsumerPage":
        """Opens the widget; after a reload it may stand open already."""
        if self.launcher.get_attribute("aria-expanded") != "true":
            self.launcher.click()
        expect(self.composer).to_be_visible()
        return self

    def open_anyhow(self) -> "ConsumerPage":
        """Opens the widget, whatever stands where the composer would be: a recording that is offered again, say."""
        if self.launcher.get_attribute("aria-expanded") != "true":
            self.launcher.click()
        expect(self.widget.get_by_role("heading").first).to_be_visible()
        return self

    def say(self, text: str) -> None:
        self.composer.fill(text)
        self.composer.press("Enter")
        expect(self.text(text)).to_be_visible()

    def text(self, text: str) -> Locator:
        return self.messages.filter(has_text=text)

    def record(self, seconds: int) -> None:
        """Starts, and waits until the recorder itself shows so many seconds."""
        self.widget.get_by_role("button", name=RECORD).click()
        expect(self.widget.get_by_role("timer")).to_have_text(from_second(seconds))

    @property
    def frame(self) -> Frame:
        """The widget's own page."""
        return next(frame for frame in self.page.frames if "/widget" in frame.url)

    @property
    def recorder(self) -> Locator:
        return self.widget.get_by_role("group", name=RECORD)

    def send_voice(self) -> None:
        self.widget.get_by_role("button", name=SEND_VOICE).click()
        expect(self.voice).to_be_visible()

    @property
    def voice(self) -> Locator:
        return self.messages.get_by_role("button", name=VOICE_LENGTH).last


def sign_in(form: Page | Locator, demo: Demo, login: Login) -> None:
    """Fills in the sign-in form and sends it. Where the server has one brand, the form asks for no account."""
    expect(form.get_by_label("Email", exact=True)).to_be_visible()
    account = form.get_by_label("Account", exact=True)
    if account.is_visible():
        account.fill(demo.account)
    form.get_by_label("Email", exact=True).fill(login.email)
    form.get_by_label("Password", exact=True).fill(login.password)
    form.get_by_role("button", name="Sign in").click()


class AgentPage:
    """The workspace."""

    def __init__(self, context: BrowserContext, server: Server):
        self.page = context.new_page()
        self.sounds: list[str] = []
        self.page.on(
            "request", lambda request: self.sounds.append(request.url) if "/v1/media/" in request.url else None
        )
        self.page.goto(f"{server.url}/workspace/")

    def sign_in(self, demo: Demo, login: Login) -> "AgentPage":
        sign_in(self.page, demo, login)
        expect(self.page.get_by_role("heading", name="Inbox")).to_be_visible()
        return self

    def tab(self, name: str) -> Locator:
        return self.page.get_by_role("tab", name=re.compile(name))

    def row(self, text: str | re.Pattern) -> Locator:
        return self.page.get_by_role("tabpanel").get_by_role("link").filter(has_text=text)

    def open_row(self, text: str | re.Pattern) -> None:
        self.row(text).first.click()
        expect(self.composer).to_be_visible()

    @property
    def composer(self) -> Locator:
        return self.page.get_by_role("textbox", name=re.compile("Reply to"))

    @property
    def messages(self) -> Locator:
        return self.page.get_by_role("region", name="Messages", exact=True)

    def text(self, text: str) -> Locator:
        return self.messages.get_by_text(text, exact=True)

    def say(self, text: str) -> None:
        self.composer.fill(text)
        self.composer.press("Enter")
        expect(self.text(text)).to_be_visible()

    @property
    def voice(self) -> Locator:
        return self.messages.get_by_role("button", name=VOICE_LENGTH).last

    @property
    def mic(self) -> Locator:
        return self.page.get_by_role("button", name=RECORD)

    @property
    def recorder(self) -> Locator:
        return self.page.get_by_role("group", name=RECORD)

    def record(self, seconds: int) -> None:
        """Two acts: open the recorder, then record until it shows so many seconds."""
        self.mic.click()
        self.recorder.get_by_role("button", name="Record", exact=True).click()
        expect(self.recorder.get_by_role("timer")).to_have_text(from_second(seconds))

    def close_conversation(self, anyway: bool = False) -> None:
        """Closes it, and waits until the page went on: to the next one, or to none. `anyway`: the page warns first."""
        before = self.page.url
        self.page.get_by_role("button", name="Close conversation").click()
        if anyway:
            expect(self.page.get_by_role("dialog").get_by_role("button", name="Close anyway")).to_be_focused()
            self.page.keyboard.press("Enter")
        expect(self.page).not_to_have_url(before)

    def heard(self) -> bytes:
        """The bytes of the sound that this page asked for last, fetched by the page itself, with what it is allowed."""
        code = """async url => { const data = new Uint8Array(await (await fetch(url)).arrayBuffer());
                  let text = ''; for (const byte of data) text += String.fromCharCode(byte); return btoa(text); }"""
        return base64.b64decode(self.page.evaluate(code, self.sounds[-1]))


def seconds_of(label: str) -> float:
    """Seconds in a name like "Play voice message, 4 seconds" or "… 0:04"."""
    clock = re.search(r"(\d+):(\d\d)", label)
    if clock:
        return int(clock.group(1)) * 60 + int(clock.group(2))
    minutes, rest = re.search(r"(\d+) min", label), re.search(r"(\d+) s", label)
    assert minutes or rest, label
    return (int(minutes.group(1)) * 60 if minutes else 0) + (int(rest.group(1)) if rest else 0)


def signed_in_state(browser: Browser, server: Server, demo: Demo, login: Login) -> dict:
    """What a browser keeps of somebody who signed in. For a file of tests once each: sign-ins are throttled."""
    context = browser.new_context(locale="en-GB")
    AgentPage(context, server).sign_in(demo, login)
    state = context.storage_state()
    context.close()
    return state
