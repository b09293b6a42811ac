import { useEffect, useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { countChanges } from '../canvas/diff.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import type { EngineClient } from '../worker/engine-client.ts';

/** The version that runs, and how much of the draft differs from it. */
export interface LiveVersion {
  readonly version: number;
  /** `undefined` until it is known. */
  readonly changes: number | undefined;
}

const quietMs = 500;

/** Counts the differences between the draft and the live version, after a delay. @param version - `null`: none was published */
export function useLiveVersion(canvas: CanvasJson, version: number | null, engine: EngineClient): LiveVersion | undefined {
  const { client, companyId } = useStudio();
  const [changes, setChanges] = useState<number>();
  const { value: live } = useLoaded(`live/${canvas.id}/${version}`, async () =>
    version === null ? undefined : client.version(companyId, canvas.id, version),
  );
  useEffect(() => {
    if (live === undefined) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      engine.diff(live, canvas).then(
        (diff) => isCurrent && setChanges(countChanges(diff)),
        () => isCurrent && setChanges(undefined), // a draft that cannot be read has no difference to be counted
      );
    }, quietMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [live, canvas, engine]);
  return version === null ? undefined : { version, changes };
}
