import { type CheckOptions, checkCanvas } from './canvas/check.ts';
import { canvasHash } from './canvas/hash.ts';
import type { Canvas } from './contract/canvas.ts';
import { HiloError } from './contract/errors.ts';
import type { Problem } from './contract/problem.ts';
import type { PublishedVersion } from './contract/store.ts';
import type { Kernel } from './kernel.ts';

/** What is known about the company when a canvas is checked. */
export type Connections = Omit<CheckOptions, 'nodes' | 'effects'>;

/** Keeps a canvas as the workflow's draft, problems and all. @returns what publishing would refuse or warn of */
export async function saveDraft(
  kernel: Kernel,
  companyId: string,
  canvas: Canvas,
  connections: Connections = {},
): Promise<readonly Problem[]> {
  await kernel.canvases.saveDraft(companyId, canvas, canvasHash(canvas));
  return checked(kernel, canvas, connections);
}

const checked = ({ types, drivers }: Pick<Kernel, 'types' | 'drivers'>, canvas: Canvas, connections: Connections): readonly Problem[] =>
  checkCanvas(canvas, { ...connections, nodes: [...types.values()], effects: new Set(drivers.keys()) });

/** A version that is now the latest, and what its report warned of. */
export interface Published {
  readonly version: PublishedVersion;
  readonly warnings: readonly Problem[];
}

/**
 * Makes the draft the next version, immutable and named by its number and content hash (P15). What runs already keeps the
 * version it started with (P14).
 *
 * @throws {HiloError} `WORKFLOW_NOT_FOUND` without a draft; `INVALID_CANVAS` with every problem
 */
export async function publishCanvas(
  kernel: Kernel,
  companyId: string,
  workflowId: string,
  connections: Connections = {},
): Promise<Published> {
  const draft = await kernel.canvases.draft(companyId, workflowId);
  if (draft === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  const problems = checked(kernel, draft.canvas, connections);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new HiloError('INVALID_CANVAS', { workflowId, problems });
  const version = await kernel.canvases.publish(companyId, draft.canvas, draft.hash, kernel.clock.now());
  return { version, warnings: problems };
}
