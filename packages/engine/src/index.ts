export { canvasHash } from './canvas/hash.ts';
export { type CheckOptions, checkCanvas, checkCanvasText } from './canvas/check.ts';
export { type CanvasDescription, type DescribedNode, type DescribedPort, describeCanvas } from './canvas/describe.ts';
export { type CanvasDiff, type ChangedEdge, type ChangedField, type ChangedNode, diffCanvases } from './canvas/diff.ts';
export { type Compilation, type CompiledCanvas, type CompiledNode, compileCanvas, type NodeTypes, nodeTypes } from './canvas/compile.ts';
export { parseCanvas, readCanvas } from './canvas/parse.ts';
export { type ProblemCode, problemCodes } from './canvas/problem-codes.ts';
export type {
  Company,
  Delivery,
  PublishedCanvas,
  SignalOptions,
  StartOptions,
  WebhookOptions,
  WebhookParts,
  WebhookResult,
} from './company.ts';
export { type ErrorCode, HiloError, isHiloError } from './contract/errors.ts';
export { createEngine, type Engine } from './engine.ts';
export type { EngineEvents, ExecutionRef, Listener, UnmatchedCause, UserRef } from './runtime/events.ts';
export type { Directory, EngineOptions, EngineStore } from './runtime/context.ts';
export { type CanvasLogic, canvasLogic, type Inspect, nextSnapshot } from './machine/canvas-logic.ts';
export { canvasMachine } from './machine/statechart.ts';
export { replayHistory } from './machine/replay.ts';
export { finalStatuses, isLegal, lifecycle, lifecycleMachine } from './machine/lifecycle.ts';
export { type ExecutionSnapshot, initialState, snapshotOf } from './machine/canvas-logic.ts';
export type { Connections, Published } from './runtime/canvas-library.ts';
export type { InboundMessage, MessageOutcome } from './runtime/message.ts';
export type { WebhookAccepted, WebhookCall } from './runtime/webhook.ts';
export type { Signal } from './runtime/signal.ts';
export type { StartRequest } from './runtime/start.ts';
export { createMemoryCanvases } from './memory/canvas-store.ts';
export { createMemoryStore } from './memory/execution-store.ts';
