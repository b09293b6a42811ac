// A runtime that keeps whole lanes in memory, as a cluster keeps them: inputs one after the other, and a decision before its consequences.
import { createEngine, createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import {
  type Commit,
  type CreateLaneRuntime,
  emptyLane,
  type EngineContext,
  HiloError,
  type KeptLane,
  type LaneAnswer,
  type LaneDecision,
  type LaneInput,
  type LaneReply,
  readContact,
  settle,
  takeInLane,
} from '@hilo/engine/runtime-kit';
import { createVirtualClock, seededRandom } from '@hilo/simulator';
import type { RuntimeStage } from '../src/contracts/index.ts';

/** What outlives a process: lanes, and what is to be put into them. */
interface Kept {
  readonly lanes: Map<string, KeptLane>;
  readonly waiting: Set<Waiting>;
  /** The answers under the delivery ids of starts, which meet before they have a lane. */
  readonly started: Map<string, LaneReply>;
}

/** An effect to perform, or an input to give at its time. */
type Waiting = { readonly lane: string } & (
  | { readonly call: LaneDecision['effects'][number] }
  | { readonly input: LaneInput; readonly dueAtMs: number }
);

/** One process at a time over lanes that are kept, in virtual time. */
export function stageOfWholeLanes(): RuntimeStage {
  const clock = createVirtualClock();
  const store = createMemoryStore();
  const canvases = createMemoryCanvases();
  const kept: Kept = { lanes: new Map(), waiting: new Set(), started: new Map() };
  const withoutInbox = (commit: Commit): Commit => ({ ...commit, enqueue: [], dequeue: [] });
  const executions = { ...store, commit: (commit: Commit) => store.commit(withoutInbox(commit)) };
  let [engines, die] = [0, (): void => undefined];
  return {
    async engine(parts) {
      engines += 1;
      const process = { isDead: false };
      die = () => (process.isDead = true);
      const runtime: CreateLaneRuntime = (engine) => keepWholeLanes(engine, kept, process);
      return createEngine({ ...parts, clock, random: seededRandom(engines), store: { executions, canvases }, runtime });
    },
    abandon: async () => die(),
    elapse: async (ms) => clock.advanceBy(ms),
    close: async () => undefined,
  };
}

function keepWholeLanes(engine: EngineContext, { lanes, waiting, started }: Kept, process: { readonly isDead: boolean }) {
  const last = new Map<string, Promise<unknown>>();
  const never = new Promise<never>(() => undefined);

  /** Runs tasks of one name one after the other. */
  const inTurn = <Result>(name: string, task: () => Promise<Result>): Promise<Result> => {
    const next = (last.get(name) ?? Promise.resolve()).then(() => (process.isDead ? never : task()));
    last.set(
      name,
      next.catch(() => undefined),
    );
    return next;
  };

  const take = (lane: string, input: LaneInput): Promise<LaneReply> =>
    inTurn(lane, async () => {
      const { decision, publish } = await takeInLane(
        engine,
        lane,
        lanes.get(lane) ?? emptyLane,
        JSON.parse(JSON.stringify(input)) as LaneInput,
      );
      if (process.isDead) return never;
      for (const commit of decision.commits) await engine.store.commit(commit);
      lanes.set(lane, decision.kept);
      publish();
      const { effects, timers, turnsAtMs, elsewhere, atMs } = decision;
      for (const call of effects) begin({ lane, call });
      for (const wait of timers) begin({ lane, input: { type: 'timer', wait }, dueAtMs: wait.dueAtMs });
      for (const dueAtMs of turnsAtMs) begin({ lane, input: { type: 'turn' }, dueAtMs });
      for (const item of elsewhere) begin({ lane: item.lane, input: { type: 'inbox', item }, dueAtMs: atMs });
      return decision.reply;
    });

  const begin = (one: Waiting): void => {
    waiting.add(one);
    goOn(one);
  };

  const goOn = (one: Waiting): void => {
    const give = async (input: LaneInput): Promise<void> => {
      await take(one.lane, input);
      waiting.delete(one);
    };
    if ('input' in one) {
      engine.clock.setTimeout(() => void give(one.input), Math.max(0, one.dueAtMs - engine.clock.now()));
      return;
    }
    const { call } = one;
    const { companyId } = call.origin;
    void (async () => {
      const settled = await settle(engine, call, await readContact(engine, call));
      await give({ type: 'effect', companyId, executionId: call.executionId, key: call.key, settled });
    })();
  };

  const ask = async (lane: string, input: LaneInput): Promise<LaneReply> => {
    for (;;) {
      const reply = await take(lane, input);
      if (reply.kind !== 'busy') return reply;
      await new Promise<void>((resolve) => void setImmediate(resolve)); // an effect keeps the lane
    }
  };

  const runtime: ReturnType<CreateLaneRuntime> = {
    async accept(lane, call) {
      const [key] = call.type === 'start' ? call.keys : [];
      const askOnce = async (): Promise<LaneReply> => {
        const reply = started.get(key ?? '') ?? (await ask(lane, call));
        if (key !== undefined && reply.kind === 'answer') started.set(key, reply);
        return reply;
      };
      const reply = await (key === undefined ? ask(lane, call) : inTurn(`key ${key}`, askOnce));
      if (reply.kind === 'answer') return reply.value as unknown as LaneAnswer<typeof call>;
      if (reply.kind === 'refused') throw new HiloError(reply.code, reply.details as never);
      throw new Error('A busy lane is asked again');
    },
    async start() {
      for (const one of waiting) goOn(one);
    },
    stop: async () => undefined,
    whenIdle: async () => void (await Promise.all(last.values())),
    activity: () => ({ working: last.size, blocked: 0 }),
  };
  return runtime;
}
