import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { catchNode } from './catch.ts';

describe('catch', () => {
  it('leaves by caught, where $error is known', () => {
    expect(visit(catchNode).by).toBe('caught');
    expect(catchNode.entry).toEqual({ kind: 'catch' });
    expect(catchNode.writes({})).toEqual({ caught: ['$error'] });
  });
});
