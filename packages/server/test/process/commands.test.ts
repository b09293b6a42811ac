import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inlineExample } from '../data/inline-example.ts';
import { hilo } from '../hilo-process.ts';
import { accepted, callerOf } from './caller.ts';
import { describeOverPostgres } from './place.ts';

const order = { user: { id: '5215512345678' }, number: 'F-7', amount: '120' };

describeOverPostgres('the command', (open) => {
  it('imports and exports, and shows the executions of a service that runs beside it', { timeout: 120_000 }, async () => {
    const workspace = await inlineExample();
    using place = await open(workspace);
    const file = join(place.directory, 'example.json');
    writeFileSync(file, JSON.stringify(workspace));
    const at = ['--data', place.directory, '--database-url', String(place.databaseUrl)];

    const imported = await hilo(['import', file, ...at]);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(imported.stdout).toContain('2 companies (2 new or different)');
    expect((await hilo(['import', file, ...at])).stdout).toContain('is imported already: nothing changed');
    const exported = await hilo(['export', ...at]);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(exported.stdout)).toMatchObject({ companies: [{ id: 1 }, { id: 2 }] });

    await using service = await place.start();
    const caller = callerOf(service.url);
    const { executionId } = accepted(await caller.hook('payment-reminder/whatsapp/wh1', order));
    await caller.settled(executionId);
    const listed = await hilo(['executions', 'list', '--company', '1', ...at, '--json']);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(listed.stdout)).toMatchObject({ results: [{ executionId, status: 'waiting' }], nextCursor: null });
    const shown = await hilo(['executions', 'show', executionId, '--company', '1', ...at]);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^waits for +external at paid/m);
  });
});
