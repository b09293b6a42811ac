import { setImmediate } from 'node:timers/promises';
import type { Json } from '@hilo/engine/contract';
import type { VirtualClock } from '@hilo/testing';
import type { RunningService } from '../../src/service/open-service.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import type { Place } from '../data/open-for-test.ts';
import { type Call, type CampaignList, callOf } from './campaigns-stage.ts';

/** The progress of a campaign. */
export interface Progress {
  readonly id: string;
  readonly status: string;
  readonly totalMessages: number;
  readonly deliveredMessages: number;
  readonly failedMessages: number;
  readonly completedAt: string | null;
}

/** A service whose first company has these campaigns. */
export async function openWith({ open }: Pick<Place, 'open'>, campaigns: readonly Json[]): Promise<RunningService> {
  const service = await open();
  await service.importWorkspace({ workspace: changed(await inlineExample(), { '/companies/0/campaigns': campaigns }) });
  return service;
}

/** One app for each service: it takes a while to make. */
const calls = new WeakMap<RunningService, Call>();

/** The progress of all campaigns, as a caller sees it. */
export async function allProgress(service: RunningService): Promise<ReadonlyMap<string, Progress>> {
  const call = calls.get(service) ?? callOf(service);
  calls.set(service, call);
  const all: Progress[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { results, pagination } = ((await call(`GET /v1/campaigns?limit=50&page=${page}`)).body as CampaignList).data;
    all.push(...(results as unknown as Progress[]));
    pages = Number(pagination['totalPages']);
  }
  return new Map(all.map((progress) => [progress.id, progress]));
}

export async function progressOf(service: RunningService, id: string): Promise<Progress> {
  const found = (await allProgress(service)).get(id);
  if (found === undefined) throw new Error(`There is no campaign ${id}`);
  return found;
}

/** Advances time until a campaign satisfies a condition. @returns all its states on the way */
export async function until(
  service: RunningService,
  clock: VirtualClock,
  id: string,
  isThere: (progress: Progress) => boolean,
): Promise<readonly Progress[]> {
  const seen: Progress[] = [];
  for (;;) {
    const now = await progressOf(service, id);
    seen.push(now);
    if (isThere(now)) return seen;
    await passTime(clock, 250);
  }
}

/** Advances time, and runs the work that is then due. */
export async function passTime(clock: VirtualClock, ms: number): Promise<void> {
  clock.advanceBy(ms);
  await setImmediate(); // what waits for the disk is no microtask
}

export const isOver = ({ status }: Progress): boolean => status === 'COMPLETED';

/** To whom a bot sent templates, as often as it did. */
export async function templatesTo(service: RunningService): Promise<readonly string[]> {
  const sent: string[] = [];
  let cursor: string | undefined;
  do {
    const { results, nextCursor } = await service.messages.list('1', 'bot_wa', { limit: 200, ...(cursor !== undefined && { cursor }) });
    sent.push(...results.filter(({ message }) => message['type'] === 'template').map(({ userId }) => userId));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return sent;
}
