// A desk with a model beside it: each step is done in both, and both are compared.
import type { JsonObject } from '@hilo/engine/contract';
import type { VirtualClock } from '@hilo/testing';
import { expect } from 'vitest';
import { attendantOf, type Case, caseOf, idleMs, operators, recordOf, type Step, statisticsOf } from './conversations-model.ts';
import { ana, type Desk, idIn } from './conversations-stage.ts';

type StepOf<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;

const windowMs = 86_400_000;
const range = 'startAt=2031-01-01T00:00:00Z&endAt=2032-01-01T00:00:00Z';
const listed = `GET /v1/external/conversations?${range}&limit=50`;
const counted = `GET /v1/metrics/conversations/external/stats?${range}`;

/** A desk with a model beside it: each step is done in both. */
export interface Beside {
  /** @throws where the desk answers what the model does not expect */
  does(step: Step): Promise<void>;
  /** The list and the statistics of each operator and of all: as the desk shows them, and as the model has them. */
  looks(): Promise<{ readonly shown: readonly unknown[]; readonly expected: readonly object[] }>;
}

/** @param desk - without conversations and workflows; only Ana has just written */
export function besideModel(desk: Desk, clock: VirtualClock): Beside {
  const cases: Case[] = [];
  const windows = new Map([[ana, clock.now() + windowMs]]);
  const activeOf = (userId: string) => cases.find((one) => one.state === 'active' && one.userId === userId);
  const ends = (one: Case, state: string, reason: string, endMs = clock.now()) => Object.assign(one, { state, reason, endMs });

  /** Time goes by; conversations that fell silent expire, within a second or so (P13). */
  async function passes(ms: number): Promise<void> {
    clock.advanceBy(ms);
    const due = () => cases.find((one) => one.state === 'active' && one.dueMs <= clock.now());
    for (let one = due(); one !== undefined; one = due()) {
      const { id, startMs, dueMs } = one;
      const look = () => {
        clock.advanceBy(1_000);
        return desk.record(id);
      };
      await expect.poll(look).toMatchObject({ state: 'expired' });
      const endMs = startMs + Number((await desk.record(id))['conversationDuration']);
      expect(endMs).toBeGreaterThanOrEqual(dueMs);
      expect(endMs).toBeLessThanOrEqual(clock.now());
      ends(one, 'expired', 'expired', endMs);
    }
  }

  async function writes(userId: string): Promise<void> {
    const nowMs = clock.now();
    await desk.writes('Hello', userId);
    windows.set(userId, nowMs + windowMs);
    const one = activeOf(userId);
    if (one !== undefined) Object.assign(one, { last: 'user', waitsSinceMs: one.waitsSinceMs ?? nowMs, dueMs: nowMs + idleMs });
  }

  async function opens({ userId, to }: StepOf<'opens'>): Promise<void> {
    const chosen = activeOf(userId) === undefined ? attendantOf(cases, to) : undefined;
    const { status, body } = await desk.admin('POST /conversations', { botId: 'bot_wa', userId, ...to });
    expect(status).toBe(chosen === undefined ? 422 : 200);
    if (chosen !== undefined) cases.push(caseOf(idIn(body as JsonObject), userId, chosen, clock.now()));
  }

  async function says(one: Case): Promise<void> {
    const nowMs = clock.now();
    const inWindow = nowMs < (windows.get(one.userId) ?? 0);
    const expected = one.state !== 'active' ? 422 : inWindow ? 200 : 400;
    const { status } = await desk.admin(`POST /conversations/${one.id}/messages`, { type: 'text', text: 'Good day' });
    expect(status).toBe(expected);
    if (expected !== 200) return;
    if (one.waitsSinceMs !== null) one.waits.push(nowMs - one.waitsSinceMs);
    Object.assign(one, { last: 'operator', repliedMs: one.repliedMs ?? nowMs, waitsSinceMs: null, dueMs: nowMs + idleMs });
  }

  async function finishes(one: Case, { verb }: StepOf<'ends'>): Promise<void> {
    const { status } = await desk.admin(`POST /conversations/${one.id}/${verb}`);
    expect(status).toBe(one.state === 'active' ? 200 : 422);
    const state = verb === 'close' ? 'closed' : 'resolved';
    if (one.state === 'active') ends(one, state, `${state}_by_operator`);
  }

  async function moves(one: Case, { verb, to }: StepOf<'moves'>): Promise<void> {
    const chosen = one.state === 'active' ? attendantOf(cases, to) : undefined;
    const { status, body } = await desk.admin(`POST /conversations/${one.id}/${verb}`, to);
    expect(status).toBe(chosen === undefined ? 422 : 200);
    if (chosen === undefined) return;
    if (verb === 'assign') {
      Object.assign(one, chosen);
      return;
    }
    one.child = idIn(body as JsonObject);
    ends(one, 'transferred', 'transferred');
    const waitsSinceMs = one.waitsSinceMs === null ? null : clock.now();
    const child = caseOf(one.child, one.userId, chosen, clock.now());
    cases.push({ ...child, origin: 'transfer', parent: one.id, last: one.last, waitsSinceMs });
  }

  return {
    async does(step) {
      if (step.kind === 'passes') return passes(step.ms);
      if (step.kind === 'writes') return writes(step.userId);
      if (step.kind === 'opens') return opens(step);
      const one = cases.at(-1 - step.whose);
      if (one === undefined) return;
      if (step.kind === 'says') return says(one);
      return step.kind === 'ends' ? finishes(one, step) : moves(one, step);
    },
    async looks() {
      const newestFirst = cases.toSorted((left, right) => right.startMs - left.startMs || (left.id < right.id ? -1 : 1));
      const list = { pagination: { total: cases.length }, results: newestFirst.slice(0, 50).map((one) => recordOf(one, clock.now())) };
      const ids = [...operators.keys()];
      const stats = ids.map((id) => ({ _id: id, ...statisticsOf(cases.filter(({ operatorId }) => operatorId === id)) }));
      const ofAll = { _id: 0, ...statisticsOf(cases) };
      const asked = [listed, counted, ...ids.map((id) => `${counted}&operatorId=${id}`)];
      const shown = await Promise.all(asked.map((request) => desk.call(request)));
      return { shown: shown.map(({ body }) => body), expected: [list, ofAll, ...stats] };
    },
  };
}
