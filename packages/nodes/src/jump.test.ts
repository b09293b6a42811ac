import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { jump } from './jump.ts';

describe('jump', () => {
  it('continues in another workflow', () => {
    expect(visit(jump, { config: { workflowId: 'next' } }).effects).toEqual([{ type: 'flow.jump', request: { workflowId: 'next' } }]);
    expect(visit(jump, { config: { workflowId: 'next', version: 2 } }).effects[0]?.request).toEqual({ workflowId: 'next', version: 2 });
  });

  it('has no ports and refers to the workflow', () => {
    const config = jump.config.parse({ workflowId: 'next', version: 2 });
    expect([jump.ports(config), jump.optionalPorts(config)]).toEqual([[], []]);
    expect(jump.references(config)).toEqual([{ kind: 'workflow', id: 'next', version: 2, at: ['workflowId'] }]);
  });
});
