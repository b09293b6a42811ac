import { createHmac } from 'node:crypto';
import { readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { takeEvent } from '../../src/channels/channels.ts';
import { createApp } from '../../src/service/app.ts';
import { createLocalManagement } from '../../src/service/local-management.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { MoveCommand, performMove } from '../../src/tenants/moving/move-files.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { asking, companyOf, endOf, findTexts, plant, plantedPerson, textOf, textsOf } from '../contacts/erasure-stage.ts';
import { exampleWorkspace, type Place, withPlace } from '../data/open-for-test.ts';
import { runtimeOfTests } from '../data/runtime.ts';
import { order } from '../http/canvases.ts';
import { isOver, progressOf, templatesTo, until } from '../rest/campaigns-progress.ts';
import { campaignTo, phones } from '../rest/campaigns-stage.ts';

const key = 'hk_acme_0123456789abcdef';
const secretKey = Buffer.alloc(32, 7).toString('base64');

/** Waits for an hour before it waits for the second request. */
const slowOrder = JSON.parse(JSON.stringify(order()).replace('PT1S', 'PT1H')) as JsonObject;

/** Keeps the address of its callback, and waits for the call. */
const payByLink: JsonObject = {
  schemaVersion: 1,
  id: 'pay-by-link',
  name: 'Pay by link',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start', data: {} },
    { id: 'link', type: 'set', data: { assignments: [{ path: '$context.link', value: '{{resumeUrl("paid")}}' }] } },
    { id: 'paid', type: 'wait-external', data: {} },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'link' },
    { source: 'link', sourceHandle: 'next', target: 'paid' },
    { source: 'paid', sourceHandle: 'resumed', target: 'done' },
  ],
};

/** Two services that run: A with the companies of the example, and B with another one. */
const withTwo =
  (
    test: (stage: { readonly a: RunningService; readonly b: RunningService; readonly here: Place; readonly there: Place }) => Promise<void>,
  ) =>
  (): Promise<void> =>
    withPlace(async (here) =>
      withPlace(async (there) => {
        const a = await here.open({ secretKey });
        await a.importWorkspace({
          workspace: changed(await inlineExample(), { '/companies/0/workflows/-': { canvas: slowOrder, publish: true } }),
        });
        const b = await there.open({ secretKey });
        const seventh = {
          id: 7,
          name: 'Seventh',
          kind: 'enterprise',
          plan: 'growth',
          apiKeys: [{ id: 'k', key: 'hk_seventh_0123456789abcdef' }],
        };
        await b.importWorkspace({ workspace: { companies: [seventh] } as unknown as JsonObject });
        await test({ a, b, here, there });
      })(),
    )();

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly cell: string | null;
  readonly body: JsonObject;
}

const apps = new WeakMap<RunningService, ReturnType<typeof createApp>>();

async function ask(service: RunningService, path: string, init: RequestInit): Promise<Answer> {
  const app = apps.get(service) ?? createApp(service);
  apps.set(service, app);
  const answer = await app.request(path, init);
  const { status, headers } = answer;
  return { status, retryAfter: headers.get('retry-after'), cell: headers.get('x-hilo-cell'), body: (await answer.json()) as JsonObject };
}

const hook = (service: RunningService, body: object, id?: string): Promise<Answer> =>
  ask(service, '/workflows/v2/webhooks/skill/order/web/hook', {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...(id !== undefined && { 'webhook-id': id }) },
    body: JSON.stringify(body),
  });

