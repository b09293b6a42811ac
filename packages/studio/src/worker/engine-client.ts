import type { WorkerAnswer, WorkerMethods, WorkerRequest } from './protocol.ts';

/** The methods of a worker, and its end. */
export interface EngineClient extends WorkerMethods {
  close(): void;
}

/** Creates a worker: hosts with another bundler, or with own nodes, pass theirs. */
export type WorkerFactory = () => Worker;

/** The worker of the standard nodes. */
export const standardWorker: WorkerFactory = () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });

/** A client of a worker, which is started at the first call. When the worker dies, its pending calls fail, and the next call starts another. */
export function createEngineClient(make: WorkerFactory): EngineClient {
  let worker: Worker | undefined;
  let count = 0;
  const open = new Map<number, { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }>();

  const fail = (reason: string): void => {
    for (const { reject } of open.values()) reject(new Error(reason));
    open.clear();
    worker?.terminate();
    worker = undefined;
  };
  const started = (): Worker => {
    if (worker !== undefined) return worker;
    worker = make();
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      const call = open.get(data.id);
      open.delete(data.id);
      if ('error' in data) call?.reject(new Error(data.error));
      else call?.resolve(data.result);
    };
    worker.onerror = ({ message }) => fail(`The worker ended: ${message || 'it could not be loaded'}`);
    return worker;
  };
  const ask = <Method extends keyof WorkerMethods>(method: Method): WorkerMethods[Method] => {
    const call = (...args: readonly unknown[]): Promise<unknown> =>
      new Promise<unknown>((resolve, reject) => {
        const id = (count += 1);
        open.set(id, { resolve, reject });
        started().postMessage({ id, method, args } satisfies WorkerRequest);
      });
    return call as WorkerMethods[Method];
  };

  return {
    check: ask('check'),
    layout: ask('layout'),
    diff: ask('diff'),
    startTest: ask('startTest'),
    playLine: ask('playLine'),
    findConversation: ask('findConversation'),
    runTranscripts: ask('runTranscripts'),
    close: () => fail('The studio was closed'),
  };
}
