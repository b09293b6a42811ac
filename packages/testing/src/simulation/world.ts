import type { Engine, EngineEvents } from '@hilo/engine';
import type { Channel, ExecutionStore } from '@hilo/engine/contract';
import type { VirtualClock } from '../virtual-clock.ts';
import type { ExecutionNames } from './execution-names.ts';
import type { RecordingDrivers } from './recording-drivers.ts';
import type { Watch } from './settling.ts';
import type { Transcript } from './transcript.ts';

/** The company and the bot of every simulation. */
export const simulatedIds = { companyId: '1', botId: 'bot' } as const;

/** The user who talks. */
export interface SimulatedUser {
  readonly id: string;
  readonly names?: string;
  readonly phone?: string;
  readonly bsuid?: string;
}

/** What a conversation takes place in. */
export interface World {
  /** The one that runs now. */
  readonly engine: Engine;
  /** Kills the engine and starts another: nothing is left but the stores, and the world outside. */
  restart(): Promise<void>;
  /** What the engines told of faults of their own. */
  readonly faults: readonly EngineEvents['engine.fault'][0][];
  readonly clock: VirtualClock;
  readonly store: ExecutionStore;
  readonly drivers: RecordingDrivers;
  readonly watch: Watch;
  readonly names: ExecutionNames;
  readonly transcript: Transcript;
  readonly channel: Channel;
  readonly user: SimulatedUser;
  /** How many conversations there were before this one over the same stores. */
  readonly conversations: number;
  readonly mainId: string;
  /** The webhook node of a workflow; empty when it has none. */
  readonly webhookOf: (workflowId: string) => string;
}
