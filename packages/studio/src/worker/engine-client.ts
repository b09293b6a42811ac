import { useEffect, useRef, useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { applyChanges } from '../canvas/changes.ts';
import { untilServiceIsThere } from '../parts/load-part.ts';
import type { Argument, CheckResult, WorkerAnswer, WorkerMethods, WorkerRequest } from './protocol.ts';
import { createSentCanvases } from './shared-canvases.ts';

/** The methods of a worker, and its end. */
export interface EngineClient extends WorkerMethods {
  close(): void;
}

/** Creates a worker: hosts with another bundler, or with own nodes, pass theirs. */
export type WorkerFactory = () => Worker;

/** The worker of the standard nodes. */
export const standardWorker: WorkerFactory = () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });

interface Call {
  readonly request: WorkerRequest;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A client of a worker, which is started at the first call. When the worker dies, its pending calls fail, and the next call starts another.
 * The calls of one whose code did not come, as when the session is over, wait for another, which is started when it can come.
 *
 * @param untilThere - settles once the service gives its code, and says whether it did not before
 */
export function createEngineClient(make: WorkerFactory, untilThere: () => Promise<boolean> = untilServiceIsThere): EngineClient {
  let worker: Worker | undefined;
  let count = 0;
  let isWaiting = false;
  /** Whether a worker did not load though the service gives its code: it may have come back in that moment, once. */
  let hasFailedThere = false;
  const sent = createSentCanvases();
  let lastCheck: CheckResult = unchecked;
  const open = new Map<number, Call>();

  const fail = (reason: string): void => {
    for (const { reject } of open.values()) reject(new Error(reason));
    open.clear();
    worker?.terminate();
    worker = undefined;
    sent.forget();
    lastCheck = unchecked;
  };
  const started = (): Worker => {
    if (worker !== undefined) return worker;
    let hasAnswered = false;
    worker = make();
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      hasAnswered = true;
      hasFailedThere = false;
      const call = open.get(data.id);
      open.delete(data.id);
      if ('error' in data) call?.reject(new Error(data.error));
      else if ('result' in data) call?.resolve(data.result);
      else call?.resolve((lastCheck = applyChanges(lastCheck, data.checked)));
    };
    worker.onerror = ({ message }) => {
      if (message || hasAnswered) fail(`The worker ended: ${message || 'it gave no reason'}`);
      else void loadAgain();
    };
    return worker;
  };
  /** Asks another worker, once its code can come, all that this one never heard. */
  const loadAgain = async (): Promise<void> => {
    worker?.terminate();
    worker = undefined;
    isWaiting = true;
    const wasAway = await untilThere();
    isWaiting = false;
    if (!wasAway && hasFailedThere) return fail('The worker ended: it could not be loaded');
    hasFailedThere = !wasAway;
    try {
      for (const { request } of open.values()) started().postMessage(request);
    } catch (error) {
      fail(String(error)); // one of them cannot be sent to another thread
    }
  };
  const ask = <Result>(method: keyof WorkerMethods, ...args: readonly Argument[]): Promise<Result> =>
    new Promise<unknown>((resolve, reject) => {
      const id = (count += 1);
      const request: WorkerRequest = { id, method, args };
      try {
        if (!isWaiting) started().postMessage(request);
        open.set(id, { request, resolve, reject });
      } catch (error) {
        sent.forget();
        throw error;
      }
    }) as Promise<Result>;
  const one = (slot: string, canvas: CanvasJson): Argument => ({ canvas: sent.update(slot, canvas) });
  const all = (canvases: readonly CanvasJson[]): Argument => ({
    canvases: canvases.map((canvas, index) => sent.update(`test ${index}`, canvas)),
  });

  return {
    check: (canvas, channels) => ask('check', one('draft', canvas), { value: channels }),
    layout: (input) => ask('layout', { value: input }),
    diff: (before, after) => ask('diff', one('before', before), one('draft', after)),
    startTest: (canvases, script, setting) => ask('startTest', all(canvases), { value: script }, { value: setting }),
    playLine: (line) => ask('playLine', { value: line }),
    findConversation: (canvases, goal, setting) => ask('findConversation', all(canvases), { value: goal }, { value: setting }),
    runTranscripts: (canvases, transcripts, setting) => ask('runTranscripts', all(canvases), { value: transcripts }, { value: setting }),
    exploreAgents: (canvas) => ask('exploreAgents', one('explored', canvas)),
    close: () => fail('The studio was closed'),
  };
}

const unchecked: CheckResult = { problems: [], nodes: [], unknownTypes: [] };

/** A worker with the lifetime of the component, started at the first call. */
export function useEngine(make: WorkerFactory): EngineClient {
  const [engine] = useState(() => createEngineClient(make));
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(closing.current); // React's strict mode unmounts and remounts a component at once
    return () => {
      closing.current = setTimeout(() => engine.close());
    };
  }, [engine]);
  return engine;
}
