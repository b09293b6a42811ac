// Migrations of waiting executions, and their undoing, as jobs.
import type { Verdict } from '@hilo/engine/contract';
import { JsonObject, migratingKinds } from '@hilo/engine/contract';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/define-job.ts';
import type { Platform } from '../platform/platform.ts';
import type { JobProblem } from '../platform/tables/jobs.ts';

type Parts = Pick<Platform, 'engine'>;

const MigrateSpec = z.strictObject({ workflowId: z.string(), migration: JsonObject, accept: z.array(z.enum(migratingKinds)).min(1) });

/** How many executions a job has migrated: those whose verdict it accepts. */
const countMigrated = (accept: readonly string[], counts: { readonly [outcome: string]: number }): number =>
  accept.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);

/** Why an execution stays, as a problem of the job; undefined for a verdict without a reason. */
function describeStay(executionId: string, verdict: Verdict): JobProblem | undefined {
  if (verdict.kind === 'refused') return { executionId, code: verdict.reason, message: verdict.message };
  return verdict.kind === 'needs' ? { executionId, code: 'NEEDS_VALUE', message: verdict.message } : undefined;
}

/** Migrates the waiting executions of a workflow on which the verdict is accepted. Its counts are by verdict. */
export const migrateJob = defineJob({
  kind: 'migrate',
  spec: MigrateSpec,
  async page({ companyId, jobId, createdBy, spec, place, size, isAgain, each }, { engine }: Parts) {
    const problems: JobProblem[] = [];
    const { read, counts, next } = await engine.company(companyId).migrations.applyPart(spec.migration, {
      place,
      limit: size,
      isAgain,
      each,
      accept: spec.accept,
      by: createdBy,
      job: jobId,
      onVerdict(executionId, verdict) {
        const problem = describeStay(executionId, verdict);
        if (problem !== undefined) problems.push(problem);
      },
    });
    return { next, read, counts, isExact: true, problems };
  },
  undo: ({ workflowId, accept }, { id, counts }) => ({
    kind: 'undo',
    spec: { workflowId, undoes: id, migrated: countMigrated(accept, counts) },
  }),
});

/** Takes executions back from where a job took them, unless anything has happened to them since. */
export const undoJob = defineJob({
  kind: 'undo',
  spec: z.strictObject({ workflowId: z.string(), undoes: z.string(), migrated: z.int().min(0) }),
  async page({ companyId, jobId, createdBy, spec, place, size, isAgain, each, counts: before }, { engine }: Parts) {
    const { workflowId, undoes, migrated } = spec;
    const { read, undone, alreadyUndone, goneOn, next } = await engine
      .company(companyId)
      .migrations.undoPart(workflowId, undoes, { place, limit: size, isAgain, each, by: createdBy, job: jobId });
    const known = ['undone', 'alreadyUndone', 'goneOn'].reduce((sum, word) => sum + (before[word] ?? 0), undone + alreadyUndone + goneOn);
    const ended = next === null ? Math.max(0, migrated - known) : 0; // those that have ended since are open no more
    return { next, read, counts: { undone, alreadyUndone, goneOn: goneOn + ended }, isExact: true };
  },
});
