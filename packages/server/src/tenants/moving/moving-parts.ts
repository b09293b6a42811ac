import type { Clock, Random } from '@hilo/engine/contract';
import type { Call, DurableStore } from '@hilo/stores';
import type { DeriveKey } from '../../platform/secrets/token-keys.ts';
import type { Vault } from '../../platform/secrets/vault.ts';
import type { MoveRecords } from './move-records.ts';
import type { RowMoves } from './move-sql.ts';
import type { MovedTable } from './moved-tables.ts';

/** What the steps of a move work with. */
export interface MovingParts {
  readonly store: Pick<DurableStore, 'runner' | 'durability' | 'canvases' | 'rewrite'>;
  readonly records: MoveRecords;
  readonly rows: RowMoves;
  readonly vault: Pick<Vault, 'open' | 'seal'>;
  /** What seals addresses here: a company that leaves takes it along, so that those that were given away lead to its new place. */
  readonly tokenKeys: DeriveKey;
  /** What the files of companies are authenticated with: see `deriveFileKey`. */
  readonly fileKey: Uint8Array;
  readonly clock: Clock;
  readonly random: Random;
  /** Reads companies again. */
  readonly refresh: () => Promise<void>;
  /** The statements that take a company which is forgotten out of what operators may reach. */
  readonly endGrants: (companyId: string) => Promise<readonly Call[]>;
  /** The tables that move. */
  readonly tables: readonly MovedTable[];
  /** @throws {HttpError} 409 where no company can leave or arrive */
  readonly refuseMoves: () => void;
}
