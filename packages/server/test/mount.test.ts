import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { drawn } from '../../../scripts/vitest/part-of.ts';

/** Starts an example on any free port, until it is disposed of. */
async function started(example: string) {
  const data = mkdtempSync(join(tmpdir(), 'hilo-mount-'));
  const main = fileURLToPath(new URL(`../../../examples/${example}/main.ts`, import.meta.url));
  const child = spawn(process.execPath, [main], { env: { ...process.env, PORT: '0', HILO_DATA: data }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let told = '';
  const port = await new Promise<string>((resolve, reject) => {
    const hear = (text: Buffer): void => {
      told += text.toString();
      const [, found] = /listening on[^\d]*(?:port: |[\d.]+:|\]:|family: 'IPv6', port: )(\d+)/s.exec(told) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void ended.then(() => reject(new Error(`The example ended:\n${told}`)));
  });
  return {
    async ask(method: string, path: string, { key, body }: { readonly key?: string; readonly body?: object } = {}) {
      const response = await fetch(`http://localhost:${port}${path}`, {
        method,
        headers: { ...(key !== undefined && { 'x-api-key': key }), ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

const reminder = '/workflows/v2/webhooks/skill/payment-reminder/whatsapp/wh1';
const key = 'hk_acme_0123456789abcdef';

describe.each(drawn(['mount-express', 'mount-fastify', 'mount-hono'], 3))('%s', (example) => {
  it('has the gateway among its own routes, and the engine beside them', async () => {
    await using server = await started(example);
    const body = { user: { id: '5215512345678' }, number: 'F-7', amount: '120' };
    expect(await server.ask('POST', reminder, { body })).toMatchObject({ status: 401 });
    const accepted = await server.ask('POST', reminder, { key, body });
    expect(accepted).toMatchObject({ status: 200, body: { success: true, mode: 'new' } });
    const { executionId } = accepted.body as { readonly executionId: string };
    expect(await server.ask('GET', '/customers/5215512345678/reminders')).toMatchObject({
      status: 200,
      body: [{ executionId, workflowId: 'payment-reminder' }],
    });
    expect(await server.ask('DELETE', `/reminders/${executionId}`)).toEqual({ status: 200, body: { status: 'cancelled' } });
    expect(await server.ask('DELETE', '/reminders/none')).toMatchObject({ status: 404, body: { message: 'There is no execution "none"' } });
    expect(await server.ask('POST', reminder, { key, body: { ...body, meta: { executionId } } })).toMatchObject({ status: 409 });
    expect(await server.stop()).toBe(0);
  });
});
