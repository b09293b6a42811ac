// The drivers of the standard nodes in one list.
import { type BoundDriver, drive, driveDetached } from '@hilo/engine/contract';
import { logEvent, respondWebhook } from '@hilo/nodes/effects';
import type { z } from 'zod';
import { createModelDriver } from './ai/model-driver.ts';
import {
  type CodeWorkers,
  createCodeDriver,
  createFunctionDriver,
  createHttpDriver,
  type Dialer,
  type FindCredential,
  type FunctionDriverOptions,
} from '@hilo/drivers';
import { createMcpDriver } from './mcp/mcp-driver.ts';
import { createSoapDriver } from './soap/soap-driver.ts';

/** An event that a `log` node writes. */
export type LoggedEvent = z.output<typeof logEvent.request>;

/** Which drivers a host takes as they are. Each part that is left out leaves out the effects that need it. */
export interface StandardDriverOptions {
  /** The one way out, for `api`, `soap`, `ai-task`, `decide` and `agent`: `createDialer()`, which the host closes. */
  readonly dialer?: Dialer;
  /** The values behind the ids of credentials; none are known, when left out. */
  readonly credential?: FindCredential;
  /** Runs the code of canvases: `createCodeWorkers()`, which the host closes. */
  readonly code?: Pick<CodeWorkers, 'run'>;
  /** Deployed functions, with what runs them. */
  readonly functions?: FunctionDriverOptions;
  /** `createDatabaseDriver(…)`, which the host closes. */
  readonly databases?: BoundDriver;
  /** Receives the events of `log` nodes; they are lines of JSON on the standard error, when left out. */
  readonly log?: (event: LoggedEvent, executionId: string) => void;
}

/**
 * The drivers of the standard nodes that depend on nothing but a network: HTTP, SOAP, models, MCP servers, code, functions, databases, the log, and the
 * answer of a webhook. What is left is the host's own: `sendMessage`, `sendTemplate`, `openHandoff`, `changeTags`, `changeGroup`, `changeConsent` and `openCheckout`.
 *
 * @example
 * import { createDialer } from '@hilo/drivers';
 * import { standardDrivers } from '@hilo/integrations';
 * import { createEngine } from '@hilo/engine';
 * import { drive, sendMessage, standardNodes } from '@hilo/nodes';
 *
 * const dialer = createDialer();
 * const engine = createEngine({ nodes: standardNodes, drivers: [...standardDrivers({ dialer }), drive(sendMessage, send)] });
 */
export function standardDrivers({
  dialer,
  credential = async () => undefined,
  code,
  functions,
  databases,
  log = writeToStandardError,
}: StandardDriverOptions = {}): readonly BoundDriver[] {
  return [
    ...(dialer === undefined
      ? []
      : [createHttpDriver, createSoapDriver, createModelDriver, createMcpDriver].map((create) => create({ dialer, credential }))),
    ...(code === undefined ? [] : [createCodeDriver({ workers: code })]),
    ...(functions === undefined ? [] : [createFunctionDriver(functions)]),
    ...(databases === undefined ? [] : [databases]),
    drive(logEvent, (event, { executionId }) => {
      log(event, executionId);
      return { kind: 'done' };
    }),
    driveDetached(respondWebhook, { kind: 'done' }, () => undefined),
  ];
}

const writeToStandardError = ({ level, name, data }: LoggedEvent, executionId: string): void =>
  void process.stderr.write(`${JSON.stringify({ level, event: name, executionId, data })}\n`);
