import type { TestProject } from 'vitest/node';

/** Prints in the last line of a run how many tests could not be run here, with the reasons that they gave. */
export default function tellSkipped({ vitest }: TestProject): () => void {
  return () => {
    const reasons = vitest.state.getTestModules().flatMap(({ children }) =>
      [...children.allTests('skipped')].flatMap((test) => {
        const { note } = test.result() as { readonly note?: string };
        return note === undefined ? [] : [note];
      }),
    );
    for (const [reason, skipped] of Map.groupBy(reasons, (reason) => reason)) console.log(`${skipped.length} skipped: ${reason}`);
  };
}
