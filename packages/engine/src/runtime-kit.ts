// For authors of runtimes: what keeps lanes elsewhere than in this process and its store. `decideLane` is the engine's logic over
// a lane that is handed to it; a runtime records what it decides, and lets it happen. `takeInLane` reads what it lacks.
export type { BoundDriver } from './contract/driver.ts';
export { HiloError } from './contract/errors.ts';
export type { EffectCall, Settled } from './contract/execution.ts';
export type { Commit, DueWait, ExecutionRecord, ExecutionStore, InboxItem } from './contract/store.ts';
export type { LaneAnswer, LaneCall, LaneInput, LaneReply } from './lane/calls.ts';
export { decideLane } from './lane/decide-lane.ts';
export { commitToLane, emptyLane, keepLane, type KeptLane, type Lane, listQuestions, nextItem, openLane } from './lane/lane.ts';
export type { LaneReads, LaneStep } from './lane/step.ts';
export { compileInTurns } from './runtime/compile-in-turns.ts';
export type { CreateLaneRuntime, EngineContext } from './runtime/context.ts';
export type { LaneRuntime } from './runtime/lane-runtime.ts';
export type { Reach } from './runtime/lane-ownership.ts';
export { type LaneDecision, type TakenInLane, takeInLane } from './runtime/take-in-lane.ts';
export { readContact, settle } from './runtime/perform-effect.ts';
