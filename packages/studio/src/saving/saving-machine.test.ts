import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createActor, fromPromise, SimulatedClock } from 'xstate';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { savingMachine, type SaveOutcome, type SaveRequest } from './saving-machine.ts';

const canvas = (name: string): CanvasJson => ({ id: 'a', name, nodes: [], edges: [] });

/** An author, with a service whose responses the test controls. */
function author() {
  const clock = new SimulatedClock();
  const requests: SaveRequest[] = [];
  const answers: ((outcome: SaveOutcome) => void)[] = [];
  const save = fromPromise<SaveOutcome, SaveRequest>(({ input }) => {
    requests.push(input);
    return new Promise((resolve) => void answers.push(resolve));
  });
  const actor = createActor(savingMachine.provide({ actors: { save } }), { clock, input: { canvas: canvas('0'), revision: 1 } }).start();
  return {
    actor,
    clock,
    requests,
    state: () => actor.getSnapshot().value,
    edit: (name: string) => actor.send({ type: 'edited', canvas: canvas(name) }),
    async answer(outcome: SaveOutcome) {
      answers.shift()?.(outcome);
      await new Promise((resolve) => setImmediate(resolve));
    },
    open: () => answers.length,
  };
}

describe('saving', () => {
  it('saves 800 ms after the last edit, with the last known revision', async () => {
    const { clock, requests, state, edit, answer } = author();
    edit('1');
    clock.increment(799);
    edit('2');
    clock.increment(799);
    expect([state(), requests]).toEqual(['unsaved', []]);
    clock.increment(1);
    expect([state(), requests]).toEqual(['saving', [{ canvas: canvas('2'), revision: 1 }]]);
    await answer({ kind: 'saved', revision: 2 });
    expect(state()).toBe('saved');
  });

  it('an edit while it saves is saved after it, over the new revision', async () => {
    const { actor, clock, requests, state, edit, answer } = author();
    edit('1');
    actor.send({ type: 'save' });
    edit('2');
    await answer({ kind: 'saved', revision: 2 });
    expect(state()).toBe('unsaved');
    clock.increment(800);
    expect(requests.at(-1)).toEqual({ canvas: canvas('2'), revision: 2 });
    await answer({ kind: 'saved', revision: 3 });
    expect(state()).toBe('saved');
  });

  it('takes over what somebody else saved, which is no edit, and saves the next one over it; not while something is unsaved', async () => {
    const { actor, clock, requests, state, edit } = author();
    const theirs = canvas('theirs');
    actor.send({ type: 'theirs', canvas: theirs, revision: 5 });
    actor.send({ type: 'edited', canvas: theirs });
    expect([state(), actor.getSnapshot().context.base]).toEqual(['saved', theirs]);
    edit('mine');
    actor.send({ type: 'theirs', canvas: canvas('later'), revision: 6 });
    clock.increment(800);
    expect(requests).toEqual([{ canvas: canvas('mine'), revision: 5 }]);
  });

  it('a conflict waits for the merge, keeps later edits, and continues from their revision', async () => {
    const { actor, requests, state, edit, answer } = author();
    edit('mine');
    actor.send({ type: 'save' });
    await answer({ kind: 'conflict', draft: canvas('theirs'), revision: 7 });
    expect(state()).toBe('conflict');
    edit('mine, later');
    expect(actor.getSnapshot().context.canvas.name).toBe('mine, later');
    expect(actor.getSnapshot().context.base.name).toBe('0');
    actor.send({ type: 'merged', canvas: canvas('both') });
    expect(requests.at(-1)).toEqual({ canvas: canvas('both'), revision: 7 });
    expect(actor.getSnapshot().context.base.name).toBe('theirs');
  });

  it.each([
    ['offline', { kind: 'offline' }],
    ['signedOut', { kind: 'signedOut' }],
    ['refused', { kind: 'refused', error: new Error('The canvas is larger than 1 MB') }],
  ] as const)('%s keeps the edits and saves them later', async (name, outcome) => {
    const { actor, clock, requests, state, edit, answer } = author();
    edit('1');
    actor.send({ type: 'save' });
    await answer(outcome);
    expect(state()).toBe(name);
    edit('2');
    if (name === 'offline') clock.increment(2_000);
    else actor.send(name === 'signedOut' ? { type: 'signedIn' } : { type: 'save' });
    expect(requests.at(-1)).toEqual({ canvas: canvas('2'), revision: 1 });
    await answer({ kind: 'saved', revision: 2 });
    expect(state()).toBe('saved');
  });

  it('a workflow that somebody removed is made anew only when its author says so', async () => {
    const { actor, requests, state, edit, answer } = author();
    edit('1');
    actor.send({ type: 'save' });
    await answer({ kind: 'removed' });
    expect(state()).toBe('removed');
    edit('2');
    actor.send({ type: 'save' });
    expect([state(), requests.length]).toEqual(['removed', 1]);
    actor.send({ type: 'anew' });
    expect(requests.at(-1)).toEqual({ canvas: canvas('2'), revision: 0 });
    await answer({ kind: 'saved', revision: 1 });
    expect(state()).toBe('saved');
  });

  it('for any events, `saved` means that the service has the newest canvas', async () => {
    const outcome = fc.constantFrom<SaveOutcome>(
      { kind: 'saved', revision: 2 },
      { kind: 'offline' },
      { kind: 'signedOut' },
      { kind: 'refused', error: new Error('') },
      { kind: 'removed' },
      { kind: 'conflict', draft: canvas('theirs'), revision: 9 },
    );
    const move = fc.oneof(
      fc.constantFrom('edit', 'save', 'wait', 'signedIn', 'merged', 'anew').map((what) => ({ what, outcome: undefined })),
      outcome.map((given) => ({ what: 'answer', outcome: given })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 30 }), async (moves) => {
        const { actor, clock, requests, state, edit, answer, open } = author();
        let kept = '0';
        let newest = '0';
        for (const [index, { what, outcome: given }] of moves.entries()) {
          if (what === 'edit' || what === 'merged') {
            if (what === 'merged' && state() !== 'conflict') continue;
            newest = `${index}`;
            if (what === 'edit') edit(newest);
            else actor.send({ type: 'merged', canvas: canvas(newest) });
          } else if (what === 'wait') clock.increment(60_000);
          else if (given !== undefined) {
            if (open() > 0 && given.kind === 'saved') kept = requests.at(-1)!.canvas.name;
            await answer(given);
          } else actor.send({ type: what === 'save' || what === 'anew' ? what : 'signedIn' });
          expect(state() !== 'saved' || kept === newest).toBe(true);
        }
        expect(actor.getSnapshot().status).toBe('active');
      }),
      { numRuns: 60 },
    );
  });
});
