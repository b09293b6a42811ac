// How the last seven days went on a company's home, against the seven before.
import { change } from '../numbers/numbers.ts';
import { usePartWords } from '../words/part.ts';
import { shortTime, useLanguage } from '../words/words.tsx';
import { homeWords } from './home-words.ts';
import type { Overview } from './overview.ts';

export function Week({ week, before }: { readonly week: Overview['week']; readonly before: Overview['week'] }) {
  const say = usePartWords(homeWords);
  const { locale } = useLanguage();
  const percent = (part: number, whole: number): string =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(part / Math.max(1, whole));
  const facts = [
    { text: say('home.week.began', { count: week.began }), number: String(week.began), by: week.began - before.began },
    { text: say('home.week.completed'), number: String(week.completed), by: week.completed - before.completed },
    {
      text: say('home.week.handedOff', { share: percent(week.handedOff, week.began) }),
      number: String(week.handedOff),
      by: week.handedOff - before.handedOff,
    },
    { text: say('home.week.failed'), number: String(week.failed), by: week.failed - before.failed },
    ...(week.medianReplyMs === null ? [] : [{ text: say('home.week.reply'), number: shortTime(week.medianReplyMs), by: undefined }]),
  ];
  return (
    <section className="home-part">
      <h2>{say('home.week')}</h2>
      <ul className="home-week">
        {facts.map(({ text, number, by }, index) => (
          <li key={index}>
            <b>{number}</b> <span>{text}</span>{' '}
            {by !== undefined && <span className="caption">{say('home.week.change', { change: change(by) })}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
