// The world of a simulation: an engine, its clock, and its user.
import type { Engine, EngineEvents } from '@hilo/engine';
import type { CompiledCanvas } from '@hilo/engine/debug';
import { type Channel, type ExecutionStore, type Json, isJsonObject } from '@hilo/engine/contract';
import type { ScheduleRule } from '@hilo/nodes';
import type { Addresses } from './addresses.ts';
import type { Campaigns } from './campaigns.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Desk } from './desk.ts';
import type { RecordedCall } from './recorded-call.ts';
import type { RecordingDrivers } from './recording-drivers.ts';
import type { Watch } from './settling.ts';
import type { Transcript } from './transcript.ts';

/** The company and the bot of every simulation. */
export const simulatedIds = { companyId: '1', botId: 'bot' } as const;

/** The user of the conversation. */
export interface SimulatedUser {
  readonly id: string;
  readonly names?: string;
  readonly phone?: string;
  readonly bsuid?: string;
  /** Their IANA time zone, before the company's. */
  readonly timeZone?: string;
  /** How numbers and dates are written for them, before the company's. */
  readonly locale?: string;
  /** Whether the bot knows them before they write, as it knows users that were imported; not when left out. */
  readonly isKnown?: boolean;
  /** The tags of their room at the beginning; none, when left out. */
  readonly tags?: readonly number[];
}

/** Observes a simulation, beside the events of the engine. */
export interface SimulationObserver {
  /** A driver was called. */
  called?(call: RecordedCall): void;
  /** The outcome of a call that no script line answered: of code and of own drivers. */
  answered?(call: RecordedCall, outcome: Json | Error): void;
  /** Called when an input matched nothing, with the reason. */
  unmatched?(reason: string): void;
  /** A webhook or a callback was refused, with the reason: the transcript has its code alone. */
  refused?(reason: string): void;
  /** The user wrote to the operator. */
  heard?(text: string): void;
  /** A conversation with an operator ended by itself. */
  expired?(conversationId: string): void;
}

/** A rule by which a canvas begins by the clock. */
export interface ClockRule {
  readonly workflowId: string;
  readonly rule: ScheduleRule;
  /** Up to when it was dealt with. */
  throughMs: number;
}

/** The world of a conversation. */
export interface World {
  /** The engine of the current process. */
  readonly engine: Engine;
  /** Kills the engine and starts another: nothing is left but the stores, and the world outside. */
  restart(): Promise<void>;
  /** Faults that the engines reported of themselves. */
  readonly faults: readonly EngineEvents['engine.fault'][0][];
  readonly clock: VirtualClock;
  readonly store: ExecutionStore;
  readonly drivers: RecordingDrivers;
  readonly desk: Desk;
  readonly addresses: Addresses;
  readonly campaigns: Campaigns;
  readonly watch: Watch;
  readonly names: ExecutionNames;
  readonly transcript: Transcript;
  /** Called with inputs that had no effect. */
  readonly observer: SimulationObserver;
  readonly channel: Channel;
  readonly user: SimulatedUser;
  readonly mainId: string;
  /** What begins by the clock. */
  readonly clockRules: readonly ClockRule[];
  /** The time zone of the company. */
  readonly companyZone: string;
  /** A workflow of the simulation. */
  readonly canvasOf: (workflowId: string) => CompiledCanvas | undefined;
}

/** Names for executions that are the same in every run: `<execution-1>` is the first that was created. */
export interface ExecutionNames {
  /** Gives the execution the next name. */
  add(executionId: string): void;
  /** The ids, oldest first. */
  readonly ids: readonly string[];
  /** A text with names in place of ids. */
  named(text: string): string;
  /** A value with ids in place of names, in every text of it. */
  resolved<Value extends Json>(value: Value): Value;
}

/** Names for no executions yet. */
export function createExecutionNames(): ExecutionNames {
  const ids: string[] = [];
  const numbers = new Map<string, number>();
  const withIds = (text: string): string =>
    text.replace(/<execution-(\d{1,9})>/g, (name, digits: string) => ids[Number(digits) - 1] ?? name);

  const resolve = (value: Json): Json => {
    if (typeof value === 'string') return withIds(value);
    if (typeof value !== 'object' || value === null) return value;
    if (!isJsonObject(value)) return value.map(resolve);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item)]));
  };

  return {
    ids,
    add(executionId) {
      ids.push(executionId);
      numbers.set(executionId, ids.length);
    },
    named: (text) => text.replace(/[0-9a-f]{32}/g, (id) => (numbers.has(id) ? `<execution-${numbers.get(id)}>` : id)),
    resolved: <Value extends Json>(value: Value) => resolve(value) as Value,
  };
}
