import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { tags } from './tags.ts';

const changed = { kind: 'changed', tags: [1, 2] };

describe('tags', () => {
  it.each([
    ['add', [1, 2]],
    ['remove', [1]],
    ['replace', [2]],
  ] as const)('requests to %s tags, and continues (TAG-08)', (action, ids) => {
    const visited = visit(tags, { config: { action, tags: [...ids] }, results: [changed] });
    expect(visited.effects).toEqual([{ type: 'tags.change', request: { action, tags: ids } }]);
    expect(visited.by).toBe('next');
  });

  it('names each of its tags, so that an unknown one is found before it runs', () => {
    expect(tags.references(tags.config.parse({ action: 'add', tags: [3, 1] }))).toEqual([
      { kind: 'tag', id: '3', at: ['tags', 0] },
      { kind: 'tag', id: '1', at: ['tags', 1] },
    ]);
  });

  it('removes all without naming one (TAG-05)', () => {
    expect(visit(tags, { config: { action: 'clear' } }).effects).toEqual([{ type: 'tags.change', request: { action: 'clear', tags: [] } }]);
  });

  it('leaves by error with the cause of a refusal (TAG-07)', () => {
    const results = [{ kind: 'refused', cause: 'TAG_NOT_FOUND', message: 'There is no tag 9' }];
    expect(visit(tags, { config: { action: 'add', tags: [9] }, results })).toMatchObject({
      by: 'error',
      failure: { cause: 'TAG_NOT_FOUND', message: 'There is no tag 9' },
    });
  });

  it.each([
    [{ action: 'add' }, '"add" needs at least one tag id; to take all away use "clear"'],
    [{ action: 'replace', tags: [] }, '"replace" needs at least one tag id; to take all away use "clear"'],
    [{ action: 'clear', tags: [1] }, '"clear" takes all tags away: leave "tags" out'],
    [{ action: 'toggle', tags: [1] }, 'Invalid option'],
    [{ action: 'add', tags: ['1'] }, 'expected number'],
    [{ action: 'add', tags: [0] }, 'expected number to be >0'],
    [{ action: 'add', tags: [1], ifTags: [] }, 'Unrecognized key'],
  ])('refuses %j (GEN-07)', (config, message) => {
    expect(
      tags.config
        .safeParse(config)
        .error?.issues.map((issue) => issue.message)
        .join('; '),
    ).toContain(message);
  });

  it('shows on the canvas what it does', () => {
    expect(tags.visual.summary?.({ action: 'add', tags: [1, 2] })).toBe('add 1, 2');
    expect(tags.visual.summary?.({ action: 'clear' })).toBe('clear');
  });
});
