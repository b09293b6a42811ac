// Callbacks of third parties in scripts: an address answers one wait, once, whenever it is called before that wait is over.
import { checkCanvas, parseCanvas } from '@hilo/engine';
import type { Canvas } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replayScript } from '../src/script/script.ts';

type Node = readonly [id: string, type: string, data: object];

function canvasOf(nodes: readonly Node[], edges: readonly string[]): Canvas {
  const { canvas, problems } = parseCanvas(
    JSON.stringify({
      schemaVersion: 1,
      id: 'pay',
      name: 'Pay',
      nodes: nodes.map(([id, type, data]) => ({ id, type, data })),
      edges: edges.map((edge) => {
        const [source, port, target] = edge.split(' ');
        return { source, sourceHandle: port, target };
      }),
    }),
  );
  if (canvas === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return canvas;
}

const say = (text: string) => ({ message: { type: 'text', text } });

/** Gives the address, asks something, and only then waits for the call; `again` leads back to the address. */
const pay = (wait: object = {}, link = '{{resumeUrl("paid")}}'): Canvas =>
  canvasOf(
    [
      ['begin', 'start', { keywords: ['pay'] }],
      ['link', 'message', say(`Pay at ${link}`)],
      ['sure', 'ask', { message: { type: 'quick_reply', text: 'Sure?', quick_replies: [{ title: 'yes' }] } }],
      ['paid', 'wait-external', { timeout: 'P1D', saveAs: '$context.paid', ...wait }],
      ['thanks', 'message', say('{{$context.paid.method}} {{$context.paid.body}}')],
      ['late', 'end', {}],
    ],
    [
      'begin next link',
      'link sent sure',
      'sure yes paid',
      'sure other sure',
      'paid resumed thanks',
      'paid timeout late',
      'thanks sent link',
    ],
  );

const play = async (canvas: Canvas, script: string) => replayScript([canvas], script);

describe('callbacks', () => {
  it('answer an open wait, once; a used address is a 404, and each round has its own', async () => {
    expect(
      await play(
        pay(),
        'user: pay\nuser: yes\ncallback: POST {"ok":true}\ncallback paid: POST {"ok":1}\ncallback: POST\nuser: yes\ncallback: POST',
      ),
    ).toMatchInlineSnapshot(`
      "user: pay
        bot: Pay at https://callbacks.example/workflows/v2/resume/<execution-1>.paid.1
        bot: Sure?  [yes]
        waits: reply
      user: yes
        waits: external until +1d
      callback: POST {"ok":true}
        callback answered: resume
        bot: POST {"ok":true}
        bot: Pay at https://callbacks.example/workflows/v2/resume/<execution-1>.paid.2
        bot: Sure?  [yes]
        waits: reply
      callback paid: POST {"ok":1}
        callback answered: resume
      callback: POST
        callback answered: 404
      user: yes
        bot: POST {"ok":1}
        bot: Pay at https://callbacks.example/workflows/v2/resume/<execution-1>.paid.3
        bot: Sure?  [yes]
        waits: reply
      callback: POST
        callback answered: resume"
    `);
  });
  it('are kept where they come before the wait is open, across a restart', async () => {
    expect(await play(pay(), 'user: pay\ncallback: PUT {"n":1}\nrestart\nuser: yes')).toMatchInlineSnapshot(`
      "user: pay
        bot: Pay at https://callbacks.example/workflows/v2/resume/<execution-1>.paid.1
        bot: Sure?  [yes]
        waits: reply
      callback: PUT {"n":1}
        callback answered: resume
      restart
      user: yes
        bot: PUT {"n":1}
        bot: Pay at https://callbacks.example/workflows/v2/resume/<execution-1>.paid.2
        bot: Sure?  [yes]
        waits: reply"
    `);
  });
  it('are withdrawn with their wait, and take the methods of the node', async () => {
    expect(
      await play(pay({ methods: ['POST'] }), 'user: pay\ncallback: GET\nuser: yes\ntime: +25h\ncallback: POST'),
    ).toMatchInlineSnapshot(`
      "user: pay
        bot: Pay at https://callbacks.example/workflows/v2/resume/<execution-1>.paid.1
        bot: Sure?  [yes]
        waits: reply
      callback: GET
        callback answered: error METHOD_NOT_ALLOWED
      user: yes
        waits: external until +1d
      time: +25h
        ended: completed
      callback: POST
        callback answered: 404"
    `);
  });
  it('expire', async () => {
    expect(await play(pay({ expires: 'PT1H' }), 'user: pay\ntime: +1h\ncallback: POST')).toMatchInlineSnapshot(`
      "user: pay
        bot: Pay at https://callbacks.example/workflows/v2/resume/<execution-1>.paid.1
        bot: Sure?  [yes]
        waits: reply
      time: +1h
      callback: POST
        callback answered: 404"
    `);
  });
  it('ask for a confirmation', async () => {
    expect(
      await play(pay({ confirm: true, methods: ['GET'] }), 'user: pay\nuser: yes\ncallback: GET\ncallback: POST {"confirm":"yes"}'),
    ).toMatchInlineSnapshot(`
      "user: pay
        bot: Pay at https://callbacks.example/workflows/v2/resume/<execution-1>.paid.1
        bot: Sure?  [yes]
        waits: reply
      user: yes
        waits: external until +1d
      callback: GET
        callback answered: a page that asks for a confirmation
      callback: POST {"confirm":"yes"}
        callback answered: resume
        bot: POST {"confirm":"yes"}
        bot: Pay at https://callbacks.example/workflows/v2/resume/<execution-1>.paid.2
        bot: Sure?  [yes]
        waits: reply"
    `);
  });
  it('say where no address was given yet', async () => {
    expect(await play(pay(), 'callback paid: POST')).toMatchInlineSnapshot(`
      "callback paid: POST
        unmatched: no text has given the address of node "paid" yet: write {{resumeUrl("NODE")}} in it"
    `);
  });

  it('answer each round once at most, whatever comes when', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('user: yes', 'callback: POST', 'restart', 'time: +3h', 'time: +25h'), { maxLength: 12 }),
        async (lines) => {
          const transcript = await play(pay(), ['user: pay', ...lines].join('\n'));
          const accepted = transcript.match(/callback answered: resume/g)?.length ?? 0;
          const given = transcript.match(/bot: Pay at/g)?.length ?? 0;
          const resumed = transcript.match(/bot: POST/g)?.length ?? 0;
          expect(accepted).toBeLessThanOrEqual(given);
          expect(accepted - resumed).toBeGreaterThanOrEqual(0); // one may be kept at the end
          expect(accepted - resumed).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 25 },
    ));
});

