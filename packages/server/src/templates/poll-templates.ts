// Asks providers each hour what their templates are, whatever was not delivered.
import { createHash } from 'node:crypto';
import type { Clock } from '@hilo/engine/contract';
import { z } from 'zod';
import { HttpError } from '../platform/http/errors.ts';
import { defineJob } from '../platform/jobs/define-job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { createPoller, type Poller } from '../platform/poller.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import { accountOf, type ChannelsOfBots } from './bot-templates.ts';
import { syncTemplates } from './sync-templates.ts';
import type { TakingParts } from './take-changes.ts';

const hourMs = 3_600_000;
/** How often it is looked at whether a company is due. */
const lookMs = 300_000;

/** One bot of each account of a company. */
function listAccounts({ companies, channels }: Pick<TakingParts, 'companies' | 'channels'>, companyId: string): readonly Bot[] {
  const byAccount = new Map<string, Bot>();
  for (const bot of companies.bots(companyId)) {
    const account = accountOf(channels, bot);
    const name = JSON.stringify([bot.provider.kind, account]);
    if (account !== undefined && !byAccount.has(name)) byAccount.set(name, bot);
  }
  return [...byAccount.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * Brings the templates of a company up to date, an account a page. A provider that refuses, or is away, is named among the problems of the
 * job: the next hour asks it again.
 */
export const syncTemplatesJob = defineJob({
  kind: 'sync-templates',
  queue: 'templates', // neither waits for other work nor holds it up
  spec: z.strictObject({}),
  async page({ companyId, place }, parts: TakingParts) {
    const accounts = listAccounts(parts, companyId);
    const index = typeof place === 'number' ? place : 0;
    const bot = accounts[index];
    if (bot === undefined) return { next: null };
    const next = index + 1 < accounts.length ? index + 1 : null;
    try {
      const { listed, changed } = await syncTemplates(parts, bot, { adds: false });
      return { next, read: listed, counts: { changed: changed.length } };
    } catch (error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error;
      const { code, message } = error;
      parts.log.warn({ companyId, botId: bot.id, code }, `The templates of bot "${bot.id}" could not be asked for: ${message}`);
      return { next, counts: { refused: 1 }, problems: [{ executionId: bot.id, code, message }] };
    }
  },
});

interface PollingParts {
  readonly companies: Pick<Companies, 'all' | 'bots' | 'company'>;
  readonly channels: ChannelsOfBots;
  readonly jobs: Pick<Jobs, 'ask'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Asks for the job of each company once an hour, each at a minute of its own. The id of the job is of the company and the hour, so that
 * of several processes, and of one that starts again, one asks.
 */
export function createTemplatePoller({ companies, channels, jobs, clock, log }: PollingParts): Pick<Poller, 'start' | 'stop'> {
  const asked = new Map<string, number>();
  const poller = createPoller({
    clock,
    log,
    everyMs: lookMs,
    failure: 'Templates could not be asked for',
    async poll(nowMs) {
      for (const { id: companyId } of companies.all()) {
        if (companies.company(companyId) === undefined) continue; // it is leaving, or has left
        if (!companies.bots(companyId).some((bot) => accountOf(channels, bot) !== undefined)) continue;
        const digest = createHash('sha256').update(companyId).digest();
        const hour = Math.floor((nowMs + (digest.readUInt32BE() % hourMs)) / hourMs);
        if (asked.get(companyId) === hour) continue;
        const jobId = createHash('sha256')
          .update(JSON.stringify(['sync-templates', companyId, hour]))
          .digest('hex')
          .slice(0, 32);
        await jobs.ask(syncTemplatesJob, { companyId, spec: {}, createdBy: 'schedule', jobId });
        asked.set(companyId, hour);
      }
    },
  });
  return {
    stop: poller.stop,
    start() {
      poller.start();
      poller.wake(clock.now());
    },
  };
}
