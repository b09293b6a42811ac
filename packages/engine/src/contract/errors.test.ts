import { describe, expect, it } from 'vitest';
import { HiloError } from './errors.ts';

describe('NODE_NOT_FOUND', () => {
  it.each([
    ['hook', 'Workflow "order" has no webhook node "hook"'],
    ['', 'Workflow "order" has no webhook node'],
  ])('names the node that was called: %j', (nodeId, message) => {
    expect(new HiloError('NODE_NOT_FOUND', { workflowId: 'order', nodeId }).message).toBe(message);
  });
});
