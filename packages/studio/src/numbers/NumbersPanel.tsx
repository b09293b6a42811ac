// Numbers over the canvas: how many came to each card, left by each port, stand there now and went away, in a period.
import { useEffect, useMemo, useState } from 'react';
import type { Overlay } from '../board/overlay.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { Loading } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { type NumbersView, useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { shortTime, useInstant, useLanguage, useNames } from '../words/words.tsx';
import {
  isPeriod,
  leftHere,
  type NodeNumbers,
  type Numbers,
  type Period,
  periods,
  placesOfLeaving,
  portsOf,
  stretchOf,
} from './numbers.ts';
import { numbersWords } from './numbers-words.ts';

interface NumbersPanelProps {
  readonly canvas: CanvasJson;
  readonly selected: ReadonlySet<string>;
  /** Which time and version are looked at first. */
  readonly first: NumbersView;
  readonly onOverlay: (overlay: Overlay | undefined) => void;
  /** Brings a node into view. */
  readonly onOpen: (nodeId: string) => void;
}

/** A share is shown beside a port from here on; its title has every one. */
const leastShare = 0.03;

export function NumbersPanel({ canvas, selected, first, onOverlay, onOpen }: NumbersPanelProps) {
  const { client, companyId, go, hrefOf } = useStudio();
  const say = usePartWords(numbersWords);
  const causeWord = useNames('cause');
  const instant = useInstant();
  const { locale } = useLanguage();
  const [period, setPeriod] = useState<Period | undefined>(first.from === undefined ? 'week' : undefined);
  const [version, setVersion] = useState(first.version);
  const [path, setPath] = useState<readonly string[]>([]);
  const { value, error, reload } = useLoaded(`numbers/${canvas.id}/${period}/${version}`, async () => {
    const { getNumbers } = await client.operations();
    const read = (time: { readonly from?: string; readonly to?: string }) =>
      getNumbers({ path: { workflowId: canvas.id }, query: { companyId, by: 'port', ...(version !== undefined && { version }), ...time } });
    if (period === undefined) return { now: await read(first.from === undefined ? {} : { from: first.from }), before: undefined };
    const nowMs = Date.parse((await read({})).to) - 1; // by the clock of the service, which may be another one
    const [now, before] = await Promise.all([read(stretchOf(periods[period], nowMs)), read(stretchOf(periods[period], nowMs, 1))]);
    return { now, before };
  });
  const from = value?.now.from ?? first.from ?? '';
  const percent = useMemo(() => {
    const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
    return (share: number): string => format.format(share);
  }, [locale]);
  const types = useMemo(() => new Map(canvas.nodes.map(({ id, type }) => [id, type])), [canvas.nodes]);
  const labels = useMemo(
    () =>
      new Map(canvas.nodes.map(({ id, data }) => [id, typeof data?.['label'] === 'string' && data['label'] !== '' ? data['label'] : id])),
    [canvas.nodes],
  );
  const places = useMemo(() => (value === undefined ? [] : placesOfLeaving(value.now.nodes, (id) => types.get(id))), [value, types]);

  const chosen = selected.size === 1 ? [...selected][0] : undefined;
  useEffect(() => {
    if (chosen !== undefined) setPath((before) => (before.at(-1) === chosen ? before : [...before, chosen]));
  }, [chosen]);
  useEffect(() => {
    if (value !== undefined) onOverlay({ numbers: drawn(value.now) });
  }, [value, percent, types]);

  /** What the canvas shows of the counts, in words. */
  const drawn = (numbers: Numbers): NonNullable<Overlay['numbers']> => {
    const worst = Math.max(0, ...places.map(({ left }) => left));
    return {
      cards: new Map(
        numbers.nodes.map((node) => {
          const left = leftHere(node, types.get(node.nodeId));
          return [node.nodeId, { text: footer(node, left), heat: worst === 0 ? 0 : left / worst }];
        }),
      ),
      ports: new Map(
        [...portsOf(numbers)].map(([key, { share, widthPx, p50Ms, count }]) => {
          const time = p50Ms === null || p50Ms < 1_000 ? undefined : shortTime(p50Ms);
          const text = time === undefined ? percent(share) : say('numbers.median', { share: percent(share), time });
          return [key, { widthPx, text: share < leastShare ? '' : text, title: `${count} · ${text}` }];
        }),
      ),
    };
  };
  const footer = ({ visits, standing }: NodeNumbers, left: number): string =>
    [
      say('numbers.in', { count: visits }),
      ...(standing > 0 ? [say('numbers.now', { count: standing })] : []),
      ...(left > 0 ? [say('numbers.leftHere', { share: percent(Math.min(1, left / Math.max(1, visits))) })] : []),
    ].join(' · ');

  const view = {
    screen: 'editor',
    workflowId: canvas.id,
    layer: 'numbers',
    from,
    ...(version !== undefined && { version }),
  } as const;
  return (
    <section className="numbers-panel">
      <h2>{say('numbers.title')}</h2>
      <div className="numbers-choice">
        <label>
          {say('numbers.period')}{' '}
          <select value={period ?? ''} onChange={({ target }) => setPeriod(isPeriod(target.value) ? target.value : undefined)}>
            {first.from !== undefined && <option value="">{say('numbers.period.since', { date: instant(first.from) })}</option>}
            {Object.keys(periods)
              .filter(isPeriod)
              .map((name) => (
                <option key={name} value={name}>
                  {say(`numbers.period.${name}`)}
                </option>
              ))}
          </select>
        </label>
        <label>
          {say('numbers.version')}{' '}
          <select value={version ?? ''} onChange={({ target }) => setVersion(target.value === '' ? undefined : Number(target.value))}>
            <option value="">{say('numbers.version.all')}</option>
            {[...new Set([...(version === undefined ? [] : [version]), ...(value?.now.versions ?? [])])]
              .toSorted((a, b) => b - a)
              .map((one) => (
                <option key={one} value={one}>
                  {say('numbers.version.one', { version: one })}
                </option>
              ))}
          </select>
        </label>
      </div>
      {value === undefined ? (
        <Loading error={error} onRetry={reload} />
      ) : (
        <>
          <Sums numbers={value.now} before={value.before} />
          <Funnel
            path={path}
            nodes={value.now.nodes}
            labelOf={(id) => labels.get(id) ?? id}
            percent={percent}
            linkOf={(nodeId) => {
              const to = {
                screen: 'executions',
                workflowId: canvas.id,
                nodeId,
                from,
                ...(version !== undefined && { version: String(version) }),
              } as const;
              return { href: hrefOf(to), go: () => go(to) };
            }}
            onClear={() => setPath([])}
          />
          <h3>{say('numbers.leaving')}</h3>
          {places.length === 0 && <p className="quiet-text">{say('numbers.leaving.none')}</p>}
          <ul>
            {places.slice(0, 10).map(({ nodeId, left, share }) => (
              <li key={nodeId}>
                <button type="button" className="link" dir="auto" onClick={() => onOpen(nodeId)}>
                  {labels.get(nodeId) ?? nodeId}
                </button>{' '}
                {left} · {say('numbers.leftHere', { share: percent(share) })}
              </li>
            ))}
          </ul>
          <Failures nodes={value.now.nodes} labelOf={(id) => labels.get(id) ?? id} causeWord={causeWord} onOpen={onOpen} />
          <p className="quiet-text">
            <a href={hrefOf(view)}>{say('numbers.link')}</a>
          </p>
        </>
      )}
      <p className="help">{say('numbers.about')}</p>
    </section>
  );
}

