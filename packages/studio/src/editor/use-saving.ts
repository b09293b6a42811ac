import { useEffect, useMemo, useRef, useState } from 'react';
import { type Actor, createActor, fromPromise, type SnapshotFrom } from 'xstate';
import type { Draft } from '../api/client.ts';
import { savingMachine, type SaveOutcome, type SaveRequest } from '../saving/saving-machine.ts';
import { useStudio } from '../studio-context.ts';
import type { EditorStore } from './editor-store.ts';

export interface Saving {
  readonly actor: Actor<typeof savingMachine>;
  readonly snapshot: SnapshotFrom<typeof savingMachine>;
  /** Saves now, and resolves once the service has the draft; `false` where it could not be saved. */
  settled(): Promise<boolean>;
}

/** Saves the draft of an editor as its author works. */
export function useSaving(store: EditorStore, draft: Draft): Saving {
  const { client, companyId } = useStudio();
  const actor = useMemo(() => {
    const save = fromPromise<SaveOutcome, SaveRequest>(({ input }) => client.save(companyId, input.canvas, input.revision));
    return createActor(savingMachine.provide({ actors: { save } }), { input: { canvas: draft.canvas, revision: draft.revision } });
  }, [store]);
  const [snapshot, setSnapshot] = useState(() => actor.getSnapshot());

  const ending = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(ending.current);
    actor.start();
    const { unsubscribe } = actor.subscribe(setSnapshot);
    const { canvas } = store.getState().history;
    if (canvas !== draft.canvas) actor.send({ type: 'edited', canvas }); // from before a reload
    const stop = store.subscribe(({ history }, before) => {
      if (history.canvas !== before.history.canvas) actor.send({ type: 'edited', canvas: history.canvas });
    });
    const leaving = (event: BeforeUnloadEvent): void => {
      if (actor.getSnapshot().matches('saved')) return;
      actor.send({ type: 'save' });
      event.preventDefault();
    };
    const online = (): void => actor.send({ type: 'save' });
    addEventListener('beforeunload', leaving);
    addEventListener('online', online);
    return () => {
      removeEventListener('beforeunload', leaving);
      removeEventListener('online', online);
      stop();
      unsubscribe();
      // React's strict mode takes a component away and puts it back at once: only one that stays away ends its saving.
      ending.current = setTimeout(() => {
        if (actor.getSnapshot().matches('unsaved')) actor.send({ type: 'save' });
        // A save that is on its way is heard out: it carries the last edit.
        if (!actor.getSnapshot().matches('saving')) {
          actor.stop();
          return;
        }
        actor.subscribe((state) => {
          if (!state.matches('saving')) actor.stop();
        });
      });
    };
  }, [actor, store]);

  const settled = (): Promise<boolean> => {
    actor.send({ type: 'save' });
    return new Promise((resolve) => {
      const settle = (state: SnapshotFrom<typeof savingMachine>): boolean => {
        if (state.matches('saving') || state.matches('unsaved')) return false;
        resolve(state.matches('saved'));
        return true;
      };
      if (settle(actor.getSnapshot())) return;
      const { unsubscribe } = actor.subscribe((state) => {
        if (state.matches('unsaved')) actor.send({ type: 'save' });
        if (settle(state)) unsubscribe();
      });
    });
  };
  return { actor, snapshot, settled };
}
