// A service of one company whose workflows are changed while they run, as an operator does it: by commands and over HTTP.
import type { JsonObject } from '@hilo/engine/contract';
import { expect } from 'vitest';
import { hilo } from '../hilo-process.ts';
import type { ServiceProcess } from '../service-process.ts';
import { type Caller, callerOf, keys } from './caller.ts';
import { listen, type Listening } from './listening.ts';
import { oneCompany } from './one-company.ts';
import type { OpenPlace, Place } from './place.ts';

const secret = 'inbound-secret-web';

/** A node, an edge and a canvas in few words. */
export const node = (id: string, type: string, data: JsonObject = {}): JsonObject => ({ id, type, data });
export const edge = (source: string, target: string, sourceHandle?: string): JsonObject => ({
  source,
  target,
  ...(sourceHandle !== undefined && { sourceHandle }),
});
export const canvas = (id: string, nodes: readonly JsonObject[], edges: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: [...nodes],
  edges: [...edges],
  ...more,
});
export const says = (id: string, text: string): JsonObject => node(id, 'message', { message: { type: 'text', text } });

/** What a command printed, with its exit code. */
export type Printed = Awaited<ReturnType<typeof hilo>>;

/** A job as management shows it, as far as tests look at it. */
export interface ShownJob {
  readonly status: string;
  readonly cursor: number;
  readonly counts: { readonly [outcome: string]: number };
  readonly atLeast: boolean;
  readonly problems: readonly { readonly executionId: string; readonly code: string; readonly message: string }[];
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** A bank that takes money, and says how often. */
export interface Bank extends AsyncDisposable {
  readonly address: string;
  charges(): number;
}

export async function openBank(): Promise<Bank> {
  let charges = 0;
  const server: Listening = await listen((_request, response) => {
    charges += 1;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: `ch_${charges}` }));
  });
  return { address: server.address, charges: () => charges, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** A service, and those who change what runs in it. */
export interface ChangeStage extends AsyncDisposable {
  readonly place: Place;
  /** The process at work now. */
  service(): ServiceProcess;
  caller(): Caller;
  /** Ends the process and starts the next one. */
  restart(signal: NodeJS.Signals): Promise<void>;
  /** Runs a command beside the service. */
  run(...args: readonly string[]): Promise<Printed>;
  /** Asks management. @throws {Error} for what is refused */
  admin<Body>(request: string, body?: JsonObject): Promise<Body>;
  publish(canvas: JsonObject): Promise<void>;
  /** A user writes to the bot, and the answer has been said. */
  say(userId: string, text: string): Promise<void>;
  /** What the bot said to a user. */
  heard(userId: string): Promise<readonly string[]>;
  /** The executions of a user, as soon as none is at work. */
  of(userId: string): ReturnType<Caller['atRest']>;
  /** A job as soon as it goes on no more. */
  ended(jobId: string): Promise<ShownJob>;
}

/** @param canvases - published at the start */
export async function openChangeStage(
  open: OpenPlace,
  canvases: readonly JsonObject[],
  args: readonly string[] = [],
): Promise<ChangeStage> {
  const place = await open(oneCompany(secret, canvases));
  let service = await place.start(args);
  let caller = callerOf(service.url);
  let told = 0;
  const look = async <Body>(request: string, body?: JsonObject): Promise<Body> => {
    const [method = '', path = ''] = request.split(' ');
    const answer = await caller.call(`${method} /admin/v1${path}`, { ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${answer.text}`);
    return answer.body as Body;
  };
  const of: ChangeStage['of'] = async (userId) => (await caller.atRest('1')).filter((one) => one.userId === userId);
  return {
    place,
    service: () => service,
    caller: () => caller,
    async restart(signal) {
      await service.end(signal);
      service = await place.start(args);
      caller = callerOf(service.url);
    },
    run: (...words) => hilo([...words, '--data', place.directory], { cwd: place.directory }),
    admin: look,
    async publish(changed) {
      const { id = '' } = changed as { readonly id?: string };
      await look(`PUT /workflows/${id}?companyId=1`, changed);
      await look(`POST /workflows/${id}/publish?companyId=1`);
    },
    async say(userId, text) {
      told += 1;
      const event = {
        eventId: `event-${told}`,
        botId: 'bot_web',
        user: { id: userId },
        message: { id: `message-${told}`, type: 'text', text },
        receivedAt: '2031-02-03T09:00:00Z',
      };
      expect(await caller.deliver('bot_web', event, secret)).toMatchObject({ status: 200 });
    },
    heard: async (userId) =>
      (await caller.messages('bot_web', userId))
        .filter(({ direction }) => direction === 'outbound')
        .map(({ message }) => message.text ?? message.type),
    of,
    async ended(jobId) {
      for (;;) {
        const job = await look<ShownJob>(`GET /jobs/${jobId}?companyId=1`);
        if (job.status !== 'waiting' && job.status !== 'running') return job;
      }
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}

/** Calls a webhook of the company for a user. @returns the execution that it began */
export async function begin({ caller }: ChangeStage, workflowId: string, body: JsonObject): Promise<string> {
  const answer = await caller().hook(`${workflowId}/web/hook`, body, { 'x-api-key': keys.acme });
  expect(answer).toMatchObject({ status: 200 });
  return (answer.body as { readonly executionId: string }).executionId;
}
