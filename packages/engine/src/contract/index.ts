// The entry of @hilo/engine/contract: what nodes, drivers, stores and Hilo's own packages are written against.
export { isAnswerHeader } from './answer-headers.ts';
export type { ResumeClaim } from './callback.ts';
export { Canvas, CanvasNode, isNodeId, isWorkflowId, WorkflowId } from './canvas.ts';
export type { Clock, Random } from './clock.ts';
export { CommonData, divideData, HoldConfig } from './common-data.ts';
export { type AbortSignal, type BoundDriver, drive, driveDetached, type Driver, type DriverContext } from './driver.ts';
export { defineEffect, type EffectDefinition, type EffectRequest } from './effect.ts';
export { Duration, Instant, instantMs } from './duration.ts';
export { type ErrorCode, HiloError, isHiloError } from './errors.ts';
export { type ExecutionEvent, type ExecutionEventType, type InboxEvent, isInternal } from './event.ts';
export type {
  Consent,
  Contact,
  Ending,
  ExecutionInput,
  ExecutionState,
  ExecutionStatus,
  HistoryEntry,
  OpenWait,
  Origin,
  PendingEffect,
  Settled,
  Trigger,
} from './execution.ts';
export { Channel, channels, executionStatuses, keepsLane, nodeOfWait } from './execution.ts';
export { type Failure, type Fix, type PatchOperation, pointer, type Problem, type WayStep } from './problem.ts';
export { findExcess, losesDigits, parseForeignJson, parseJsonText } from './exact-json.ts';
export { requireSchema } from './refuse-schema.ts';
export { isJsonObject, Json, JsonObject, kindOf, typeWords, type ValueKind } from './json.ts';
export { fits, limits, type ValueBounds } from './limits.ts';
export { migratingKinds, type MigratingKind, Migration, type Verdict } from './migration.ts';
export * from './node.ts';
export { foldLetters, foldSigns, foldText, lookedAt, readBeginning, showsNothing } from './folded-text.ts';
export { dropUnseenInText, escapeUnseen, seenText, tidyName, unseenInName, unseenInText } from './shown-text.ts';
export * from './template.ts';
export * from './contact-fields.ts';
export { hasPhone, isSamePhone, otherSpellings, personOf, phoneSpellings } from './phone-spellings.ts';
export * from './user-variables.ts';
export { batchLoader } from './batch-loader.ts';
export { type Backoff, backoffMs, retryWithBackoff } from './retry.ts';
export type * from './store.ts';
export { type ScopeName, type Variables, type Write, isScopeName, VariableName, VariablePath } from './variables.ts';
export type { WaitKind } from './wait.ts';
export {
  child,
  externalCall,
  handoffEnd,
  interruptible,
  jumpTo,
  paymentEnd,
  reply,
  broadcast,
  signal,
  timer,
  waitKinds,
  webhookCall,
} from './wait.ts';
export { type WebhookData, WebhookMethod, WebhookRequest } from './webhook.ts';
export { utf8Bytes } from '../variables/measure.ts';
export { findMeantConstant, findMeantField } from './field-names.ts';
export { findNearestName, suggest } from '../expressions/nearest-name.ts';
export { tooMuchInAll } from '../expressions/evaluation.ts';
export { type Bound, compileCondition, type Condition } from '../expressions/condition.ts';
export { canonicalZone } from '../expressions/canonical-zone.ts';
export { celDifferences } from '../expressions/differences.ts';
export { type LanguageGroup, expressionLanguage } from '../expressions/language.ts';
export type { IsAddress, JsonTemplate, TextTemplate } from '../expressions/template.ts';
export { compileAddress, compileJson, compileText, findFaults, isExpression, isTemplate, kindOfTemplate } from '../expressions/template.ts';
export { containsText, findText, splitText } from '../expressions/text-search.ts';
export { isWithin } from './within.ts';
export { isReservedName, isVariableName } from '../variables/names.ts';
export { type Path, formatPath, getPath, parsePath, setPath } from '../variables/path.ts';
export { applyWrite } from '../variables/view.ts';
export { type PlanDeadline, type PlanHolder, defaultTimeoutMs, holdCapMs, planDeadline } from '../plans/plan-deadline.ts';
