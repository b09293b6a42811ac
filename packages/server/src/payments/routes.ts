import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { HttpEnv } from '../platform/http/context.ts';
import { envelope, inShape } from '../platform/http/envelope.ts';
import { readBody, utf8 } from '../platform/http/read-body.ts';
import { invalidRequest, notFound, type Refusal, unauthorized } from '../platform/http/refusal.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import type { Service } from '../service.ts';
import { callback, chooseTest, describeSignatures, showReturned, showTest } from './describe-payments.ts';
import type { Payments } from './payments.ts';
import { returnedPage, testPage } from './test-page.ts';

/**
 * Where payment providers say how payments end, each event signed by who has the credential's secret (T5), and the pages of
 * payments in test mode, which are for those who were sent their address.
 */
export function createPaymentSurface(
  service: Service & { readonly payments: Payments },
  traffic: Traffic = createTraffic(service),
): OpenAPIHono<HttpEnv> {
  const { payments } = service;
  const { admission, rateLimit } = traffic;
  const app = inShape(new OpenAPIHono<HttpEnv>(), service);
  describeSignatures(app.openAPIRegistry);
  app.use('/payments/*', envelope(service, traffic, 'payments'));

  const bodyOf = async (c: Context<HttpEnv>): Promise<Uint8Array> => {
    const entry = admission.enter({ kind: 'nobody' });
    try {
      return await readBody(c, entry);
    } finally {
      entry.leave();
    }
  };

  app.openapi(callback, async (c) => {
    const { headers } = c.req.raw;
    if (!payments.signatureHeaders.some((name) => headers.has(name)))
      throw unauthorized('Sign the event: no header with a signature came with it');
    const { companyId, credentialId } = c.req.valid('param');
    switch (await payments.takeCallback(companyId, credentialId, { headers, body: await bodyOf(c) })) {
      case 'forged': // an account that does not exist answers as one whose secret is another (P28)
        throw unauthorized('The signature is not that of this body under the secret of this address, or it is too old');
      case 'unreadable':
        throw invalidRequest('The body is no event of this provider');
      case 'taken':
        return c.json({ success: true as const }, 200);
      case 'repeated':
        return c.json({ success: true as const, duplicate: true as const }, 200);
      case 'ignored':
        return c.json({ success: true as const, ignored: true as const }, 200);
    }
  });

  app.openapi(showReturned, (c) => returnedPage(c));

  app.openapi(showTest, async (c) => {
    const { checkoutId } = c.req.valid('param');
    await rateLimit?.consume(`checkout ${checkoutId}`);
    const payment = await payments.test(checkoutId);
    if (payment === undefined) throw noSuchTest();
    return testPage(c, payment);
  });

  app.openapi(chooseTest, async (c) => {
    const { checkoutId } = c.req.valid('param');
    await rateLimit?.consume(`checkout ${checkoutId}`);
    if ((await payments.test(checkoutId)) === undefined) throw noSuchTest(); // GEN-09
    const choice = new URLSearchParams(utf8(await bodyOf(c))).get('choice');
    if (choice !== 'approve' && choice !== 'reject') throw invalidRequest('Choose "approve" or "reject"');
    await payments.chooseTest(checkoutId, choice === 'approve' ? 'approved' : 'rejected');
    return c.redirect(encodeURIComponent(checkoutId), 303); // beside itself, whatever path a proxy has put before it
  });
  return app;
}

const noSuchTest = (): Refusal => notFound('PAYMENT_NOT_FOUND', 'There is no such test payment');
