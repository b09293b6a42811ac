import type { ToldEvent } from '../events/telling.ts';
import type { JobRecord } from './define-job.ts';

/** The end of a job. */
export function tellJobEnded(
  { companyId, id: jobId, kind, counts, failure }: JobRecord,
  status: 'done' | 'cancelled',
  atMs: number,
): ToldEvent {
  const data = { jobId, kind, status, counts, ...(failure !== undefined && { failure: { code: failure.code, message: failure.message } }) };
  return { type: 'job.ended', companyId, atMs, about: { thing: `job ${jobId}` }, data };
}
