import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanvasJson } from './canvas-json.ts';
import {
  addNode,
  type Command,
  connect,
  copyOf,
  insertOnEdge,
  moveNodes,
  paste,
  remove,
  renamePort,
  setData,
  setField,
} from './commands.ts';
import { type History, historyOf, maxSteps, perform, redo, undo } from './history.ts';

/** Any command, for any canvas. */
const anyCommand: fc.Arbitrary<(canvas: CanvasJson) => Command> = fc
  .record({ what: fc.nat(8), first: fc.nat(), second: fc.nat(), text: fc.string({ maxLength: 5 }) })
  .map(({ what, first, second, text }) => (canvas) => {
    const { nodes } = canvas;
    const idOf = (number: number): string => nodes[number % Math.max(1, nodes.length)]?.id ?? 'gone';
    const from = { nodeId: idOf(first), port: canvas.edges[first % Math.max(1, canvas.edges.length)]?.sourceHandle ?? 'next' };
    const node = { id: `new-${first}-${text.length}-${nodes.length}`, type: 'message', position: { x: 8, y: 16 }, data: {} };
    switch (what) {
      case 0:
        return addNode(node, from);
      case 1:
        return insertOnEdge(node, from, 'sent');
      case 2:
        return moveNodes(new Map([[idOf(first), { x: second % 999, y: first % 999 }]]));
      case 3:
        return remove(new Set([idOf(first)]));
      case 4:
        return connect(from, idOf(second));
      case 5:
        return setData(idOf(first), { text });
      case 6:
        return setField('name', text);
      case 7:
        return paste(canvas, copyOf(canvas, new Set([idOf(first), idOf(second)])), { x: 8, y: 8 }).command;
      default:
        return renamePort(from.nodeId, from.port, text);
    }
  });

const play = (canvas: CanvasJson, commands: readonly ((canvas: CanvasJson) => Command)[]): History =>
  commands.reduce(
    (history, command, index) => perform(history, 'did', command(history.canvas), { atMs: index * 5_000 }),
    historyOf(canvas),
  );

describe('undo and redo', () => {
  it('undoing everything restores the first canvas, redoing everything the last one', () => {
    fc.assert(
      fc.property(arbitraries.canvas(), fc.array(anyCommand, { maxLength: 12 }), (canvas, commands) => {
        const done = play(canvas, commands);
        let history = done;
        for (let step = 0; step < done.past.length; step += 1) history = undo(history);
        expect(history.canvas).toEqual(canvas);
        expect(history.past).toEqual([]);
        for (let step = 0; step < done.past.length; step += 1) history = redo(history);
        expect(history.canvas).toEqual(done.canvas);
        expect(JSON.parse(JSON.stringify(history))).toEqual(JSON.parse(JSON.stringify(done)));
      }),
    );
  });

  it('a step does not touch what it does not change: other nodes keep their identity', () => {
    const canvas: CanvasJson = {
      id: 'a',
      name: 'A',
      nodes: [
        { id: 'one', type: 'end' },
        { id: 'two', type: 'end' },
      ],
      edges: [],
    };
    const { canvas: after, past } = perform(historyOf(canvas), 'Moved', moveNodes(new Map([['two', { x: 8, y: 8 }]])), { atMs: 0 });
    expect(after.nodes[0]).toBe(canvas.nodes[0]);
    expect(past[0]?.changes).toEqual([{ field: 'nodes', runs: [{ at: 1, removed: 1, items: [after.nodes[1]] }] }]);
  });

  it('typing in one field within a second is one step, and a pause begins another', () => {
    const canvas: CanvasJson = { id: 'a', name: 'A', nodes: [{ id: 'one', type: 'note', data: { text: '' } }], edges: [] };
    let history = historyOf(canvas);
    for (const [text, atMs] of [
      ['H', 0],
      ['He', 900],
      ['Hel', 1_900],
      ['Hell', 2_901],
    ] as const)
      history = perform(history, 'Typed', setData('one', { text }), { key: 'one/text', atMs });
    expect(history.past).toHaveLength(2);
    expect(undo(history).canvas.nodes[0]?.data).toEqual({ text: 'Hel' });
    expect(undo(undo(history)).canvas).toEqual(canvas);
  });

  it('keeps 200 steps', () => {
    const canvas: CanvasJson = { id: 'a', name: '0', nodes: [], edges: [] };
    for (const steps of [maxSteps - 1, maxSteps, maxSteps + 1]) {
      let history = historyOf(canvas);
      for (let step = 1; step <= steps; step += 1) history = perform(history, 'Named', setField('name', `${step}`), { atMs: step * 2_000 });
      while (history.past.length > 0) history = undo(history);
      expect(history.future).toHaveLength(Math.min(steps, maxSteps));
      expect(history.canvas.name).toBe(`${Math.max(0, steps - maxSteps)}`);
    }
  });
});

describe('commands', () => {
  it('one edge a port: drawing a second replaces the first', () => {
    const canvas: CanvasJson = { id: 'a', name: 'A', nodes: ['s', 'x', 'y'].map((id) => ({ id, type: 'end' })), edges: [] };
    const drawn = connect({ nodeId: 's', port: 'next' }, 'y')(connect({ nodeId: 's', port: 'next' }, 'x')(canvas));
    expect(drawn.edges).toEqual([{ source: 's', sourceHandle: 'next', target: 'y' }]);
  });

  it('pasting renames, keeps edges among copied nodes, and loses no field', () => {
    fc.assert(
      fc.property(arbitraries.canvas(), (canvas) => {
        const copied = copyOf(canvas, new Set(canvas.nodes.map(({ id }) => id)));
        const { command, ids } = paste(canvas, copied, { x: 40, y: 40 });
        const pasted = command(canvas);
        expect(new Set(pasted.nodes.map(({ id }) => id)).size).toBe(canvas.nodes.length * 2);
        expect(pasted.edges).toHaveLength(canvas.edges.length * 2);
        for (const [index, id] of ids.entries()) {
          expect(pasted.nodes.find((node) => node.id === id)?.data).toEqual(canvas.nodes[index]?.data);
        }
      }),
      { numRuns: 30 },
    );
  });
});
