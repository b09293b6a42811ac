import { cancelExecution } from './cancel-execution.ts';
import type { Canvas } from './contract/canvas.ts';
import type { Problem } from './contract/problem.ts';
import type { ExecutionRecord, HistoryRecord } from './contract/store.ts';
import type { EngineEvents, Listener } from './engine-events.ts';
import { fireDueTimers } from './fire-due-timers.ts';
import { createKernel, type EngineOptions } from './kernel.ts';
import { acquitSuspects } from './made-progress.ts';
import { processAll, processMessage, processNext } from './process-queued.ts';
import { type Connections, type Published, publishCanvas, saveDraft } from './publish-canvas.ts';
import { type InboundMessage, type MessageOutcome, receiveMessage } from './receive-message.ts';
import { receiveWebhook, type WebhookAccepted, type WebhookCall } from './receive-webhook.ts';
import { recover, takeUpAfterDeath } from './recover.ts';
import { releaseExecution } from './release-execution.ts';
import { sendSignal, type Signal } from './send-signal.ts';
import { startExecution, type StartRequest } from './start-execution.ts';
import { takeUp } from './take-up.ts';

/** Executes canvases. Every verb resolves when its consequence is durable, not when it is finished. */
export interface Engine {
  /**
   * Tells a listener what happens, after it is committed. For observation alone: a listener that throws, or is removed,
   * changes nothing that the engine does.
   *
   * @returns removes the listener again
   */
  on<Name extends keyof EngineEvents>(name: Name, listener: Listener<Name>): () => void;
  off<Name extends keyof EngineEvents>(name: Name, listener: Listener<Name>): void;
  /** Keeps a draft; answers what publishing it would refuse or warn of. */
  saveDraft(companyId: string, canvas: Canvas, connections?: Connections): Promise<readonly Problem[]>;
  publish(companyId: string, workflowId: string, connections?: Connections): Promise<Published>;
  /** Starts a workflow by name: what a host calls. */
  start(request: StartRequest): Promise<{ readonly executionId: string }>;
  /** Takes a request to a webhook: a start or a resume. */
  receiveWebhook(call: WebhookCall): Promise<WebhookAccepted>;
  /** Takes a user's message; tells what came of it. */
  receiveMessage(message: InboundMessage): Promise<{ readonly outcome: MessageOutcome }>;
  /** Answers those who wait for a named signal; tells which executions went on by it. */
  signal(signal: Signal): Promise<{ readonly executionIds: readonly string[] }>;
  cancel(companyId: string, executionId: string, reason?: string): Promise<ExecutionRecord>;
  /** Lets a quarantined execution go on where it stood. */
  release(companyId: string, executionId: string): Promise<ExecutionRecord>;
  execution(companyId: string, executionId: string): Promise<ExecutionRecord | undefined>;
  history(companyId: string, executionId: string): Promise<readonly HistoryRecord[]>;
  /** Fires what is due now; answers how many waits were. An engine that was started does so by itself. */
  fireDueTimers(): Promise<number>;
  /** The earliest due time of any wait, in milliseconds since the Unix epoch. */
  nextDueMs(): Promise<number | undefined>;
  /** Takes up what an earlier process left, and keeps firing timers until `stop`. */
  run(): Promise<void>;
  /** Fires no more timers, and lets other processes have what this one had. Nothing durable needs it. */
  stop(): Promise<void>;
  /** Resolves when nothing is under way: every execution has ended or waits. */
  whenIdle(): Promise<void>;
  /** Lanes with a task at work, and lanes kept by an effect without an answer. */
  activity(): { readonly working: number; readonly blocked: number };
}

/**
 * Makes an engine of nodes, drivers, stores, time and randomness.
 *
 * @example
 * const engine = createEngine({ nodes: standardNodes, drivers: [drive(sendMessage, send)], clock, random });
 */
export function createEngine(options: EngineOptions): Engine {
  const kernel = createKernel(options, { processNext, processMessage, processAll, takeUp, takeUpAfterDeath, fireDueTimers, recover });
  return {
    on: (name, listener) => kernel.events.on(name, listener),
    off: (name, listener) => kernel.events.off(name, listener),
    saveDraft: (companyId, canvas, connections) => saveDraft(kernel, companyId, canvas, connections),
    publish: (companyId, workflowId, connections) => publishCanvas(kernel, companyId, workflowId, connections),
    start: (request) => startExecution(kernel, request),
    receiveWebhook: (call) => receiveWebhook(kernel, call),
    receiveMessage: (message) => receiveMessage(kernel, message),
    signal: (signal) => sendSignal(kernel, signal),
    cancel: (companyId, executionId, reason = 'Cancelled on request') => cancelExecution(kernel, companyId, executionId, reason),
    release: (companyId, executionId) => releaseExecution(kernel, companyId, executionId),
    execution: (companyId, executionId) => kernel.store.load(companyId, executionId),
    history: (companyId, executionId) => kernel.store.history(companyId, executionId),
    fireDueTimers: () => fireDueTimers(kernel),
    nextDueMs: () => kernel.store.nextDueMs(),
    async run() {
      await kernel.membership?.join();
      await recover(kernel);
      kernel.timers.start();
    },
    async stop() {
      kernel.timers.stop();
      await acquitSuspects(kernel);
      await kernel.membership?.leave();
    },
    whenIdle: () => kernel.lanes.whenIdle(),
    activity: () => kernel.lanes.activity(),
  };
}
