import { useEffect, useMemo, useRef, useState } from 'react';
import { type Actor, createActor, fromPromise, type SnapshotFrom } from 'xstate';
import type { Draft } from '../api/client.ts';
import { savingMachine, type SaveOutcome, type SaveRequest } from '../saving/saving-machine.ts';
import { forgetCopy, keepCopy, type OfflineCopy } from '../saving/offline-copy.ts';
import { useStudio } from '../studio-context.ts';
import type { EditorStore } from './editor-store.ts';

/** Whether the service cannot have the draft now, so that only this browser does. */
const isHeldBack = (state: SnapshotFrom<typeof savingMachine>): boolean =>
  (['offline', 'signedOut', 'refused', 'conflict', 'removed'] as const).some((one) => state.matches(one));

const copyOf = ({ canvas, base, revision }: OfflineCopy): OfflineCopy => ({ canvas, base, revision });

export interface Saving {
  readonly actor: Actor<typeof savingMachine>;
  readonly snapshot: SnapshotFrom<typeof savingMachine>;
  /** Saves now, and resolves once the service has the draft; `false` where it could not be saved. */
  settled(): Promise<boolean>;
}

/**
 * Saves the draft of an editor continuously; unsaved edits are kept in this browser until they can be saved.
 *
 * @param copy - unsaved edits of an earlier visit: continues from the draft on which they were based
 */
export function useSaving(store: EditorStore, draft: Draft, copy: OfflineCopy | undefined): Saving {
  const { client, companyId } = useStudio();
  const actor = useMemo(() => {
    const save = fromPromise<SaveOutcome, SaveRequest>(({ input }) => client.save(companyId, input.canvas, input.revision));
    return createActor(savingMachine.provide({ actors: { save } }), {
      input: copy === undefined ? { canvas: draft.canvas, revision: draft.revision } : { canvas: copy.base, revision: copy.revision },
    });
  }, [store]);
  const [snapshot, setSnapshot] = useState(() => actor.getSnapshot());

  const ending = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(ending.current);
    actor.start();
    const { unsubscribe } = actor.subscribe((state) => {
      setSnapshot(state);
      if (state.matches('saved')) void forgetCopy(companyId, draft.canvas.id);
      else if (isHeldBack(state)) void keepCopy(companyId, draft.canvas.id, copyOf(state.context));
    });
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
      // React's strict mode unmounts and remounts a component at once: only a lasting unmount ends its saving.
      ending.current = setTimeout(() => {
        if (actor.getSnapshot().matches('unsaved')) actor.send({ type: 'save' });
        // A save in flight is awaited: it has the last edit.
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
