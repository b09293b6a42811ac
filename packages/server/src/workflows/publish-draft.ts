// Publishing a draft: now, or by a job at an instant.
import { judgeCallers } from '@hilo/engine/authoring';
import type { Canvas, Problem, PublishedVersion } from '@hilo/engine/contract';
import { z } from 'zod';
import { problemsRefused, workflowNotFound } from '../platform/http/admin.ts';
import { HttpError } from '../platform/http/errors.ts';
import { defineJob } from '../platform/jobs/define-job.ts';
import { saveVersionNote } from './authoring.ts';
import { removeOrphanedVersions } from './delete-workflow.ts';
import { toolSources } from './tool-sources.ts';
import { checkForCompany, type WorkflowParts } from './workflows.ts';

/** A content that is to be published: that of a draft, or of an earlier version. */
export interface MeantContent {
  readonly companyId: string;
  readonly workflowId: string;
  readonly canvas: Canvas;
  readonly hash: string;
  readonly note: string;
  readonly by: string;
  /** Whether the workflow has a draft, without which it is gone: what a host itself has published may have none. */
  readonly hasDraft: boolean;
}

/** What publishing has made. */
interface Published {
  /** The latest version before. */
  readonly last: PublishedVersion | undefined;
  readonly published: PublishedVersion;
  readonly problems: readonly Problem[];
}

/** @throws {HttpError} 422 for a canvas with errors; 404 for a workflow that was deleted meanwhile */
export async function publishContent(service: WorkflowParts, meant: MeantContent): Promise<Published> {
  const { companyId, workflowId, canvas, hash, note, by, hasDraft } = meant;
  const { store } = service;
  const problems = await requirePublishable(service, meant);
  const last = await store.canvases.latest(companyId, workflowId);
  // The content whose revision was compared, whatever was saved meanwhile.
  const published = await store.canvases.publish(companyId, canvas, hash, service.clock.now());
  await saveVersionNote(store, companyId, { workflowId, version: published.version, note, by });
  if (hasDraft && (await removeOrphanedVersions(service, companyId, workflowId))) throw workflowNotFound(workflowId);
  return { last, published, problems };
}

/** @throws {HttpError} 422 for a canvas with errors, or one that makes an error of a call of it @returns its warnings */
export async function requirePublishable(
  service: WorkflowParts,
  { companyId, canvas }: Pick<MeantContent, 'companyId' | 'canvas'>,
): Promise<readonly Problem[]> {
  const problems = [
    ...(await checkForCompany(service, companyId, canvas)),
    ...(await judgeCallers(toolSources(service, companyId), canvas)),
  ];
  if (problems.some(({ severity }) => severity === 'error')) throw problemsRefused(problems);
  return problems;
}

/** Publishes a draft at an instant, where it is still the one that was meant. */
export const publishJob = defineJob({
  kind: 'publish',
  queue: 'publish', // no migration that is under way holds it up
  spec: z.strictObject({ workflowId: z.string(), hash: z.string(), note: z.string() }),
  async page({ companyId, createdBy, spec: { workflowId, hash, note } }, service: WorkflowParts) {
    const draft = await service.store.canvases.draft(companyId, workflowId);
    if (draft === undefined) throw workflowNotFound(workflowId);
    if (draft.hash !== hash)
      throw new HttpError(409, 'DRAFT_CHANGED', `The draft of "${workflowId}" was saved since: look at it, and publish it or ask again`);
    await publishContent(service, { companyId, workflowId, canvas: draft.canvas, hash, note, by: createdBy, hasDraft: true });
    return { next: null, read: 1, counts: { published: 1 }, isExact: true };
  },
});
