import { useState } from 'react';
import type { Draft } from '../api/client.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useStudio } from '../studio-context.ts';
import { useReason } from '../words/reason.ts';
import { useWords } from '../words/words.tsx';

/** What is done with a published version, by its number. */
export interface VersionActs {
  copy(version: number): void;
  listExecutions(version: number): void;
  publishAgain(version: number): void;
  /** Asks how executions of other versions come to this one. */
  bring(version: number): void;
  /** Makes it the draft. */
  restore(version: number): void;
}

/** @returns the acts, why the last one failed, and the version that executions are to be brought to */
export function useVersionActs(workflowId: string, draft: Draft | undefined, onPublished: () => void) {
  const { client, companyId, go } = useStudio();
  const say = useWords();
  const reasonOf = useReason();
  const [reason, setReason] = useState<string>();
  const [bringing, setBringing] = useState<{ readonly canvas: CanvasJson; readonly version: number }>();
  const canvasOf = (version: number) => client.version(companyId, workflowId, version);
  const told =
    (act: (version: number) => Promise<void>) =>
    (version: number): void =>
      void act(version).catch((failed: unknown) => setReason(reasonOf(failed)));
  const acts: VersionActs = {
    copy: told(async (version) => navigator.clipboard.writeText(JSON.stringify(await canvasOf(version), null, 2))),
    listExecutions: (version) => go({ screen: 'executions', workflowId, version: String(version) }),
    publishAgain: told(async (version) => {
      const { publishVersionAgain } = await client.operations();
      await publishVersionAgain({ path: { workflowId, version: String(version) }, query: { companyId } });
      onPublished();
    }),
    bring: told(async (version) => setBringing({ version, canvas: await canvasOf(version) })),
    restore: told(async (version) => {
      if (draft === undefined) return;
      const saved = await client.save(companyId, await canvasOf(version), draft.revision);
      if (saved.kind === 'saved') go({ screen: 'editor', workflowId });
      else setReason(say('app.failed', { reason: saved.kind === 'refused' ? reasonOf(saved.error) : saved.kind }));
    }),
  };
  return { acts, reason, bringing, stopBringing: () => setBringing(undefined) };
}
