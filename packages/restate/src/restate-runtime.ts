// The runtime that keeps lanes in Restate.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { type Backoff, backoffMs } from '@hilo/engine/contract';
import {
  type CreateLaneRuntime,
  type EngineContext,
  HiloError,
  type LaneAnswer,
  type LaneCall,
  type LaneReply,
} from '@hilo/engine/runtime-kit';
import { createEndpointHandler } from '@restatedev/restate-sdk';
import { ask } from './ask.ts';
import { createEffects, createEffectsService } from './effects-service.ts';
import { createKeyObject, createLaneObject } from './lane-object.ts';
import { handlers, type LaneEntry, places } from './entries.ts';
import { createProjection } from './projection.ts';
import { createSeals, type Sealed, type Seals } from './seals.ts';

/** A Restate server, or the ingress and the admin of a cluster. */
export interface RestateServer {
  /** Where handlers are called: `http://127.0.0.1:8080`, or `unix:/path/of/socket`. */
  readonly ingress: string;
  /** Where services are registered: `http://127.0.0.1:9070`, or `unix:/path/of/socket`. */
  readonly admin: string;
  /** 32 secret bytes that entries of lanes are sealed with: the same for all processes that share a Restate. Others are refused. */
  readonly sealKey: Uint8Array;
  /** The public keys that Restate signs its calls of handlers with (`publickeyv1_…`). Unsigned calls are taken, when left out. */
  readonly identityKeys?: readonly string[] | undefined;
  /** Where this process serves its handlers. Restate keeps to it for all that is under way: the same port at every start. */
  readonly service: { readonly host: string; readonly port: number };
  /** Where Restate finds the handlers of several processes; `service`, when left out. */
  readonly address?: string | undefined;
  stop(): Promise<void>;
}

/**
 * Keeps the lanes of an engine in Restate. Its store is the read model of executions, histories, contacts and canvases: pass
 * `createReadModel(store)`.
 *
 * @param open - finds or starts the server, when the engine starts; called again after a stop
 * @example
 * import { createEngine } from '@hilo/engine';
 * import { standardNodes } from '@hilo/nodes';
 * import { createReadModel, restateRuntime, startDevServer } from '@hilo/restate';
 *
 * const runtime = restateRuntime(() => startDevServer(server));
 * const engine = createEngine({ nodes: standardNodes, store: createReadModel(store), runtime });
 */
export const restateRuntime =
  (open: () => Promise<RestateServer>): CreateLaneRuntime =>
  (engine) => {
    const underWay = new UnderWay();
    const effects = createEffects(engine);
    const createServices = (seals: Seals) => [
      createLaneObject({ engine, seals, effects, underWay, projection: createProjection(engine) }),
      createKeyObject(seals),
      createEffectsService(engine, seals, effects, underWay),
    ];
    let opened: { readonly server: RestateServer; readonly seals: Seals; readonly endpoint: Endpoint } | undefined;

    return {
      async accept(lane, call) {
        if (opened === undefined) throw new HiloError('STORE_UNAVAILABLE', { reason: 'The engine is not started: nothing was accepted' });
        return askLane(engine, opened, lane, call);
      },
      async start() {
        if (opened !== undefined) return;
        const server = await open();
        try {
          const seals = createSeals(server.sealKey);
          opened = { server, seals, endpoint: await serveHandlers(createServices(seals), server) };
          await register(server);
        } catch (error) {
          await opened?.endpoint.close();
          opened = undefined;
          await server.stop();
          throw error;
        }
      },
      async stop() {
        const { server, endpoint } = opened ?? {};
        opened = undefined;
        await engine.crashTracker.clearOnShutdown();
        // Work in progress continues at the next start, from its journal.
        await endpoint?.close();
        await server?.stop();
      },
      whenIdle: () => underWay.whenNone(),
      activity: () => underWay.activity(),
    };
  };

/** The work in progress of this process: inputs of lanes, and effects whose results lanes await. */
class UnderWay {
  readonly #names = new Set<string>();
  #listeners: (() => void)[] = [];

  add(name: string): void {
    this.#names.add(name);
  }

