import type { Leases } from '@hilo/engine/contract';
import { type LaneQuestions, laneQuestions } from './statements/lane-sql.ts';

/** What a store knows of the processes it is shared with. */
export interface Sharing {
  /** This process's number among them: 0 while it has not joined. */
  readonly me: () => number;
  readonly questions: LaneQuestions;
  readonly leases?: Leases;
}

/** A database that one process has to itself. */
export const unshared: Sharing = { me: () => 0, questions: laneQuestions(false) };
