import type { Engine } from '@hilo/engine';
import type { Clock, Random } from '@hilo/engine/contract';
import type { DurableStore } from '@hilo/stores';
import type { Vault } from '../secrets/vault.ts';

/** What a workspace is written to and read from. */
export interface WorkspaceParts {
  readonly store: DurableStore;
  readonly engine: Engine;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  /** Told after configuration changed. */
  readonly refresh: () => Promise<void>;
}
