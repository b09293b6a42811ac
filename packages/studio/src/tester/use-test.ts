import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useStudio } from '../studio-context.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import type { TestSetting, TestView } from '../worker/protocol.ts';
import { calledBy } from './called-canvases.ts';

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
  const settingKey = JSON.stringify(setting);

  /** Asks the worker; of several answers the newest counts. */
  const ask = useCallback(async (question: () => Promise<TestView>): Promise<void> => {
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
  }, []);
  const canvases = useMemo(
    () => async () => [canvas, ...(await calledBy(canvas, (id) => client.draft(companyId, id)))],
    [canvas, client, companyId],
  );

  const isBegun = useRef(false);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        const transcript = isBegun.current ? (shown.current?.transcript ?? '') : script;
        isBegun.current = true;
        setBefore(shown.current);
        void ask(async () => engine.startTest(await canvases(), transcript, setting));
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
    play: (line) => void ask(() => engine.playLine(line)),
    restart: (from = '') => {
      setBefore(undefined);
      void ask(async () => engine.startTest(await canvases(), from, setting));
    },
    canvases,
  };
}
