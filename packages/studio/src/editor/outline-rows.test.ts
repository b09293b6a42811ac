import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import catalogueJson from '@hilo/nodes/catalogue.json' with { type: 'json' };
import type { CatalogueEntry } from '../canvas/canvas-json.ts';
import { flowOf } from '../canvas/flow.ts';
import { outlineRows, rowOf } from './outline-rows.ts';

const catalogue = new Map((catalogueJson as unknown as CatalogueEntry[]).map((entry) => [entry.type, entry]));
const flows = arbitraries.canvas().map((canvas) => flowOf(canvas, { catalogue, described: new Map() }));

describe('the outline of a canvas', () => {
  it('lists each node once with its ports, and each required and each connected port once', () => {
    fc.assert(
      fc.property(flows, (flow) => {
        const rows = outlineRows(flow);
        const listed = rows.flatMap(({ isAgain, nodeId }) => (isAgain || nodeId === undefined ? [] : [nodeId]));
        expect(listed.toSorted()).toEqual(flow.cards.map(({ id }) => id).toSorted());
        const ports = rows.flatMap(({ from, nodeId }) => (from === undefined ? [] : [`${from.nodeId} ${from.port.name} ${nodeId}`]));
        expect(ports.toSorted()).toEqual(
          flow.cards
            .flatMap(({ id, ports: all }) =>
              all.flatMap(({ name, target, isRequired }) => (isRequired || target !== undefined ? [`${id} ${name} ${target}`] : [])),
            )
            .toSorted(),
        );
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      }),
      { numRuns: 50 },
    );
  });

  it('has the ports of a node below it, one deeper; open optional ones next to it, and of the current node alone', () => {
    fc.assert(
      fc.property(flows, fc.nat(), (flow, pick) => {
        const current = flow.cards[pick % flow.cards.length]!;
        const rows = outlineRows(flow, current.id);
        const at = rows.indexOf(rowOf(rows, current.id)!);
        const open = current.ports.filter(({ isRequired, target }) => !isRequired && target === undefined);
        expect(rows.slice(at + 1, at + 1 + open.length).map(({ from, nodeId }) => [from?.nodeId, from?.port.name, nodeId])).toEqual(
          open.map(({ name }) => [current.id, name, undefined]),
        );
        expect(rows.length).toBe(outlineRows(flow).length + open.length);
        const depths = rows.flatMap(({ from, depth }) => (from === undefined ? [] : [[depth, rowOf(rows, from.nodeId)!.depth + 1]]));
        expect(depths.filter(([depth, wanted]) => depth !== wanted)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
