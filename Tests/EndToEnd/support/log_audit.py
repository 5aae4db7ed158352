"""Compares what senders were told with what the log holds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Audit:
    acknowledged: int
    lost: int
    doubled: int
    reordered: int
    gaps: int
    misnumbered: int

    @property
    def is_clean(self) -> bool:
        return self.lost == self.doubled == self.reordered == self.gaps == self.misnumbered == 0

    def __add__(self, other: "Audit") -> "Audit":
        return Audit(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))


EMPTY = Audit(0, 0, 0, 0, 0, 0)


def audit(said: list[str], acknowledged: dict[str, int], events: list[dict]) -> Audit:
    """`said`: the texts in the order in which they were said; `acknowledged`: text → the number that the sender was
    told; `events`: the log.

    lost: acknowledged, but not in the log. doubled: in the log more than once. reordered: in the log before something
    said earlier. gaps: numbers that are missing, repeated or out of order. misnumbered: in the log under another number
    than the sender was told.
    """
    texts = [event["text"] for event in events if "text" in event]
    numbers = {event["text"]: event["n"] for event in events if "text" in event}
    order = {text: place for place, text in enumerate(said)}
    places = [order[text] for text in texts]
    return Audit(
        acknowledged=len(acknowledged),
        lost=sum(text not in numbers for text in acknowledged),
        doubled=len(texts) - len(numbers),
        reordered=sum(later < earlier for earlier, later in zip(places, places[1:])),
        gaps=sum(event["n"] != place for place, event in enumerate(events, start=1)),
        misnumbered=sum(numbers.get(text, number) != number for text, number in acknowledged.items()),
    )
