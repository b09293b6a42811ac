import type { Channel, Json, JsonObject } from '@hilo/engine/contract';
import { Clock, RotateCcw, Save, Send } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Overlay } from '../board/overlay.ts';
import { type CanvasJson, isRecord, shownText } from '../canvas/canvas-json.ts';
import { IconButton } from '../parts/parts.tsx';
import { useStudio } from '../studio-context.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import type { OpenCall, TestSetting, TestView, TranscriptsResult } from '../worker/protocol.ts';
import { shortTime, useInstant, useWords } from '../words/words.tsx';
import { Bubbles } from './Bubbles.tsx';
import { overlayOf } from './test-overlay.ts';

interface TesterPanelProps {
  readonly engine: EngineClient;
  readonly canvas: CanvasJson;
  readonly onOverlay: (overlay: Overlay | undefined) => void;
  readonly onFollow: (nodeId: string | undefined) => void;
  /** A conversation to begin with: a fork of an execution. */
  readonly script?: string;
}

const allChannels: readonly Channel[] = ['whatsapp', 'web', 'instagram', 'facebook', 'slack', 'teams', 'twitter', 'custom'];
const defaultSetting: TestSetting = {
  channel: 'whatsapp',
  company: {},
  user: { id: '5215512345678', names: 'Ana', phone: '5215512345678' },
};

