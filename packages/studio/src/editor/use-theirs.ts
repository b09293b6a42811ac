// What others save of a draft while it is open here: it is taken over as it comes, where nothing of one's own waits to be saved.
import { useEffect } from 'react';
import { isRecord } from '../canvas/canvas-json.ts';
import { mergeCanvases } from '../canvas/merge.ts';
import { useHandler } from '../parts/identity.ts';
import { useActorName } from '../parts/shown-name.ts';
import { useStudio } from '../studio-context.ts';
import { useWords } from '../words/words.tsx';
import type { EditorStore } from './editor-store.ts';
import type { Saving } from './use-saving.ts';

/**
 * Follows the draft while the page is seen. An author who is in the middle of an edit is not disturbed: the edit is merged when it is saved.
 *
 * @param onTaken - told what has changed
 */
export function useTheirs(store: EditorStore, saving: Saving, onTaken: (text: string) => void): void {
  const { client, companyId } = useStudio();
  const say = useWords();
  const actorName = useActorName();
  const workflowId = store.getState().history.canvas.id;
  const read = useHandler(async (savedBy: unknown): Promise<void> => {
    const isReady = (): boolean => saving.actor.getSnapshot().matches('saved');
    if (!isReady()) return;
    const theirs = await client.draft(companyId, workflowId);
    const { revision } = saving.actor.getSnapshot().context;
    if (!isReady() || theirs.revision === undefined || revision === undefined || theirs.revision <= revision) return;
    const { history, replace } = store.getState();
    const { taken } = mergeCanvases(history.canvas, history.canvas, theirs.canvas);
    saving.actor.send({ type: 'theirs', canvas: theirs.canvas, revision: theirs.revision });
    replace(say('step.merged'), theirs.canvas);
    if (taken.length === 0) return; // such as a card that was moved
    onTaken(say('conflict.taken', { count: taken.length, who: typeof savedBy === 'string' ? actorName(savedBy) : say('conflict.other') }));
  });
  useEffect(() => {
    let stop: AbortController | undefined;
    let isFirst = true;
    // A browser has few streams to one service for all of its tabs: those that nobody sees have none.
    const follow = (): void => {
      stop?.abort();
      stop = undefined;
      if (document.visibilityState !== 'visible') return;
      const own = new AbortController();
      stop = own;
      void client.watch(
        companyId,
        { workflowId },
        {
          signal: own.signal,
          onEvent(name, data) {
            // The draft was read a moment before the first stream; between two of them somebody may have saved.
            const isNews = name === 'draft.saved' || (name === 'open' && !isFirst);
            if (name === 'open') isFirst = false;
            if (isNews) read(isRecord(data) ? data['savedBy'] : undefined).catch(() => undefined); // saving says what the service refuses
          },
        },
      );
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      stop?.abort();
      document.removeEventListener('visibilitychange', follow);
    };
  }, [client, companyId, workflowId]);
}
