// Who else has a workflow open, and what is said of it: asked for every few seconds while the page is seen.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Operations } from '../api/operations.ts';
import type { WorkflowLock } from '../api/client.ts';
import { isSame } from '../canvas/merge.ts';
import { useHandler } from '../parts/identity.ts';
import { useStudio } from '../studio-context.ts';

export type AuthorHere = Awaited<ReturnType<Operations['sayAuthorHere']>>['results'][number];
export type Comment = Awaited<ReturnType<Operations['listWorkflowComments']>>['results'][number];

const beatMs = 15_000;
/** A selection that moves on at once is not told. */
const settleMs = 400;

/** An id for this page; `randomUUID` is not there where the service is reached without TLS. */
const newId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The id of this page, the same one after a reload: who was here before it is not somebody else. */
function findTab(): string {
  const key = 'hilo-studio/tab';
  try {
    const id = sessionStorage.getItem(key) ?? newId();
    sessionStorage.setItem(key, id);
    return id;
  } catch {
    return newId(); // the browser keeps nothing for this page
  }
}

export interface Together {
  readonly others: readonly AuthorHere[];
  readonly comments: readonly Comment[];
  /** Reads the comments again. */
  readonly reload: () => Promise<void>;
  /** Keeps the workflow for oneself, or takes whosever lock there is away. */
  readonly setLocked: (isLocked: boolean) => Promise<void>;
}

/**
 * @param nodeId - the node that is looked at here, for the others
 * @param onLock - told who keeps the workflow for themselves, each time that it is known anew
 */
export function useTogether(workflowId: string, nodeId: string | undefined, onLock: (lock: WorkflowLock | null) => void): Together {
  const { client, companyId } = useStudio();
  const [others, setOthers] = useState<readonly AuthorHere[]>([]);
  const [comments, setComments] = useState<readonly Comment[]>([]);
  const tab = useRef<string>(undefined);
  tab.current ??= findTab();
  const tellLock = useHandler(onLock);
  const locking = useRef(0);
  const reload = useCallback(async (): Promise<void> => {
    const { listWorkflowComments } = await client.operations();
    const { results } = await listWorkflowComments({ path: { workflowId }, query: { companyId } });
    setComments((before) => (isSame(before, results) ? before : results));
  }, [client, companyId, workflowId]);

  useEffect(() => {
    const path = { workflowId, tab: tab.current ?? '' };
    const beat = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return;
      const { sayAuthorHere } = await client.operations();
      const asked = locking.current;
      const { results, lock } = await sayAuthorHere({ path, query: { companyId }, body: { nodeId: nodeId ?? null } });
      if (asked === locking.current) tellLock(lock); // what was asked before the lock was changed here says nothing of it
      setOthers((before) => (isSame(before, results) ? before : results));
      await reload();
    };
    // What the service refuses is told by the saving of the draft; the next beat asks again.
    const tell = (): void => void beat().catch(() => undefined);
    const first = setTimeout(tell, settleMs);
    const timer = setInterval(tell, beatMs);
    document.addEventListener('visibilitychange', tell);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tell);
    };
  }, [client, companyId, workflowId, nodeId, reload]);

  useEffect(() => {
    const path = { workflowId, tab: tab.current ?? '' };
    const leave = (): void =>
      void client
        .operations()
        .then(({ sayAuthorGone }) => sayAuthorGone({ path, query: { companyId } }))
        .catch(() => undefined); // who is silent is gone a little later
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [client, companyId, workflowId]);
  const setLocked = useCallback(
    async (isLocked: boolean): Promise<void> => {
      const { lockWorkflow, unlockWorkflow } = await client.operations();
      locking.current += 1;
      const given = { path: { workflowId }, query: { companyId } };
      if (isLocked) return tellLock(await lockWorkflow({ ...given, body: { tab: tab.current ?? '' } }));
      await unlockWorkflow({ ...given, query: { companyId, force: 'true' } });
      tellLock(null);
    },
    [client, companyId, workflowId, tellLock],
  );
  return { others, comments, reload, setLocked };
}
