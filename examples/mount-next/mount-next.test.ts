import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { GET } from './app/customers/[phone]/reminders/route.ts';
import { POST } from './app/workflows/[...path]/route.ts';
import { hilo } from './lib/hilo.ts';

it('answers webhooks by its route handlers, and uses the engine beside them', async () => {
  const data = mkdtempSync(join(tmpdir(), 'hilo-next-'));
  const before = process.cwd();
  vi.stubEnv('HILO_DATA', data);
  process.chdir(join(dirname(fileURLToPath(import.meta.url)), '../workspace')); // where a project has its workspace.json
  try {
    const call = (headers: { readonly [name: string]: string }) =>
      POST(
        new Request('http://localhost:3000/workflows/v2/webhooks/skill/payment-reminder/whatsapp/wh1', {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ user: { id: '5215512345678' }, number: 'F-7', amount: '120' }),
        }),
      );
    expect((await call({})).status).toBe(401);
    const accepted = await call({ 'x-api-key': 'hk_acme_0123456789abcdef' });
    expect(await accepted.json()).toMatchObject({ success: true, mode: 'new' });
    const found = await GET(new Request('http://localhost:3000/'), { params: Promise.resolve({ phone: '5215512345678' }) });
    expect(await found.json()).toMatchObject([{ workflowId: 'payment-reminder' }]);
  } finally {
    await (await hilo()).service.close();
    process.chdir(before);
    vi.unstubAllEnvs();
    rmSync(data, { recursive: true });
  }
});
