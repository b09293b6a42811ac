import { portKey } from '../canvas/canvas-json.ts';
import { describe, expect, it } from 'vitest';
import { leftHere, type NodeNumbers, placesOfLeaving, portsOf, stretchOf } from './numbers.ts';

const ended = { completed: 0, failed: 0, cancelled: 0, expired: 0 };
const node = (nodeId: string, more: Partial<NodeNumbers> = {}): NodeNumbers => ({
  nodeId,
  visits: 10,
  standing: 0,
  ended,
  p50Ms: null,
  p95Ms: null,
  causes: [],
  ...more,
});
const port = (name: string, count: number) => ({ port: name, count, p50Ms: null, p95Ms: null });

describe('numbers of a canvas', () => {
  it('stretches are whole hours that meet and never overlap', () => {
    const nowMs = Date.UTC(2031, 2, 3, 9, 40);
    expect(stretchOf(24, nowMs)).toEqual({ from: '2031-03-02T10:00:00.000Z', to: '2031-03-03T09:59:59.999Z' });
    expect(stretchOf(24, nowMs, 1)).toEqual({ from: '2031-03-01T10:00:00.000Z', to: '2031-03-02T09:59:59.999Z' });
  });

  it('who completes at an end has not left, and who completes elsewhere has', () => {
    expect(leftHere({ ended: { ...ended, completed: 3 } }, 'end')).toBe(0);
    expect(leftHere({ ended: { ...ended, completed: 3, expired: 2 } }, 'ask')).toBe(5);
    expect(leftHere({ ended: { ...ended, failed: 1 } }, 'end')).toBe(1);
  });

  it('the widest wire has the most traffic, and shares are those of the card', () => {
    const ports = portsOf({ nodes: [node('a', { ports: [port('yes', 75), port('no', 25)] }), node('b', { ports: [port('sent', 100)] })] });
    expect(ports.get(portKey('a', 'yes'))).toMatchObject({ share: 0.75, widthPx: 1.5 + 6.5 * 0.75 });
    expect(ports.get(portKey('b', 'sent'))).toMatchObject({ share: 1, widthPx: 8 });
    expect(ports.get(portKey('a', 'never'))).toBeUndefined();
  });

  it('the place where most leave is first, and a share is never above one', () => {
    const places = placesOfLeaving(
      [node('few', { ended: { ...ended, expired: 1 } }), node('old', { visits: 0, ended: { ...ended, expired: 4 } }), node('fine')],
      () => 'ask',
    );
    expect(places).toEqual([
      { nodeId: 'old', left: 4, visits: 0, share: 1 },
      { nodeId: 'few', left: 1, visits: 10, share: 0.1 },
    ]);
  });
});
