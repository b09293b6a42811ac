// A service at everything at once: callers, a campaign, a migration, retries in bulk, exports, imports and a company that leaves. It is killed
// at random instants, and then all is counted: nothing is lost, nothing is done under two keys, and every job ends by itself.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '@hilo/engine/contract';
import { seededRandom } from '@hilo/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { freePort } from '../../../stores/test/free-port.ts';
import { hilo } from '../hilo-process.ts';
import { type ServiceProcess, startService } from '../service-process.ts';
import { askAgainMs, callerOf, type Execution, isGone } from './caller.ts';
import { canvas, edge, node, type ShownJob } from './change-stage.ts';
import { check } from './faults/check.ts';
import { untilAnswered } from './faults/two.ts';
import { faultsWorkspace, openLedger, startLoad } from './faults/world.ts';
import { describeOverEachStore, describeOverRestate, type OpenPlace, openPlace, type Place } from './place.ts';

/** `HILO_TEST_KILLS` and `HILO_WAITING` set other numbers. */
const kills = Number(process.env['HILO_TEST_KILLS'] ?? 3);
const waiting = Number(process.env['HILO_WAITING'] ?? 300);
/** Executions that are retried, recipients of the campaign, and executions of the company that leaves. */
const [failing, recipients, leaving] = [Math.ceil(waiting / 10), Math.ceil(waiting / 10), 40];
/** So many a second are acted on: the jobs are under way through all kills. */
const rate = Math.max(20, Math.ceil(waiting / kills / 1.5));

const secretKey = Buffer.alloc(32, 5).toString('base64');
const random = seededRandom(fc.readConfigureGlobal().seed ?? 1);
const share = (): number => (random.bytes(1)[0] ?? 0) / 256;

const hook = node('hook', 'webhook', { variableName: 'call', methods: ['POST'], userIdPath: 'user' });
const done = node('done', 'end');

/** Waits for an event, and tells of it. */
const waits = (ledger: string, label: string): JsonObject =>
  canvas(
    'waits',
    [
      node('begin', 'start'),
      node('wait', 'wait-event', { name: 'go', label }),
      node('tell', 'api', {
        method: 'POST',
        url: `http://${ledger}/`,
        body: { step: 'gone', of: '{{$context.executionId}}', what: '' },
        retry: { attempts: 5, delay: 'PT1S' }, // all of them call at once
      }),
      done,
    ],
    [edge('begin', 'wait'), edge('wait', 'tell', 'received'), edge('tell', 'done', 'success')],
    { kind: 'tool' },
  );

/** Charges, and sends a receipt of what the answer of the charge has. */
const shop = (ledger: string, field: string): JsonObject =>
  canvas(
    'shop',
    [
      hook,
      node('charge', 'api', {
        method: 'POST',
        url: `http://${ledger}/`,
        body: { step: 'charged', of: '{{$user.id}}', what: '' },
        saveAs: '$context.charge',
      }),
      node('receipt', 'api', {
        method: 'POST',
        url: `http://${ledger}/`,
        body: { step: 'receipt', of: '{{$user.id}}', what: `{{$context.charge.body.${field}}}` },
      }),
      done,
    ],
    [edge('hook', 'charge', 'new'), edge('charge', 'receipt', 'success'), edge('receipt', 'done', 'success')],
  );

const listOf = (workspace: JsonObject, name: string): readonly JsonObject[] => (workspace[name] ?? []) as unknown as readonly JsonObject[];

const phone = (index: number): string => String(5_215_510_000_000 + index);
const template = { id: 'tpl', elementName: 'news', botId: 'bot_wa', language: 'en', category: 'UTILITY', status: 'APPROVED', body: 'News' };

/** The company of the load with a campaign, and one that leaves. */
function workspaceOf(ledger: string): JsonObject {
  const [first = {}] = listOf(faultsWorkspace(ledger), 'companies');
  const bot = {
    id: 'bot_wa',
    name: 'WhatsApp',
    channel: 'whatsapp',
    connectedAt: '2025-01-01T00:00:00Z',
    provider: { kind: 'log', appSecret: 'x' },
  };
  const campaign = {
    id: 'news',
    name: 'News',
    elementName: 'news',
    templateId: 'tpl',
    botId: 'bot_wa',
    status: 'PENDING',
    createdAt: '2026-01-01T00:00:00Z',
    recipients: Array.from({ length: recipients }, (_, index) => ({ userId: phone(index) })),
  };
  const own = [shop(ledger, 'number'), waits(ledger, 'first')].map((one) => ({ canvas: one, publish: true }));
  const { bots, workflows } = first;
  const acme = {
    ...first,
    bots: [...((bots ?? []) as unknown as JsonObject[]), bot],
    templates: [template],
    campaigns: [campaign],
    workflows: [...((workflows ?? []) as unknown as JsonObject[]), ...own],
  };
  const away = {
    id: 2,
    name: 'Away',
    kind: 'enterprise',
    plan: 'enterprise',
    workflows: [{ canvas: waits(ledger, 'away'), publish: true }],
  };
  return { companies: [acme, away] };
}

