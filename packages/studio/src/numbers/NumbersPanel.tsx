// Numbers over the canvas: how many came to each card, left by each port, stand there now and went away, in a period.
import { useEffect, useMemo, useState } from 'react';
import type { Overlay } from '../board/overlay.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { Go } from '../parts/Go.tsx';
import { Loading } from '../parts/parts.tsx';
import type { NumbersView, View } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { shortTime, useInstant, useLanguage, useNames } from '../words/words.tsx';
import { drawNumbers } from './drawn.ts';
import { change, isPeriod, type NodeNumbers, type Numbers, type Period, periods, placesOfLeaving, slowest } from './numbers.ts';
import { numbersWords } from './numbers-words.ts';
import { type Against, type Channel, useNumbers } from './use-numbers.ts';

interface NumbersPanelProps {
  readonly canvas: CanvasJson;
  readonly selected: ReadonlySet<string>;
  /** Which time and version are looked at first. */
  readonly first: NumbersView;
  readonly onOverlay: (overlay: Overlay | undefined) => void;
  /** Brings a node into view. */
  readonly onOpen: (nodeId: string) => void;
}

export function NumbersPanel({ canvas, selected, first, onOverlay, onOpen }: NumbersPanelProps) {
  const say = usePartWords(numbersWords);
  const causeWord = useNames('cause');
  const { locale } = useLanguage();
  const [period, setPeriod] = useState<Period | undefined>(first.from === undefined ? 'week' : undefined);
  const [version, setVersion] = useState(first.version);
  const [channel, setChannel] = useState<Channel | undefined>(first.channel);
  const [against, setAgainst] = useState<Against>('before');
  const [path, setPath] = useState<readonly string[]>([]);
  const { value, error, reload } = useNumbers(canvas.id, first.from, { period, version, channel, against });
  const from = value?.now.from ?? first.from ?? '';
  const percent = useMemo(() => {
    const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
    return (share: number): string => format.format(share);
  }, [locale]);
  const types = useMemo(() => new Map(canvas.nodes.map(({ id, type }) => [id, type])), [canvas.nodes]);
  const labelOf = useNodeName(canvas);
  const places = useMemo(() => (value === undefined ? [] : placesOfLeaving(value.now.nodes, (id) => types.get(id))), [value, types]);

  /** The executions that stopped at a node. */
  const executionsAt = (nodeId: string) => {
    return {
      screen: 'executions',
      workflowId: canvas.id,
      nodeId,
      from,
      ...(version !== undefined && { version: String(version) }),
      ...(channel !== undefined && { channel }),
    } as const;
  };

  const chosen = selected.size === 1 ? [...selected][0] : undefined;
  useEffect(() => {
    if (chosen !== undefined) setPath((before) => (before.at(-1) === chosen ? before : [...before, chosen]));
  }, [chosen]);
  useEffect(() => {
    if (value !== undefined)
      onOverlay({
        numbers: drawNumbers({ ...value, typeOf: (id) => types.get(id), say, percent }),
        strip: <NumbersStrip path={path} numbers={value.now} labelOf={labelOf} percent={percent} executionsAt={executionsAt} />,
      });
  }, [value, percent, types, say, path]);

  const view = {
    screen: 'editor',
    workflowId: canvas.id,
    layer: 'numbers',
    from,
    ...(version !== undefined && { version }),
    ...(channel !== undefined && { channel }),
  } as const;
  return (
    <section className="numbers-panel">
      <h2>{say('numbers.title')}</h2>
      <Choices
        first={first}
        period={period}
        version={version}
        channel={channel}
        against={against}
        now={value?.now}
        onPeriod={setPeriod}
        onVersion={setVersion}
        onChannel={setChannel}
        onAgainst={setAgainst}
      />
      {value === undefined ? (
        <Loading error={error} onRetry={reload} />
      ) : (
        <>
          <Sums numbers={value.now} before={value.before} />
          <Funnel
            path={path}
            nodes={value.now.nodes}
            labelOf={labelOf}
            percent={percent}
            executionsAt={executionsAt}
            onClear={() => setPath([])}
          />
          <h3>{say('numbers.leaving')}</h3>
          {places.length === 0 && <p className="quiet-text">{say('numbers.leaving.none')}</p>}
          <ul>
            {places.slice(0, 10).map(({ nodeId, left, share }) => (
              <li key={nodeId}>
                <button type="button" className="link" dir="auto" onClick={() => onOpen(nodeId)}>
                  {labelOf(nodeId)}
                </button>{' '}
                {left} · {say('numbers.leftHere', { share: percent(share) })}
              </li>
            ))}
          </ul>
          <Slow nodes={value.now.nodes} labelOf={labelOf} onOpen={onOpen} />
          <Failures nodes={value.now.nodes} labelOf={labelOf} causeWord={causeWord} onOpen={onOpen} />
          <p className="quiet-text">
            <Go view={view}>{say('numbers.link')}</Go>
          </p>
        </>
      )}
      <p className="help">{say('numbers.about')}</p>
    </section>
  );
}

