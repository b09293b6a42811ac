import type { Engine } from '@hilo/engine';
import type { Clock, NodeDefinition, Random } from '@hilo/engine/contract';
import type { DurableStore } from '@hilo/stores';
import type { SeenSecrets } from '../../platform/secrets/seen-secrets.ts';
import type { Vault } from '../../platform/secrets/vault.ts';
import type { WorkspaceSchema } from './workspace.ts';

/** What a workspace is written to and read from. */
export interface WorkspaceParts {
  readonly store: DurableStore;
  readonly engine: Engine;
  /** What canvases are made of. */
  readonly nodes: readonly NodeDefinition[];
  /** The effects that there are drivers for. */
  readonly effects: ReadonlySet<string>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  /** Learns of what is kept as a hash alone. */
  readonly seen: Pick<SeenSecrets, 'note'>;
  /** What a workspace looks like here. */
  readonly schema: WorkspaceSchema;
  /** Told after configuration changed. */
  readonly refresh: () => Promise<void>;
}
