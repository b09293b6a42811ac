import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { canvasOf, smallNodes } from '../../test/small-nodes.ts';
import { Canvas } from '../contract/canvas.ts';
import type { JsonObject } from '../contract/json.ts';
import { defineNode, finish } from '../contract/node.ts';
import { checkCanvas, type CheckOptions } from './check.ts';

const check = (canvas: JsonObject, options: Partial<CheckOptions> = {}) =>
  checkCanvas(Canvas.parse(canvas), { nodes: smallNodes, ...options }).map(
    ({ code, pointer, message }) => `${code} ${pointer}: ${message}`,
  );

const begin = { id: 'begin', type: 'start' };
const done = { id: 'done', type: 'end' };
const hook = (id: string) => ({ id, type: 'webhook', data: { variableName: 'order' } });

describe('the structure of a canvas', () => {
  it('has one webhook and one catch at most, even if they cannot be compiled', () => {
    const nodes = [hook('a'), { id: 'b', type: 'webhook' }, { id: 'c', type: 'catch' }, { id: 'd', type: 'catch' }, done];
    const problems = check(canvasOf(nodes, ['a.new → done', 'b.new → done', 'c → done', 'd → done']));
    expect(problems).toEqual([
      'SECOND_WEBHOOK /nodes/1: The canvas has a webhook node already: "a"',
      'INVALID_CONFIG /nodes/1/data/variableName: "variableName" is missing',
      'SECOND_CATCH /nodes/3: The canvas has a catch node already: "c"',
    ]);
  });

  it('may have several starts', () => {
    expect(check(canvasOf([begin, { id: 'too', type: 'start' }, done], ['begin → done', 'too → done']))).toEqual([]);
  });

  it('has an entry, which catch is not', () => {
    expect(check(canvasOf([done], []))).toEqual(['NO_ENTRY /nodes: The canvas has no start and no webhook, so nothing can begin it']);
    expect(check(canvasOf([{ id: 'c', type: 'catch' }, done], ['c → done']))).toHaveLength(1);
  });

  it('has an edge at every port that needs one', () => {
    expect(check(canvasOf([begin, hook('in')], ['begin → in']))).toEqual([
      'PORT_WITHOUT_EDGE /nodes/1: Port "resume" of "in" leads nowhere',
      'PORT_WITHOUT_EDGE /nodes/1: Port "new" of "in" leads nowhere',
    ]);
    expect(check(canvasOf([hook('in'), done], ['in.new → done']))).toEqual([]);
  });

  it.each([
    ['a segment that is not there, which may come later', false, 'warning', 'There is no segment "x", so that nothing begins for it'],
    ['one that is not known here', undefined, 'warning', 'Whether there is a segment "x" is not known here'],
    [
      'what is of another kind',
      { otherKind: 'basic' },
      'warning',
      'The segment "x" is of the kind "basic", with which this fails; it takes mysql, sqlite',
    ],
  ] as const)('warns of %s', (_, exists, severity, message) => {
    const quiet = defineNode({
      type: 'quiet',
      config: z.strictObject({}),
      visual: { label: 'Quiet', category: 'logic', icon: 'clock', colour: '#2563eb', description: 'Names a segment' },
      ports: [],
      references: () => [{ kind: 'segment', id: 'x', at: [], suits: ['mysql', 'sqlite'] }],
      run: () => finish('done'),
    });
    const canvas = Canvas.parse(canvasOf([begin, { id: 'q', type: 'quiet' }], ['begin → q']));
    const problems = checkCanvas(canvas, { nodes: [...smallNodes, quiet], resolve: () => exists });
    expect(problems).toMatchObject([{ severity, message }]);
  });

  it('has unique ids of edges', () => {
    const canvas = {
      ...canvasOf([begin, done], []),
      edges: [
        { id: 'e', source: 'begin', target: 'done' },
        { id: 'e', source: 'begin', sourceHandle: 'no', target: 'done' },
      ],
    };
    expect(check(canvas)).toContain('DUPLICATE_EDGE_ID /edges/1/id: Two edges have the id "e"');
  });

  it('has only nodes that its kind and the connected channels take', () => {
    const canvas = canvasOf([begin, { id: 'say', type: 'talk' }, done], ['begin → say', 'say → done']);
    expect(check(canvas, { channels: ['whatsapp'] })).toEqual([]);
    expect(check(canvas, { channels: ['whatsapp', 'slack', 'web'] })).toEqual([
      'UNSUPPORTED_NODE /nodes/1/type: A talk node does not work on web, slack',
    ]);
    expect(check({ ...canvas, kind: 'tool' })).toEqual(['UNSUPPORTED_NODE /nodes/1/type: A tool cannot have a talk node']);
  });

  it('names only what exists, as far as it can be checked', () => {
    const canvas = canvasOf([begin, { id: 'call', type: 'step', data: { workflow: 'billing' } }, done], ['begin → call', 'call → done']);
    const problem = 'UNRESOLVED_REFERENCE /nodes/1/data/workflow: There is no workflow "billing"';
    expect(check(canvas)).toEqual([]);
    expect(check(canvas, { resolve: ({ kind, id }) => kind === 'workflow' && id === 'billing' })).toEqual([]);
    expect(check(canvas, { resolve: () => undefined })).toEqual([
      'REFERENCE_NOT_CHECKED /nodes/1/data/workflow: Whether there is a workflow "billing" is not known here',
    ]);
    expect(check(canvas, { resolve: () => false })).toEqual([problem]);
    expect(check(canvas, { resolve: () => ({ notNow: 'it is PENDING' }) })).toEqual([
      'TEMPLATE_NOT_APPROVED /nodes/1/data/workflow: The workflow "billing" cannot be sent now: it is PENDING',
    ]);
  });
});

describe('the limits of a canvas', () => {
  const withStep = (data: JsonObject, settings: JsonObject = {}) => ({
    ...canvasOf([begin, { id: 'a', type: 'step', data }, done], ['begin → a', 'a → done']),
    settings,
  });

  it('are what its nodes object to, each in its own severity', () => {
    const [problem] = checkCanvas(Canvas.parse(withStep({ objection: 'error' })), { nodes: smallNodes, channels: ['slack', 'web'] });
    expect(problem).toEqual({
      code: 'CHANNEL_LIMIT',
      severity: 'error',
      nodeId: 'a',
      pointer: '/nodes/1/data/objection',
      message: 'Not on web,slack',
      hint: 'Do',
    });
    expect(checkCanvas(Canvas.parse(withStep({ objection: 'warning' })), { nodes: smallNodes })).toMatchObject([{ severity: 'warning' }]);
  });

  it('warn of a wait that the session does not last for', () => {
    const session = { sessionExpiry: 'PT1H' };
    const problem = 'WAIT_LONGER_THAN_SESSION /nodes/1/data/timeout: "a" waits PT1H1S, and the session ends after PT1H';
    expect(check(withStep({ waits: ['next'], timeout: 'PT1H' }, session))).toEqual([]);
    expect(check(withStep({ waits: ['next'], timeout: 'PT1H1S' }, session))).toEqual([problem]);
    expect(check(withStep({ waits: ['next'], timeout: 'PT1H1S' }))).toEqual([]);
    expect(check(withStep({ timeout: 'PT1H1S' }, session))).toEqual([]);
  });

  it('let a node wait longer for a workflow that it calls: the session continues there', () => {
    const call = { waits: ['next'], timeout: 'PT1H1S', workflow: 'child' };
    expect(check(withStep(call, { sessionExpiry: 'PT1H' }))).toEqual([]);
  });
});
