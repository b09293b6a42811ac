import { nodeTypes } from '@hilo/engine/debug';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeConfigs } from '../src/arbitraries/node-configs.ts';

const definitions = nodeTypes(standardNodes);

describe('nodeConfigs', () => {
  it('has configs of every standard node', () => {
    expect(Object.keys(nodeConfigs).toSorted()).toEqual(standardNodes.map(({ type }) => type).toSorted());
  });

  it.each(Object.entries(nodeConfigs))('generates valid configs of %s', (type, config) =>
    fc.assert(
      fc.property(config, (raw) => {
        expect(definitions.get(type)?.config.safeParse(raw)).toMatchObject({ success: true });
      }),
    ),
  );
});