interface ChoicesProps {
  readonly first: NumbersView;
  readonly period: Period | undefined;
  readonly version: number | undefined;
  readonly channel: Channel | undefined;
  readonly against: Against;
  /** Which versions and channels there are counts of. */
  readonly now: Numbers | undefined;
  readonly onPeriod: (period: Period | undefined) => void;
  readonly onVersion: (version: number | undefined) => void;
  readonly onChannel: (channel: Channel | undefined) => void;
  readonly onAgainst: (against: Against) => void;
}

/** Which time, version and channel is counted, and what it is compared with. */
function Choices({ first, period, version, channel, against, now, onPeriod, onVersion, onChannel, onAgainst }: ChoicesProps) {
  const say = usePartWords(numbersWords);
  const channelWord = useNames('channel');
  const instant = useInstant();
  const versions = [...new Set([version, typeof against === 'number' ? against : undefined, ...(now?.versions ?? [])])]
    .filter((one) => one !== undefined)
    .toSorted((a, b) => b - a);
  const channels = [...new Set([channel, ...(now?.channels ?? [])])].filter((one) => one !== undefined);
  return (
    <div className="numbers-choice">
      <label>
        {say('numbers.period')}{' '}
        <select value={period ?? ''} onChange={({ target }) => onPeriod(isPeriod(target.value) ? target.value : undefined)}>
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
        <select value={version ?? ''} onChange={({ target }) => onVersion(target.value === '' ? undefined : Number(target.value))}>
          <option value="">{say('numbers.version.all')}</option>
          {versions.map((one) => (
            <option key={one} value={one}>
              {say('numbers.version.one', { version: one })}
            </option>
          ))}
        </select>
      </label>
      <label>
        {say('numbers.channel')}{' '}
        <select value={channel ?? ''} onChange={({ target }) => onChannel(channels.find((one) => one === target.value))}>
          <option value="">{say('numbers.channel.all')}</option>
          {channels.map((one) => (
            <option key={one} value={one}>
              {channelWord(one)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {say('numbers.compare')}{' '}
        <select
          value={against}
          onChange={({ target: { value } }) => onAgainst(value === 'before' || value === 'nothing' ? value : Number(value))}
        >
          <option value="before">{say('numbers.compare.before')}</option>
          {versions.map((one) => (
            <option key={one} value={one}>
              {say('numbers.version.one', { version: one })}
            </option>
          ))}
          <option value="nothing">{say('numbers.compare.none')}</option>
        </select>
      </label>
    </div>
  );
}

/** How many began and how they ended, against the time before. */
function Sums({ numbers, before }: { readonly numbers: Numbers; readonly before: Numbers | undefined }) {
  const say = usePartWords(numbersWords);
  const { entered, ended, isBehind } = numbers;
  const sign = change(before === undefined ? 0 : entered - before.entered);
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

/** The funnel under the canvas: how many come from one chosen card to the next; the whole workflow while none is chosen. */
function NumbersStrip({
  path,
  numbers,
  labelOf,
  percent,
  executionsAt,
}: Pick<FunnelProps, 'path' | 'labelOf' | 'percent' | 'executionsAt'> & { readonly numbers: Numbers }) {
  const say = usePartWords(numbersWords);
  const { entered, ended, nodes } = numbers;
  if (path.length === 0)
    return (
      <>
        {say('numbers.entered', { count: entered })}
        {entered > 0 && ` → ${say('numbers.ended.completed', { count: ended.completed })} (${percent(ended.completed / entered)})`}
        <span className="caption">{say('numbers.path.about')}</span>
      </>
    );
  const visits = path.map((id) => nodes.find(({ nodeId }) => nodeId === id)?.visits ?? 0);
  return (
    <ol>
      {path.map((id, index) => (
        <li key={`${index} ${id}`}>
          {index > 0 && <span aria-hidden>→ </span>}
          <Go view={executionsAt(id)} title={say('numbers.path.stopped', { node: labelOf(id) })}>
            <bdi>{labelOf(id)}</bdi> {visits[index]}
          </Go>
        </li>
      ))}
    </ol>
  );
}

interface FunnelProps {
  /** Node ids, in the order in which they were chosen. */
  readonly path: readonly string[];
  readonly nodes: readonly NodeNumbers[];
  readonly labelOf: (nodeId: string) => string;
  readonly percent: (share: number) => string;
  /** The executions that stopped at a node. */
  readonly executionsAt: (nodeId: string) => View;
  readonly onClear: () => void;
}

/** How many come from one chosen card to the next. */
function Funnel({ path, nodes, labelOf, percent, executionsAt, onClear }: FunnelProps) {
  const say = usePartWords(numbersWords);
  const visits = path.map((id) => nodes.find(({ nodeId }) => nodeId === id)?.visits ?? 0);
  const most = Math.max(1, ...visits);
  return (
    <>
      <h3>{say('numbers.path')}</h3>
      {path.length === 0 && <p className="help">{say('numbers.path.about')}</p>}
      <ol className="funnel">
        {path.map((id, index) => (
          <li key={`${index} ${id}`}>
            <span dir="auto">{labelOf(id)}</span> <b>{visits[index]}</b>{' '}
            {index > 0 && (visits[0] ?? 0) > 0 && (
              <span className="caption">{say('numbers.path.share', { share: percent((visits[index] ?? 0) / (visits[0] ?? 1)) })}</span>
            )}
            <meter aria-hidden min={0} max={most} value={visits[index]} />
            <Go view={executionsAt(id)}>{say('numbers.path.stopped', { node: labelOf(id) })}</Go>
          </li>
        ))}
      </ol>
      {path.length > 0 && (
        <button type="button" onClick={onClear}>
          {say('numbers.path.clear')}
        </button>
      )}
    </>
  );
}

interface SlowProps {
  readonly nodes: readonly NodeNumbers[];
  readonly labelOf: (nodeId: string) => string;
  readonly onOpen: (nodeId: string) => void;
}

/** Where conversations stay longest: the time of half of the visits, and of nearly all. */
function Slow({ nodes, labelOf, onOpen }: SlowProps) {
  const say = usePartWords(numbersWords);
  const slow = slowest(nodes).slice(0, 5);
  if (slow.length === 0) return null;
  return (
    <>
      <h3>{say('numbers.slow')}</h3>
      <ul>
        {slow.map(({ nodeId, p50Ms, p95Ms }) => (
          <li key={nodeId}>
            <button type="button" className="link" dir="auto" onClick={() => onOpen(nodeId)}>
              {labelOf(nodeId)}
            </button>{' '}
            {say('numbers.took', { half: shortTime(p50Ms), most: shortTime(p95Ms) })}
          </li>
        ))}
      </ul>
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
