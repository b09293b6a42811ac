// Home of a company: what waits for people, its bots, and the workflows that need somebody.
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useInboxChanges, useNow } from '../inbox/use-inbox.ts';
import { Go } from '../parts/Go.tsx';
import { SignedOut } from '../parts/LoginForm.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { Loading } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio, type View } from '../studio-context.ts';
import { readWorkflows } from '../workflows/read-workflows.ts';
import { usePartWords } from '../words/part.ts';
import { shortTime, useNames, useWords } from '../words/words.tsx';
import { BotCards } from './BotCards.tsx';
import { homeWords } from './home-words.ts';
import { listNeeds, type Need } from './needs.ts';
import type { Overview } from './overview.ts';
import { Week } from './Week.tsx';

/** The parts of home, which a host can leave out. */
const homeSections = ['now', 'first-day', 'week', 'bots', 'workflows'] as const;
/** A part of home, which a host can leave out. */
export type HomeSection = (typeof homeSections)[number];

const dayMs = 86_400_000;
/** As many workflows are named; the list of workflows has them all. */
const mostNeeds = 8;

/** The state of a company at a glance: what waits for people, its bots, and the workflows that need somebody. */
export function HomeScreen({
  session,
  sections = homeSections,
}: {
  readonly session?: ReactNode;
  readonly sections?: readonly HomeSection[];
}) {
  const { client, companyId, can, hasRail } = useStudio();
  const shows = (section: HomeSection): boolean => sections.includes(section);
  const say = usePartWords(homeWords);
  const words = useWords();
  const { value, error, reload, isSignedOut } = useLoaded(`home/${companyId}`, async () => {
    const { getOverview } = await client.operations();
    const [workflows, overview] = await Promise.all([readWorkflows(client, companyId), getOverview({ path: { companyId } })]);
    return { workflows, overview };
  });
  useInboxChanges(reload);
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  const { workflows, overview } = value;
  const needs = listNeeds(workflows).slice(0, mostNeeds);
  const steps = [
    {
      step: 'connect',
      isDone: overview.bots.length > 0,
      ...(can('operate') && { view: { screen: 'settings', section: 'bots', recordId: '+' } as const }),
    },
    { step: 'example', isDone: workflows.length > 0, view: { screen: 'gallery' } },
    { step: 'publish', isDone: workflows.some(({ publishedVersion }) => publishedVersion !== null), view: { screen: 'workflows' } },
    { step: 'answer', isDone: false, view: { screen: 'inbox' } },
  ] as const;
  return (
    <main className="page home">
      <header className="page-head">
        <h1>{say('home.title')}</h1>
        <nav className="buttons" aria-label={say('home.title')}>
          {!hasRail && (
            <>
              <Go view={{ screen: 'workflows' }}>{say('home.workflows')}</Go>
              {can('answer') && <Go view={{ screen: 'inbox' }}>{say('home.inbox')}</Go>}
              <Go view={{ screen: 'executions' }}>{say('home.executions')}</Go>
              <Go view={{ screen: 'jobs' }}>{words('app.jobs')}</Go>
              {can('operate') && <Go view={{ screen: 'settings', section: 'bots' }}>{words('app.settings')}</Go>}
              {can('operate') && <Go view={{ screen: 'audit' }}>{words('app.audit')}</Go>}
            </>
          )}
          <Go view={{ screen: 'gallery' }}>{say('home.examples')}</Go>
        </nav>
        <span className="spring" />
        <ModeButton />
        {session}
      </header>
      {shows('now') && <Now overview={overview} />}
      {shows('first-day') && steps.filter(({ isDone }) => isDone).length < 3 && (
        <section className="home-part">
          <h2>{say('home.firstDay')}</h2>
          <ol className="home-steps">
            {steps.map(({ step, isDone, ...to }) => (
              <li key={step}>
                {isDone ? <Check size={16} className="good" aria-label={say('home.done')} /> : <span aria-hidden>○</span>}{' '}
                {'view' in to && !isDone ? <Go view={to.view}>{say(`home.step.${step}`)}</Go> : say(`home.step.${step}`)}
              </li>
            ))}
          </ol>
        </section>
      )}
      {shows('week') && <Week week={overview.week} before={overview.weekBefore} />}
      {shows('bots') && <BotCards bots={overview.bots} />}
      {shows('workflows') && <Needs needs={needs} />}
    </main>
  );
}

/** The workflows that need somebody, the most harmful first. */
function Needs({ needs }: { readonly needs: ReturnType<typeof listNeeds> }) {
  const say = usePartWords(homeWords);
  return (
    <section className="home-part">
      <h2>{say('home.needsYou')}</h2>
      {needs.length === 0 ? (
        <p className="quiet-text">{say('home.allWell')}</p>
      ) : (
        <ul className="home-list">
          {needs.map(({ workflow: { workflowId, name }, need }) => (
            <li key={workflowId}>
              <Go view={{ screen: 'editor', workflowId }}>{name}</Go>
              <Why need={need} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Why({ need: { why, count } }: { readonly need: Need }) {
  const say = usePartWords(homeWords);
  const isBad = why === 'failed' || why === 'errors';
  return <span className={isBad ? 'bad' : why === 'warnings' ? 'warn' : 'caption'}>{say(`home.why.${why}`, { count })}</span>;
}

/** The numbers of this moment, each with its list behind it. */
function Now({ overview: { conversations, executions } }: { readonly overview: Overview }) {
  const say = usePartWords(homeWords);
  const causeWord = useNames('cause');
  const nowMs = useNow();
  const oldest = conversations.oldestWaitingSince;
  const facts: readonly { readonly view: View; readonly number: number; readonly text: string; readonly more?: string }[] = [
    { view: { screen: 'inbox', whose: 'all' }, number: conversations.open, text: say('home.open') },
    {
      view: { screen: 'inbox', whose: 'all' },
      number: conversations.waiting,
      text: say('home.waiting', { count: conversations.waiting }),
      ...(oldest !== null && { more: say('home.oldest', { time: shortTime(Math.max(1_000, nowMs - Date.parse(oldest))) }) }),
    },
    { view: { screen: 'executions', status: 'waiting' }, number: executions.waiting, text: say('home.running') },
    {
      view: { screen: 'executions', status: 'failed', from: new Date(nowMs - dayMs).toISOString() },
      number: executions.failed24h,
      text: say('home.failed'),
      ...(executions.failed24h > 0 && { more: executions.causes.map(({ cause, count }) => `${causeWord(cause)} · ${count}`).join('; ') }),
    },
  ];
  return (
    <section className="home-part" aria-label={say('home.now')}>
      <ul className="home-now">
        {facts.map(({ view, number, text, more }, index) => (
          <li key={index}>
            <Go view={view} className="home-fact">
              <b>{number}</b> <span>{text}</span> {more !== undefined && <span className="warn">{more}</span>}
            </Go>
          </li>
        ))}
      </ul>
    </section>
  );
}
