// What begins by the clock while time passes in a simulation: schedules of its canvases, and dates of its user, who is in every group.
import { type Canvas, HiloError } from '@hilo/engine/contract';
import { dateDueMs, lastCronMs, nextCronMs, readSchedules } from '@hilo/nodes';
import { type ClockRule, simulatedIds, type World } from './world.ts';

const { companyId, botId } = simulatedIds;

/** The rules of the canvases of a simulation. */
export interface ClockStarts {
  /** Time begins to pass: what fell due before it was known is over. */
  begin(): void;
  /** When the next rule falls due, where one does. */
  nextMs(): Promise<number | undefined>;
  /** Starts what has fallen due by now. */
  fire(): Promise<void>;
}

/** So many starts by one rule and passing of time: more are a mistake of the script. */
const maxStarts = 10_000;

/** The rules of canvases, from an instant on. */
export function readClockRules(canvases: readonly Canvas[], nowMs: number): readonly ClockRule[] {
  return canvases.flatMap((canvas) => readSchedules(canvas).map((rule) => ({ workflowId: canvas.id, rule, throughMs: nowMs })));
}

/** The fields of contacts that canvases name, for a company that declares none: dates of their starts, and of any type what they write. */
export const namedFields = (canvases: readonly Canvas[]): readonly { readonly key: string; readonly type?: 'date' }[] => [
  ...canvases.flatMap(({ nodes }) =>
    [...JSON.stringify(nodes).matchAll(/\$user\.fields\.([A-Za-z_]\w*)/g)].map(([, key = '']) => ({ key })),
  ),
  ...canvases.flatMap((canvas) =>
    readSchedules(canvas).flatMap((rule) => (rule.kind === 'date' ? [{ key: rule.field, type: 'date' as const }] : [])),
  ),
];

/** Makes what starts by them. */
export function createClockStarts(world: World): ClockStarts {
  const { clock, store, clockRules, companyZone, user, channel, transcript } = world;
  let starts = 0;
  /** When a rule falls due next after it was dealt with. */
  const dueOf = async ({ rule, throughMs }: ClockRule): Promise<number | undefined> => {
    if (rule.kind === 'cron') return nextCronMs(rule, companyZone, throughMs);
    const contact = await store.contact(companyId, botId, [user.id]);
    const date = contact?.fields?.[rule.field];
    const dueMs = typeof date === 'string' ? dateDueMs(rule, date, contact?.timeZone ?? companyZone) : undefined;
    return dueMs !== undefined && dueMs > throughMs ? dueMs : undefined;
  };
  const start = async ({ workflowId, rule }: ClockRule): Promise<void> => {
    starts += 1;
    if (starts > maxStarts)
      throw new HiloError('INVALID_SCRIPT', { reason: `More than ${maxStarts} starts by the clock: let less time pass` });
    const isOfCompany = rule.kind === 'cron' && rule.audience === 'company';
    transcript.output(`clock: ${rule.nodeId}`);
    await world.engine.startWorkflow({
      origin: { companyId, route: 'production', ...(!isOfCompany && { botId, userId: user.id, channel }) },
      workflowId,
      nodeId: rule.nodeId,
    });
  };
  return {
    begin() {
      starts = 0;
      for (const one of clockRules) one.throughMs = Math.max(one.throughMs, clock.now());
    },
    async nextMs() {
      const due = await Promise.all(clockRules.map(dueOf));
      const known = due.filter((ms) => ms !== undefined);
      return known.length === 0 ? undefined : Math.min(...known);
    },
    async fire() {
      const nowMs = clock.now();
      for (const one of clockRules) {
        const dueMs = await dueOf(one);
        if (dueMs === undefined || dueMs > nowMs) continue;
        one.throughMs =
          one.rule.kind === 'cron' ? (lastCronMs(one.rule, companyZone, { afterMs: one.throughMs, upToMs: nowMs }) ?? nowMs) : nowMs;
        await start(one);
      }
    },
  };
}
