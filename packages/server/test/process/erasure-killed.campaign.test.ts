// A service that is killed while it erases a person: `kill -9` at any instant, whatever page the job is at. Nothing of them is left after it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, type ServiceProcess } from '../service-process.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { openPlace } from './place.ts';

/** `HILO_ERASURE_KILLS=1000` sets another number. */
const kills = Number(process.env['HILO_ERASURE_KILLS'] ?? 4);
const random = seededRandom(fc.readConfigureGlobal().seed ?? 1);
const share = (): number => (random.bytes(1)[0] ?? 0) / 256;
/** Executions of each person: several pages of the job. */
const executions = 200;

const keeps = {
  schemaVersion: 1,
  id: 'keeps',
  name: 'Keeps',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'customer' } },
    { id: 'say', type: 'message', data: { message: { type: 'text', text: 'Noted: {{$webhook.order.body.note}}' } } },
    { id: 'wait', type: 'wait-event', data: { name: 'never' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: 'wait' },
    { source: 'wait', sourceHandle: 'received', target: 'done' },
  ],
};

const call = async <Body>({ url }: ServiceProcess, method: string, path: string, body?: object, headers = {}): Promise<Body> => {
  const answer = await ask(url, path, { method, headers, ...(body !== undefined && { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Body;
};

const userOf = (number: number): string => String(51_977_000_000 + number);
const noteOf = (number: number): string => `Canary${number}Q7of${userOf(number)}`;

async function fill(service: ServiceProcess, number: number): Promise<void> {
  for (let from = 0; from < executions; from += 20)
    await Promise.all(
      Array.from({ length: 20 }, () =>
        call(
          service,
          'POST',
          '/workflows/v2/webhooks/skill/keeps/whatsapp/hook',
          { customer: userOf(number), note: noteOf(number) },
          { 'x-api-key': 'hk_acme_0123456789abcdef' },
        ),
      ),
    );
}

/** The texts that a file of the place has. */
const findIn = (directory: string, texts: readonly string[]): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name));
      return texts.filter((text) => bytes.includes(text)).map((text) => `${name}: ${text}`);
    });

describe('a service that is killed while it erases a person', () => {
  it(`leaves nothing of them in any file, and all of the others, killed ${kills} times`, {
    timeout: 120_000 + kills * 30_000,
  }, async () => {
    using place = openPlace(changed(await inlineExample(), { '/companies/0/workflows': [{ canvas: keeps, publish: true }] }));
    let service = await place.start();
    let dead = 0;
    const stays = 1_000;
    await fill(service, stays);
    for (let person = 0; dead < kills; person += 1) {
      await fill(service, person);
      expect(findIn(place.directory, [noteOf(person)])).not.toEqual([]);
      const erase = () => call<{ readonly jobId: string }>(service, 'DELETE', `/admin/v1/companies/1/contacts/phone:${userOf(person)}`);
      const { jobId } = await erase();
      const read = () => call<{ readonly status: string }>(service, 'GET', `/admin/v1/jobs/${jobId}`);
      for (let kill = 0; kill < 4 && dead < kills; kill += 1) {
        await pause(share() * 300); // anywhere in it: what it has done until then is not asked for
        if ((await read()).status === 'done') break;
        await service.end('SIGKILL');
        dead += 1;
        service = await place.start();
      }
      while ((await read()).status !== 'done') await pause(20); // another process does it, and tells nobody
      await service.end('SIGTERM'); // writes the log of the database into its file
      expect(findIn(place.directory, [userOf(person), noteOf(person)])).toEqual([]);
      expect(findIn(place.directory, [noteOf(stays)])).not.toEqual([]);
      service = await place.start();
    }
    await service.end('SIGTERM');
  });
});
