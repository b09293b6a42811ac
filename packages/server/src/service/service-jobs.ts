// The kinds of jobs of the service: durable work over many executions, in its resources.
import { eraseJob } from '../contacts/erasure/erase-job.ts';
import { bulkJob } from '../executions/bulk.ts';
import type { Job } from '../platform/jobs/define-job.ts';
import { audienceJob, dueStartsJob } from '../schedules/schedules.ts';
import { publishJob } from '../workflows/publish-draft.ts';
import type { Service } from './service.ts';
import { syncTemplatesJob } from '../templates/templates.ts';
import { migrateJob, undoJob } from '../workflows/migrate-jobs.ts';

/** The kinds of jobs that every service has: a new one is one line here. */
export const serviceJobs: readonly Job<Service>[] = [
  migrateJob,
  undoJob,
  bulkJob,
  publishJob,
  eraseJob,
  dueStartsJob,
  audienceJob,
  syncTemplatesJob,
];
