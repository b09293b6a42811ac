// What would have become of the last conversations on the draft, before it is published.
import type { ReplayGroup, ReplayReport as Report } from '@hilo/engine';
import { useState } from 'react';
import { readLines } from '../api/operations.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Loading } from '../parts/parts.tsx';
import { useStudio } from '../studio-context.ts';
import { useSeenWord } from '../words/effect-words.ts';
import { usePartWords } from '../words/part.ts';
import { useNames } from '../words/words.tsx';
import { changeWords } from './change-words.ts';

/** What a node is called. */
type NameOf = (nodeId: string) => string;

/** As many are replayed: a second of the service's time for a thousand of 20 events. */
const last = 1_000;

/** Replays the last conversations of the live version on the draft, on request, and tells which go otherwise. */
export function ReplayReport({ workflowId, nameOf }: { readonly workflowId: string; readonly nameOf: NameOf }) {
  const { client, companyId } = useStudio();
  const say = usePartWords(changeWords);
  const { isBusy, reason, act } = useAct();
  const [read, setRead] = useState(0);
  const [report, setReport] = useState<Report>();
  const [ignore, setIgnore] = useState<readonly Ignored[]>([]);
  const replay = (left: readonly Ignored[]): void =>
    act(async () => {
      setIgnore(left);
      setRead(0);
      const { replayWorkflow } = await client.operations();
      const answer = await replayWorkflow({
        path: { workflowId },
        query: { companyId },
        body: { against: 'draft', last, ignore: left.map(({ group }) => group) },
      });
      setReport(await readLines<Report>(answer, ({ read: count }) => setRead(Number(count))));
    });
  return (
    <section className="change-part">
      <h3>{say('replay.title')}</h3>
      {report === undefined ? (
        <>
          <p className="help">{say('replay.about')}</p>
          <p>
            <button type="button" disabled={isBusy} onClick={() => replay([])}>
              {isBusy ? say('replay.busy', { read }) : say('replay.do', { count: last })}
            </button>
          </p>
        </>
      ) : (
        <Told report={report} ignore={ignore} isBusy={isBusy} nameOf={nameOf} onIgnore={replay} />
      )}
      <Refused reason={reason} />
    </section>
  );
}

/** A group that is left out, and how it was told. */
interface Ignored {
  readonly group: string;
  readonly told: string;
}

interface ToldProps {
  readonly report: Report;
  readonly ignore: readonly Ignored[];
  readonly isBusy: boolean;
  readonly nameOf: NameOf;
  readonly onIgnore: (groups: readonly Ignored[]) => void;
}

function Told({ report: { read, counts, groups, isPartial }, ignore, isBusy, nameOf, onIgnore }: ToldProps) {
  const say = usePartWords(changeWords);
  if (read === 0) return <p className="quiet-text">{say('replay.none')}</p>;
  const others = counts.unknown + counts.unreadable;
  return (
    <>
      <p role="status" className={counts.differs === 0 ? 'good' : 'warn'}>
        {say('replay.same', { read, equal: counts.equal })}
      </p>
      <ul className="change-list">
        {groups.map((group) => (
          <li key={group.group}>
            <Differing
              group={group}
              isBusy={isBusy}
              nameOf={nameOf}
              onIgnore={(told) => onIgnore([...ignore, { group: group.group, told }])}
            />
          </li>
        ))}
      </ul>
      {counts.drawn > 0 && <p className="caption">{say('replay.drawn', { count: counts.drawn })}</p>}
      {others > 0 && <p className="caption">{say('replay.unknown', { count: others })}</p>}
      {isPartial && <p className="caption">{say('replay.partial')}</p>}
      {ignore.length > 0 && (
        <p className="caption">
          {say('replay.ignored', { groups: ignore.map(({ told }) => told).join('; ') })}{' '}
          <button type="button" className="link" disabled={isBusy} onClick={() => onIgnore([])}>
            {say('replay.again')}
          </button>
        </p>
      )}
    </>
  );
}

function Differing({
  group: { how, nodeId, where, count, newest },
  isBusy,
  nameOf,
  onIgnore,
}: {
  readonly group: ReplayGroup;
  readonly isBusy: boolean;
  readonly nameOf: NameOf;
  readonly onIgnore: (told: string) => void;
}) {
  const say = usePartWords(changeWords);
  const [isShown, setShown] = useState(false);
  const told = say(`replay.how.${how}`, { count, node: nameOf(nodeId) });
  return (
    <>
      <span dir="auto">
        {told} {where !== undefined && <code>{where}</code>}
      </span>{' '}
      <span className="buttons">
        <button type="button" className="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {say('replay.show')}
        </button>
        <button type="button" className="quiet" disabled={isBusy} onClick={() => onIgnore(told)}>
          {say('replay.ignore')}
        </button>
      </span>
      {isShown && <SideBySide executionId={newest} nameOf={nameOf} />}
    </>
  );
}

/** One conversation as it was, and on the draft. */
function SideBySide({ executionId, nameOf }: { readonly executionId: string; readonly nameOf: NameOf }) {
  const seenWord = useSeenWord({ wait: useNames('wait'), status: useNames('status') });
  const { client, companyId } = useStudio();
  const say = usePartWords(changeWords);
  const { value, error, reload } = useLoaded(`replay/${executionId}`, async () =>
    (await client.operations()).replayExecution({ path: { executionId }, query: { companyId, against: 'draft' } }),
  );
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  const first = firstDifference(value.before, value.after);
  return (
    <div className="side-by-side">
      {(['before', 'after'] as const).map((side) => (
        <section key={side} aria-label={say(`replay.${side}`)}>
          <h4>{say(`replay.${side}`)}</h4>
          <ol>
            {value[side].map(({ nodeId, what, value: seen }, index) => (
              <li key={index} className={index >= first ? 'differs' : ''} dir="auto">
                <b>{nameOf(nodeId)}</b> {seenWord(what)} <code>{seen === undefined ? '' : JSON.stringify(seen)}</code>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

interface Seen {
  readonly nodeId: string;
  readonly what: string;
  readonly value?: unknown;
}

/** From where on two sides of a conversation differ; what is said after that is no answer to the same. */
function firstDifference(before: readonly Seen[], after: readonly Seen[]): number {
  const text = ({ nodeId, what, value }: Seen): string => JSON.stringify([nodeId, what, value]);
  const index = before.findIndex((seen, at) => after[at] === undefined || text(seen) !== text(after[at]));
  return index < 0 ? before.length : index;
}
