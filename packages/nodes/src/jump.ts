import { defineNode, jumpTo, perform, WorkflowId } from '@hilo/engine/contract';
import { z } from 'zod';

/** Continues in another workflow, in the same execution and with its variables, and never comes back. */
export const jump = defineNode({
  type: 'jump',
  config: z.strictObject({
    workflowId: WorkflowId.meta({ description: 'The id of the workflow to continue in', examples: ['main-menu'] }),
    version: z.int().min(1).exactOptional().meta({ description: 'The published version to continue in; the latest, when left out' }),
  }),
  visual: {
    label: 'Jump',
    category: 'flow',
    icon: 'corner-up-right',
    colour: '#475569',
    description: 'Continues in another flow and does not come back.',
    summary: ({ workflowId, version }) => `${workflowId ?? ''}${version === undefined ? '' : `, version ${version}`}`,
    formHints: { workflowId: 'workflow' },
  },
  facts: { needs: 'a published workflow' },
  ports: [],
  run: ({ config }) => perform(jumpTo(config), (neverAnswered) => neverAnswered),
  references: ({ workflowId, version }) => [
    { kind: 'workflow', id: workflowId, ...(version !== undefined && { version }), at: ['workflowId'] },
  ],
});
