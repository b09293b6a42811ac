import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@hilo/engine/contract';
import { listen, type Listening } from './listening.ts';
import { oneCompany } from './one-company.ts';

/** The system that services call, which leaves each call open until `answer` is called. */
export interface SilentSide extends Listening {
  /** Resolves when this many calls have come since the last call. @returns their idempotency keys */
  called(times: number): Promise<readonly string[]>;
  /** Answers every call from now on, and all pending ones. */
  answer(): void;
}

export async function startSilentSide(): Promise<SilentSide> {
  const waiting: ServerResponse[] = [];
  const keys: string[] = [];
  let isAnswering = false;
  let told = (): void => undefined;
  const answer = (response: ServerResponse): void => void response.setHeader('content-type', 'application/json').end('{"ok":true}');
  const listening = await listen(({ headers }, response) => {
    keys.push(String(headers['idempotency-key']));
    if (isAnswering) answer(response);
    else waiting.push(response);
    told();
  });
  return {
    ...listening,
    called: (times) =>
      new Promise((resolve) => {
        told = () => {
          if (keys.length < times) return;
          told = () => undefined;
          resolve(keys.splice(0));
        };
        told();
      }),
    answer() {
      isAnswering = true;
      for (const response of waiting) answer(response);
    },
  };
}

/** A workspace with one workflow, which calls that side and ends. @returns it, and the setting that lets it call */
export const callingWorkspace = (
  address: string,
): { readonly workspace: JsonObject; readonly env: { readonly HILO_EGRESS_ALLOW: string } } => ({
  workspace: oneCompany('s', [callingCanvas(`http://${address}/`)]),
  env: { HILO_EGRESS_ALLOW: address },
});

const callingCanvas = (url: string): JsonObject => ({
  schemaVersion: 1,
  id: 'calling',
  name: 'Calling',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user' } },
    { id: 'call', type: 'api', data: { method: 'POST', url, body: { n: 1 } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'call' },
    { source: 'call', sourceHandle: 'success', target: 'done' },
  ],
});