describe('a webhook in the middle', () => {
  const shop = (webhook: object = {}): Canvas =>
    canvasOf(
      [
        ['begin', 'start', { keywords: ['pay'] }],
        ['link', 'message', say('Pay at {{resumeUrl()}}')],
        ['hook', 'webhook', { variableName: 'paid', methods: ['POST'], ...webhook }],
        ['got', 'message', say('{{$webhook.paid.body}}')],
        ['new', 'end', {}],
        ['late', 'end', {}],
      ],
      ['begin next link', 'link sent hook', 'hook resume got', 'hook new new', 'hook timeout late', 'got sent link'],
    );

  it('is called by its address, again in each round, and under oneTimeOnly once', async () => {
    const script = 'user: pay\ncallback: POST 1\ncallback: POST 2';
    expect((await play(shop(), script)).match(/bot: \d/g)).toEqual(['bot: 1', 'bot: 2']);
    expect((await play(shop({ oneTimeOnly: true }), script)).match(/bot: \d|answered: .*/g)).toEqual([
      'answered: resume',
      'bot: 1',
      'answered: 404',
    ]);
  });
});

describe('the check', () => {
  const messages = (canvas: Canvas) =>
    checkCanvas(canvas, { nodes: standardNodes }).flatMap(({ code, message, nodeId }) =>
      code === 'CALLBACK_WITHOUT_WAIT' ? [`${nodeId}: ${message}`] : code === 'INVALID_EXPRESSION' ? [message] : [],
    );

  it('finds addresses of no wait, of one that no way leads to, and computed names', () => {
    expect(messages(pay())).toEqual([]);
    expect(messages(pay({}, '{{resumeUrl()}}'))).toEqual([]);
    expect(messages(pay({}, '{{resumeUrl("payed")}}'))).toEqual([
      'link: resumeUrl(): "payed" is no node that waits for a call; name one that does: "paid"',
    ]);
    expect(messages(pay({}, '{{resumeUrl("sure")}}'))[0]).toContain('"sure" is no node that waits for a call');
    expect(messages(pay({}, '{{resumeUrl($user.id)}}'))[0]).toContain('resumeUrl() takes the id of a node as a text in quotes');
    const over = canvasOf(
      [
        ['begin', 'start', { keywords: ['pay'] }],
        ['one', 'wait-external', {}],
        ['two', 'wait-external', {}],
        ['link', 'message', say('{{resumeUrl("one")}} {{resumeUrl()}}')],
      ],
      ['begin next one', 'one resumed two', 'two resumed link'],
    );
    expect(messages(over)).toEqual([
      'link: No way leads from "link" to "one", so that its address is of no use here',
      'link: resumeUrl(): the canvas has several nodes that wait for a call; name one of them: "one", "two"',
    ]);
  });
});
