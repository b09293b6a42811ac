import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { slotCount, slotOf, slotOfId } from '@hilo/engine';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { readCell } from '../../src/platform/cells.ts';
import { exampleWorkspace, type Place, withPlace } from './open-for-test.ts';

const [first, last] = [1_000, 1_003];
const twoCells = [
  { name: 'a', slots: `0-${first - 1},${last + 1}-${slotCount - 1}`, url: 'https://a.bots.example' },
  { name: 'b', slots: `${first}-${last}`, url: 'https://b.bots.example/hilo' },
];

/** Users of one bot by the slot that each is in. */
const userIn = (slot: number): string => {
  for (let number = 5_215_500_000_000; ; number += 1) if (slotOf(`1/user/bot_web/${number}`) === slot) return String(number);
};

async function openCell({ directory, open }: Place, cell: string) {
  const cells = join(directory, 'cells.json');
  await writeFile(cells, JSON.stringify({ cells: twoCells }));
  const service = await open({ workspace: exampleWorkspace, cell, cells });
  const app = createApp(service);
  const ask = async (path: string, init: RequestInit) => {
    const answer = await app.request(path, init);
    return {
      status: answer.status,
      cell: answer.headers.get('x-hilo-cell'),
      body: (await answer.json()) as { readonly executionId: string },
    };
  };
  return {
    service,
    hook: async (body: object, path = 'payment-once/web/wo1') =>
      ask(`/workflows/v2/webhooks/skill/${path}`, {
        method: 'POST',
        headers: { 'x-api-key': 'hk_acme_0123456789abcdef', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    /** Asks management for something of an execution. */
    manage: async (method: string, path: string) =>
      ask(`/admin/v1/executions/${path}`, { method, headers: { authorization: `Bearer ${service.settings.adminToken}` } }),
  };
}

const start = (slot: number) => ({ user: { id: userIn(slot) }, number: 'F-1', amount: '10' });
const elsewhere = {
  status: 421,
  cell: 'a',
  body: { error: 'CELL_ELSEWHERE', message: 'This is served by cell "a": send it to https://a.bots.example' },
};

describe('a cell', () => {
  it(
    'serves its own range to the ends, and refuses what is beside them with the cell that has it',
    withPlace(async (place) => {
      const { service, hook, manage } = await openCell(place, 'b');
      for (const slot of [first - 1, last + 1, 0, slotCount - 1]) expect(await hook(start(slot))).toEqual(elsewhere);
      expect((await service.store.executions.list('1', { limit: 10 })).results).toEqual([]);
      for (const slot of [first, first + 1, last - 1, last]) {
        const { status, body } = await hook(start(slot));
        expect({ status, slot: slotOfId(body.executionId) }).toEqual({ status: 200, slot });
        await service.engine.whenIdle();
        // A resume is found by the id alone.
        expect(await hook({ meta: { executionId: body.executionId }, receipt: 'R-1' })).toMatchObject({ status: 200 });
      }
      const foreign = `${'0'.repeat(12)}7${(first - 1).toString(16).padStart(3, '0')}8${'0'.repeat(15)}`;
      expect(await hook({ meta: { executionId: foreign } })).toEqual(elsewhere);
      for (const ask of [
        service.engine.execution('1', foreign),
        service.engine.history('1', foreign),
        service.engine.cancel('1', foreign),
        service.engine.release('1', foreign),
        service.engine.company('1').execution(foreign),
        service.engine.company('1').history(foreign),
      ])
        await expect(ask).rejects.toMatchObject({ code: 'CELL_ELSEWHERE', status: 421, details: { cell: 'a' } });
      for (const path of ['', '/history', '/states/1', '?companyId=1']) expect(await manage('GET', foreign + path)).toEqual(elsewhere);
      for (const verb of ['cancel', 'release']) expect(await manage('POST', `${foreign}/${verb}`)).toEqual(elsewhere);
      const unknown = `${'0'.repeat(12)}7${first.toString(16).padStart(3, '0')}8${'0'.repeat(15)}`;
      expect(await manage('GET', unknown)).toMatchObject({ status: 404, body: { error: 'EXECUTION_NOT_FOUND' } });
    }),
  );

  it(
    'takes messages of its own users alone, and begins what has no user in a slot of its own',
    withPlace(async (place) => {
      const { service } = await openCell(place, 'b');
      const say = (slot: number) => {
        const user = { id: userIn(slot) };
        const message = { id: `message-${slot}`, type: 'text', text: 'hello' };
        return service.engine.receiveMessage({ companyId: '1', botId: 'bot_web', eventId: `event-${slot}`, user, message });
      };
      await expect(say(last + 1)).rejects.toMatchObject({ code: 'CELL_ELSEWHERE', details: { cell: 'a', url: 'https://a.bots.example' } });
      await expect(say(last)).resolves.toHaveProperty('outcome');
      for (let round = 0; round < 20; round += 1) {
        const origin = { companyId: '1', route: 'production', channel: 'web' } as const;
        const { executionId } = await service.engine.startWorkflow({ origin, workflowId: 'payment-once' });
        expect(slotOfId(executionId)).toSatisfy((slot: number) => slot >= first && slot <= last);
      }
    }),
  );

  it(
    'is refused in words where its file does not give each slot to one cell',
    withPlace(async ({ directory, open }) => {
      const file = join(directory, 'cells.json');
      const url = 'https://a.bots.example';
      const reading = async (cells: unknown, name = 'a') => {
        await writeFile(file, typeof cells === 'string' ? cells : JSON.stringify({ cells }));
        return readCell(name, file);
      };
      await expect(reading([{ name: 'a', slots: '0-4095', url }])).resolves.toHaveProperty('elsewhere');
      await expect(reading([{ name: 'a', slots: '0-4094', url }])).rejects.toThrow('slot 4095 is in no cell');
      await expect(reading([{ name: 'a', slots: '0-4096', url }])).rejects.toThrow(
        'cell "a" has the range 0-4096: slots go from 0 to 4095',
      );
      await expect(reading([{ name: 'a', slots: '5-4', url }])).rejects.toThrow('the lower first');
      const overlapping = [
        { name: 'a', slots: '0-2048', url },
        { name: 'b', slots: '2048-4095', url },
      ];
      await expect(reading(overlapping)).rejects.toThrow('slot 2048 is in "a" and in "b": each is one cell\'s');
      await expect(reading(twoCells, 'c')).rejects.toThrow('has no cell "c"; it has "a", "b"');
      await expect(reading([{ name: 'A', slots: '0-4095', url }])).rejects.toThrow('/cells/0/name is 1 to 63 small letters');
      const twice = [
        { name: 'a', slots: '0-2047', url },
        { name: 'a', slots: '2048-4095', url: 'https://b.bots.example' },
      ];
      await expect(reading(twice)).rejects.toThrow('two cells are "a": write one, with all its ranges');
      await expect(reading('{')).rejects.toThrow('cannot be used');
      await expect(reading('[]')).rejects.toThrow(/cannot be used: it must be an object; write it like \{ "cells": \[/);
      await expect(reading([])).rejects.toThrow('cannot be used: /cells lists no cell; write');
      await expect(reading([{ name: 'a', slots: '0-4095' }])).rejects.toThrow('cannot be used: /cells/0/url is missing; write');
      await expect(readCell('a', directory)).rejects.toThrow('cannot be used: it is a folder, not a file; write it like');
      await expect(readCell('a', join(directory, 'none.json'))).rejects.toThrow(
        `--cells (HILO_CELLS): there is no file ${join(directory, 'none.json')}: write one that lists every cell, { "cells": [`,
      );
      await expect(open({ cell: 'a' })).rejects.toThrow('go together');
      await expect(open({ cells: file })).rejects.toThrow('go together');
    }),
  );
});
