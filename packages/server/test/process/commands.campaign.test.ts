import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { inlineExample } from '../data/inline-example.ts';
import { hiloHere } from '../../../cli/test/hilo-in-process.ts';
import { accepted, callerOf } from './caller.ts';
import { emptyDirectory } from '../service-process.ts';
import { describeOverEachStore, describeOverPostgres } from './place.ts';

const order = { user: { id: '5215512345678' }, number: 'F-7', amount: '120' };

describeOverPostgres('a command', (open) => {
  it('imports and exports without a service, and reaches a running one by its data directory alone', {
    timeout: 300_000,
  }, async () => {
    const workspace = await inlineExample();
    using place = await open(workspace);
    const file = join(place.directory, 'example.json');
    writeFileSync(file, JSON.stringify(workspace));
    const data = ['--data', place.directory];
    const at = [...data, '--database-url', String(place.databaseUrl)];

    const imported = await hiloHere(['import', file, ...at]);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(imported.stdout).toContain('2 companies (2 new or different)');
    expect((await hiloHere(['import', file, ...at])).stdout).toContain('is imported already: nothing changed');
    expect(JSON.parse((await hiloHere(['export', ...at])).stdout)).toMatchObject({ companies: [{ id: 1 }, { id: 2 }] });
    const alone = await hiloHere(['executions', 'list', ...data]);
    expect(alone.stderr).toMatch(/^hilo: There is no store in /);

    await using service = await place.start();
    const caller = callerOf(service.url);
    const { executionId } = accepted(await caller.hook('payment-reminder/whatsapp/wh1', order));
    await caller.settled(executionId);
    for (const reach of [data, at]) {
      const listed = await hiloHere(['executions', 'list', '--company', '1', ...reach, '--json']);
      expect(listed).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(listed.stdout)).toMatchObject({ results: [{ executionId, status: 'waiting' }], nextCursor: null });
    }
    const elsewhere = ['--database-url', String(place.databaseUrl).replace(/[^/]+$/, 'postgres')];
    expect(JSON.parse((await hiloHere(['import', file, ...data, ...elsewhere, '--json'])).stdout)).toMatchObject({
      counts: { companies: { given: 2, written: 2 } }, // not the service’s own
    });
    expect((await hiloHere(['tokens', 'revoke', 'rt_1', ...data])).stdout).toBe('✔ rt_1 is revoked\n');
    expect((await hiloHere(['executions', 'cancel', executionId, ...data])).stdout).toBe(`✔ ${executionId} is cancelled\n`);

    // From another machine it asks the service by the database, and takes no part itself.
    const again = accepted(await caller.hook('payment-reminder/whatsapp/wh1', order));
    await caller.settled(again.executionId);
    await using db = Object.assign(new pg.Client({ connectionString: place.databaseUrl }), {
      async [Symbol.asyncDispose]() {
        await db.end();
      },
    });
    await db.connect();
    const sharing = async (): Promise<string> => {
      const { rows } = await db.query('select owner, max(epoch), (select max(id) from hilo.members) from hilo.partitions group by owner');
      return JSON.stringify(rows);
    };
    const before = await sharing();
    using other = emptyDirectory();
    copyFileSync(join(place.directory, 'secret.key'), join(other.path, 'secret.key'));
    const afar = await hiloHere([
      'executions',
      'cancel',
      again.executionId,
      '--data',
      other.path,
      '--database-url',
      String(place.databaseUrl),
    ]);
    expect(afar).toMatchObject({ code: 0, stdout: `✔ ${again.executionId} is cancelled\n` });
    expect(await caller.execution(again.executionId)).toMatchObject({ status: 'cancelled' });
    expect(await sharing()).toBe(before);

    await service.end('SIGKILL');
    expect((await hiloHere(['executions', 'show', executionId, ...at])).stdout).toMatch(/^status +cancelled · CANCELLED$/m);
  });
});

describeOverEachStore('a command whose service is killed in the middle', (open) => {
  it('reports it, and has done all or nothing', { timeout: 300_000 }, async () => {
    const users = Array.from({ length: 4_000 }, (_, n) => ({ id: `52155${String(n).padStart(8, '0')}` }));
    using place = await open({ companies: [] });
    const file = join(place.directory, 'many.json');
    writeFileSync(file, JSON.stringify({ companies: [{ id: 7, name: 'Many', plan: 'enterprise', users }] }));
    const at = ['--data', place.directory, ...(place.databaseUrl === undefined ? [] : ['--database-url', place.databaseUrl])];
    for (const aliveMs of [0, 50, 400]) {
      await using service = await place.start();
      let isAsked = false;
      const importing = hiloHere(['import', file, ...at]).finally(() => (isAsked = true));
      // The service is killed at several moments: before, during and after the import.
      for (const until = performance.now() + aliveMs; !isAsked && performance.now() < until; ) await new Promise(setImmediate);
      await service.end('SIGKILL');
      const { code, stderr } = await importing;
      expect(`${code} ${stderr}`).toMatch(/^(?:0 |1 hilo: The service of [^\n]* stopped before it answered[^\n]*\n)$/);
      const exported = JSON.parse((await hiloHere(['export', ...at])).stdout) as {
        readonly companies: readonly { readonly users: object[] }[];
      };
      expect(code === 0 ? [4_000] : [undefined, 4_000]).toContain(exported.companies[0]?.users.length);
    }
  });
});
