import type { Leases } from '@hilo/engine/contract';
import { type LaneQuestions, laneQuestions } from './statements/lane-sql.ts';

/** A store's view of the processes that share it. */
export interface Sharing {
  /** This process's number among them: 0 while it has not joined. */
  readonly me: () => number;
  readonly questions: LaneQuestions;
  readonly leases?: Leases;
}

/** A database that one process has to itself. */
export const unshared: Sharing = { me: () => 0, questions: laneQuestions(false) };
