import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useStudio } from '../studio-context.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import type { TestSetting, TestView } from '../worker/protocol.ts';
import { calledBy } from './called-canvases.ts';
import { createPlayedScript } from './played-script.ts';

/** The current state of a test conversation with a draft. */
export interface Test {
  readonly view: TestView | undefined;
  /** Its state before the last edit: differences are marked. */
  readonly before: TestView | undefined;
  readonly failure: string | undefined;
  readonly isBusy: boolean;
  /** Performs a line of a script. */
  play(line: string): void;
  /** Begins anew with a script, or with nothing. */
  restart(script?: string): void;
  /** The draft with those that it calls. */
  canvases(): Promise<readonly CanvasJson[]>;
}

const quietMs = 300;

/**
 * Talks with a draft in the worker. After an edit of the draft or of the setting, the conversation is played again by itself.
 *
 * @param script - what the conversation begins with
 */
export function useTest(
  engine: EngineClient,
  canvas: CanvasJson,
  { setting, script }: { readonly setting: TestSetting; readonly script: string },
): Test {
  const { client, companyId } = useStudio();
  const [view, setView] = useState<TestView>();
  const [before, setBefore] = useState<TestView>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const newest = useRef(0);
  const shown = useRef<TestView>(undefined);
  shown.current = view;
  const played = useRef(createPlayedScript(script));
  const settingKey = JSON.stringify(setting);

  const asked = useRef<Promise<unknown>>(Promise.resolve());
  /** Asks the worker, one question after the other: a line belongs to the test that was begun before it. The newest answer is shown. */
  const ask = useCallback(async (question: () => Promise<TestView>): Promise<void> => {
    const round = (newest.current += 1);
    setBusy(true);
    try {
      const answering = asked.current.then(question);
      asked.current = answering.catch(() => undefined); // shown below
      const answer = await answering;
      if (round !== newest.current) return;
      setView(answer);
      setFailure(answer.error);
      played.current.replaceBy(answer.transcript);
    } catch (error) {
      if (round === newest.current) setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      if (round === newest.current) setBusy(false);
    }
  }, []);
  const canvases = useMemo(
    () => async () => [canvas, ...(await calledBy(canvas, (id) => client.draft(companyId, id)))],
    [canvas, client, companyId],
  );

  useEffect(() => {
    const timer = setTimeout(
      () => {
        setBefore(shown.current);
        const again = played.current.text();
        void ask(async () => engine.startTest(await canvases(), again, setting));
      },
      shown.current === undefined ? 0 : quietMs,
    );
    return () => clearTimeout(timer);
  }, [canvas, settingKey, engine]);

  return {
    view,
    before,
    failure,
    isBusy,
    play(line) {
      played.current.add(line);
      void ask(() => engine.playLine(line));
    },
    restart(from = '') {
      setBefore(undefined);
      played.current.replaceBy(from);
      void ask(async () => engine.startTest(await canvases(), from, setting));
    },
    canvases,
  };
}
