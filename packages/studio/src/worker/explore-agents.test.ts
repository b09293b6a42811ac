/** Agents of drafts, with models that answer anything. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asCanvas, type CanvasJson } from '../canvas/canvas-json.ts';
import { exploreAgents } from './explore-agents.ts';

const read = (id: string): CanvasJson =>
  asCanvas(JSON.parse(readFileSync(new URL(`../../../../examples/canvases/${id}.json`, import.meta.url), 'utf8')))!;
const [agent, other] = [read('address-agent'), read('apply')];
/** The agent of the example with other data. */
const withData = (data: object): CanvasJson => ({
  ...agent,
  nodes: agent.nodes.map((node) => (node.type === 'agent' ? { ...node, data: { ...node.data, ...data } } : node)),
});

describe('the agents of a draft', () => {
  it('are tried with every answer, and keep to their budgets', () => {
    const [found, ...more] = exploreAgents(agent);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ nodeId: 'talk', breaches: [], worst: { modelCalls: expect.any(Number) as number } });
    expect(found?.steps).toBeGreaterThan(100);
  });

  it.each([
    ['a canvas without one', other],
    ['one without exits', withData({ exits: [] })],
    ['one with data of another shape', withData({ tools: 'none' })],
    ['one without data', withData({ model: null, instructions: null })],
  ])('are none in %s', (_what, canvas) => {
    expect(exploreAgents(canvas)).toEqual([]);
  });
});
