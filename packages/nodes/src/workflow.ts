// The node `workflow`.
import {
  child,
  defineNode,
  durationMs,
  formatPath,
  interruptible,
  leave,
  limits,
  perform,
  TimedDuration,
  ValueTemplate,
  VariableName,
  VariablePath,
  WorkflowId,
  type Write,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { renderFields } from './render-fields.ts';

/**
 * Runs another workflow as a child execution and waits for its end. A child that received a webhook request and was let
 * inherit writes it over this execution's entry, however it ended (WEB-17). With an edge at `interrupted`, a message of the user's that the
 * child does not wait for ends the child.
 */
export const workflow = defineNode({
  type: 'workflow',
  config: z.strictObject({
    workflowId: WorkflowId.meta({ description: 'The id of the workflow to run', examples: ['shipping-cost'] }),
    version: z.int().min(1).exactOptional().meta({ description: 'The published version to run; the latest, when left out' }),
    inputs: z.record(VariableName, ValueTemplate).default({}).meta({ description: 'What the other workflow reads as $input' }),
    saveAs: VariablePath.optional().meta({ description: 'Where the outputs of the other workflow are kept' }),
    inheritWebhook: z.boolean().default(true).meta({ description: 'Whether the other workflow sees the $webhook of this one' }),
    timeout: TimedDuration.optional().meta({ description: 'How long the other workflow may take before the node leaves by "timeout"' }),
  }),
  visual: {
    label: 'Workflow',
    category: 'flow',
    icon: 'workflow',
    colour: '#475569',
    description: 'Runs another flow, waits for its end and keeps its outputs. A message from the user can end it early.',
    summary: ({ workflowId, version }) => `${workflowId ?? ''}${version === undefined ? '' : `, version ${version}`}`,
    formHints: { workflowId: 'workflow', inputs: 'expression', saveAs: 'variable', timeout: 'duration' },
  },
  facts: { needs: 'a published workflow', limits: `${limits.childDepth} levels, one open child for each execution` },
  ports: ['success'],
  optionalPorts: ['error', 'timeout', 'interrupted'],
  run({ config: { inputs, saveAs, timeout, ...callee }, variables, isConnected }) {
    const request = {
      ...callee,
      inputs: renderFields(inputs, variables),
      ...(timeout !== undefined && { dueInMs: durationMs(timeout, variables) }),
    };
    return perform(interruptible(child(request), isConnected), (result) => {
      if (result.kind === 'interrupted') return leave('interrupted');
      if (result.kind === 'timeout') {
        return leave('timeout', [], { failure: { cause: 'TIMEOUT', message: `Workflow "${callee.workflowId}" did not end in time` } });
      }
      const received: readonly Write[] = callee.inheritWebhook
        ? Object.entries(result.webhook).map(([name, value]) => ({ path: ['$webhook', name], value }))
        : [];
      if (result.kind === 'failed') {
        const { cause, message, details } = result;
        return leave('error', received, { failure: { cause, message, ...(details !== undefined && { details }) } });
      }
      return leave('success', saveAs === undefined ? received : [...received, { path: saveAs, value: result.outputs }]);
    });
  },
  heardBefore: () => ['interrupted'],
  waitFields: { timeout: ['timeout'] },
  writingFields: ['saveAs'],
  waitsBefore: () => ['success', 'error', 'timeout', 'interrupted'],
  writes: ({ saveAs }) => ({ success: saveAs === undefined ? [] : [formatPath(saveAs)], interrupted: ['$message'] }),
  references: ({ workflowId, version }) => [
    { kind: 'workflow', id: workflowId, ...(version !== undefined && { version }), at: ['workflowId'] },
  ],
});
