import { type Conversation, uncoveredPorts } from '@hilo/simulator';
import { type Paint, printable } from '../paint.ts';
import type { RunSetup } from './setup.ts';

/** Which ports of a canvas a conversation has left by, and which it has not. */
export interface CanvasCoverage {
  readonly workflowId: string;
  readonly taken: readonly string[];
  readonly never: readonly string[];
}

/** The coverage of every canvas that took part, the main one first. */
export async function measureCoverage(
  { canvases, parts: { nodes } }: Pick<RunSetup, 'canvases' | 'parts'>,
  conversation: Conversation,
): Promise<readonly CanvasCoverage[]> {
  const executions = await conversation.executions();
  const histories = await Promise.all(executions.map(({ executionId }) => conversation.history(executionId)));
  return canvases.map((canvas) => ({ workflowId: canvas.id, ...uncoveredPorts(canvas, histories, { nodes }) }));
}

/** One line a canvas, and below it the ports that nothing has left by. */
export function drawCoverage(coverages: readonly CanvasCoverage[], paint: Paint): string {
  return coverages
    .flatMap(({ workflowId, taken, never }) => [
      `${paint(never.length === 0 ? 'green' : 'yellow', `${taken.length} of ${taken.length + never.length} ports`)} of ${printable(workflowId)} taken${never.length === 0 ? '' : ', never:'}`,
      ...never.map((port) => `  ${printable(port)}`),
    ])
    .join('\n');
}
