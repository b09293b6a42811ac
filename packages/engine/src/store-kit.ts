// For authors of stores: the ports that a store implements, the records that pass through them, and the in-memory stores that are
// the model of every other. `describeExecutionStore` of `@hilo/testing/contracts` holds a store to them.
export { canvasHash } from './canvas/hash.ts';
export { Canvas } from './contract/canvas.ts';
export type { Clock } from './contract/clock.ts';
export { HiloError } from './contract/errors.ts';
export type { Contact, ExecutionState, ExecutionStatus, OpenWait } from './contract/execution.ts';
export type { InboxEvent } from './contract/event.ts';
export type { Json, JsonObject } from './contract/json.ts';
export type * from './contract/store.ts';
export { finalStatuses } from './machine/lifecycle.ts';
export { createMemoryCanvases } from './memory/canvas-store.ts';
export { createMemoryStore } from './memory/execution-store.ts';
