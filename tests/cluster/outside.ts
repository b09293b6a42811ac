import type { BoundDriver, DriverContext, EffectDefinition, Json } from '@hilo/engine/contract';
import { drive } from '@hilo/engine/contract';
import { httpRequest, logEvent, respondWebhook, sendMessage, sendTemplate } from '@hilo/nodes/effects';
import type { EffectMade } from './evidence.ts';
import type { Faults } from './faults.ts';
import type { Arrival, Gate } from './gate.ts';

/** Which life of a process it is, and when the process was started. */
export type Life = Pick<EffectMade, 'lifetime' | 'aliveSince'>;

/** The world outside of the cluster: a channel, an API, and what they remember of each call. */
export interface Outside {
  /** The drivers of one process. */
  driversFor(process: string, gate: Gate, life: () => Life): readonly BoundDriver[];
}

export interface OutsideOptions {
  readonly faults: Faults;
  readonly nowMs: () => number;
  /** Told of every call that arrives. */
  readonly onEffect: (effect: Omit<EffectMade, 'order'>) => void;
  /** Told of a message that reached its user. */
  readonly onMessage: (to: { readonly botId: string; readonly userId: string }, message: Json) => void;
}

/** How the remote system of an effect answers when all is well, and when it refuses. */
interface Manner {
  readonly effect: EffectDefinition;
  readonly done: (context: DriverContext) => Json;
  readonly refused: Json;
}

const sent = ({ idempotencyKey }: DriverContext): Json => ({ kind: 'sent', messageId: `message ${idempotencyKey.slice(0, 8)}` });
const refused: Json = { kind: 'refused', cause: 'REFUSED', message: 'The channel was told to refuse' };
const response = (status: number): Json => ({
  kind: 'response',
  response: { status, headers: {}, body: { state: 'ready', items: [1, 2] } },
});

/** An effect with its types erased, as drivers are bound to it. */
const anyEffect = (effect: unknown): EffectDefinition => effect as EffectDefinition;

const manners: readonly Manner[] = [
  { effect: anyEffect(sendMessage), done: sent, refused },
  { effect: anyEffect(sendTemplate), done: sent, refused },
  { effect: anyEffect(httpRequest), done: () => response(200), refused: response(404) },
  { effect: anyEffect(respondWebhook), done: () => ({ kind: 'done' }), refused: { kind: 'done' } },
  { effect: anyEffect(logEvent), done: () => ({ kind: 'done' }), refused: { kind: 'done' } },
];

export function createOutside({ faults, nowMs, onEffect, onMessage }: OutsideOptions): Outside {
  /** The result of a call that arrived, and was performed or not. */
  const answer = ({ effect, done, refused }: Manner, context: DriverContext): Arrival<Json> => {
    const delayMs = faults.strikes('driver slow') ? faults.dice('driver slow').between(1, 59_000) : 0;
    if (faults.strikes('driver hangs')) return { kind: 'silence' };
    if (faults.strikes('driver rubbish')) return { kind: 'answer', value: { rubbish: effect.type }, delayMs };
    if (faults.strikes('driver refuses')) return { kind: 'answer', value: refused, delayMs };
    if (!faults.strikes('driver fails')) return { kind: 'answer', value: done(context), delayMs };
    return effect.type === 'http.request' && faults.dice('driver fails').chance(0.5)
      ? { kind: 'answer', value: response(503), delayMs }
      : { kind: 'failure', error: new Error('The connection was cut'), delayMs };
  };

  const arrived = (process: string, life: Life, manner: Manner, request: Json, context: DriverContext): void => {
    const { idempotencyKey: key, attempt, executionId, origin } = context;
    const effect = manner.effect.type;
    onEffect({ atMs: nowMs(), process, ...life, effect, key, attempt, executionId, payload: JSON.stringify(request) });
    if (effect === 'message.send' && origin.botId !== undefined && origin.userId !== undefined)
      onMessage({ botId: origin.botId, userId: origin.userId }, request);
  };

  return {
    driversFor: (process, gate, life) =>
      manners.map((manner) =>
        drive<string, Json, Json>(
          manner.effect as EffectDefinition<string, Json, Json>,
          (request: Json, context: DriverContext): Json | Promise<Json> => {
            const made = life();
            if (manner.effect === anyEffect(logEvent)) {
              // Told at once, as a driver does that only writes something down.
              arrived(process, made, manner, request, context);
              return manner.done(context);
            }
            return gate.cross(`${manner.effect.type} ${context.idempotencyKey.slice(0, 8)} ${context.attempt}`, async () => {
              arrived(process, made, manner, request, context);
              return answer(manner, context);
            });
          },
        ),
      ),
  };
}
