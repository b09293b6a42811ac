// The panel in which an author talks with a draft.
import type { Fix, JsonObject } from '@hilo/engine/contract';
import { Clock, FastForward, RotateCcw, Save, Send } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { Overlay } from '../board/overlay.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { IconButton } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import type { OpenCall, TestSetting } from '../worker/protocol.ts';
import { shortTime, useInstant, useNames, useWords } from '../words/words.tsx';
import { Bubbles } from './Bubbles.tsx';
import { CallCard } from './CallCard.tsx';
import { FailureCard } from './FailureCard.tsx';
import { firstSetting, type TestMemory } from './test-memory.ts';
import { testName } from './test-name.ts';
import { SettingForm } from './SettingForm.tsx';
import { TesterMore } from './TesterMore.tsx';
import { overlayOf } from './test-overlay.ts';
import { TestsList } from './TestsList.tsx';
import { useKeptTests } from './use-kept-tests.ts';
import { useTest } from './use-test.ts';

const WalkBar = lazy(() => import('./WalkBar.tsx').then((module) => ({ default: module.WalkBar })));

interface TesterPanelProps {
  readonly engine: EngineClient;
  readonly canvas: CanvasJson;
  readonly onOverlay: (overlay: Overlay | undefined) => void;
  readonly onFollow: (nodeId: string | undefined) => void;
  /** Told what the variables of the test are, after each act. */
  readonly onVariables?: (variables: JsonObject) => void;
  /** Opens the form of a node; left out, there is none to open. */
  readonly onShow?: (nodeId: string) => void;
  /** Mends the draft. */
  readonly onFix?: (fix: Fix) => void;
  /** The conversation to begin with, and the place where it is kept while the panel is closed. */
  readonly memory?: { current: TestMemory | undefined };
  /** What was typed before the panel was there, and whether it was sent. */
  readonly early?: { readonly text: string; readonly isSent: boolean };
}

