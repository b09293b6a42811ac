import { describe, expect, it } from 'vitest';
import { canvasOf, smallNodes } from '../../test/small-nodes.ts';
import { Canvas } from '../contract/canvas.ts';
import type { JsonObject } from '../contract/json.ts';
import { compileCanvas, nodeTypes } from './compile.ts';

const compile = (canvas: JsonObject) => compileCanvas(Canvas.parse(canvas), 'hash', nodeTypes(smallNodes));
const problems = (canvas: JsonObject) => compile(canvas).problems.map(({ code, pointer, message }) => `${code} ${pointer}: ${message}`);

const begin = { id: 'begin', type: 'start' };
const done = { id: 'done', type: 'end' };
const fork = { id: 'fork', type: 'step', data: { ports: ['left', 'right'], optional: ['error'] } };

describe('compileCanvas', () => {
  it('resolves ports to nodes and finds the entries', () => {
    const hook = { id: 'hook', type: 'webhook', data: { variableName: 'order' } };
    const { compiled, problems } = compile(
      canvasOf([begin, hook, fork, done, { id: 'c', type: 'catch' }], ['begin → fork', 'fork.left → done']),
    );
    expect(problems).toEqual([]);
    expect(compiled.starts.map(({ id }) => id)).toEqual(['begin']);
    expect([compiled.webhook?.id, compiled.catcher?.id]).toEqual(['hook', 'c']);
    expect(compiled.nodes.get('begin')?.targets.get('next')).toBe(compiled.nodes.get('fork'));
    expect([...(compiled.nodes.get('fork')?.targets.keys() ?? [])]).toEqual(['left']);
  });

  it('parses what every node may have apart from the node’s own config', () => {
    const { compiled } = compile(canvasOf([{ id: 'a', type: 'step', data: { label: 'A', onError: 'fail', ports: ['x'] } }], []));
    expect(compiled.nodes.get('a')).toMatchObject({
      common: { label: 'A', onError: 'fail', mask: false },
      config: { ports: ['x'] },
      ports: ['x'],
    });
  });

  it('reads the data of a node once, and again when it or its definition is another', () => {
    const canvas = Canvas.parse(canvasOf([{ id: 'a', type: 'step', data: { ports: ['x'] } }], []));
    const read = (types = nodeTypes(smallNodes)) => compileCanvas(canvas, '', types).parsedNodes[0]?.read;
    const first = read();
    expect(read()).toBe(first);
    const others = smallNodes.map((node) => (node.type === 'step' ? { ...node, config: node.config.clone() } : node));
    expect(read(nodeTypes(others))).not.toBe(first);
    const data = canvas.nodes[0]?.data ?? {};
    Object.assign(data, { ports: ['x', 'y'] }); // a host may keep the object, and change it
    expect(read()?.config).toMatchObject({ ports: ['x', 'y'] });
    Object.assign(data, { ports: 7 });
    expect(compileCanvas(canvas, '', nodeTypes(smallNodes)).problems).toHaveLength(1);
  });

  it('leaves out what it cannot compile, and reports it', () => {
    const bad = { id: 'bad', type: 'step', data: { prots: [], text: '{{x}}', notes: 7 } };
    expect(problems(canvasOf([begin, bad, { id: 'odd', type: 'stpe' }], ['begin → bad', 'bad.next → odd']))).toEqual([
      'INVALID_CONFIG /nodes/1/data/notes: "notes" must be a text, not a number',
      expect.stringMatching(/^INVALID_EXPRESSION \/nodes\/1\/data\/text: /),
      'UNKNOWN_FIELD /nodes/1/data/prots: There is no field "prots" here; did you mean "ports"?',
      expect.stringMatching(/^UNKNOWN_NODE_TYPE \/nodes\/2\/type: There is no node type "stpe"; there are start, webhook,/),
    ]);
  });

  it('keeps the first of two nodes with one id, and still checks the second', () => {
    const canvas = canvasOf([begin, { id: 'begin', type: 'end', data: { x: 1 } }], []);
    expect(problems(canvas)).toEqual([
      'DUPLICATE_NODE_ID /nodes/1/id: Two nodes have the id "begin"',
      'UNKNOWN_FIELD /nodes/1/data/x: There is no field "x" here; there is text',
    ]);
    expect(compile(canvas).compiled.nodes.get('begin')?.type).toBe('start');
  });

  it.each<[string, string]>([
    ['fork → done', 'PORT_NOT_NAMED /edges/0: The edge must say which port of "fork" it leaves by: left, right, error'],
    ['fork.up → done', 'UNKNOWN_PORT /edges/0/sourceHandle: Node "fork" has no port "up"; it has left, right, error'],
    ['done.next → fork', 'UNKNOWN_PORT /edges/0/sourceHandle: Node "done" has no port "next"; it has none'],
    ['done → fork', 'UNKNOWN_PORT /edges/0: Node "done" has no ports, so that no edge can leave it'],
    ['fork.left → nobody', 'EDGE_TO_NOTHING /edges/0/target: The edge\'s target "nobody" is no node of this canvas'],
    ['nobody.left → fork', 'EDGE_TO_NOTHING /edges/0/source: The edge\'s source "nobody" is no node of this canvas'],
    ['fork.left → remark', 'EDGE_TO_NOTHING /edges/0/target: The edge leads to "remark", which is a note and cannot be visited'],
  ])('refuses the edge %s', (edge, problem) => {
    expect(problems(canvasOf([fork, done, { id: 'remark', type: 'note' }], [edge]))).toEqual([problem]);
  });

  it('refuses a second edge at a port, named or not', () => {
    const second = 'SECOND_EDGE /edges/1: Port "next" of "begin" has an edge already';
    expect(problems(canvasOf([begin, done], ['begin → done', 'begin.next → done']))).toEqual([second]);
  });

  it('resolves an edge without a port when there is one port, or one required port', () => {
    const one = { id: 'one', type: 'step', data: { optional: ['error'] } };
    const two = { id: 'two', type: 'step', data: { ports: [], optional: ['error'] } };
    const { compiled, problems } = compile(canvasOf([one, two], ['one → two', 'two → one']));
    expect(problems).toEqual([]);
    expect([...(compiled.nodes.get('one')?.targets.keys() ?? []), ...(compiled.nodes.get('two')?.targets.keys() ?? [])]).toEqual([
      'next',
      'error',
    ]);
  });
});