  delete(name: string): void {
    this.#names.delete(name);
    if (this.#names.size > 0) return;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  whenNone(): Promise<void> {
    return this.#names.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#listeners.push(resolve));
  }

  /** Inputs at work are named by their lane and their invocation, effects by their key. */
  activity(): { readonly working: number; readonly blocked: number } {
    const working = [...this.#names].filter((name) => name.includes(' ')).length;
    return { working, blocked: this.#names.size - working };
  }
}

interface Endpoint {
  close(): Promise<void>;
}

/** @throws {Error} when the port is in use */
async function serveHandlers(
  services: Parameters<typeof createEndpointHandler>[0]['services'],
  { service: { host, port }, identityKeys = [] }: Pick<RestateServer, 'service' | 'identityKeys'>,
): Promise<Endpoint> {
  const signed = identityKeys.length > 0 && { identityKeys: [...identityKeys] };
  const server: Http2Server = createServer(createEndpointHandler({ services, ...signed, logger: () => undefined }));
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === 'EADDRINUSE'
          ? new Error(`Port ${port} of ${host}, where Restate finds this service, is in use: stop what listens there`, { cause })
          : cause,
      ),
    );
    server.listen(port, host, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

/** @throws {Error} when Restate does not take the handlers, or takes no calls */
async function register({ ingress, admin, service, address = `http://${service.host}:${service.port}` }: RestateServer): Promise<void> {
  const answer = await ask(admin, '/deployments', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: address, force: true }), // a new release at the same address
    timeoutMs: 20_000,
  }).catch((cause: unknown) => {
    throw new Error(`Restate's admin at ${admin} cannot be reached: start it, or name another address`, { cause });
  });
  if (!answer.ok)
    throw new Error(`Restate at ${admin} did not take this service (${answer.status}): ${answer.text.replace(/\s+/g, ' ').slice(0, 300)}`);
  const takesCalls = await ask(ingress, '/restate/health', { timeoutMs: 20_000 }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!takesCalls) throw new Error(`Restate takes no calls at ${ingress}: name the address of its ingress, whose port is 8080 by default`);
}

/** How long a caller is kept waiting for Restate to come back, and for a lane that an effect keeps. In milliseconds. */
const patienceMs = { away: 5_000, busy: 60_000, answer: 30_000 };
const backoff: Backoff = { firstMs: 10, longestMs: 250 };

async function askLane<Call extends LaneCall>(
  engine: EngineContext,
  { server: { ingress }, seals }: { readonly server: Pick<RestateServer, 'ingress'>; readonly seals: Seals },
  lane: string,
  call: Call,
): Promise<LaneAnswer<Call>> {
  const entry: LaneEntry = { input: call, atMs: engine.clock.now() };
  const [id] = call.type === 'start' ? call.keys : [];
  const key = id === undefined ? undefined : createHash('sha256').update(id).digest('hex');
  const busyUntilMs = performance.now() + patienceMs.busy;
  for (let attempt = 1; ; attempt += 1) {
    const reply =
      key === undefined
        ? await invoke(ingress, `/${handlers.lane}/${encodeURIComponent(lane)}/take`, seals.seal(places.lane(lane), entry))
        : await invoke(ingress, `/${handlers.key}/${key}/take`, seals.seal(places.key(key), { lane, ...entry }));
    if (reply.kind === 'answer') return reply.value as unknown as LaneAnswer<Call>;
    if (reply.kind === 'refused') throw new HiloError(reply.code, reply.details as never);
    // Nothing was done: an effect keeps the lane.
    if (performance.now() > busyUntilMs) throw new HiloError('STORE_UNAVAILABLE', { reason: `An effect keeps lane ${lane}: try again` });
    await pause(backoffMs(backoff, attempt));
  }
}

/**
 * Calls a handler, once for any number of tries: the idempotency key makes a repetition the same call.
 *
 * @throws {HiloError} `STORE_UNAVAILABLE` when it does not answer; it may still be performed
 */
async function invoke(ingress: string, path: string, entry: Sealed): Promise<LaneReply> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const awayUntilMs = performance.now() + patienceMs.away;
  for (let attempt = 1; ; attempt += 1) {
    let reason: string;
    try {
      const answer = await ask(ingress, path, { method: 'POST', headers, body: JSON.stringify(entry), timeoutMs: patienceMs.answer });
      if (answer.ok) return JSON.parse(answer.text) as LaneReply;
      reason = `${answer.status} ${answer.text.slice(0, 300)}`;
    } catch (error) {
      reason =
        error instanceof Error ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}` : String(error);
    }
    if (performance.now() > awayUntilMs) throw new HiloError('STORE_UNAVAILABLE', { reason: `Restate does not answer: ${reason}` });
    await pause(backoffMs(backoff, attempt));
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
