// How long it takes to erase a person with many executions, among others, until nothing of them is in the file.
import { setTimeout as pause } from 'node:timers/promises';
import { createManagement } from '../../packages/server/src/service/app.ts';
import { defaultSettings, openService, type RunningService } from '../../packages/server/src/index.ts';
import { inDirectory } from '../in-directory.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { median } from '../statistics.ts';

const canvas = {
  schemaVersion: 1,
  id: 'shop',
  name: 'Shop',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'customer' } },
    { id: 'keep', type: 'set', data: { assignments: [{ path: '$context.note', value: '{{$webhook.order.body.note}}' }] } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', target: 'keep' },
    { source: 'keep', target: 'done' },
  ],
};
const company = {
  id: 1,
  name: 'Acme',
  plan: 'growth',
  bots: [{ id: 'bot_wa', name: 'WA', channel: 'whatsapp', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } }],
  workflows: [{ canvas, publish: true }],
};
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Executions of one person. */
const ofOne = 1_000;

const userOf = (number: number): string => String(51_999_000_000 + number);

async function begin(service: RunningService, customer: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 50)
    await Promise.all(
      Array.from({ length: Math.min(50, left) }, (_, index) =>
        service.engine.receiveWebhook({
          companyId: '1',
          botId: 'bot_wa',
          workflowId: 'shop',
          nodeId: 'hook',
          route: 'production',
          channel: 'whatsapp',
          request: { method: 'POST', body: { customer, note: `order ${left - index} of ${customer}` }, query: {}, headers: {} },
        }),
      ),
    );
  await service.engine.whenIdle();
}

async function erase(service: RunningService, customer: string): Promise<number> {
  const management = createManagement(service);
  const beganMs = performance.now();
  const asked = await management.request(`/companies/1/contacts/phone:${customer}`, { method: 'DELETE' });
  const { jobId } = (await asked.json()) as { readonly jobId: string };
  for (;;) {
    const job = (await (await management.request(`/jobs/${jobId}`)).json()) as { readonly status: string };
    if (job.status === 'done') return performance.now() - beganMs;
    if (job.status === 'paused') throw new Error('The erasure is paused');
    await pause(5);
  }
}

/** Erasing people of 1,000 executions each, one after the other. */
export async function erasure(quick: boolean, progress: Progress): Promise<readonly Part[]> {
  const rounds = quick ? 2 : 7;
  const times = await inDirectory(async (directory) => {
    const service = await openService({ ...defaultSettings, data: directory, adminToken: 'token-of-the-benchmark' }, { log: silent });
    try {
      await service.importWorkspace({ workspace: { companies: [company] } });
      const measured: number[] = [];
      for (let person = 0; person < 2 * rounds; person += 1) await begin(service, userOf(person), ofOne);
      for (let person = 0; person < rounds; person += 1) {
        progress.say(`erasure ${person + 1} of ${rounds}`);
        measured.push(await erase(service, userOf(person)));
      }
      return measured;
    } finally {
      await service.close();
    }
  });
  return [
    {
      name: 'Erasing a person with 1,000 executions',
      unit: 'ms',
      contestants: [{ name: `Hilo, among ${2 * rounds} such people`, median: median(times) }],
      aims: [atMost('ms', median(times), 2_000)],
      notes: ['From the request until the job is done, the file is written anew, and nothing of the person is in it.'],
    },
  ];
}
