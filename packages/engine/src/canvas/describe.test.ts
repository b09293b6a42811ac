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

  it('lists the variables with a value on every path to a node, and on some', () => {
    expect(at(canvas, 'begin')).toBe('$context.z | ');
    expect(at(canvas, 'fork')).toBe('$context.z $context.x | ');
    expect(at(canvas, 'left')).toBe('$context.z $context.x | ');
    expect(at(canvas, 'done')).toBe('$context.z $context.x | $context.y');
  });

  it('agrees with the check: always set variables may be read, sometimes set ones only with a default', () => {
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

  it('lists ports with and without an edge, and the problems', () => {
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

  it('describes the readable part of an invalid canvas, and nothing of malformed input', () => {
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

  it('counts the writes of an unreadable node as possible', () => {
    const odd = canvasOf(
      [begin, step('first', '$context.x'), { id: 'odd', type: 'nothing' }, { id: 'done', type: 'end', data: {} }],
      ['begin → odd', 'odd.next → done', 'odd.other → first', 'first.next → done'],
    );
    expect(at(odd, 'done')).toBe(' | $context.x');
  });
});
