import type { Engine, EngineEvents } from '@hilo/engine';
import type { CompiledCanvas } from '@hilo/engine/debug';
import type { Channel, ExecutionStore, Json } from '@hilo/engine/contract';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Desk } from './desk.ts';
import type { ExecutionNames } from './execution-names.ts';
import type { RecordedCall, RecordingDrivers } from './recording-drivers.ts';
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
}

/** Observes a simulation, beside the events of the engine. */
export interface SimulationObserver {
  /** A driver was called. */
  called?(call: RecordedCall): void;
  /** The outcome of a call that no script line answered: of code and of own drivers. */
  answered?(call: RecordedCall, outcome: Json | Error): void;
  /** An input came to nothing, and why. */
  unmatched?(reason: string): void;
  /** The user wrote to the operator. */
  heard?(text: string): void;
  /** A conversation with an operator ended by itself. */
  expired?(conversationId: string): void;
}

/** What a conversation takes place in. */
export interface World {
  /** The one that runs now. */
  readonly engine: Engine;
  /** Kills the engine and starts another: nothing is left but the stores, and the world outside. */
  restart(): Promise<void>;
  /** Faults that the engines reported of themselves. */
  readonly faults: readonly EngineEvents['engine.fault'][0][];
  readonly clock: VirtualClock;
  readonly store: ExecutionStore;
  readonly drivers: RecordingDrivers;
  readonly desk: Desk;
  readonly watch: Watch;
  readonly names: ExecutionNames;
  readonly transcript: Transcript;
  /** Called with inputs that come to nothing. */
  readonly observer: SimulationObserver;
  readonly channel: Channel;
  readonly user: SimulatedUser;
  readonly mainId: string;
  /** A workflow that takes part. */
  readonly canvasOf: (workflowId: string) => CompiledCanvas | undefined;
}