const storeOf = ({ directory, databaseUrl }: Place): readonly string[] => [
  '--data',
  directory,
  ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
];

/** A service at one address that dies and is started again. */
async function openMortal(place: Place, env: { readonly [name: string]: string }) {
  await (await place.start([], env)).end('SIGTERM');
  const { directory, databaseUrl, runtime = ['--port', String(await freePort())] } = place;
  const port = runtime[1] ?? '';
  const args = [...runtime, ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl])];
  /** As a supervisor does it: a command that found no service has the file for a moment. */
  const start = async (): Promise<ServiceProcess> => {
    for (;;) {
      try {
        return await startService(directory, args, env); // without the workspace, whose canvases it would publish again
      } catch (error) {
        if (!String(error).includes('is in use by another process')) throw error;
      }
    }
  };
  let service: ServiceProcess = await start();
  let hasEnded = false;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async die(): Promise<void> {
      await service.end('SIGKILL');
      service = await start();
    },
    end(signal: NodeJS.Signals) {
      hasEnded = true;
      return service.end(signal);
    },
    /** Asks management until there is an answer for good. */
    async insist<Body>(request: string, body?: JsonObject): Promise<Body> {
      const [method = '', path = ''] = request.split(' ');
      for (;;) {
        if (hasEnded) throw new Error(`${request}: the service has ended`);
        const asked = callerOf(url).call(`${method} /admin/v1${path}`, { ...(body !== undefined && { body }) });
        const answer = await asked.catch((error: unknown) => (isGone(error) ? undefined : Promise.reject(error)));
        if (answer !== undefined && answer.status < 300) return answer.body as Body;
        if (answer !== undefined && answer.status !== 503) throw new Error(`${request}: ${answer.status} ${answer.text}`);
        await pause(askAgainMs);
      }
    },
  };
}

const inRounds = async (count: number, act: (index: number) => Promise<unknown>): Promise<void> => {
  for (let from = 0; from < count; from += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - from) }, (_, index) => act(from + index)));
};

/** A file of the company that left is taken in elsewhere, with all that waits there. */
async function expectArrived(file: string, env: { readonly [name: string]: string }): Promise<void> {
  using there = openPlace({ companies: [] });
  await using second = await there.start([], env);
  expect(await hilo(['move', 'in', file, ...storeOf(there)], { env })).toMatchObject({ code: 0 });
  const away = await callerOf(second.url).executions('2');
  expect(away.map(({ status }) => status)).toEqual(Array.from({ length: leaving }, () => 'waiting'));
}

