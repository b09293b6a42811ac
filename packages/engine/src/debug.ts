// For tools: compiled canvases, their actor logic and statechart, the replay of a history, and the keys by which drivers know
// effects.
export { type CompiledCanvas, type CompiledNode, compileCanvas, type NodeTypes, nodeTypes, referencesOf } from './canvas/compile.ts';
export type { Resolved } from './canvas/check-structure.ts';
export { readCanvas } from './canvas/parse.ts';
export {
  type CanvasLogic,
  canvasLogic,
  type ExecutionSnapshot,
  initialState,
  type Inspect,
  nextSnapshot,
  snapshotOf,
} from './machine/canvas-logic.ts';
export { replayOn } from './machine/replay-on.ts';
export { listCanvasHashes, type Replay, replayHistory, replayUntil } from './machine/replay.ts';
export { findReads } from './expressions/template.ts';
export { childSeed, idempotencyKey } from './machine/deterministic-ids.ts';
export { isLegal, lifecycle, lifecycleMachine } from './machine/lifecycle.ts';
export { describeDifference, judgeMigration, type PreparedMigration, prepareMigration } from './machine/migrate.ts';
export { canvasMachine } from './machine/statechart.ts';
