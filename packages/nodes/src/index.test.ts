import type { NodeDefinition } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { standardNodes } from './index.ts';

describe('standardNodes', () => {
  it('has each type once', () => {
    const types = standardNodes.map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
  });

  it.each(standardNodes.map((node) => [node.type, node] as const))('can draw a %s: icon, colour, texts', (_, { visual }) => {
    expect(visual.icon).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
    expect(visual.colour).toMatch(/^#[0-9a-f]{6}$/);
    expect(visual.label).toMatch(/^[A-Z]/);
    expect(visual.description).toMatch(/^[A-Z].*\.$/);
  });

  it.each(standardNodes.map((node: NodeDefinition) => [node.type, node] as const))(
    'has a line for a %s that is still being written',
    (_, { visual }) => {
      expect(typeof (visual.summary?.({}) ?? '')).toBe('string');
    },
  );
});
