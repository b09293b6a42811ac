import { useEffect } from 'react';
import { useStudio } from '../studio-context.ts';
import type { EditorStore } from './editor-store.ts';
import type { Saving } from './use-saving.ts';

/** After a save, before the service is asked: typing saves about once a second. */
const idleMs = 600;

/**
 * Asks the service, after each save that is followed by a pause, what is wrong with the draft in its company: other workflows that the same
 * messages begin, references, credentials. What it finds stands beside the findings of the worker.
 */
export function useServiceChecks(store: EditorStore, { actor }: Saving): void {
  const { client, companyId } = useStudio();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isEnded = false;
    const check = async (): Promise<void> => {
      const { canvas } = store.getState().history;
      // Without the service the findings of the last save stay; the next save asks again.
      const problems = await client.validate(companyId, canvas).catch(() => undefined);
      if (problems !== undefined && !isEnded && store.getState().history.canvas === canvas) store.getState().checkedByService(problems);
    };
    let before = actor.getSnapshot().context.revision;
    const { unsubscribe } = actor.subscribe((state) => {
      if (!state.matches('saved') || state.context.revision === before) return;
      before = state.context.revision;
      clearTimeout(timer);
      timer = setTimeout(() => void check(), idleMs);
    });
    return () => {
      isEnded = true;
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store, actor, client, companyId]);
}
