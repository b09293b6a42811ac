// What a route that asks for a job works with, and answers.
import { z } from '@hono/zod-openapi';
import type { Jobs } from './jobs.ts';

export interface AskingParts {
  readonly jobs: Jobs;
}

/** The answer of a route that asks for a job. */
export const jobAsked = {
  202: {
    description: 'The job: GET /admin/v1/jobs/{jobId} says how far it is',
    content: { 'application/json': { schema: z.object({ jobId: z.string() }), example: { jobId: '5b0c8f6e9d1a4c573b0c8f6e9d1a4c57' } } },
  },
};
