import { describe, expect, it } from 'vitest';
import { portKey } from '../canvas/canvas-json.ts';
import { fillIn } from '../words/words.tsx';
import { drawNumbers } from './drawn.ts';
import { change, type NodeNumbers, type Numbers, slowest } from './numbers.ts';
import { numbersWords, type SayNumbers } from './numbers-words.ts';

const plurals = new Intl.PluralRules('en');
const say: SayNumbers = (key, values = {}) => fillIn(numbersWords.en[key], values, plurals);
const percent = (share: number): string => `${Math.round(100 * share)}%`;
const ended = { completed: 0, failed: 0, cancelled: 0, expired: 0 };

const numbers = (nodes: readonly Partial<NodeNumbers>[], channel: Numbers['channel'] = null): Numbers => ({
  workflowId: 'order',
  from: '2031-03-03T00:00:00.000Z',
  to: '2031-03-04T00:00:00.000Z',
  version: null,
  versions: [1],
  channel,
  channels: ['web'],
  countedAt: null,
  isBehind: false,
  entered: 0,
  ended,
  nodes: nodes.map((node) => ({ nodeId: 'ask', visits: 0, standing: 0, ended, p50Ms: null, p95Ms: null, causes: [], ...node })),
});

const port = (name: string, count: number, p50Ms: number | null = null, p95Ms: number | null = null) => ({
  port: name,
  count,
  p50Ms,
  p95Ms,
});
const draw = (now: Numbers, before?: Numbers) => drawNumbers({ now, before, typeOf: () => 'ask', say, percent });

describe('numbers over a canvas', () => {
  const now = numbers([
    {
      visits: 100,
      standing: 9,
      ended: { ...ended, expired: 6 },
      ports: [port('yes', 97, 120_000, 600_000), port('no', 2), port('timeout', 1)],
    },
    { nodeId: 'end', visits: 94 },
  ]);
  const before = numbers([{ visits: 70, ended: { ...ended, failed: 7 }, ports: [port('yes', 30), port('no', 30)] }]);

  it('each number has a sign against what it is compared with, and none against nothing', () => {
    expect(draw(now).cards.get('ask')).toEqual({ text: '100 in · 9 now · 6% left here', short: '100 · −6%', heat: 1 });
    expect(draw(now, before).cards.get('ask')?.text).toBe('100 in ▲ 30 · 9 now · 6% left here ▼ 4');
    expect(draw(now, before).cards.get('end')).toEqual({ text: '94 in ▲ 94', short: '94', heat: 0 });
    expect(draw(now, now).cards.get('ask')?.text).toBe('100 in = · 9 now · 6% left here =');
    expect([change(-2), change(0), change(3)]).toEqual(['▼ 2', '=', '▲ 3']);
  });

  it('what waits now is shown of one channel, too', () => {
    expect(draw({ ...now, channel: 'web' }).cards.get('ask')?.text).toBe('100 in · 9 now · 6% left here');
  });

  it('a port tells its share and half of the times, its wire all of them; less than three in a hundred are rare', () => {
    const { ports } = draw(now, before);
    expect(ports.get(portKey('ask', 'yes'))).toEqual({
      widthPx: 8,
      text: '97% ▲ 47 · 2 min',
      title: '97 conversations · 97% · half within 2 min, 95% within 10 min',
      isRare: false,
    });
    expect(ports.get(portKey('ask', 'no'))).toMatchObject({ text: '2% ▼ 48', title: '2 conversations · 2%', isRare: true });
    expect(ports.get(portKey('ask', 'timeout'))).toMatchObject({ text: '1%', title: '1 conversation · 1%' });
  });

  it('what takes longest comes first, and what takes no time is left out', () => {
    const node = (nodeId: string, p95Ms: number | null) => ({ nodeId, visits: 1, standing: 0, ended, p50Ms: p95Ms, p95Ms, causes: [] });
    expect(
      slowest([node('a', 2_000), node('b', null), node('c', 999), node('d', 5_000), node('e', 2_000)]).map(({ nodeId }) => nodeId),
    ).toEqual(['d', 'a', 'e']);
  });
});
