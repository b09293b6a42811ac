import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { standardNodes } from '@hilo/nodes';
import { createApp, openService } from '@hilo/server';
import { replayScript, visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leadScores, scoreLead } from './score-lead.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));

/** Runs the command in the folder of the example, or in another. */
const hilo = (args: readonly string[], cwd = folder) => promisify(execFile)(process.execPath, [main, ...args], { cwd, timeout: 110_000 });

describe('the node', () => {
  it('leaves by "hot" from its threshold on, for any lead, and stores the score', () =>
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.nat(1_000_000),
        fc.integer({ min: 1, max: 100 }),
        fc.nat(100),
        (company, employees, hotFrom, score) => {
          const config = { company: '{{$context.company}}', employees: '{{$context.employees}}', hotFrom, saveAs: '$context.score' };
          const variables = { $context: { company, employees } };
          const { by, writes, effects } = visit(scoreLead, { config, variables, results: [{ kind: 'scored', score }] });
          expect({ by, writes }).toEqual({ by: score >= hotFrom ? 'hot' : 'cold', writes: { '$context.score': score } });
          expect(effects).toEqual([{ type: 'leads.score', request: { company, employees } }]);
        },
      ),
    ));
});

it('leaves by "cold" as in its transcript', async () => {
  const [canvas, transcript] = ['canvases/qualify-lead.json', 'transcripts/qualify-lead.small.txt'].map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  );
  const parts = { nodes: [...standardNodes, scoreLead], drivers: [leadScores] };
  expect(await replayScript([JSON.parse(canvas ?? '') as object], transcript ?? '', parts)).toBe(transcript);
});

describe('the command line in a folder with hilo.config.ts', () => {
  it('runs the canvas as in its transcript', async () => {
    const { stdout } = await hilo(['run', 'canvases/qualify-lead.json', '--script', 'transcripts/qualify-lead.txt', '--check']);
    expect(stdout).toContain('is what happens');
  });

  it('checks and draws the canvas, which is unknown anywhere else', async () => {
    const canvas = join(folder, 'canvases/qualify-lead.json');
    expect((await hilo(['render', 'canvases/qualify-lead.json'])).stdout).toContain('Score a lead');
    await expect(hilo(['validate', canvas], tmpdir())).rejects.toMatchObject({
      stdout: expect.stringContaining('UNKNOWN_NODE_TYPE') as string,
    });
    const { stdout } = await hilo(['validate', canvas, '--config', join(folder, 'hilo.config.ts')], tmpdir());
    expect(stdout).toContain('The canvas can be published');
  });
});

describe('the service', () => {
  const adminToken = 'token-of-the-operators';
  const workspace = join(folder, 'workspace.json');
  const log = { info: () => undefined, warn: console.warn, error: console.error };
  const dataDirectory = (): string => {
    const data = mkdtempSync(join(tmpdir(), 'hilo-own-node-'));
    onTestFinished(() => rmSync(data, { recursive: true }));
    return data;
  };

  it('runs the node, and lists it for editors', async () => {
    const service = await openService({ data: dataDirectory(), workspace, adminToken, nodes: [scoreLead], drivers: [leadScores] }, { log });
    try {
      const origin = { companyId: '1', botId: 'bot_web', userId: '5215512345678', channel: 'web', route: 'production' } as const;
      for (const [number, text] of ['demo', 'Acme', '2000'].entries()) {
        const id = `m${number}`;
        await service.engine.receiveMessage({ ...origin, eventId: id, user: { id: origin.userId }, message: { id, type: 'text', text } });
        await service.engine.whenIdle();
      }
      const { results } = await service.messages.list('1', 'bot_web', { limit: 20 });
      expect(results.at(-1)?.message).toMatchObject({ text: 'Thank you! We call Acme today (99 points).' });

      const headers = { authorization: `Bearer ${adminToken}` };
      const from = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
      const app = createApp(service);
      const catalogue = await (await app.request('/admin/v1/nodes', { headers }, from)).text();
      const schema = await (await app.request('/admin/v1/canvas.schema.json', { headers }, from)).text();
      expect(catalogue).toContain('"label":"Score a lead"');
      expect(schema).toContain('"score-lead"');
    } finally {
      await service.close();
    }
  });

  it('refuses to publish the node without a driver for its effect', async () => {
    const opening = openService({ data: dataDirectory(), workspace, nodes: [scoreLead] }, { log });
    await expect(opening).rejects.toMatchObject({ code: 'WORKSPACE_REFUSED', details: { problems: [{ code: 'MISSING_DRIVER' }] } });
  });
});
