// The canvases that a simulated cluster runs.
import fc from 'fast-check';
import type { CanvasJson } from '../../packages/testing/src/arbitraries/build-canvas.ts';
import { canvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import { says, smallCanvas, type SmallNode } from './small-canvas.ts';

const end = (id: string, data = {}): SmallNode => [id, 'end', data];
const yesOrNo = (text: string) => ({ type: 'quick_reply', text, quick_replies: [{ title: 'Yes' }, { title: 'No' }] });

/** A question with a limit, then a call that is tried again and holds its user. */
const order = smallCanvas(
  'order',
  [
    ['begin', 'start', { keywords: ['order'] }],
    ['sure', 'ask', { message: yesOrNo('Shall we?'), timeout: 'PT30M' }],
    [
      'place',
      'api',
      {
        method: 'POST',
        url: 'https://shop.example/orders',
        body: { user: '{{$user.id}}' },
        retry: { attempts: 3, delay: 'PT5S' },
        hold: { enabled: true, message: 'One moment', onMessage: 'queue' },
      },
    ],
    says('placed', 'It is on its way'),
    says('late', 'Then another time'),
    says('failed', 'The shop is closed'),
    end('done'),
  ],
  [
    ['begin', 'next', 'sure'],
    ['sure', 'Yes', 'place'],
    ['sure', 'No', 'late'],
    ['sure', 'other', 'sure'],
    ['sure', 'timeout', 'late'],
    ['place', 'success', 'placed'],
    ['place', 'error', 'failed'],
    ['placed', 'sent', 'done'],
    ['late', 'sent', 'done'],
    ['failed', 'sent', 'done'],
  ],
);

/** Other texts of a user: several messages in a row, a pause, a question, a child. */
const help = smallCanvas(
  'help',
  [
    ['begin', 'start', { fallback: true }],
    says('hello', 'Hello'),
    says('who', 'This is the help desk'),
    ['pause', 'delay', { duration: 'PT2M' }],
    ['what', 'ask', { message: { type: 'text', text: 'What is it?' }, input: { kind: 'text' }, saveAs: '$context.what', timeout: 'PT1H' }],
    ['ticket', 'workflow', { workflowId: 'ticket', inputs: { what: '{{$context.what}}' }, saveAs: '$context.ticket', timeout: 'PT10M' }],
    says('thanks', 'Thank you'),
    says('sorry', 'Please call us'),
    end('done'),
  ],
  [
    ['begin', 'next', 'hello'],
    ['hello', 'sent', 'who'],
    ['who', 'sent', 'pause'],
    ['pause', 'elapsed', 'what'],
    ['what', 'answered', 'ticket'],
    ['what', 'timeout', 'sorry'],
    ['ticket', 'success', 'thanks'],
    ['ticket', 'error', 'sorry'],
    ['ticket', 'timeout', 'sorry'],
    ['thanks', 'sent', 'done'],
    ['sorry', 'sent', 'done'],
  ],
);

/** A child that calls an API, and holds its user's lane without keeping the messages. */
const ticket = smallCanvas(
  'ticket',
  [
    ['begin', 'start', {}],
    [
      'open',
      'api',
      {
        method: 'PUT',
        url: 'https://desk.example/tickets',
        timeout: 'PT20S',
        hold: { enabled: true, message: 'We look', onMessage: 'discard' },
      },
    ],
    ['noted', 'log', { name: 'ticket' }],
    end('done', { outputs: { isOpen: true } }),
    end('failed', { outcome: 'failed' }),
  ],
  [
    ['begin', 'next', 'open'],
    ['open', 'success', 'noted'],
    ['open', 'error', 'failed'],
    ['noted', 'next', 'done'],
  ],
);

/** Called from outside twice; the first call counts. */
const payment = smallCanvas(
  'payment',
  [
    ['hook', 'webhook', { variableName: 'payment', methods: ['POST'], oneTimeOnly: true, waitTimeout: 'PT1H' }],
    says('pay', 'Please pay'),
    says('paid', 'Thank you'),
    says('late', 'It was not paid'),
    end('done'),
  ],
  [
    ['hook', 'new', 'pay'],
    ['pay', 'sent', 'hook'],
    ['hook', 'resume', 'paid'],
    ['hook', 'timeout', 'late'],
    ['paid', 'sent', 'done'],
    ['late', 'sent', 'done'],
  ],
);

/** Waits for an event, goes through a list, and jumps. */
const parcel = smallCanvas(
  'parcel',
  [
    ['hook', 'webhook', { variableName: 'parcel', methods: ['POST'] }],
    ['arrival', 'wait-event', { name: 'arrived', correlation: '{{$user.id}}', timeout: 'PT3H' }],
    ['items', 'for-each', { items: ['a', 'b', 'c'] }],
    says('item', 'There is {{$item}}'),
    ['rate', 'jump', { workflowId: 'rating' }],
    end('lost', { outcome: 'failed' }),
  ],
  [
    ['hook', 'new', 'arrival'],
    ['arrival', 'received', 'items'],
    ['arrival', 'timeout', 'lost'],
    ['items', 'each', 'item'],
    ['item', 'sent', 'items'],
    ['items', 'done', 'rate'],
  ],
);

/** A question with attempts; only jumped to. */
const rating = smallCanvas(
  'rating',
  [
    ['begin', 'start', {}],
    [
      'stars',
      'ask',
      { message: { type: 'text', text: 'Stars?' }, input: { kind: 'number', min: 1, max: 5 }, attempts: 2, timeout: 'PT20M' },
    ],
    end('done'),
    end('none', { outcome: 'failed' }),
  ],
  [
    ['begin', 'next', 'stars'],
    ['stars', 'answered', 'done'],
    ['stars', 'invalid', 'none'],
    ['stars', 'timeout', 'none'],
  ],
);

/** Is resumed from outside twice; of concurrent calls the first wins each time. */
const callback = smallCanvas(
  'callback',
  [
    ['hook', 'webhook', { variableName: 'callback', methods: ['POST'] }],
    ['first', 'wait-external', { timeout: 'PT2H' }],
    says('halfway', 'Halfway'),
    ['second', 'wait-external', { timeout: 'PT2H' }],
    end('done'),
    end('late', { outcome: 'failed' }),
  ],
  [
    ['hook', 'new', 'first'],
    ['first', 'resumed', 'halfway'],
    ['first', 'timeout', 'late'],
    ['halfway', 'sent', 'second'],
    ['second', 'resumed', 'done'],
    ['second', 'timeout', 'late'],
  ],
);

/** Has no user: started by name. */
const nightly = smallCanvas(
  'nightly',
  [
    ['begin', 'start', {}],
    ['shops', 'for-each', { items: [1, 2] }],
    ['report', 'api', { url: 'https://shop.example/{{$item}}', retry: { attempts: 2, delay: 'PT1M' } }],
    end('done'),
  ],
  [
    ['begin', 'next', 'shops'],
    ['shops', 'each', 'report'],
    ['report', 'success', 'shops'],
    ['shops', 'done', 'done'],
  ],
);

/** Canvases that together use everything in a canvas that outlives a process. */
export const clusterCanvases: readonly object[] = [order, help, ticket, payment, parcel, rating, callback, nightly];

/** How many families of random canvases there are. */
const families = 24;
const drawn = new Map<number, readonly CanvasJson[]>();

/** Canvases that call each other, from the arbitrary: the same for the same number. */
export function randomCanvases(number: number): readonly object[] {
  const seed = number % families;
  const known = drawn.get(seed);
  if (known !== undefined) return known;
  const [family] = fc.sample(canvasFamily(), { seed, numRuns: 1 });
  const canvases = family === undefined ? [] : [family.main, ...family.children];
  drawn.set(seed, canvases);
  return canvases;
}
