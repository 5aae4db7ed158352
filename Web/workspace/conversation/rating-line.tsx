import type { ReactElement } from "react";
import type { RatedRow } from "../../client/agent/private-rows";
import { texts } from "../i18n/texts";
import { timeText } from "../ui/format";
import { Icon } from "../ui/icons";
import { NoteVoice } from "./voice/voice";

const STARS = [1, 2, 3, 4, 5];

/** The consumer's rating of the conversation. */
export default function RatingLine({ row, c, who }: { row: RatedRow; c: string; who: string }): ReactElement {
  const { csat, nps } = row;
  return (
    <li className="rated" data-n={row.n}>
      <p className="rated-title">
        {texts.rating.title({ who })} <time>{timeText(row.at)}</time>
      </p>
      {csat !== undefined && (
        <p className="rated-stars" role="img" aria-label={texts.rating.stars({ stars: csat })}>
          {STARS.map((star) => (
            <span key={star} data-on={star <= csat || undefined}>
              <Icon name="star" />
            </span>
          ))}
        </p>
      )}
      {nps !== undefined && <p>{texts.rating.nps({ score: nps })}</p>}
      {row.text !== undefined && <p className="rated-text" dir="auto">{row.text}</p>}
      {row.audio !== undefined && <NoteVoice c={c} n={row.n} own={false} audio={row.audio} />}
    </li>
  );
}
