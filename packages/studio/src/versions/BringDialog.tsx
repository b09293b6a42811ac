// Brings what waits in other versions to a published one.
import { useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { changeWords } from '../change/change-words.ts';
import { JobView } from '../change/JobView.tsx';
import { MigrationPlan } from '../change/MigrationPlan.tsx';
import { useMigration } from '../change/use-migration.ts';
import { Dialog } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { usePartWords } from '../words/part.ts';
import { useWords } from '../words/words.tsx';

interface BringDialogProps {
  readonly canvas: CanvasJson;
  readonly version: number;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** @param canvas - that of the version */
export function BringDialog({ canvas, version, onDone, onClose }: BringDialogProps) {
  const say = usePartWords(changeWords);
  const words = useWords();
  const { isBusy, reason, act } = useAct();
  const migrating = useMigration(canvas.id, version);
  const [jobId, setJobId] = useState<string>();
  return (
    <Dialog title={say('plan.title.do', { version })} onClose={onClose} wide>
      {jobId === undefined ? (
        <MigrationPlan migrating={migrating} canvas={canvas} />
      ) : (
        <JobView jobId={jobId} total={migrating.plan?.read ?? migrating.count} onEnded={onDone} />
      )}
      <Refused reason={reason} />
      <p className="buttons">
        <button type="button" onClick={onClose}>
          {words('app.close')}
        </button>
        {jobId === undefined && (
          <button
            type="button"
            className="primary"
            disabled={isBusy || migrating.count === 0}
            onClick={() => act(async () => setJobId(await migrating.ask()))}
          >
            {say('plan.do', { count: migrating.count, version })}
          </button>
        )}
      </p>
    </Dialog>
  );
}
