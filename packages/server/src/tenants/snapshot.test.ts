// What a change of one company costs all of them: every change reads the companies anew.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createVault } from '../platform/secrets/vault.ts';
import { type BotDefaults, credentialSecretId } from './bots.ts';
import { buildSnapshot, type SnapshotRows } from './snapshot.ts';

const vault = createVault(new Uint8Array(32), { bytes: (count) => randomBytes(count) });
const defaults: BotDefaults = () => ({ userIdFormat: 'strict', templateReopensWindow: 'onReply' });
const none: Omit<SnapshotRows, 'credentials' | 'secrets'> = {
  revision: 1,
  companies: [],
  bots: [],
  templates: [],
  reports: [],
  apiKeys: [],
  clients: [],
  subscriptions: [],
  archived: [],
  moves: [],
};

/** Ids that begin alike, in several companies. */
const credential = fc.record({
  companyId: fc.constantFrom('1', '2', '11'),
  id: fc.stringMatching(/^[ab_-]{1,3}$/),
  password: fc.string(),
});

const rowsOf = (credentials: readonly { readonly companyId: string; readonly id: string; readonly password: string }[]): SnapshotRows => ({
  ...none,
  credentials: credentials.map(({ companyId, id }) => ({ companyId, id, kind: 'basic', fields: { username: id } })),
  secrets: credentials.map(({ companyId, id, password }) => {
    const secretId = credentialSecretId(id, 'password');
    return { companyId, secretId, sealed: vault.seal(companyId, secretId, password) };
  }),
});

it('each credential has its own secrets, and no other one is decrypted again when one changes', () =>
  fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(credential, { selector: ({ companyId, id }) => `${companyId} ${id}`, minLength: 1, maxLength: 30 }),
      async (credentials) => {
        const opened: string[] = [];
        const counting: typeof vault = Object.assign(Object.create(vault) as typeof vault, {
          open(companyId: string, secretId: string, sealed: string) {
            opened.push(`${companyId} ${secretId}`);
            return vault.open(companyId, secretId, sealed);
          },
        });
        const rows = rowsOf(credentials);
        const before = await buildSnapshot(rows, counting, defaults);
        for (const { companyId, id, password } of credentials)
          expect(before.credentials.get(companyId)?.get(id)).toEqual({ id, kind: 'basic', username: id, password });
        expect(opened).toHaveLength(credentials.length);
        const [first, ...others] = credentials;
        const changed = rowsOf([{ companyId: '1', id: 'a', password: '', ...first }]).secrets;
        opened.length = 0;
        const after = await buildSnapshot({ ...rows, secrets: [...changed, ...rows.secrets.slice(1)] }, counting, defaults, before);
        expect(opened).toHaveLength(1);
        expect(after.secrets).toHaveLength(credentials.length);
        expect(new Set(after.secrets)).toEqual(new Set([first, ...others].map((one) => one?.password)));
      },
    ),
  ));