const killed = (open: OpenPlace): void => {
  it(`loses nothing, does nothing under two keys, and its jobs end by themselves, killed ${kills} times (P2, P4, P10, M7, F3)`, {
    timeout: 240_000 + kills * 60_000 + waiting * 20,
  }, async () => {
    await using ledger = await openLedger();
    using place = await open(workspaceOf(ledger.address));
    const env = { HILO_EGRESS_ALLOW: ledger.address, HILO_SECRET_KEY: secretKey };
    const mortal = await openMortal(place, env);
    const { url, insist } = mortal;
    let isOver = false;
    let isCounted = false;
    try {
      await inRounds(waiting, () => insist('POST /workflows/waits/start?companyId=1'));
      await inRounds(leaving, () => insist('POST /workflows/waits/start?companyId=2'));
      await inRounds(failing, (index) => callerOf(url).hook('shop/web/hook', { user: phone(500_000 + index) }));
      const all = () => callerOf(url).executions('1');
      const ofShop = async (status: string) => (await all()).filter((one) => one.workflowId === 'shop' && one.status === status);
      while ((await ofShop('failed')).length < failing) await pause(askAgainMs);
      const changes = { shop: shop(ledger.address, 'ok'), waits: waits(ledger.address, 'second') };
      for (const [id, changed] of Object.entries(changes)) {
        await insist(`PUT /workflows/${id}?companyId=1`, changed);
        await insist(`POST /workflows/${id}/publish?companyId=1`);
      }
      const migration = { workflowId: 'waits', from: 1, to: 2 };
      const migrating = await insist<{ jobId: string }>('POST /workflows/waits/migrations?companyId=1', { migration, rate });
      const retrying = await insist<{ jobId: string }>('POST /executions/bulk?companyId=1', {
        filter: { workflowId: 'shop', status: 'failed' },
        action: { type: 'retry', version: 'latest' },
        atMost: failing,
        rate,
      });

      const load = startLoad(() => [url], 3);
      const file = join(place.directory, 'away.jsonl');
      const moves = place.runtime === undefined; // Restate keeps what is under way, and it cannot be moved from there
      /** Commands beside it, one after the other, each repeated until it is done. */
      const commands = async (): Promise<void> => {
        const repeat = async (words: readonly string[]): Promise<void> => {
          for (;;) {
            const { code, stderr } = await hilo([...words, ...storeOf(place)], { env: { HILO_SECRET_KEY: secretKey } });
            if (code === 0) return;
            if (isOver) throw new Error(`${words.join(' ')}: ${stderr}`);
          }
        };
        if (moves) await repeat(['move', 'out', '2', file]);
        while (!isOver) {
          const exported = join(place.directory, 'exported.json');
          await repeat(['export', exported]);
          await repeat(['import', exported]);
          rmSync(exported);
        }
      };
      const working = commands();
      working.catch(() => undefined);
      for (let kill = 0; kill < kills; kill += 1) {
        await untilAnswered(load, 10); // what was at work at three deaths, without progress, would be set aside (P17)
        await pause(3_000 * share());
        await mortal.die();
      }
      isOver = true;
      // On a machine that is busy some may have been at work at three deaths all the same: an operator lets them go on.
      const aside = new Set<string | null>();
      const release = async (): Promise<void> => {
        while (!isCounted) {
          const { results } = await insist<{ readonly results: readonly Pick<Execution, 'executionId' | 'userId'>[] }>(
            'GET /executions?companyId=1&status=quarantined&limit=200',
          );
          for (const { executionId, userId } of results) {
            aside.add(userId);
            await insist(`POST /executions/${executionId}/release?companyId=1`);
          }
          await pause(1_000);
        }
      };
      const releasing = release();
      releasing.catch(() => undefined);
      const promised = await load.stop();
      await working;

      const ended = async (jobId: string): Promise<ShownJob> => {
        for (;;) {
          const job = await insist<ShownJob>(`GET /jobs/${jobId}?companyId=1`);
          if (job.status !== 'waiting' && job.status !== 'running') return job;
          await pause(100);
        }
      };
      const whole = { status: 'done', failure: null, atLeast: false, problems: [] };
      expect(await ended(migrating.jobId)).toMatchObject({ ...whole, counts: { same: waiting } });
      expect(await ended(retrying.jobId)).toMatchObject({ ...whole, counts: { retried: failing } });
      await insist('POST /signals', { companyId: '1', name: 'go', correlation: '', payload: null });
      const isEmpty = async (status: string) =>
        (await insist<{ readonly results: readonly object[] }>(`GET /executions?companyId=1&status=${status}&limit=1`)).results.length ===
        0;
      for (const status of ['waiting', 'running', 'quarantined', 'running']) while (!(await isEmpty(status))) await pause(100);
      const atRest = await all();
      const rest = (workflowId: string, status: string, count: number) => {
        const found = atRest.filter((one) => one.workflowId === workflowId && one.status === status);
        expect([workflowId, found.length]).toEqual([workflowId, count]);
        return found;
      };
      const gone = rest('waits', 'completed', waiting);
      rest('shop', 'completed', failing);
      const outbound = async () => (await callerOf(url).messages('bot_wa')).map(({ userId }) => userId);
      while ((await outbound()).length < recipients) await pause(100);

      const keysOf = (step: string) =>
        new Map(
          [
            ...Map.groupBy(
              ledger.deeds.filter((deed) => deed.step === step),
              ({ of }) => of,
            ),
          ].map(([of, deeds]) => [of, new Set(deeds.map(({ key }) => key)).size]),
        );
      for (const [step, count] of [
        ['gone', waiting],
        ['charged', failing],
        ['receipt', failing],
      ] as const) {
        const keys = keysOf(step);
        expect([step, keys.size, ...new Set(keys.values())]).toEqual([step, count, 1]);
      }
      expect([gone.length, ...new Set(gone.map(({ version }) => version))]).toEqual([waiting, 2]);
      const migrated = await Promise.all(
        gone
          .slice(0, 500)
          .map(
            async ({ executionId }) =>
              (await callerOf(url).history(executionId)).filter(({ type }) => type === 'execution.migrated').length,
          ),
      );
      expect(new Set(migrated)).toEqual(new Set([1]));
      expect((await outbound()).toSorted()).toEqual(Array.from({ length: recipients }, (_, index) => phone(index)).toSorted());
      const ofCallers = () => ledger.deeds.filter(({ step }) => step === 'placed' || step === 'paid' || step === 'heard');
      const findings = async () =>
        check(
          promised,
          ofCallers(),
          (await all()).filter(({ workflowId }) => workflowId === 'order' || workflowId === 'hear'),
          aside,
        );
      await expect.poll(findings, { timeout: 60_000 }).toEqual([]); // what was accepted last may wait for its turn
      isCounted = true;
      await releasing;

      if (moves) await expectArrived(file, env);
      expect(await mortal.end('SIGTERM')).toMatchObject({ code: 0 });
    } finally {
      isOver = true;
      isCounted = true;
      await mortal.end('SIGKILL');
    }
  });
};

describeOverEachStore('a service at everything at once that is killed', killed);
describeOverRestate('a service at everything at once that is killed', killed);
