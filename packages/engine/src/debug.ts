// For tools: what a canvas compiles to, the actor logic and the statechart of it, the replay of a history, and what drivers
// know an effect of it by.
export { type CompiledCanvas, type CompiledNode, compileCanvas, type NodeTypes, nodeTypes, referencesOf } from './canvas/compile.ts';
export { readCanvas } from './canvas/parse.ts';
export { type ProblemCode, problemCodes } from './canvas/problem-codes.ts';
export {
  type CanvasLogic,
  canvasLogic,
  type ExecutionSnapshot,
  initialState,
  type Inspect,
  nextSnapshot,
  snapshotOf,
} from './machine/canvas-logic.ts';
export { idempotencyKey } from './machine/deterministic-ids.ts';
export { isLegal, lifecycle, lifecycleMachine } from './machine/lifecycle.ts';
export { replayHistory } from './machine/replay.ts';
export { canvasMachine } from './machine/statechart.ts';