/** A delivery to a bot, with the signature of its provider or of somebody else. */
const deliver = (service: RunningService, botId: string, signature: 'right' | 'wrong'): Promise<Answer> => {
  const secret = signature === 'right' ? 'inbound-secret-web' : 'secret-of-nobody';
  const hex = createHmac('sha256', secret).update('{}').digest('hex');
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${hex}` };
  return ask(service, `/channels/${botId}/webhook`, { method: 'POST', headers, body: '{}' });
};

const manage = (service: RunningService, path: string): Promise<Answer> =>
  ask(service, `/admin/v1${path}`, { headers: { authorization: `Bearer ${service.settings.adminToken}` } });

/** Does it, while time passes. */
async function move({ moves }: RunningService, { clock }: Place, command: z.input<typeof MoveCommand>) {
  let isOver = false;
  const moving = performMove(moves, MoveCommand.parse(command)).finally(() => (isOver = true));
  void moving.catch(() => undefined);
  while (!isOver) {
    clock.advanceBy(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return moving;
}

/** Lets time pass until the order no longer waits for its timer. */
async function timerFires({ engine }: RunningService, { clock }: Place, executionId: string): Promise<void> {
  while ((await engine.execution('1', executionId))?.state.wait?.kind === 'timer') {
    clock.advanceBy(10_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await engine.whenIdle();
}

describe.skipIf(runtimeOfTests === 'restate')('a company that moves between services that run', () => {
  it(
    'goes on where it was: histories, timers, repeated deliveries and ids, beside those who were there',
    withTwo(async ({ a, b, here, there }) => {
      const user = { id: '5215500000001' };
      const { body } = await hook(a, { user, n: 1 }, 'delivery-1');
      const { executionId } = z.object({ executionId: z.string() }).parse(body);
      await a.engine.whenIdle();
      expect(await a.engine.execution('1', executionId)).toMatchObject({ state: { status: 'waiting', wait: { kind: 'timer' } } });
      const history = await a.engine.history('1', executionId);
      const [messages, file] = [await manage(a, '/bots/bot_web/messages?companyId=1'), join(here.directory, 'company')];

      expect(await move(a, here, { do: 'out', companyId: '1', file })).toMatchObject({ state: 'left' });
      expect(await a.engine.execution('1', executionId)).toBeUndefined();
      expect(await move(b, there, { do: 'in', file })).toMatchObject({ companyId: '1', wasHere: false });
      expect(await b.engine.history('1', executionId)).toEqual(history);
      expect(messages.status).toBe(200);
      expect(await manage(b, '/bots/bot_web/messages?companyId=1')).toEqual(messages);
      expect(b.companies.all().map(({ id }) => id)).toEqual(['1', '7']);

      // The same delivery again has the first one's answer, and no consequence.
      expect(await hook(b, { user, n: 1 }, 'delivery-1')).toMatchObject({ status: 200, body: { executionId } });
      // Its timer fires, once, though B was told of it by nothing but the move.
      await timerFires(b, there, executionId);
      expect(await b.engine.execution('1', executionId)).toMatchObject({ state: { wait: { kind: 'webhook' } } });
      const fired = (await b.engine.history('1', executionId)).filter(({ event }) => event.type === 'timer.fired');
      expect(fired).toHaveLength(1);
      expect(await hook(b, { meta: { executionId } })).toMatchObject({ status: 200 });
      await b.engine.whenIdle();
      expect(await manage(b, `/executions/${executionId}`)).toMatchObject({ body: { status: 'completed' } });
      const { body: listed } = await manage(b, '/executions?companyId=1');
      expect(listed['results']).toHaveLength(1);
    }),
    120_000,
  );

  it(
    'has addresses of callbacks, handles and links of files that lead on: to its new place, once',
    withTwo(async ({ a, b, here, there }) => {
      await a.importWorkspace({
        workspace: changed(await inlineExample(), { '/companies/0/workflows/-': { canvas: payByLink, publish: true } }),
      });
      const { executionId } = await a.engine.startWorkflow({
        origin: { companyId: '1', route: 'production', channel: 'web' },
        workflowId: 'pay-by-link',
      });
      await a.engine.whenIdle();
      const { state } = z
        .object({ state: z.object({ variables: z.object({ $context: z.object({ link: z.string() }) }) }) })
        .parse(await a.engine.execution('1', executionId));
      const callback = new URL(state.variables.$context.link).pathname;
      const content = Buffer.from('%PDF-1.7 receipt');
      const [files, arrived, seals] = [a.files, b.files, a.fileSeals];
      if (files === undefined || seals === undefined || arrived === undefined) throw new Error('The services have no files');
      const handle = await files.keepAnswer({
        companyId: '1',
        idempotencyKey: 'receipt',
        content,
        contentType: 'application/pdf',
        name: 'receipt.pdf',
        user: undefined,
      });
      const link = `/files/${seals.seal({ companyId: '1', fileId: handle, expiresAtMs: here.clock.now() + 3_600_000 })}`;
      const post = (service: RunningService) => ask(service, callback, { method: 'POST', body: '{"paid":true}' });
      const read = async (service: RunningService) => createApp(service).request(link);

      const file = join(here.directory, 'company');
      await move(a, here, { do: 'out', companyId: '1', file });
      expect([await post(a), (await read(a)).status]).toMatchObject([{ status: 503, retryAfter: '5' }, 503]);
      await move(b, there, { do: 'in', file });
      await move(a, here, { do: 'redirect', companyId: '1', cell: 'b', url: 'https://b.bots.example' });
      expect([await post(a), (await read(a)).status]).toMatchObject([{ status: 421, cell: 'b' }, 421]);
      await move(a, here, { do: 'forget', companyId: '1' });
      expect([await post(a), (await read(a)).status]).toMatchObject([{ status: 404 }, 404]);

      const found = await read(b);
      expect([found.status, Buffer.from(await found.arrayBuffer())]).toEqual([200, content]);
      expect((await arrived.find(handle))?.name).toBe('receipt.pdf');
      expect(await post(b)).toMatchObject({ status: 200, body: { executionId, mode: 'resume' } });
      expect(await post(b)).toMatchObject({ status: 404 });
      await b.engine.whenIdle();
      expect(await manage(b, `/executions/${executionId}`)).toMatchObject({ body: { status: 'completed' } });
    }),
    120_000,
  );

  it(
    'has addresses of callbacks and handles that lead on where the master key was rotated before, to a service that has the new key alone; and further',
    withPlace(async (here) => {
      const [old, next] = [secretKey, Buffer.alloc(32, 9).toString('base64')];
      const before = await here.open({ secretKey: old });
      await before.importWorkspace({
        workspace: changed(await inlineExample(), { '/companies/0/workflows/-': { canvas: payByLink, publish: true } }),
      });
      const origin = { companyId: '1', route: 'production', channel: 'web' } as const;
      const { executionId } = await before.engine.startWorkflow({ origin, workflowId: 'pay-by-link' });
      await before.engine.whenIdle();
      const { state } = z
        .object({ state: z.object({ variables: z.object({ $context: z.object({ link: z.string() }) }) }) })
        .parse(await before.engine.execution('1', executionId));
      const callback = new URL(state.variables.$context.link).pathname;
      await before.close();
      const a = await here.open({ secretKey: next, secretKeyBefore: old });
      const rotated = await createApp(a).request('/admin/v1/keys/rotate', {
        method: 'POST',
        headers: { authorization: `Bearer ${a.settings.adminToken}` },
      });
      expect(rotated.status).toBe(200);
      const handle = a.fileSeals?.handleOf('1', 'message', 'bot_web', 'wamid.1');
      const other = { companyId: '2', fileId: 'file_x', expiresAtMs: 4_000_000_000_000 };
      const foreign = a.fileSeals?.seal(other) ?? '';

      let from = { service: a, place: here };
      // To a second service that never had the key until then, and from there to a third one.
      const moveOn = (rest: number): Promise<void> =>
        withPlace(async (place) => {
          const service = await place.open({ secretKey: next });
          const file = join(from.place.directory, 'company');
          await move(from.service, from.place, { do: 'out', companyId: '1', file });
          await move(service, place, { do: 'in', file });
          expect(service.fileSeals?.handleOf('1', 'message', 'bot_web', 'wamid.1')).toBe(handle);
          expect(service.fileSeals?.handleOf('2', 'message', 'bot_web', 'wamid.1')).not.toBe(handle);
          expect(service.fileSeals?.seal(other)).not.toBe(foreign); // a company of the service itself has the keys of this one
          from = { service, place };
          if (rest > 0) return moveOn(rest - 1);
          const post = () => ask(service, callback, { method: 'POST', body: '{"paid":true}' });
          expect(await post()).toMatchObject({ status: 200, body: { executionId, mode: 'resume' } });
          expect(await post()).toMatchObject({ status: 404 });
          await service.engine.whenIdle();
          expect(await manage(service, `/executions/${executionId}`)).toMatchObject({ body: { status: 'completed' } });
        })();
      await moveOn(1);
    }),
    120_000,
  );

  it(
    'is refused where it was: to be repeated while it is on its way, then with its address, then as unknown',
    withTwo(async ({ a, here }) => {
      const file = join(here.directory, 'company');
      const onItsWay = { status: 503, retryAfter: '5', body: { error: 'UNAVAILABLE' } };
      const about = [
        () => hook(a, { user: { id: '1' } }),
        () => manage(a, '/executions?companyId=1'),
        () => deliver(a, 'bot_web', 'right'),
      ];
      // Who proves nothing is told nothing: a wrong signature is refused as for a bot of nobody, before the move and at each of its steps.
      const expectUnproven = async () => {
        const nobody = await deliver(a, 'nobody', 'wrong');
        expect(nobody).toMatchObject({ status: 401, cell: null });
        expect(await deliver(a, 'bot_web', 'wrong')).toEqual(nobody);
        const paths = ['/payments/callbacks/1/stripe-acme', '/payments/callbacks/9/nobody'];
        const headers = { 'stripe-signature': `t=1,v1=${'0'.repeat(64)}` };
        const [known, unknown] = await Promise.all(paths.map((path) => ask(a, path, { method: 'POST', headers, body: '{}' })));
        expect(known).toMatchObject({ status: 401, cell: null });
        expect(known).toEqual(unknown);
      };
      await expectUnproven();
      await move(a, here, { do: 'out', companyId: '1', file });
      for (const one of about) expect(await one()).toMatchObject(onItsWay);
      await expectUnproven();
      // Whoever comes by another way is refused by the database.
      const origin = { companyId: '1', route: 'production', channel: 'web' } as const;
      expect(await a.importWorkspace({ workspace: await inlineExample() })).toMatchObject({ left: ['1'] });
      await expect(a.engine.startWorkflow({ origin, workflowId: 'order' })).rejects.toBeInstanceOf(Error);

      await move(a, here, { do: 'redirect', companyId: '1', cell: 'b', url: 'https://b.bots.example' });
      const moved = {
        status: 421,
        cell: 'b',
        body: { error: 'CELL_ELSEWHERE', message: 'This is served by cell "b": send it to https://b.bots.example' },
      };
      for (const one of about) expect(await one()).toMatchObject(moved);
      await expectUnproven();
      // Whoever has no credential is told no address: such a bot is as unknown.
      const unnamed = [
        ['/chat/bot_web', 404],
        ['/chat/bot_web/events', 404],
        ['/channels/bot_web/webhook?hub.mode=subscribe&hub.verify_token=x&hub.challenge=1', 403],
        ['/channels/bot_wa/webhook?crc_token=', 403],
      ] as const;
      for (const [path, status] of unnamed) {
        const [known, unknown] = [await ask(a, path, {}), await ask(a, path.replace(/bot_\w+/, 'nobody'), {})];
        expect([path, known.status, known.cell, known.body]).toEqual([path, status, null, unknown.body]);
      }
      await move(a, here, { do: 'forget', companyId: '1' });
      expect(await hook(a, { user: { id: '1' } })).toMatchObject({ status: 401 });
      expect(await manage(a, '/executions?companyId=1')).toMatchObject({ status: 404 });
    }),
    120_000,
  );

  it(
    'ends what is open of it where it was, and who was let in for it alone finds nothing there',
    withTwo(async ({ a, here }) => {
      const { body } = await hook(a, { user: { id: '5215500000001' } });
      const { executionId } = z.object({ executionId: z.string() }).parse(body);
      await a.engine.whenIdle();
      const json = { 'content-type': 'application/json' };
      const post = async (path: string, sent: object, headers = {}): Promise<string> => {
        const made = await ask(a, path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(sent) });
        return z.object({ token: z.string() }).parse(made.body).token;
      };
      const admin = { authorization: `Bearer ${a.settings.adminToken}` };
      const grant = { name: 'Of Acme', roles: ['operator'], companies: ['1'] };
      const own = { authorization: `Bearer ${await post('/admin/v1/tokens', grant, admin)}` };
      const visitor = { authorization: `Bearer ${await post('/chat/bot_chat/session', {})}` };
      const watched = [
        `/admin/v1/events?companyId=1&executionId=${executionId}`,
        '/admin/v1/events?companyId=1&workflowId=order',
        '/admin/v1/inbox/events?companyId=1',
      ];
      const ended = new Set<string>();
      const open = async (name: string, path: string, headers: { readonly [name: string]: string }): Promise<void> => {
        const { status, body: stream } = await createApp(a).request(path, { headers });
        expect([name, status]).toEqual([name, 200]);
        void stream?.pipeTo(new WritableStream()).then(() => ended.add(name));
      };
      for (const path of watched) {
        await open(`all ${path}`, path, admin);
        await open(`own ${path}`, path, own);
      }
      await open('visitor', '/chat/bot_chat/events', visitor);
      await move(a, here, { do: 'out', companyId: '1', file: join(here.directory, 'company') });
      await move(a, here, { do: 'redirect', companyId: '1', cell: 'b', url: 'https://b.bots.example' });
      await move(a, here, { do: 'forget', companyId: '1' });
      for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 100) {
        here.clock.advanceBy(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await expect.poll(() => ended.size).toBe(2 * watched.length + 1);
      for (const path of ['executions', 'workflows', 'messages', `executions/${executionId}`])
        expect(await ask(a, `/admin/v1/${path}?companyId=1`, { headers: own })).toMatchObject({ status: 404 });
      expect(await ask(a, '/admin/v1/me', { headers: own })).toMatchObject({ status: 200, body: { companies: [] } });
      expect(await ask(a, '/chat/bot_chat/session', { method: 'POST', headers: { ...json, ...visitor }, body: '{}' })).toMatchObject({
        status: 404,
        body: { error: 'BOT_NOT_FOUND' },
      });
    }),
    120_000,
  );

  it(
    'is served again where its move is called off',
    withTwo(async ({ a, here }) => {
      const file = join(here.directory, 'company');
      const { body } = await hook(a, { user: { id: '5215500000001' } });
      await a.engine.whenIdle();
      await move(a, here, { do: 'out', companyId: '1', file });
      await expect(move(a, here, { do: 'cancel', companyId: '1' })).rejects.toThrow(
        'Company 1 has left: where its file was imported it would be at work too. Look there with "hilo move list", and repeat the command with --imported-nowhere',
      );
      expect(await hook(a, { user: { id: '5215500000001' } })).toMatchObject({ status: 503 });
      expect(await move(a, here, { do: 'cancel', companyId: '1', importedNowhere: true })).toMatchObject({ state: 'here' });
      const { executionId } = z.object({ executionId: z.string() }).parse(body);
      await timerFires(a, here, executionId);
      expect(await hook(a, { meta: { executionId } })).toMatchObject({ status: 200 });
    }),
    120_000,
  );
});

describe.skipIf(runtimeOfTests === 'restate')('an erasure that was asked for when its company moves', () => {
  it(
    'is done where the company is, and leaves nothing of the person here or there, once the company is forgotten here; of others nothing here',
    withPlace(async (here) =>
      withPlace(async (there) => {
        const [ana, leo] = [plantedPerson('51999000111', 'Ana'), plantedPerson('51999000222', 'Leo')];
        const a = await here.open({ secretKey });
        await a.importWorkspace({ workspace: { companies: [companyOf([ana, leo])] } });
        for (const person of [ana, leo]) await plant(a, person, here.clock.now());
        const b = await there.open({ secretKey });
        const { body } = await asking(a)('DELETE', `/companies/1/contacts/phone:${ana.id}`);
        const jobId = textOf(body, 'jobId');
        const file = join(here.directory, 'company');
        await move(a, here, { do: 'out', companyId: '1', file });
        expect((await asking(a)('DELETE', `/companies/1/contacts/phone:${leo.id}`)).status).toBe(503);
        await move(b, there, { do: 'in', file });
        expect(await endOf(b, there, jobId)).toMatchObject({ kind: 'erase', status: 'done', failure: null });
        expect(await asking(b)('GET', `/companies/1/contacts/phone:${ana.id}`)).toMatchObject({ status: 404 });
        expect(await asking(b)('GET', `/companies/1/contacts/phone:${leo.id}`)).toMatchObject({ status: 200 });
        expect(findTexts(there.directory, textsOf(ana))).toEqual([]);
        await move(a, here, { do: 'redirect', companyId: '1', cell: 'b', url: 'https://b.bots.example' });
        await move(a, here, { do: 'forget', companyId: '1' });
        await rm(file);
        expect(findTexts(here.directory, [...textsOf(ana), ...textsOf(leo)])).toEqual([]);
      })(),
    ),
    120_000,
  );
});

describe('a move', () => {
  it(
    'is refused where it cannot be made, and everybody is served as before',
    withTwo(async ({ a, here }) => {
      const { directory } = here;
      await expect(move(a, here, { do: 'out', companyId: '1', file: join(directory, 'none', 'company') })).rejects.toThrow(
        /none.company cannot be written: its folder does not exist/,
      );
      await expect(move(a, here, { do: 'out', companyId: '9', file: join(directory, 'company') })).rejects.toThrow('There is no company 9');
      await expect(move(a, here, { do: 'in', file: join(directory, 'nothing') })).rejects.toThrow(
        /nothing cannot be read: there is no such file/,
      );
      expect(await hook(a, { user: { id: '5215500000001' } })).toMatchObject({ status: 200 });
    }),
    120_000,
  );

  it.skipIf(process.platform !== 'linux')(
    'whose file finds the disk full says so, leaves no half file, and is repeated with another one',
    withTwo(async ({ a, b, here, there }) => {
      const [full, file] = [join(here.directory, 'full'), join(here.directory, 'company')];
      await symlink('/dev/full', `${full}.part`); // a file that takes nothing
      await expect(move(a, here, { do: 'out', companyId: '1', file: full })).rejects.toThrow(
        /full cannot be written: the disk is full \(company 1 has left: repeat the command with another file, or cancel the move\)$/,
      );
      expect((await readdir(here.directory)).filter((name) => name.startsWith('full'))).toEqual([]);
      await move(a, here, { do: 'out', companyId: '1', file });
      expect(await move(b, there, { do: 'in', file })).toMatchObject({ companyId: '1', wasHere: false });
    }),
    120_000,
  );

  it(
    'is refused between cells that divide users by slots, and nothing is half done',
    withTwo(async ({ a, here }) => {
      const file = join(here.directory, 'company');
      await withPlace(async (cell) => {
        const cells = join(cell.directory, 'cells.json');
        await writeFile(cells, JSON.stringify({ cells: [{ name: 'all', slots: '0-4095', url: 'https://all.bots.example' }] }));
        const service = await cell.open({ secretKey, workspace: exampleWorkspace, cell: 'all', cells });
        const sentence = 'Cell "all" has users by slots (--cells): a company is in all of those cells, and is not moved';
        const own = join(cell.directory, 'company');
        const local = createLocalManagement(service);
        const asked = async (command: object) =>
          (
            await local.request('/moves', {
              method: 'POST',
              body: JSON.stringify(command),
              headers: { 'content-type': 'application/json' },
            })
          ).json();
        const refused = { error: 'MOVE_REFUSED', message: sentence };
        expect(await asked({ do: 'out', companyId: '1', file: own })).toEqual(refused);
        expect((await readdir(cell.directory)).filter((name) => name.startsWith('company'))).toEqual([]);
        await move(a, here, { do: 'out', companyId: '1', file });
        expect(await asked({ do: 'in', file })).toEqual(refused);
        expect(await asked({ do: 'list' })).toEqual({ moves: [] });
        expect(await manage(service, '/executions?companyId=1')).toMatchObject({ status: 200 });
      })();
    }),
    120_000,
  );
});

describe.skipIf(runtimeOfTests === 'restate')('a campaign that is being sent while its company moves', () => {
  it(
    'goes on where the company is: each recipient gets one message, and none is counted as failed (CAM-15)',
    withTwo(async ({ a, b, here, there }) => {
      const [file, users] = [join(here.directory, 'company'), phones(400)]; // so many that some are left when it leaves
      await a.importWorkspace({ workspace: changed(await inlineExample(), { '/companies/0/campaigns': [campaignTo('moved', users)] }) });
      await until(a, here.clock, 'moved', ({ deliveredMessages }) => deliveredMessages > 0);
      await move(a, here, { do: 'out', companyId: '1', file });
      await move(b, there, { do: 'in', file });
      await until(b, there.clock, 'moved', isOver);
      expect(await progressOf(b, 'moved')).toMatchObject({ totalMessages: 400, deliveredMessages: 400, failedMessages: 0 });
      expect((await templatesTo(b)).filter((user) => users.includes(user)).toSorted()).toEqual(users);
    }),
    120_000,
  );
});

describe.skipIf(runtimeOfTests === 'restate')('STOP while its company moves', () => {
  const consent = { stop: ['STOP'], start: ['START'], categories: ['MARKETING', 'UTILITY'] };
  const users = phones(400); // so many that some are left when it leaves
  /** Whether it was taken: a provider sends again what was not. */
  const isTaken = async (service: RunningService, userId: string): Promise<boolean> => {
    const [eventId, atMs] = [`stop-${userId}`, service.clock.now()];
    const message = { type: 'text', text: 'STOP', id: eventId };
    try {
      const bot = service.companies.botOf('1', 'bot_wa');
      if (bot === undefined) return false;
      await takeEvent(service, bot, { kind: 'message', eventId, user: { id: userId }, message, atMs });
      return true;
    } catch (error) {
      expect(error).toMatchObject({ status: 503 });
      return false;
    }
  };

  it(
    'counts wherever the company is: no marketing template leaves after it, whether it was said before, on the way or after',
    withPlace(async (here) =>
      withPlace(async (there) => {
        const a = await here.open({ secretKey });
        await a.importWorkspace({
          workspace: changed(await inlineExample(), {
            '/companies/0/consent': consent,
            '/companies/0/campaigns': [campaignTo('sale', users)],
          }),
        });
        const b = await there.open({ secretKey });
        const file = join(here.directory, 'company');
        await until(a, here.clock, 'sale', ({ deliveredMessages }) => deliveredMessages > 0);
        const [before = '', during = '', after = ''] = users.slice(-3);
        expect(await isTaken(a, before)).toBe(true);
        const [, wasTaken] = await Promise.all([move(a, here, { do: 'out', companyId: '1', file }), isTaken(a, during)]);
        expect(await isTaken(a, after)).toBe(false);
        await move(b, there, { do: 'in', file });
        expect(wasTaken || (await isTaken(b, during))).toBe(true);
        expect(await isTaken(b, after)).toBe(true);
        await until(b, there.clock, 'sale', isOver);
        const reached = users.filter((user) => ![before, during, after].includes(user));
        expect((await templatesTo(b)).toSorted()).toEqual(reached);
        for (const user of [before, during, after])
          expect(await manage(b, `/companies/1/contacts/phone:${user}`)).toMatchObject({ body: { consent: { marketing: 'revoked' } } });
      })(),
    ),
    120_000,
  );
});
