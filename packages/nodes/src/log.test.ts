import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { log } from './log.ts';

describe('log', () => {
  it('logs an event, with values that keep their type', () => {
    const config = { name: 'order {{$context.id}}', level: 'warn', data: { total: '{{$context.total}}' } };
    const visited = visit(log, { config, variables: { $context: { id: 'A1', total: 7 } }, results: [{ kind: 'done' }] });
    expect(visited).toMatchObject({
      by: 'next',
      effects: [{ type: 'log.event', request: { name: 'order A1', level: 'warn', data: { total: 7 } } }],
    });
  });

  it('needs only a name', () => {
    expect(visit(log, { config: { name: 'here' } }).effects).toEqual([
      { type: 'log.event', request: { name: 'here', level: 'info', data: null } },
    ]);
    expect(log.config.safeParse({ name: '' }).success).toBe(false);
    expect(log.config.safeParse({ name: 'a', level: 'debug' }).success).toBe(false);
  });
});
