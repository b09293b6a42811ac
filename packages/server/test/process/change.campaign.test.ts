// What an author and an operator do with workflows that run, from outside: by commands and over HTTP, against a service in a process of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { JsonObject } from '@hilo/engine/contract';
import { begin, canvas, type ChangeStage, edge, node, openBank, openChangeStage, says } from './change-stage.ts';
import { callerOf } from './caller.ts';
import { startTwo } from './faults/two.ts';
import { oneCompany } from './one-company.ts';
import { describeOverEachStore, describeOverPostgres, describeOverRestate, type OpenPlace } from './place.ts';

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

/** How many executions wait to be migrated: `HILO_WAITING=100000` sets another number. */
const waiting = Number(process.env['HILO_WAITING'] ?? 400);

const user = (number: number): string => String(5_215_530_000_000 + number);

/** Waits until all of a workflow have a status. */
async function until(stage: ChangeStage, workflowId: string, status: string, count: number): Promise<void> {
  for (;;) {
    const all = (await stage.caller().atRest('1')).filter((one) => one.workflowId === workflowId);
    if (all.filter((one) => one.status === status).length >= count) return;
  }
}

/** What is changed while it runs, over any store and runtime. */
const changes = (open: OpenPlace): void => {
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

  it('a new variable: with a default it is given, without one it is needed, and with a value of the mapping it is said', async () => {
    await using stage = await openChangeStage(open, [ages(2)]);
    await stage.say(user(1), 'age');
    await until(stage, 'ages', 'waiting', 1);
    const plain = ages(2, 'Thanks from {{$context.brand}}');
    await stage.publish({ ...plain, variables: { brand: { type: 'any', default: 'nobody' } } });
    const given = await stage.run('migrate', 'ages', '--from', '1', '--to', '2');
    expect(given).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/\nchanged +1 +age /) as unknown });
    const { nodes, edges } = plain as { readonly nodes: readonly JsonObject[]; readonly edges: readonly JsonObject[] };
    const brand = node('brand', 'set', { assignments: [{ path: '$context.brand', value: 'a new conversation' }] });
    const written = edges.flatMap((one) => (one['target'] === 'age' ? [edge('begin', 'brand'), edge('brand', 'age')] : [one]));
    await stage.publish({ ...plain, nodes: [...nodes, brand], edges: written });
    const words = ['migrate', 'ages', '--from', '1', '--to', '3'];
    const needed = await stage.run(...words, '--json');
    expect(needed).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(needed.stdout)).toMatchObject({
      counts: { needs: 1 },
      groups: [
        {
          kind: 'needs',
          needs: ['$context.brand'],
          message:
            'Version 3 reads $context.brand on the way age → thanks, and this execution has none. Give a value: "set": {"$context.brand": "…"}',
        },
      ],
    });
    const map = join(stage.place.directory, 'map.json');
    writeFileSync(map, JSON.stringify({ set: { '$context.brand': 'Acme' } }));
    const moved = await stage.run(...words, '--map', map, '--apply', '--accept', 'changed');
    expect(moved).toMatchObject({ code: 0, stderr: '' });
    await stage.say(user(1), '40');
    await expect.poll(() => stage.heard(user(1))).toEqual(['How old are you?', 'Thanks from Acme']);
  });

  it('a label that is changed is the same for all of two versions, whose counts add up, and everybody goes on', {
    timeout: 240_000,
  }, async () => {
    const named = (label: string): JsonObject =>
      canvas(
        'orders',
        [hook, node('wait', 'wait-event', { name: 'paid' }), { ...done, data: { label } }],
        [edge('hook', 'wait', 'new'), edge('wait', 'done', 'received')],
      );
    await using stage = await openChangeStage(open, [named('first')]);
    const beginMany = async (from: number, count: number): Promise<void> => {
      for (let at = from; at < from + count; at += 20)
        await Promise.all(Array.from({ length: 20 }, (_, index) => begin(stage, 'orders', { user: user(at + index) })));
    };
    await beginMany(0, waiting / 2);
    await stage.publish(named('second'));
    await beginMany(waiting / 2, waiting / 2);
    await until(stage, 'orders', 'waiting', waiting);
    await stage.publish(named('third'));
    const applied = await stage.run('migrate', 'orders', '--from', 'any', '--to', '3', '--apply', '--rate', '100000', '--json');
    expect({ code: applied.code, stderr: applied.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(applied.stdout)).toMatchObject({
      status: 'done',
      cursor: waiting,
      counts: { same: waiting },
      atLeast: false,
      problems: [],
    });
    await stage.admin('POST /signals', { companyId: '1', name: 'paid', correlation: '', payload: null });
    await until(stage, 'orders', 'completed', waiting);
    const versions = new Set((await stage.caller().executions('1')).map(({ version }) => version));
    expect(versions).toEqual(new Set([3]));
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
};

const changed = 'a workflow that is changed while it runs';
describeOverEachStore(changed, changes);
describeOverRestate(changed, changes);

describeOverPostgres('a workflow that is paused while users write to two processes', (open) => {
  it('begins for nobody after the answer; each hears the text once, and who is in the middle goes on', { timeout: 240_000 }, async () => {
    const secret = 'inbound-secret-web';
    const greet = canvas(
      'greet',
      [
        node('begin', 'start', { fallback: true }),
        node('name', 'ask', { message: { type: 'text', text: 'Your name?' }, input: { kind: 'text' }, saveAs: '$context.name' }),
        says('thanks', 'Thanks, {{$context.name}}'),
        done,
      ],
      [edge('begin', 'name'), edge('name', 'thanks', 'answered'), edge('name', 'done', 'invalid'), edge('thanks', 'done', 'sent')],
    );
    using place = await open(oneCompany(secret, [greet]));
    await using two = await startTwo(place, { ledger: '127.0.0.1:9' });
    const callers = two.urls.map((url) => callerOf(url));
    const [first] = callers;
    if (first === undefined) throw new Error('There are two');
    const say = async (userId: string, text: string, at: number): Promise<void> => {
      const message = { id: `message-${userId}-${text}`, type: 'text', text };
      const event = {
        eventId: `event-${userId}-${text}`,
        botId: 'bot_web',
        user: { id: userId },
        message,
        receivedAt: '2031-02-03T09:00:00Z',
      };
      expect(await callers[at % 2]?.deliver('bot_web', event, secret)).toMatchObject({ status: 200 });
    };
    const heard = async (userId: string) =>
      (await first.messages('bot_web', userId)).filter(({ direction }) => direction === 'outbound').map(({ message }) => message.text);
    const early = Array.from({ length: 5 }, (_, index) => user(900 + index));
    for (const [index, one] of early.entries()) await say(one, 'hello', index);
    for (const one of early) await expect.poll(() => heard(one)).toEqual(['Your name?']);

    const during: string[] = [];
    const writing: Promise<void>[] = [];
    const timer = setInterval(() => {
      const one = user(during.length);
      during.push(one);
      writing.push(say(one, 'hello', during.length));
    }, 20);
    await expect.poll(() => during.length).toBeGreaterThan(25);
    const text = 'We are mending this';
    const paused = await first.call('POST /admin/v1/workflows/greet/pause?companyId=1', { body: { says: { type: 'text', text } } });
    expect(paused).toMatchObject({ status: 200 });
    const asked = during.length;
    await expect.poll(() => during.length).toBeGreaterThan(asked + 50);
    clearInterval(timer);
    await Promise.all(writing);
    for (const [index, one] of during.entries()) {
      await expect.poll(async () => (await heard(one)).length).toBe(1);
      expect(index < asked ? ['Your name?', text] : [text]).toContain((await heard(one))[0]);
    }
    for (const [index, one] of early.entries()) await say(one, 'Ana', index);
    for (const one of early) await expect.poll(() => heard(one)).toEqual(['Your name?', 'Thanks, Ana']);
  });
});
