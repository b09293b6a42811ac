// The panel in which an author talks with a draft.
import type { Fix, JsonObject } from '@hilo/engine/contract';
import { Smartphone } from 'lucide-react';
import { type ComponentProps, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { loadPart } from '../parts/load-part.ts';
import type { Overlay } from '../board/overlay.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { useStudio } from '../studio-context.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import type { TestLine } from '../worker/protocol.ts';
import { usePartWords } from '../words/part.ts';
import { useWords } from '../words/words.tsx';
import { phoneWords } from './phone-words.ts';
import { CallCard } from './CallCard.tsx';
import { KeepForm } from './KeepForm.tsx';
import { KeptAnswers } from './KeptAnswers.tsx';
import { type Early, Phone } from './Phone.tsx';
import { SettingForm } from './SettingForm.tsx';
import type { TestMemory } from './test-memory.ts';
import { overlayOf } from './test-overlay.ts';
import { TesterMore } from './TesterMore.tsx';
import { TestsList } from './TestsList.tsx';
import { TestStatus, TimeButtons } from './TestStatus.tsx';
import { useAnswers } from './use-answers.ts';
import { useKeptTests } from './use-kept-tests.ts';
import { useSetting } from './use-setting.ts';
import { useTest } from './use-test.ts';

const OnPhone = lazy(() => loadPart(() => import('./OnPhone.tsx').then((module) => ({ default: module.OnPhone }))));
const WalkBar = lazy(() => loadPart(() => import('./WalkBar.tsx').then((module) => ({ default: module.WalkBar }))));

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
  readonly early?: Early;
  /** The draft as the service has it, to be tried on a phone; left out, it has none. */
  readonly saved?: Pick<ComponentProps<typeof OnPhone>, 'errors' | 'onShow'>;
}

/** Tries the draft as on a phone: the engine itself in a worker, in virtual time. */
export function TesterPanel({ engine, canvas, onOverlay, onFollow, onVariables, onShow, onFix, memory, early, saved }: TesterPanelProps) {
  const { can } = useStudio();
  const say = useWords();
  const onPhone = usePartWords(phoneWords);
  const nameOf = useNodeName(canvas);
  const { setting, isLoaded, change } = useSetting(memory?.current?.setting);
  const test = useTest(engine, canvas, { setting, script: memory?.current?.script ?? '' });
  const { view, isBusy, restart } = test;
  const answers = useAnswers(memory?.current);
  const kept = useKeptTests(engine, canvas, { setting, canvases: test.canvases });
  const failure = test.failure ?? kept.failure;
  const [steps] = useState(memory?.current?.steps ?? []);
  const [follows, setFollows] = useState(true);
  /** Off at first: nothing of a test leaves the browser unasked. */
  const [showsPictures, setShowsPictures] = useState(false);

  const [isOnPhone, setOnPhone] = useState(false);

  const isPlayed = useRef(false);
  const playStep = (line: string): void => {
    isPlayed.current = true;
    test.play(line);
  };
  const field = useRef<HTMLInputElement>(null);
  /** Performs a line; then its author writes on, whichever button it was. */
  const play = (line: string): void => {
    playStep(line);
    field.current?.focus();
  };

  useEffect(() => {
    onOverlay(view === undefined ? undefined : overlayOf(view, kept.results?.neverTaken));
  }, [view, kept.results]);
  useEffect(() => {
    if (view !== undefined) onVariables?.(view.variables);
    // A failure is shown once its author has done something: one of a replay, in the middle of an edit, does not move the canvas.
    const stands = view?.wait?.nodeId ?? (isPlayed.current ? view?.failure?.nodeId : undefined);
    isPlayed.current = false;
    if (follows && stands !== undefined) onFollow(stands);
    const known = answers.next(view);
    if (known !== undefined) test.play(known);
  }, [view]);
  useEffect(() => () => onOverlay(undefined), []);
  useEffect(() => {
    if (memory === undefined || view === undefined) return;
    memory.current = { script: view.transcript, setting, answers: answers.last, always: answers.always };
  }, [memory, view, setting, answers.last, answers.always]);

  /** Plays a conversation that takes a port, where one is found. */
  const tryPort = async (port: string): Promise<boolean> => {
    const script = await engine.findConversation(await test.canvases(), port, setting);
    if (script !== undefined) restart(script);
    return script !== undefined;
  };

  return (
    <section className="tester">
      <h2>{say('tester.title')}</h2>
      <p className="caption">{say('tester.about')}</p>
      {saved !== undefined && can('operate') && (
        <p className="buttons">
          <button type="button" onClick={() => setOnPhone(true)}>
            <Smartphone size={14} aria-hidden /> {onPhone('tester.onPhone')}
          </button>
        </p>
      )}
      {saved !== undefined && isOnPhone && (
        <Suspense fallback={null}>
          <OnPhone canvas={canvas} {...saved} onClose={() => setOnPhone(false)} />
        </Suspense>
      )}
      {steps.length > 1 && (
        <Suspense fallback={null}>
          <WalkBar steps={steps} isBusy={isBusy || view === undefined} onPlay={playStep} />
        </Suspense>
      )}
      <Phone {...{ test, canvas, showsPictures, field, early, onShow, onFix }} channel={setting.channel} onPlay={play} />
      {failure !== undefined && (
        <p role="alert" className="field-problem error">
          {failure}
        </p>
      )}
      <TestStatus view={view} />
      {view?.calls.map((call, index) => (
        <CallCard
          key={`${call.nodeId}${index} ${askedOf(view.lines, call.nodeId)}`}
          call={call}
          name={nameOf(call.nodeId)}
          known={answers.last.get(call.nodeId)}
          onAnswer={(line, isAlways) => {
            answers.keep(call, line, isAlways);
            play(line);
          }}
        />
      ))}
      <KeptAnswers answers={answers} canvas={canvas} />
      <TimeButtons
        view={view}
        onPlay={play}
        onRestart={() => {
          restart();
          field.current?.focus();
        }}
      />
      {can('edit') && view !== undefined && view.lines.length > 0 && <KeepForm onKeep={(name) => void kept.keep(name, view.transcript)} />}
      <TesterMore
        hasWebhook={canvas.nodes.some(({ type }) => type === 'webhook')}
        follows={follows}
        onFollows={setFollows}
        showsPictures={showsPictures}
        onShowsPictures={setShowsPictures}
        onPlay={play}
      />
      <SettingForm
        key={isLoaded ? 'with' : 'before'} // the settings of the company come with them
        setting={setting}
        onChange={change}
      />
      <details>
        <summary>{say('tester.variables')}</summary>
        <pre className="json" tabIndex={0}>
          {JSON.stringify(view?.variables ?? {}, null, 2)}
        </pre>
      </details>
      <TestsList kept={kept} canvas={canvas} onPort={tryPort} />
    </section>
  );
}

/** How often a node asked: an answer that was written for one call is not that of the next. */
const askedOf = (lines: readonly TestLine[], nodeId: string): number =>
  lines.filter((line) => line.kind === 'call' && line.nodeId === nodeId).length;