/** How many began and how they ended, against the time before. */
function Sums({ numbers, before }: { readonly numbers: Numbers; readonly before: Numbers | undefined }) {
  const say = usePartWords(numbersWords);
  const { entered, ended, isBehind } = numbers;
  const change = before === undefined ? 0 : entered - before.entered;
  const sign = change > 0 ? `▲ ${change}` : change < 0 ? `▼ ${-change}` : '=';
  const isEmpty = entered === 0 && numbers.nodes.length === 0;
  return (
    <div role="status">
      {isEmpty ? <p className="quiet-text">{say('numbers.none')}</p> : <p>{say('numbers.entered', { count: entered })}</p>}
      {before !== undefined && !isEmpty && <p className="caption">{say('numbers.before', { change: sign, count: before.entered })}</p>}
      <p>
        {(['completed', 'failed', 'expired', 'cancelled'] as const)
          .filter((status) => ended[status] > 0)
          .map((status) => say(`numbers.ended.${status}`, { count: ended[status] }))
          .join(' · ')}
      </p>
      {isBehind && <p className="warn">{say('numbers.behind')}</p>}
    </div>
  );
}

interface FunnelProps {
  /** Node ids, in the order in which they were chosen. */
  readonly path: readonly string[];
  readonly nodes: readonly NodeNumbers[];
  readonly labelOf: (nodeId: string) => string;
  readonly percent: (share: number) => string;
  /** Leads to the executions that stopped at a node. */
  readonly linkOf: (nodeId: string) => { readonly href: string; readonly go: () => void };
  readonly onClear: () => void;
}

