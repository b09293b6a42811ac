import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Canvas } from '../contract/canvas.ts';
import { createStandIn } from './gates.ts';

const id = fc.constantFrom('begin', 'paused', 'paused-', 'told', 'told-', 'other');

it('a stand-in has the starts of the workflow and its channels, and tells one text behind them', () =>
  fc.assert(
    fc.property(
      fc.uniqueArray(id, { minLength: 1 }),
      fc.option(fc.constant(['web' as const, 'whatsapp' as const]), { nil: undefined }),
      (names, channels) => {
        const starts = names.map((name) => ({ id: name, type: 'start', data: { keywords: [name] } }));
        const live = Canvas.parse({
          schemaVersion: 1,
          id: 'w',
          name: 'W',
          settings: { channels, sessionExpiry: 'PT1H' },
          nodes: [...starts, { id: 'rest', type: 'end', data: {} }],
          edges: names.map((source) => ({ source, target: 'rest' })),
        });
        const says = { type: 'text', text: 'Later' };
        const { nodes, edges, settings } = createStandIn(live, new Set(names), says);
        expect(settings.channels).toEqual(channels);
        expect(nodes.slice(0, names.length)).toEqual(live.nodes.slice(0, names.length));
        const [message, end] = nodes.slice(names.length);
        expect([message?.type, message?.data, end?.type, nodes.length]).toEqual(['message', { message: says }, 'end', names.length + 2]);
        expect(new Set(nodes.map((node) => node.id)).size).toBe(nodes.length);
        expect(edges.map(({ source, target }) => [source, target])).toEqual([
          ...names.map((name) => [name, message?.id]),
          [message?.id, end?.id],
        ]);
      },
    ),
  ));
