import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { group } from './group.ts';

const changed = { kind: 'changed' };

describe('group', () => {
  it.each(['add', 'remove'] as const)('requests to %s the user, and continues', (action) => {
    const visited = visit(group, { config: { action, group: 'vip' }, results: [changed] });
    expect(visited.effects).toEqual([{ type: 'group.change', request: { action, group: 'vip' } }]);
    expect(visited.by).toBe('next');
  });

  it('takes its name from a variable', () => {
    const visited = visit(group, {
      config: { action: 'add', group: 'city {{$context.city}}' },
      variables: { $context: { city: 'Lima' } },
      results: [changed],
    });
    expect(visited.effects).toEqual([{ type: 'group.change', request: { action: 'add', group: 'city Lima' } }]);
  });

  it('leaves by error for a text that cannot be a group, and asks for nothing', () => {
    const visited = visit(group, { config: { action: 'add', group: '{{$context.city}}' }, variables: { $context: { city: '=1' } } });
    expect(visited).toMatchObject({ by: 'error', failure: { cause: 'INVALID_GROUP' }, effects: [] });
  });

  it('leaves by error with the cause of a refusal', () => {
    const results = [{ kind: 'refused', cause: 'USER_NOT_FOUND', message: 'nobody' }];
    expect(visit(group, { config: { action: 'add', group: 'vip' }, results })).toMatchObject({
      by: 'error',
      failure: { cause: 'USER_NOT_FOUND' },
    });
  });

  it('shows on the canvas what it does', () => {
    expect(group.visual.summary?.({ action: 'add', group: 'vip' })).toBe('add vip');
  });
});
