import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Card, Flow } from '../canvas/flow.ts';
import { cardSize } from '../canvas/card-size.ts';
import { standardIcons } from '../parts/icons.tsx';
import { lanesOf } from './lanes.ts';

const card = (id: string, x: number, y: number): Card => ({
  id,
  node: { id, type: 'message' },
  entry: undefined,
  title: id,
  caption: id,
  category: 'message',
  summary: '',
  bubble: undefined,
  ports: [{ name: 'sent', isRequired: true, isStub: false, isUnknown: false, isUnnamed: true }],
  position: { x, y },
  isNote: false,
  errors: 0,
  warnings: 0,
});
const wire = (source: string, target: string) => ({ id: `${source}-${target}`, source, port: 'sent', target, kind: 'plain' as const });

describe('the lanes of wires', () => {
  it('lead past a card in between, above it or below it, whichever is nearer', () => {
    const lane = (y: number) =>
      lanesOf({ cards: [card('a', 0, 0), card('b', 328, y), card('c', 656, 0)], wires: [wire('a', 'c')] }).get('a-c');
    expect(lane(0)).toBe(-16);
    expect(lane(-20)).toBe(-20 + cardSize(card('b', 0, 0)).height + 16);
    expect(lane(200)).toBeUndefined();
  });

  it('cross no card, for any positions', () => {
    const places = fc.array(fc.record({ x: fc.integer({ min: 0, max: 6 }), y: fc.integer({ min: -20, max: 20 }) }), {
      minLength: 3,
      maxLength: 30,
    });
    fc.assert(
      fc.property(places, (all) => {
        const cards = all.map(({ x, y }, index) => card(`${index}`, x * 328, y * 40));
        const flow: Flow = { cards, wires: [wire('0', '1')] };
        const lane = lanesOf(flow).get('0-1');
        const [from, to] = cards;
        if (lane === undefined || from === undefined || to === undefined) return;
        const [left, right] = [from.position.x + 240 + 24, to.position.x - 24];
        const hit = cards.slice(2).filter(({ position: { x, y } }) => {
          const { height } = cardSize(from);
          return x < right && x + 240 > left && lane > y && lane < y + height;
        });
        expect(hit).toEqual([]);
      }),
    );
  });
});

describe('the icons of the standard nodes', () => {
  it('are all there', () => {
    expect(standardNodes.flatMap(({ visual: { icon } }) => (icon in standardIcons ? [] : [icon]))).toEqual([]);
  });
});
