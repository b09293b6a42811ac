import { type BoundDriver, type DriverContext, drive, type Json } from '@hilo/engine/contract';
import { httpRequest, sendMessage } from '@hilo/nodes/effects';
import type { CrashPointName } from '../points.ts';
import type { Fuse } from './fuse.ts';
import { httpCall } from './http-call.ts';

/** Drivers that do everything at the ledger. */
export interface LedgerDrivers {
  readonly drivers: readonly BoundDriver[];
  /** The type of the effect that a key named in this process. */
  typeOf(key: string): string | undefined;
}

/** How far a call has got, as the side of a crash point. */
const progressPoints = {
  connected: ['bytes', 'before'],
  half: ['bytes', 'after'],
  written: ['done', 'before'],
  answered: ['done', 'after'],
} as const;

/** @param processNumber - the number of this process, which the ledger records */
export function ledgerDrivers({
  port,
  processNumber,
  fuse,
}: {
  readonly port: number;
  readonly processNumber: number;
  readonly fuse: Fuse;
}): LedgerDrivers {
  const types = new Map<string, string>();

  const perform = (
    effect: 'call' | 'send',
    type: string,
    path: string,
    payload: Json,
    { idempotencyKey, executionId, nodeId, attempt }: DriverContext,
  ) => {
    types.set(idempotencyKey, type);
    return httpCall({
      port,
      path,
      headers: {
        'idempotency-key': idempotencyKey,
        'x-execution': executionId,
        'x-node': nodeId,
        'x-attempt': String(attempt),
        'x-process': String(processNumber),
      },
      body: JSON.stringify(payload),
      onProgress(progress) {
        const [part, side] = progressPoints[progress];
        fuse.reach(`${effect}.${part}` satisfies CrashPointName, side);
      },
    });
  };

  return {
    drivers: [
      drive(httpRequest, async (request, context) => {
        const { status, body } = await perform('call', httpRequest.type, new URL(request.url).pathname, request, context);
        return { kind: 'response', response: { status, headers: {}, body: JSON.parse(body) as Json } };
      }),
      drive(sendMessage, async (request, context) => {
        await perform('send', sendMessage.type, '/message', request, context);
        return { kind: 'sent', messageId: context.idempotencyKey };
      }),
    ],
    typeOf: (key) => types.get(key),
  };
}
