import type { EffectCall, LaneInput } from '@hilo/engine/runtime-kit';
import { type RetryPolicy, serde, type Serde } from '@restatedev/restate-sdk';

/** How the handlers are called in Restate: part of the addresses of everything that is under way there, so never to be changed. */
export const handlers = { lane: 'HiloLane', key: 'HiloKey', effects: 'HiloEffects' } as const;

/** The input of a lane, and its time: of a timer, when it was due. */
export interface LaneEntry {
  readonly input: LaneInput;
  /** In milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/** A call that is to have one consequence under its key, in whichever lane the first of its kind went to. */
export interface KeyedEntry extends LaneEntry {
  readonly lane: string;
}

/** An effect to perform, and the lane that waits for its answer. */
export interface EffectEntry {
  readonly lane: string;
  readonly call: EffectCall;
  /** When it was requested, in milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/** JSON in both directions, as this type. */
export const createJsonSerde = <Value>(): Serde<Value> => ({
  contentType: 'application/json',
  serialize: (value) => serde.json.serialize(value),
  deserialize: (bytes) => serde.json.deserialize(bytes) as Value,
});

/** The address of a lane's one handler. */
export const toLane = (lane: string) =>
  ({ service: handlers.lane, method: 'take', key: lane, inputSerde: createJsonSerde<LaneEntry>() }) as const;

/** Asked for again until it is done, however long the process or its store is away. */
export const forever: RetryPolicy = {
  initialInterval: 50,
  exponentiationFactor: 2,
  maxInterval: 2_000,
  maxAttempts: 1_000_000_000,
};
