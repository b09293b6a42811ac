// A job of an embedding program: durable work over many things. The program of docs/own-resource.md; it writes ./data where it is started.
import { defineJob, openService } from '@hilo/server';
import { z } from 'zod';

const orders = ['A-1', 'A-2', 'A-3'];
const reminded = new Set<string>();

const remind = defineJob({
  kind: 'remind',
  spec: z.strictObject({ text: z.string().min(1) }),
  async page({ spec, place, size, each }) {
    const from = typeof place === 'number' ? place : 0;
    const page = orders.slice(from, from + size);
    await each(page, async (order) => {
      reminded.add(`${order}: ${spec.text}`); // idempotent: a page may be done twice
    });
    const next = from + page.length;
    return { next: next < orders.length ? next : null, read: page.length, counts: { reminded: page.length } };
  },
});

const service = await openService({ data: './data', jobs: [remind] });

const { jobId } = await service.jobs.ask(remind, { companyId: '1', spec: { text: 'Your order waits' }, createdBy: 'the shop', rate: 50 });
for (let job = await service.jobs.find(jobId); job.status !== 'done'; job = await service.jobs.find(jobId))
  await new Promise((resolve) => setTimeout(resolve, 100));
console.log([...reminded].join('\n'));
await service.close();