/** Tries the draft as on a phone: the engine itself in a worker, in virtual time. */
export function TesterPanel({ engine, canvas, onOverlay, onFollow, script = '' }: TesterPanelProps) {
  const { client, companyId, can } = useStudio();
  const say = useWords();
  const instant = useInstant();
  const [setting, setSetting] = useState(defaultSetting);
  const [view, setView] = useState<TestView>();
  const [before, setBefore] = useState<TestView>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [text, setText] = useState('');
  const [line, setLine] = useState('');
  const [follows, setFollows] = useState(true);
  const [tests, setTests] = useState<readonly { readonly name: string; readonly text: string }[]>([]);
  const [results, setResults] = useState<TranscriptsResult>();
  const [name, setName] = useState('');
  const newest = useRef(0);
  const shown = useRef<TestView>(undefined);
  shown.current = view;
  const end = useRef<HTMLDivElement>(null);
  const settingKey = JSON.stringify(setting);

  /** Asks the worker; of several answers the newest counts. */
  const ask = async (question: () => Promise<TestView>): Promise<void> => {
    const round = (newest.current += 1);
    setBusy(true);
    try {
      const answer = await question();
      if (round !== newest.current) return;
      setView(answer);
      setFailure(answer.error);
    } catch (error) {
      if (round === newest.current) setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      if (round === newest.current) setBusy(false);
    }
  };
  const canvases = useMemo(
    () => async () => [canvas, ...(await calledBy(canvas, (id) => client.draft(companyId, id)))],
    [canvas, client, companyId],
  );
  const play = (input: string): void => void ask(() => engine.playLine(input));

  // The draft was edited: the conversation is played again by itself.
  const replayed = useRef<string>(undefined);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        const transcript = replayed.current === undefined ? script : (shown.current?.transcript ?? '');
        replayed.current = settingKey;
        setBefore(view);
        void ask(async () => engine.startTest(await canvases(), transcript, setting));
      },
      view === undefined ? 0 : 300,
    );
    return () => clearTimeout(timer);
  }, [canvas, settingKey, engine]);
  const runTests = async (kept = tests): Promise<void> => {
    if (kept.length === 0) return setResults(undefined);
    try {
      setResults(await engine.runTranscripts(await canvases(), kept, setting));
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  useEffect(() => {
    let isCurrent = true;
    client.transcripts(companyId, canvas.id).then(
      (kept) => {
        if (isCurrent) {
          setTests(kept);
          void runTests(kept);
        }
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [canvas.id]);
  useEffect(() => {
    if (results !== undefined && results.tookMs > 2_000) return undefined; // slow ones run when they are told to
    const timer = setTimeout(() => void runTests(), 500);
    return () => clearTimeout(timer);
  }, [canvas]);
  useEffect(() => {
    onOverlay(view === undefined ? undefined : overlayOf(view));
    if (follows && view?.wait !== undefined) onFollow(view.wait.nodeId);
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [view]);
  useEffect(() => () => onOverlay(undefined), []);

  const keep = async (as: string, transcript: string): Promise<void> => {
    try {
      await client.putTranscript(companyId, canvas.id, as, `${transcript.trimEnd()}\n`);
      const kept = [...tests.filter((one) => one.name !== as), { name: as, text: transcript }];
      setTests(kept);
      setName('');
      await runTests(kept);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  const drop = async (gone: string): Promise<void> => {
    await client.deleteTranscript(companyId, canvas.id, gone).catch((error: unknown) => setFailure(String(error)));
    const kept = tests.filter((one) => one.name !== gone);
    setTests(kept);
    await runTests(kept);
  };
  const send = (): void => {
    if (text.trim() === '') return;
    play(`user: ${text.trim().replaceAll(/\s*\n\s*/g, ' ')}`);
    setText('');
  };
  const waits = view?.wait === undefined ? undefined : say('tester.waits', { what: view.wait.kind });
  const dueAtMs = view?.wait?.dueAtMs ?? undefined;
  const dueIn = view === undefined || dueAtMs === undefined ? undefined : shortTime(dueAtMs - view.nowMs);

  return (
    <section className="tester">
      <h2>{say('tester.title')}</h2>
      <p className="caption">{say('tester.about')}</p>
      <div className="phone">
        <header>
          <span className="avatar" aria-hidden>
            {(canvas.name[0] ?? 'H').toUpperCase()}
          </span>
          <span>
            <b dir="auto">{canvas.name}</b>
            <br />
            <span className="caption">{setting.channel}</span>
          </span>
        </header>
        <div className="chat" role="log" aria-label={say('execution.chat')} aria-busy={isBusy} tabIndex={0}>
          {view !== undefined && (
            <Bubbles lines={view.lines} before={before?.lines} onPress={(payload, title) => play(`user: [payload ${payload}] ${title}`)} />
          )}
          <div ref={end} />
        </div>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <input
            aria-label={say('tester.message')}
            disabled={view === undefined}
            placeholder={say('tester.message')}
            value={text}
            dir="auto"
            onChange={({ target }) => setText(target.value)}
          />
          <IconButton label={say('tester.send')} onClick={send}>
            <Send size={16} aria-hidden />
          </IconButton>
        </form>
      </div>
      {failure !== undefined && (
        <p role="alert" className="field-problem error">
          {failure}
        </p>
      )}
      <p className="stands" role="status">
        <Clock size={14} aria-hidden />{' '}
        {view?.status === undefined
          ? say('tester.idle')
          : waits === undefined
            ? say('tester.ended', { status: `${view.status}${view.failure === undefined ? '' : `: ${view.failure.cause}`}` })
            : `${waits}${dueIn === undefined ? '' : `, ${say('tester.until', { time: dueIn })}`}`}
        {view !== undefined && <span className="caption"> · {instant(view.nowMs)}</span>}
      </p>
      {view?.calls.map((call, index) => (
        <CallCard key={`${call.nodeId}${index}`} call={call} onAnswer={play} />
      ))}
      <p className="buttons">
        {(['10m', '1h', '1d'] as const).map((time) => (
          <button key={time} type="button" onClick={() => play(`time: +${time}`)}>
            {say('tester.skip', { time })}
          </button>
        ))}
        {view?.nextDueMs !== undefined && (
          <button type="button" onClick={() => play(`time: +${Math.max(1, (view.nextDueMs ?? 0) - view.nowMs)}ms`)}>
            {say('tester.skipNext')}
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            setBefore(undefined);
            void ask(async () => engine.startTest(await canvases(), '', setting));
          }}
        >
          <RotateCcw size={13} aria-hidden /> {say('tester.restart')}
        </button>
      </p>
      {can('edit') && view !== undefined && view.lines.length > 0 && (
        <form
          className="keep"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') void keep(name.trim(), view.transcript);
          }}
        >
          <input
            aria-label={say('tester.keepName')}
            placeholder={say('tester.keepName')}
            value={name}
            required
            pattern="[A-Za-z0-9_.\-]{1,100}"
            onChange={({ target }) => setName(target.value)}
          />
          <button type="submit">
            <Save size={13} aria-hidden /> {say('tester.keep')}
          </button>
        </form>
      )}
      <details>
        <summary>{say('tester.more')}</summary>
        <p className="buttons">
          <button type="button" onClick={() => play('again')}>
            {say('tester.repeat')}
          </button>
          <button type="button" onClick={() => play('user: {"type":"location","location":{"latitude":19.43,"longitude":-99.13}}')}>
            {say('tester.place')}
          </button>
          <button type="button" onClick={() => play('user: {"type":"image","mediaUrl":"https://example.com/picture.jpg"}')}>
            {say('tester.picture')}
          </button>
          <button
            type="button"
            onClick={() =>
              play('user: {"type":"contacts","contacts":[{"name":{"formatted_name":"Ana"},"phones":[{"phone":"5215512345678"}]}]}')
            }
          >
            {say('tester.contact')}
          </button>
          {canvas.nodes.some(({ type }) => type === 'webhook') && (
            <button type="button" onClick={() => play('webhook: POST {}')}>
              {say('tester.webhook')}
            </button>
          )}
          <button type="button" onClick={() => play('restart')}>
            {say('tester.killed')}
          </button>
        </p>
        <form
          className="keep"
          onSubmit={(event) => {
            event.preventDefault();
            if (line.trim() !== '') play(line.trim());
          }}
        >
          <input
            aria-label={say('tester.line')}
            placeholder="signal: payment.received 42"
            value={line}
            onChange={({ target }) => setLine(target.value)}
          />
          <button type="submit">{say('tester.do')}</button>
        </form>
        <label className="check">
          <input type="checkbox" checked={follows} onChange={({ target }) => setFollows(target.checked)} /> {say('tester.follow')}
        </label>
      </details>
      <SettingForm setting={setting} onChange={setSetting} />
      <details>
        <summary>{say('tester.variables')}</summary>
        <pre className="json" tabIndex={0}>
          {JSON.stringify(view?.variables ?? {}, null, 2)}
        </pre>
      </details>
      <TestsList
        tests={tests}
        results={results}
        onRun={() => void runTests()}
        onAccept={(one, actual) => void keep(one, actual)}
        onDelete={(one) => void drop(one)}
      />
    </section>
  );
}

/** A call that nothing here can perform: what it asks, and an answer one click away. */
function CallCard({ call, onAnswer }: { readonly call: OpenCall; readonly onAnswer: (line: string) => void }) {
  const say = useWords();
  const [line, setLine] = useState(call.example);
  const request: JsonObject = isRecord(call.request) ? call.request : {};
  const isHttp = call.effect === 'http.request';
  return (
    <section className="call" aria-label={say('tester.call', { node: call.nodeId, what: call.effect })}>
      <p>
        <b>
          {say('tester.call', {
            node: call.nodeId,
            what: isHttp ? `${shownText(request['method'])} ${shownText(request['url'])}` : call.effect,
          })}
        </b>
      </p>
      <details>
        <summary>{say('execution.request')}</summary>
        <pre className="json" tabIndex={0}>
          {JSON.stringify(call.request, null, 2)}
        </pre>
      </details>
      {isHttp && (
        <p className="buttons">
          <button type="button" onClick={() => onAnswer('api: 200 {"ok":true}')}>
            {say('tester.answer200')}
          </button>
          <button type="button" onClick={() => onAnswer('api: 404')}>
            {say('tester.answer404')}
          </button>
          <button type="button" onClick={() => onAnswer('api: 500')}>
            {say('tester.answer500')}
          </button>
          <button type="button" onClick={() => onAnswer('api: timeout')}>
            {say('tester.answerTimeout')}
          </button>
        </p>
      )}
      <form
        className="keep"
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer(line);
        }}
      >
        <input
          aria-label={say('tester.answerLine', { node: call.nodeId })}
          value={line}
          spellCheck={false}
          onChange={({ target }) => setLine(target.value)}
        />
        <button type="submit">{say('tester.answer')}</button>
      </form>
    </section>
  );
}

function SettingForm({ setting, onChange }: { readonly setting: TestSetting; readonly onChange: (setting: TestSetting) => void }) {
  const say = useWords();
  const [company, setCompany] = useState(() => JSON.stringify(setting.company));
  const [isWrong, setWrong] = useState(false);
  return (
    <details>
      <summary>{say('tester.settings')}</summary>
      <label className="field">
        {say('tester.channel')}
        <select
          value={setting.channel}
          onChange={({ target }) => onChange({ ...setting, channel: allChannels.find((one) => one === target.value) ?? 'whatsapp' })}
        >
          {allChannels.map((channel) => (
            <option key={channel}>{channel}</option>
          ))}
        </select>
      </label>
      <label className="field">
        {say('tester.company')}
        <textarea
          className="mono"
          rows={2}
          value={company}
          aria-invalid={isWrong}
          spellCheck={false}
          onChange={({ target }) => {
            setCompany(target.value);
            try {
              const value = JSON.parse(target.value) as Json;
              setWrong(!isRecord(value));
              if (isRecord(value)) onChange({ ...setting, company: value });
            } catch {
              setWrong(true);
            }
          }}
        />
      </label>
    </details>
  );
}

interface TestsListProps {
  readonly tests: readonly { readonly name: string; readonly text: string }[];
  readonly results: TranscriptsResult | undefined;
  readonly onRun: () => void;
  readonly onAccept: (name: string, actual: string) => void;
  readonly onDelete: (name: string) => void;
}

/** The conversations that are kept with the workflow, and how they went with the draft of now. */
function TestsList({ tests, results, onRun, onAccept, onDelete }: TestsListProps) {
  const say = useWords();
  const { can } = useStudio();
  return (
    <section className="tests" aria-label={say('tester.tests')}>
      <h3>{say('tester.tests')}</h3>
      {tests.length === 0 && <p className="quiet-text">{say('tester.noTests')}</p>}
      <ul>
        {tests.map(({ name }) => {
          const result = results?.results.find((one) => one.name === name);
          return (
            <li key={name} className={result === undefined ? '' : result.isPassed ? 'good' : 'bad'}>
              {result === undefined
                ? name
                : result.isPassed
                  ? `✓ ${say('tester.passed', { name })}`
                  : `✗ ${say('tester.differs', { name })}`}
              {result?.isPassed === false && (
                <>
                  <LineDiff before={result.expected} after={result.actual} />
                  {can('edit') && (
                    <button type="button" onClick={() => onAccept(name, result.actual)}>
                      {say('tester.accept')}
                    </button>
                  )}
                </>
              )}
              {can('edit') && (
                <button type="button" className="quiet" aria-label={`${say('tester.delete')}: ${name}`} onClick={() => onDelete(name)}>
                  {say('tester.delete')}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {tests.length > 0 && (
        <button type="button" onClick={onRun}>
          {say('tester.run')}
        </button>
      )}
      {results !== undefined && results.neverTaken.length > 0 && (
        <details>
          <summary>{say('tester.never', { count: results.neverTaken.length })}</summary>
          <ul>
            {results.neverTaken.map((port) => (
              <li key={port}>
                <code>{port}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** Lines of two texts from the first that differs on. */
function LineDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const [old, now] = [before, after].map((text) => text.trimEnd().split('\n'));
  const first = (old ?? []).findIndex((line, index) => line !== now?.[index]);
  const from = Math.max(0, first < 0 ? (old?.length ?? 0) : first);
  return (
    <pre className="line-diff" tabIndex={0} dir="auto">
      {(old ?? []).slice(from, from + 8).map((line, index) => (
        <del key={index}>
          - {line}
          {'\n'}
        </del>
      ))}
      {(now ?? []).slice(from, from + 8).map((line, index) => (
        <ins key={index}>
          + {line}
          {'\n'}
        </ins>
      ))}
    </pre>
  );
}

/** Drafts of the workflows that a canvas calls, and those that they call; what is not there is left to the engine to tell. */
async function calledBy(
  canvas: CanvasJson,
  read: (workflowId: string) => Promise<{ readonly canvas: CanvasJson }>,
): Promise<readonly CanvasJson[]> {
  const found = new Map<string, CanvasJson>();
  const open = [canvas];
  for (let next = open.pop(); next !== undefined && found.size < 20; next = open.pop()) {
    for (const { data } of next.nodes) {
      const id = data?.['workflowId'];
      if (typeof id !== 'string' || id === canvas.id || found.has(id) || id.includes('{{')) continue;
      const draft = await read(id).catch(() => undefined);
      if (draft === undefined) continue;
      found.set(id, draft.canvas);
      open.push(draft.canvas);
    }
  }
  return [...found.values()];
}
