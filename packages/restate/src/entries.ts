import type { EffectCall, LaneInput } from '@hilo/engine/runtime-kit';
import { type RetryPolicy, serde, type Serde } from '@restatedev/restate-sdk';
import type { Sealed, Seals } from './seals.ts';

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

/** The places that entries are sealed for. */
export const places = {
  lane: (lane: string): string => `${handlers.lane}/${lane}`,
  key: (key: string): string => `${handlers.key}/${key}`,
  forget: (key: string): string => `${handlers.key}/${key}/forget`,
  effects: handlers.effects,
} as const;

/** A call of a lane's one handler. */
export const toLane = (seals: Seals, lane: string, entry: LaneEntry) =>
  ({
    service: handlers.lane,
    method: 'take',
    key: lane,
    parameter: seals.seal(places.lane(lane), entry),
    inputSerde: createJsonSerde<Sealed>(),
  }) as const;

/** Asked for again until it is done, however long the process or its store is away. */
export const forever: RetryPolicy = {
  initialInterval: 50,
  exponentiationFactor: 2,
  maxInterval: 2_000,
  maxAttempts: 1_000_000_000,
};