/** Tries the draft as on a phone: the engine itself in a worker, in virtual time. */
export function TesterPanel({ engine, canvas, onOverlay, onFollow, onVariables, onShow, onFix, memory, early }: TesterPanelProps) {
  const { can, client, companyId } = useStudio();
  const say = useWords();
  const instant = useInstant();
  const [statusWord, waitWord, channelWord, causeWord] = [useNames('status'), useNames('wait'), useNames('channel'), useNames('cause')];
  const [setting, setSetting] = useState<TestSetting>(memory?.current?.setting ?? firstSetting);
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  /** Whether the settings are the company's own still: what an author wrote, and what an execution had, is not replaced. */
  const [isCompanys, setCompanys] = useState(memory?.current === undefined);
  useEffect(() => {
    const settings = references?.settings ?? undefined;
    const facts = references?.company;
    if (facts !== undefined) setSetting((before) => ({ ...before, facts }));
    if (isCompanys && settings !== undefined) setSetting((before) => ({ ...before, company: settings }));
  }, [references]);
  const test = useTest(engine, canvas, { setting, script: memory?.current?.script ?? '' });
  const { view, before, failure, isBusy, restart } = test;
  const field = useRef<HTMLInputElement>(null);
  /** Performs a line; then its author writes on, whichever button it was. */
  const isPlayed = useRef(false);
  const play = (line: string): void => {
    isPlayed.current = true;
    test.play(line);
    field.current?.focus();
  };
  const [steps] = useState(memory?.current?.steps ?? []);
  const kept = useKeptTests(engine, canvas, { setting, canvases: test.canvases });
  const [text, setText] = useState(early?.text ?? '');
  useEffect(() => field.current?.setSelectionRange(text.length, text.length), []); // after what was typed early
  /** Whether the text was sent before the worker was ready: it stays in its field until then. */
  const isSendWanted = useRef(early?.isSent ?? false);
  const [name, setName] = useState('');
  const [follows, setFollows] = useState(true);
  /** Off at first: nothing of a test leaves the browser unasked. */
  const [showsPictures, setShowsPictures] = useState(false);
  /** The last answer to each node, and nodes that are always answered so. */
  const [answers, setAnswers] = useState<ReadonlyMap<string, string>>(memory?.current?.answers ?? new Map());
  const [always, setAlways] = useState<ReadonlySet<string>>(memory?.current?.always ?? new Set());
  const end = useRef<HTMLDivElement>(null);

  useEffect(() => {
    onOverlay(view === undefined ? undefined : overlayOf(view, kept.results?.neverTaken));
  }, [view, kept.results]);
  useEffect(() => {
    if (view !== undefined) onVariables?.(view.variables);
    // A failure is shown once its author has done something: one of a replay, in the middle of an edit, does not move the canvas.
    const stands = view?.wait?.nodeId ?? (isPlayed.current ? view?.failure?.nodeId : undefined);
    isPlayed.current = false;
    if (follows && stands !== undefined) onFollow(stands);
    end.current?.scrollIntoView({ block: 'nearest' });
    // An answer that was refused is not given again.
    const open = view?.error === undefined ? view?.calls.find(({ nodeId }) => always.has(nodeId)) : undefined;
    const known = open === undefined ? undefined : answers.get(open.nodeId);
    if (known !== undefined) test.play(known);
  }, [view]);
  useEffect(() => () => onOverlay(undefined), []);
  useEffect(() => {
    if (memory !== undefined && view !== undefined) memory.current = { script: view.transcript, setting, answers, always };
  }, [memory, view, setting, answers, always]);

  const answer = ({ nodeId }: OpenCall, given: string, isAlways: boolean): void => {
    setAnswers(new Map(answers).set(nodeId, given));
    if (isAlways) setAlways(new Set(always).add(nodeId));
    play(given);
  };
  /** Plays a conversation that takes a port, where one is found. */
  const tryPort = async (port: string): Promise<boolean> => {
    const script = await engine.findConversation(await test.canvases(), port, setting);
    if (script !== undefined) restart(script);
    return script !== undefined;
  };
  const send = (): void => {
    if (text.trim() === '') return;
    isSendWanted.current = view === undefined;
    if (isSendWanted.current) return;
    play(`user: ${text.trim().replaceAll(/\s*\n\s*/g, ' ')}`);
    setText('');
  };
  useEffect(() => {
    if (isSendWanted.current) send();
  }, [view === undefined]);
  const waits = view?.wait === undefined ? undefined : say('tester.waits', { what: waitWord(view.wait.kind) });
  const dueAtMs = view?.wait?.dueAtMs ?? undefined;
  const dueIn = view === undefined || dueAtMs === undefined ? undefined : shortTime(dueAtMs - view.nowMs);

  return (
    <section className="tester">
      <h2>{say('tester.title')}</h2>
      <p className="caption">{say('tester.about')}</p>
      {steps.length > 1 && (
        <Suspense fallback={null}>
          <WalkBar
            steps={steps}
            isBusy={isBusy || view === undefined}
            onPlay={(line) => {
              isPlayed.current = true;
              test.play(line);
            }}
          />
        </Suspense>
      )}
      <div className="phone">
        <header>
          <span className="avatar" aria-hidden>
            {(Array.from(canvas.name)[0] ?? 'H').toUpperCase()}
          </span>
          <span>
            <b dir="auto">{canvas.name}</b>
            <br />
            <span className="caption">{channelWord(setting.channel)}</span>
          </span>
        </header>
        <div className="chat" role="log" aria-label={say('execution.chat')} aria-busy={isBusy} tabIndex={0}>
          {view !== undefined && (
            <Bubbles
              lines={view.lines}
              before={before?.lines}
              showsPictures={showsPictures}
              onPress={(payload, title) => play(`user: [payload ${payload}] ${title}`)}
            />
          )}
          {view?.failure !== undefined && <FailureCard failure={view.failure} canvas={canvas} onShow={onShow} onFix={onFix} />}
          <div ref={end} />
        </div>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <input
            ref={field}
            autoFocus
            aria-label={say('tester.message')}
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
      {(failure ?? kept.failure) !== undefined && (
        <p role="alert" className="field-problem error">
          {failure ?? kept.failure}
        </p>
      )}
      <p className="stands" role="status">
        <Clock size={14} aria-hidden />{' '}
        {view?.status === undefined
          ? say('tester.idle')
          : view.status === 'running' && view.calls.length > 0
            ? say('tester.calling')
            : waits === undefined
              ? say('tester.ended', {
                  status: `${statusWord(view.status)}${view.failure === undefined ? '' : `: ${causeWord(view.failure.cause)}`}`,
                })
              : `${waits}${dueIn === undefined ? '' : `, ${say('tester.until', { time: dueIn })}`}`}
        {view !== undefined && <span className="caption now">{instant(view.nowMs)}</span>}
      </p>
      {view?.calls.map((call, index) => (
        <CallCard
          key={`${call.nodeId}${index}`}
          call={call}
          known={answers.get(call.nodeId)}
          onAnswer={(line, isAlways) => answer(call, line, isAlways)}
        />
      ))}
      {always.size > 0 && (
        <section className="kept-answers" aria-label={say('tester.kept')}>
          <h3>{say('tester.kept')}</h3>
          <ul>
            {[...always].map((nodeId) => (
              <li key={nodeId}>
                <b>{nodeId}</b> <code dir="auto">{answers.get(nodeId)}</code>
                <button
                  type="button"
                  className="quiet"
                  aria-label={say('tester.askAgainAt', { node: nodeId })}
                  onClick={() => setAlways(new Set([...always].filter((one) => one !== nodeId)))}
                >
                  {say('tester.askAgain')}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="buttons">
        {(['10m', '1h', '1d'] as const).map((time) => (
          <button key={time} type="button" onClick={() => play(`time: +${time}`)}>
            <FastForward size={13} aria-hidden /> {say('tester.skip', { time })}
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
            restart();
            field.current?.focus();
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
            if (testName(name) === '') return;
            void kept.keep(testName(name), view.transcript);
            setName('');
          }}
        >
          <input
            aria-label={say('tester.keepName')}
            placeholder={say('tester.keepName')}
            value={name}
            required
            maxLength={100}
            dir="auto"
            onChange={({ target }) => setName(target.value)}
          />
          <button type="submit">
            <Save size={13} aria-hidden /> {say('tester.keep')}
          </button>
        </form>
      )}
      <TesterMore
        hasWebhook={canvas.nodes.some(({ type }) => type === 'webhook')}
        follows={follows}
        onFollows={setFollows}
        showsPictures={showsPictures}
        onShowsPictures={setShowsPictures}
        onPlay={play}
      />
      <SettingForm
        key={references === undefined ? 'before' : 'with'} // the settings of the company come with them
        setting={setting}
        onChange={(changed) => {
          setCompanys(isCompanys && changed.company === setting.company);
          setSetting(changed);
        }}
      />
      <details>
        <summary>{say('tester.variables')}</summary>
        <pre className="json" tabIndex={0}>
          {JSON.stringify(view?.variables ?? {}, null, 2)}
        </pre>
      </details>
      <TestsList kept={kept} onPort={tryPort} />
    </section>
  );
}
