import { describe, expect, it } from 'vitest';
import { canvasOf, smallNodes } from '../../test/small-nodes.ts';
import { checkCanvasText } from './check.ts';
import { describeCanvas } from './describe.ts';

const options = { nodes: smallNodes };
const step = (id: string, ...paths: string[]) => ({ id, type: 'step', data: { writes: { next: paths } } });
const begin = { id: 'begin', type: 'start', data: {} };

/** always | sometimes of a node, without what every execution has. */
const at = (canvas: object, nodeId: string) => {
  const node = describeCanvas(canvas, options).nodes.find((each) => each.nodeId === nodeId);
  return `${node?.always.filter((path) => path !== '$context.executionId').join(' ')} | ${node?.sometimes.join(' ')}`;
};

describe('describeCanvas', () => {
  const fork = { id: 'fork', type: 'step', data: { ports: ['a', 'b'] } };
  const nodes = [begin, step('first', '$context.x'), fork, step('left', '$context.y'), { id: 'done', type: 'end', data: {} }];
  const canvas = canvasOf(nodes, ['begin → first', 'first.next → fork', 'fork.a → left', 'fork.b → done', 'left.next → done'], {
    variables: { z: { default: 1 } },
  });

  it('tells the variables that have a value on every way to a node, and those on some', () => {
    expect(at(canvas, 'begin')).toBe('$context.z | ');
    expect(at(canvas, 'fork')).toBe('$context.z $context.x | ');
    expect(at(canvas, 'left')).toBe('$context.z $context.x | ');
    expect(at(canvas, 'done')).toBe('$context.z $context.x | $context.y');
  });

  it('agrees with the check: what is always there may be read, what is there sometimes only with a default', () => {
    const reading = (path: string, nodeId: string) =>
      checkCanvasText(
        {
          ...canvas,
          nodes: nodes.map((node) => (node.id === nodeId ? { ...node, data: { ...node.data, text: `{{${path}}}` } } : node)),
        },
        options,
      ).some(({ code }) => code === 'UNWRITTEN_VARIABLE');
    for (const { nodeId, always, sometimes } of describeCanvas(canvas, options).nodes.filter(({ nodeId }) => nodeId !== 'begin')) {
      for (const path of always) expect(reading(path, nodeId)).toBe(false);
      for (const path of sometimes) expect(reading(path, nodeId)).toBe(true);
    }
  });

  it('tells ports with and without an edge, and what the check says', () => {
    const loose = canvasOf([begin, fork], ['begin → fork']);
    const { nodes: described, problems } = describeCanvas(JSON.stringify(loose), options);
    expect(described.map(({ ports }) => ports)).toEqual([
      [{ name: 'next', isRequired: true, isConnected: true }],
      [
        { name: 'a', isRequired: true, isConnected: false },
        { name: 'b', isRequired: true, isConnected: false },
      ],
    ]);
    expect(problems).toEqual(checkCanvasText(loose, options));
  });

  it('describes what can be read of a canvas that is wrong, and nothing of what is none', () => {
    const broken = { ...canvas, nodes: [...nodes, { id: 7 }, { id: 'odd', type: 'nothing' }] };
    expect(describeCanvas(broken, options).nodes.map(({ nodeId, ports }) => `${nodeId} ${ports.length}`)).toEqual([
      'begin 1',
      'first 1',
      'fork 2',
      'left 1',
      'done 0',
      ' 0',
      'odd 0',
    ]);
    expect(describeCanvas('{', options).nodes).toEqual([]);
  });

  it('behind a node that cannot be read, takes its writes for possible', () => {
    const odd = canvasOf(
      [begin, step('first', '$context.x'), { id: 'odd', type: 'nothing' }, { id: 'done', type: 'end', data: {} }],
      ['begin → odd', 'odd.next → done', 'odd.other → first', 'first.next → done'],
    );
    expect(at(odd, 'done')).toBe(' | $context.x');
  });
});
