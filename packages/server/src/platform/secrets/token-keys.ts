// What seals the tokens of addresses, and makes handles: derived of the master key, and kept when that is rotated. An address that was given
// to somebody lasts as long as it says, and an execution that is replayed writes the same one again.
import { hkdfSync } from 'node:crypto';
import { parseJsonText } from '@hilo/engine/contract';
import type { Call, DurableStore } from '@hilo/stores';
import { z } from 'zod';
import { secrets } from '../tables/companies.ts';
import type { Vault } from './vault.ts';

/** The key of a use: the same for the same. */
export type DeriveKey = (use: TokenUse) => Uint8Array;

/** All uses, as they are part of what is derived. */
const uses = [
  'hilo addresses of files',
  'hilo nonces of files',
  'hilo addresses of callbacks',
  'hilo nonces of callbacks',
  'hilo handles of files',
] as const;
export type TokenUse = (typeof uses)[number];

/** @param masterKey - 32 bytes */
export const derivesFrom =
  (masterKey: Uint8Array): DeriveKey =>
  (use) =>
    new Uint8Array(hkdfSync('sha256', masterKey, '', use, 32));

/** Beside the secrets of companies: it is encrypted as they are, and again with each rotation. Those of the service are of no company. */
const placeOf = (companyId: string) => ({ companyId, secretId: tokenKeysId });
export const tokenKeysId = 'token keys';
const Kept = z.record(z.enum(uses), z.base64());

/** The keys of a text that was kept. */
export function readTokenKeys(text: string): DeriveKey {
  const kept = Kept.parse(parseJsonText(text));
  return (use) => Buffer.from(kept[use], 'base64');
}

/**
 * The keys of companies that came from another service, whose addresses were given away there: by company, those of one service once.
 * Everything of theirs is sealed with them here as well.
 */
export type BroughtKeys = () => ReadonlyMap<string, DeriveKey>;
export const nothingBrought: BroughtKeys = () => new Map();

/**
 * Reads the keys that were kept.
 *
 * @param keys - those of the settings, the current one first; the last of them has made the tokens of before a rotation
 */
export async function openTokenKeys(
  { runner }: Pick<DurableStore, 'runner'>,
  vault: Pick<Vault, 'open'>,
  keys: readonly [Uint8Array, ...Uint8Array[]],
): Promise<DeriveKey> {
  const place = placeOf('');
  const row = await runner.readOne(secrets.find(place));
  if (row === undefined) return derivesFrom(keys.at(-1) ?? keys[0]);
  return readTokenKeys(vault.open(place.companyId, place.secretId, row.sealed));
}

/**
 * The statements that keep the keys where they are not kept yet: for after a rotation.
 *
 * @param companyId - a company that leaves, and takes them along
 */
export function keepTokenKeys(derive: DeriveKey, vault: Pick<Vault, 'seal'>, companyId = ''): readonly Call[] {
  const place = placeOf(companyId);
  const text = JSON.stringify(Object.fromEntries(uses.map((use) => [use, Buffer.from(derive(use)).toString('base64')])));
  return secrets.insertMissing([{ ...place, sealed: vault.seal(place.companyId, place.secretId, text) }]);
}
