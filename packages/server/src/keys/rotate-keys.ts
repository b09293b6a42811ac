// Another master key while the service runs: both keys are read until every secret is encrypted with the new one. A rotation that was cut
// off, also by `kill -9`, is completed by the next one: at each moment the keys that are needed are in the file, or in the settings.
import { rename, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '@hilo/engine/contract';
import { call, type DurableStore, type ItemOf } from '@hilo/stores';
import { growRevision } from '../platform/database/revision.ts';
import { ofCompany } from '../platform/database/schema.ts';
import { HttpError } from '../platform/http/errors.ts';
import { makeKeyText, parseKey } from '../platform/secrets/secret-file.ts';
import { type DeriveKey, keepTokenKeys } from '../platform/secrets/token-keys.ts';
import type { Vault } from '../platform/secrets/vault.ts';
import { secrets } from '../platform/tables/companies.ts';

/** The result of a rotation. */
export interface Rotated {
  /** Identifies the key that is used from now on, without revealing it. */
  readonly keyId: string;
  /** How many secrets were encrypted with it that were not. */
  readonly reencrypted: number;
}

/** Rotates the master key. */
export interface KeyRotation {
  /** @throws {HttpError} 409 where there is no key to rotate to, or where a runtime keeps what is sealed */
  rotate(): Promise<Rotated>;
}

interface RotationParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly vault: Vault;
  /** What seals tokens, which outlive the key that they were derived of. */
  readonly tokenKeys: DeriveKey;
  readonly random: Random;
  readonly settings: {
    readonly data: string;
    readonly secretKey?: string | undefined;
    readonly secretKeyBefore?: string | undefined;
  };
  /** Keeps entries of lanes that are sealed with a key of this one. */
  readonly keeper: string | undefined;
  readonly refresh: () => Promise<void>;
}

/** Secrets of one transaction. */
const batch = 100;

/** Rotates one after the other. */
export function createKeyRotation({ store: { runner }, vault, tokenKeys, random, settings, keeper, refresh }: RotationParts): KeyRotation {
  let last: Promise<unknown> = Promise.resolve();
  const file = join(settings.data, 'secret.key');

  /** Makes a new key the first of the file, unless an earlier rotation has. */
  const prepareFile = async (): Promise<void> => {
    if (vault.keyIds.length > 1) return;
    const text = makeKeyText(random);
    const [before] = await readLines(file);
    await replaceFile(file, `${text}\n${before}\n`, random);
    vault.renew(parseKey(text, file));
  };
  const rotate = async (): Promise<Rotated> => {
    if (keeper !== undefined)
      throw refused(`The runtime ${keeper} keeps entries that are sealed with the key: it cannot be rotated with it`);
    if (settings.secretKey === undefined) await prepareFile();
    else if (settings.secretKeyBefore === undefined)
      throw refused(
        'The key is HILO_SECRET_KEY: set that to a new one (openssl rand -base64 32), HILO_SECRET_KEY_BEFORE to the one until now, start every process again with both, and rotate then',
      );
    await runner.write(keepTokenKeys(tokenKeys, vault));
    const reencrypted = await reencryptAll(runner, vault);
    if (settings.secretKey === undefined) {
      const [current] = await readLines(file);
      await replaceFile(file, `${current}\n`, random);
    }
    vault.forgetBefore();
    await refresh();
    return { keyId: vault.keyId, reencrypted };
  };
  return {
    rotate() {
      const next = last.then(rotate, rotate);
      last = next.catch(() => undefined);
      return next;
    },
  };
}

const refused = (message: string): HttpError => new HttpError(409, 'KEY_NOT_ROTATED', message);

type Secret = ItemOf<typeof secrets.columns>;

const updateSealed = ofCompany<{ readonly secretId: string; readonly before: string; readonly sealed: string }>()(
  (company, { secretId, before, sealed }) =>
    company.updateTable('secrets').set({ sealed }).where('secret_id', '=', secretId).where('sealed', '=', before).returning('secret_id'),
);

/** Encrypts what an earlier key has encrypted, until there is none: an import of another process may bring more meanwhile. */
async function reencryptAll(runner: DurableStore['runner'], vault: Vault): Promise<number> {
  for (let count = 0; ; ) {
    const old = (await runner.read(secrets.allOfEveryCompany())).filter(({ sealed }) => !vault.isCurrent(sealed));
    if (old.length === 0) return count;
    for (let from = 0; from < old.length; from += batch) count += await reencrypt(runner, vault, old.slice(from, from + batch));
  }
}

/** One that was changed meanwhile is left as it is. */
async function reencrypt(runner: DurableStore['runner'], vault: Vault, old: readonly Secret[]): Promise<number> {
  const updates = old.map(({ companyId, secretId, sealed: before }) => {
    const row = secrets.toRow({ companyId, secretId, sealed: before });
    const sealed = vault.seal(companyId, secretId, vault.open(companyId, secretId, before));
    return call(updateSealed, { companyId: String(row['company_id']), secretId, before, sealed });
  });
  const written = await runner.write([...updates, growRevision()]);
  return updates.reduce((sum, update) => sum + written.rowsOf(update).length, 0);
}

async function readLines(path: string): Promise<readonly [string, ...string[]]> {
  const handle = await open(path, 'r');
  try {
    const [first = '', ...others] = (await handle.readFile('utf8')).split('\n').filter((line) => line.trim() !== '');
    return [first, ...others];
  } finally {
    await handle.close();
  }
}

/** Replaces a file at once: whoever reads it finds the one or the other text, also after a loss of power. */
async function replaceFile(path: string, text: string, random: Random): Promise<void> {
  const draft = `${path}.${Buffer.from(random.bytes(8)).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
  const folder = await open(join(path, '..'), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