/** How many come from one chosen card to the next. */
function Funnel({ path, nodes, labelOf, percent, linkOf, onClear }: FunnelProps) {
  const say = usePartWords(numbersWords);
  const visits = path.map((id) => nodes.find(({ nodeId }) => nodeId === id)?.visits ?? 0);
  const most = Math.max(1, ...visits);
  return (
    <>
      <h3>{say('numbers.path')}</h3>
      {path.length === 0 && <p className="help">{say('numbers.path.about')}</p>}
      <ol className="funnel">
        {path.map((id, index) => {
          const { href, go } = linkOf(id);
          return (
            <li key={`${index} ${id}`}>
              <span dir="auto">{labelOf(id)}</span> <b>{visits[index]}</b>{' '}
              {index > 0 && (visits[0] ?? 0) > 0 && (
                <span className="caption">{say('numbers.path.share', { share: percent((visits[index] ?? 0) / (visits[0] ?? 1)) })}</span>
              )}
              <meter aria-hidden min={0} max={most} value={visits[index]} />
              <a
                href={href}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey) return;
                  event.preventDefault();
                  go();
                }}
              >
                {say('numbers.path.stopped', { node: labelOf(id) })}
              </a>
            </li>
          );
        })}
      </ol>
      {path.length > 0 && (
        <button type="button" onClick={onClear}>
          {say('numbers.path.clear')}
        </button>
      )}
    </>
  );
}

interface FailuresProps {
  readonly nodes: readonly NodeNumbers[];
  readonly labelOf: (nodeId: string) => string;
  readonly causeWord: (cause: string) => string;
  readonly onOpen: (nodeId: string) => void;
}

/** What failed, by cause. */
function Failures({ nodes, labelOf, causeWord, onOpen }: FailuresProps) {
  const say = usePartWords(numbersWords);
  const failures = nodes
    .flatMap(({ nodeId, causes }) => causes.map(({ cause, count }) => ({ nodeId, cause, count })))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 10);
  if (failures.length === 0) return null;
  return (
    <>
      <h3>{say('numbers.failures')}</h3>
      <ul>
        {failures.map(({ nodeId, cause, count }) => (
          <li key={`${nodeId} ${cause}`}>
            <button type="button" className="link" dir="auto" onClick={() => onOpen(nodeId)}>
              {labelOf(nodeId)}
            </button>{' '}
            {causeWord(cause)} · {count}
          </li>
        ))}
      </ul>
    </>
  );
}
