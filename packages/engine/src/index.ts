// The entry of @hilo/engine, for hosts: engines, checks of canvases, and stores in memory.
export { parseJson, parseJsonObject } from './bounded-json.ts';
export { type CheckOptions, checkCanvas, checkCanvasText } from './canvas/check.ts';
export type { PublishedWorkflow } from './canvas/check-rivals.ts';
export { type CanvasInput, defineCanvas } from './canvas/define-canvas.ts';
export { parseCanvas } from './canvas/parse.ts';
export type {
  Company,
  CompanyEvent,
  CompanyMigrations,
  Delivery,
  ExecutionsFilter,
  PublishedCanvas,
  SignalOptions,
  StartOptions,
  VersionPopulation,
  WebhookOptions,
  WebhookResult,
} from './company.ts';
export type { PauseOptions } from './runtime/close-workflow.ts';
export { type ErrorCode, HiloError, isHiloError } from './contract/errors.ts';
export { createEngine, type Engine } from './engine.ts';
export type { WebhookParts } from './host-input.ts';
export {
  deliveryKey,
  deliveryKeyChars,
  encodingProblem,
  parseBody,
  readDeliveryKey,
  readWebhookRequest,
  takesBody,
  utf8,
} from './webhook-request.ts';
export { type Finish, findWebhookResponse, isEmpty as isEmptyAnswer, type WebhookResponse } from './webhook-answer.ts';
export { createMemoryCanvases } from './memory/canvas-store.ts';
export { createMemoryStore } from './memory/execution-store.ts';
export { BulkAction, type BulkDone, BulkFilter, type BulkOptions, type BulkPlan } from './runtime/bulk.ts';
export type { Applied, ApplyOptions } from './runtime/apply-migration.ts';
export type { ForkOptions, RetryOptions } from './runtime/continue.ts';
export type { MigrateOptions } from './runtime/migrate.ts';
export type { MigrationGroup, MigrationPlan, PlanOptions } from './runtime/plan-migration.ts';
export type {
  ReplayedConversation,
  ReplayGroup,
  ReplayLine,
  ReplayOptions,
  ReplayReport,
  ReplayTarget,
  StoreReplay,
} from './runtime/replay-workflow.ts';
export type { Undone, UndoOptions } from './runtime/undo-migrations.ts';
export type { CallbackCall } from './runtime/webhook.ts';
export type { InboundMessage, MessageOutcome, Migrated, WebhookAccepted, WebhookCall } from './lane/calls.ts';
export type { Cell, OtherCell } from './runtime/lane-runtime.ts';
export { slotCount, slotOf, slotOfId } from './machine/deterministic-ids.ts';
export type { Connections, Published } from './runtime/canvas-library.ts';
export type { Directory, EngineOptions, EngineStore, PausableQuestion, Trace, TracedWork } from './runtime/context.ts';
export type { UnmatchedCause, UserRef } from './lane/message-events.ts';
export type { EngineEvents, ExecutionRef, IncompatibleVersion, Listener } from './runtime/events.ts';
export type { Signal, SignalOutcome } from './runtime/signal.ts';
export type { StartRequest } from './runtime/start.ts';
