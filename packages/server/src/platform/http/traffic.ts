// What the surfaces of one process share, and what bounds and measures their requests.
import type { OnLimit } from '@hilo/drivers';
import { Registry } from 'prom-client';
import { type Admission, createAdmission } from './admission.ts';
import { type ClientAddresses, createClientAddresses } from './client-address.ts';
import type { Surface } from './context.ts';
import { createDayCounts } from './day-counts.ts';
import { createFailedLogins, type FailedLogins } from './failed-logins.ts';
import { httpLimits } from './limits.ts';
import { createRateLimit, createVisitorLimit, type RateLimit, type VisitorLimit } from './rate-limit.ts';
import type { LimitReports } from '../logging/limit-reports.ts';
import type { Platform } from '../platform.ts';
import { createDurations } from '../telemetry-metrics.ts';

/** What the surfaces of one process share, since they share its memory and processor. */
export interface Traffic {
  readonly admission: Admission;
  /** Not there when no limit is set. */
  readonly rateLimit: RateLimit | undefined;
  readonly visitors: VisitorLimit;
  readonly failedLogins: FailedLogins;
  readonly addresses: ClientAddresses;
  readonly requests: { observe(about: { readonly surface: Surface; readonly status: number }, seconds: number): void };
  /** Counts a request that was refused by a bound. */
  readonly onLimit: OnLimit;
  /** What `/metrics` shows. */
  readonly metrics: Registry;
}

/** What the traffic of a surface is measured and bounded with. */
export type TrafficParts = Pick<Platform, 'settings' | 'engine' | 'clock' | 'isAccepting'> & {
  readonly limitReports?: Pick<LimitReports, 'report'>;
};

/** Makes what surfaces share. A surface that is mounted alone makes its own. */
export function createTraffic({ settings, engine, clock, isAccepting, limitReports }: TrafficParts): Traffic {
  const metrics = new Registry();
  return {
    admission: createAdmission({ engine, clock, isAccepting }),
    rateLimit: settings.rateLimit === undefined ? undefined : createRateLimit(settings.rateLimit),
    visitors: createVisitorLimit({
      ofVisitorASecond: httpLimits.visitorRequestsASecond,
      ofNetworkASecond: httpLimits.networkVisitorRequestsASecond,
      messagesOfNetwork: createDayCounts(clock, readDayLimit(settings.visitorMessagesADay)),
    }),
    failedLogins: createFailedLogins(clock),
    addresses: createClientAddresses(settings.trustedProxies),
    requests: createDurations({
      name: 'hilo_http_request_duration_seconds',
      help: 'Time from the head of a request to its answer',
      labelNames: ['surface', 'status'],
      buckets: [0.001, 0.002, 0.004, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
      registers: [metrics],
    }),
    onLimit: limitReports?.report ?? (() => undefined),
    metrics,
  };
}

const readDayLimit = (setting: number | 'off' = httpLimits.networkVisitorMessagesADay): number =>
  setting === 'off' ? Number.POSITIVE_INFINITY : setting;
