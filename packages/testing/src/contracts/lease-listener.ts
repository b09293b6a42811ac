import type { LeaseListener } from '@hilo/engine/contract';

/** What a member was told, in order: `free a`, `queued a`, `orphans`, `lost`. */
export interface RecordedListener extends LeaseListener {
  readonly told: readonly string[];
  /** Resolves when it is told this, or was since it was last waited for. */
  until(notice: string): Promise<void>;
}

export function recordedListener(): RecordedListener {
  const told: string[] = [];
  const unheard: string[] = [];
  let waiting: { readonly notice: string; readonly resolve: () => void }[] = [];

  const hear = (notice: string): void => {
    told.push(notice);
    const heard = waiting.filter((one) => one.notice === notice);
    waiting = waiting.filter((one) => one.notice !== notice);
    if (heard.length === 0) unheard.push(notice);
    for (const { resolve } of heard) resolve();
  };

  return {
    told,
    until(notice) {
      const index = unheard.indexOf(notice);
      if (index !== -1) {
        unheard.splice(0, index + 1);
        return Promise.resolve();
      }
      return new Promise((resolve) => void waiting.push({ notice, resolve }));
    },
    onFree: (lane) => hear(`free ${lane}`),
    onQueued: (lane) => hear(`queued ${lane}`),
    onOrphans: () => hear('orphans'),
    onLost: () => hear('lost'),
  };
}
