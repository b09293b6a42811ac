// For authors of runtimes: what keeps lanes elsewhere than in this process and its store. `decideLane` is the engine's logic over
// a lane that is handed to it; a runtime records what it decides, and lets it happen.
export type { BoundDriver } from './contract/driver.ts';
export { HiloError } from './contract/errors.ts';
export type { EffectCall, Settled } from './contract/execution.ts';
export type { Commit, DueWait, ExecutionRecord, ExecutionStore, InboxItem } from './contract/store.ts';
export type { CreateLaneRuntime, EngineContext } from './runtime/context.ts';
export { type DecidedLane, decideLane, type LaneDecision, type LaneInput } from './runtime/decide-lane.ts';
export type { LaneAnswer, LaneCall, LaneReply, LaneRuntime } from './runtime/lane-runtime.ts';
export type { Reach } from './runtime/lane-ownership.ts';
export { emptyLane, type KeptLane } from './runtime/lane-store.ts';
export { readContact, settle } from './runtime/perform-effect.ts';
