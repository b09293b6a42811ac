// What an author and an operator do with workflows that run, from outside: by commands and over HTTP, against a service in a process of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { JsonObject } from '@hilo/engine/contract';
import { begin, canvas, type ChangeStage, edge, node, openBank, openChangeStage, says } from './change-stage.ts';
import { describeOverEachStore } from './place.ts';

const hook = node('hook', 'webhook', { variableName: 'call', methods: ['POST'], userIdPath: 'user' });
const done = node('done', 'end');

/** Asks for an age, of which a word is none. */
const ages = (attempts: number, thanks = 'Thanks'): JsonObject =>
  canvas(
    'ages',
    [
      node('begin', 'start', { keywords: ['age'] }),
      node('age', 'ask', {
        message: { type: 'text', text: 'How old are you?' },
        invalidMessage: 'A number, please',
        input: { kind: 'number' },
        attempts,
        saveAs: '$context.age',
      }),
      says('thanks', thanks),
      done,
    ],
    [edge('begin', 'age'), edge('age', 'thanks', 'answered'), edge('age', 'done', 'invalid'), edge('thanks', 'done', 'sent')],
  );

/** Charges, and says so. */
const shop = (bank: string, said: string): JsonObject =>
  canvas(
    'shop',
    [
      hook,
      node('charge', 'api', { method: 'POST', url: `http://${bank}/charges`, saveAs: '$context.charge' }),
      says('receipt', said),
      done,
    ],
    [edge('hook', 'charge', 'new'), edge('charge', 'receipt', 'success'), edge('charge', 'done', 'error'), edge('receipt', 'done', 'sent')],
  );

const user = (number: number): string => String(5_215_530_000_000 + number);

/** Waits until all of a workflow have a status. */
async function until(stage: ChangeStage, workflowId: string, status: string, count: number): Promise<void> {
  for (;;) {
    const all = (await stage.caller().atRest('1')).filter((one) => one.workflowId === workflowId);
    if (all.filter((one) => one.status === status).length >= count) return;
  }
}

describeOverEachStore('a workflow that is changed while it runs', (open) => {
  it('attempts that become fewer: who has not answered is changed, and who has is refused with what to write', async () => {
    await using stage = await openChangeStage(open, [ages(2)]);
    const [before, after] = [user(1), user(2)];
    for (const one of [before, after]) await stage.say(one, 'age');
    await until(stage, 'ages', 'waiting', 2);
    await stage.say(after, 'many');
    await expect.poll(async () => (await stage.heard(after)).length).toBe(2);
    await stage.publish(ages(1));
    const planned = await stage.run('migrate', 'ages', '--from', '1', '--to', '2', '--json');
    expect({ code: planned.code, stderr: planned.stderr }).toEqual({ code: 1, stderr: '' });
    const plan = JSON.parse(planned.stdout) as { readonly counts: object; readonly groups: readonly object[] };
    expect(plan).toMatchObject({ read: 2, counts: { changed: 1, refused: 1 } });
    expect(plan.groups).toContainEqual(
      expect.objectContaining({
        kind: 'refused',
        nodeId: 'age',
        reason: 'WAIT_DIFFERS',
        message:
          'At "age" version 2 would not wait as this execution does: after 1 reply it leaves by "invalid". Choose (at): {"age": {"enter": "…"}}',
        count: 1,
      }),
    );
  });

  it('a charge that was made and a receipt that failed: all hear of it once, and none is charged again', { timeout: 240_000 }, async () => {
    const count = 500;
    await using bank = await openBank();
    await using stage = await openChangeStage(
      open,
      [shop(bank.address, 'Receipt {{$context.charge.body.number}}')],
      ['--egress-allow', bank.address],
    );
    for (let from = 0; from < count; from += 20)
      await Promise.all(Array.from({ length: 20 }, (_, index) => begin(stage, 'shop', { user: user(from + index) })));
    await until(stage, 'shop', 'failed', count);
    expect(bank.charges()).toBe(count);
    await stage.publish(shop(bank.address, 'Receipt {{$context.charge.body.id}}'));
    const retry = [
      'executions',
      'bulk',
      'retry',
      '--workflow',
      'shop',
      '--status',
      'failed',
      '--version',
      'latest',
      '--apply',
      '--rate',
      '5000',
    ];
    const first = await stage.run(...retry);
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
    await until(stage, 'shop', 'completed', count);
    const again = await stage.run(...retry);
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });
    await stage.caller().atRest('1');
    expect(bank.charges()).toBe(count);
    const heard = (await stage.caller().messages('bot_web')).map(({ userId, message }) => `${userId} ${message.text}`);
    expect(heard.length).toBe(count);
    expect(new Set(heard.map((line) => line.split(' ')[0])).size).toBe(count);
    expect(first.stdout).toContain(`${count} retried`);
  });

  it('a text that is changed is one group of a replay, and a branch that is removed names its node', { timeout: 240_000 }, async () => {
    await using stage = await openChangeStage(open, [ages(2)]);
    const count = 12;
    for (let index = 0; index < count; index += 1) {
      await stage.say(user(index), 'age');
      await expect.poll(async () => (await stage.heard(user(index))).length).toBe(1);
      await stage.say(user(index), index % 3 === 0 ? 'no' : '40');
      await expect.poll(async () => (await stage.heard(user(index))).length).toBe(2);
      if (index % 3 === 0) await stage.say(user(index), 'never'); // leaves by "invalid", and hears no thanks
    }
    await until(stage, 'ages', 'completed', count);
    await stage.admin('PUT /workflows/ages?companyId=1', ages(2, 'Many thanks'));
    const replayed = await stage.run('replay', 'ages', '--draft', '--json');
    expect({ code: replayed.code, stderr: replayed.stderr }).toEqual({ code: 1, stderr: '' });
    const report = JSON.parse(replayed.stdout) as { readonly groups: readonly { readonly group: string }[] };
    expect(report).toMatchObject({
      read: count,
      counts: { equal: 4, differs: 8 },
      groups: [{ how: 'request', nodeId: 'thanks', count: 8 }],
    });
    const ignored = await stage.run('replay', 'ages', '--draft', '--ignore', report.groups[0]?.group ?? '');
    expect(ignored).toMatchObject({ code: 0, stderr: '' });
    const shorter = ages(2);
    const without = {
      ...shorter,
      edges: [edge('begin', 'age'), edge('age', 'done', 'answered'), edge('age', 'done', 'invalid')],
      nodes: (shorter['nodes'] as JsonObject[]).filter(({ id }) => id !== 'thanks'),
    };
    const file = join(stage.place.directory, 'shorter.json');
    writeFileSync(file, JSON.stringify(without));
    const removed = await stage.run('replay', 'ages', '--canvas', file, '--json');
    expect({ code: removed.code, stderr: removed.stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(removed.stdout)).toMatchObject({
      counts: { equal: 4, differs: 8 },
      groups: [{ how: 'missing', nodeId: 'thanks', count: 8 }],
    });
  });
});
