import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { eventOf, startStripe, stripeSignature } from '../../../integrations/test/fake-stripe.ts';
import { ask, emptyDirectory, startService } from '../service-process.ts';
import { accountWith, payCanvas, shopWorkspace, withStripe } from './payments-stage.ts';

const userId = '5215512345678';

/** The user writes "pay" to a service that runs in a process of its own. */
async function writesPay(url: string): Promise<void> {
  const message = { id: 'm1', type: 'text', text: 'pay' };
  const body = JSON.stringify({ eventId: 'e1', botId: 'bot_wa', user: { id: userId }, message, receivedAt: '2031-03-03T09:00:00Z' });
  const signature = `sha256=${createHmac('sha256', 'inbound-secret-wa').update(body).digest('hex')}`;
  const { status } = await fetch(`${url}/channels/bot_wa/webhook`, { method: 'POST', headers: { 'x-hub-signature-256': signature }, body });
  expect(status).toBe(200);
}

/** What the user got, as texts. */
async function got(url: string): Promise<readonly string[]> {
  const { body } = await ask(url, `/admin/v1/bots/bot_wa/messages?userId=${userId}`);
  const { results } = body as { readonly results: readonly { readonly direction: string; readonly message: { readonly text: string } }[] };
  return results.flatMap(({ direction, message: { text } }) => (direction === 'outbound' ? [text] : []));
}

const patient = { timeout: 60_000 };

async function linkOf(url: string): Promise<string> {
  await expect.poll(() => got(url), patient).toHaveLength(1);
  return (await got(url)).at(0)?.split('\n').at(-1) ?? '';
}

async function workspaceIn(directory: string, canvas: JsonObject, changes = {}): Promise<string> {
  const file = join(directory, 'workspace.json');
  writeFileSync(file, JSON.stringify(await shopWorkspace(canvas, changes)));
  return file;
}

describe('a payment over a service that was started', () => {
  it('is a page at the address listened on, in test mode, and survives a kill (P1, PAY-01)', async () => {
    using data = emptyDirectory();
    const workspace = await workspaceIn(data.path, payCanvas());
    await using before = await startService(data.path, ['--workspace', workspace]);
    await writesPay(before.url);
    const link = await linkOf(before.url);
    expect(link).toMatch(new RegExp(`^${before.url}/payments/test/pay_[0-9a-f]{32}$`));
    expect(await (await fetch(link)).text()).toContain('This is a test');
    await before.end('SIGKILL');
    await using after = await startService(data.path, ['--workspace', workspace]);
    const page = link.replace(before.url, after.url);
    const chosen = await fetch(page, { method: 'POST', body: new URLSearchParams({ choice: 'approve' }) });
    expect({ url: chosen.url, status: chosen.status, isShown: (await chosen.text()).includes('was approved') }).toEqual({
      url: page,
      status: 200,
      isShown: true,
    });
    await expect.poll(() => got(after.url), patient).toEqual([expect.stringContaining(link), 'approved 1250']);
  });

  it('is made and ended by a provider, and its links begin with the address of the settings (P10)', async () => {
    using data = emptyDirectory();
    const stripe = await startStripe();
    try {
      const workspace = await workspaceIn(data.path, payCanvas(withStripe), { '/companies/0/credentials/-': accountWith(stripe) });
      const args = ['--workspace', workspace, '--egress-allow', stripe.host, '--public-url', 'https://bots.example/hilo/'];
      await using service = await startService(data.path, args);
      await writesPay(service.url);
      expect(await linkOf(service.url)).toBe('https://checkout.stripe.com/c/pay/cs_test_1');
      const [{ form } = { form: {} as JsonObject }] = stripe.forms;
      expect(form['success_url']).toBe('https://bots.example/hilo/payments/returned');
      const { client_reference_id: checkoutId } = form;
      const body = JSON.stringify(eventOf('completed', stripe.sessionOf(typeof checkoutId === 'string' ? checkoutId : '')));
      const tell = async (signature: string) => {
        const headers = { 'stripe-signature': signature };
        const answer = await fetch(`${service.url}/payments/callbacks/1/stripe`, { method: 'POST', headers, body });
        return answer.status;
      };
      expect(await tell(stripeSignature(body, Date.now(), 'whsec_of_somebody_else'))).toBe(401);
      expect(await Promise.all([1, 2, 3].map(() => tell(stripeSignature(body, Date.now()))))).toEqual([200, 200, 200]);
      await expect.poll(() => got(service.url), patient).toEqual([expect.anything(), 'approved 1250']);
      expect(await ask(service.url, '/admin/v1/payments?companyId=1')).toMatchObject({
        body: { results: [{ status: 'approved', isLate: false, reference: 'cs_test_1' }] },
      });
      const { stdout } = await service.end('SIGTERM');
      for (const secret of ['sk_test_canary', 'whsec_canary']) expect(stdout).not.toContain(secret);
    } finally {
      await stripe.close();
    }
  });
});
