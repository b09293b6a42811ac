// HTTP drivers for the contract of drivers, each beside a server that behaves as asked.
import { drive } from '@hilo/engine/contract';
import { openCheckout } from '@hilo/nodes/effects';
import type { DriverStage } from '@hilo/testing/contracts';
import { createHttpDriver } from '../../src/index.ts';
import { createModelDriver, createSoapDriver, createStripeProvider } from '../../../integrations/src/index.ts';
import { envelope11 } from '../../../integrations/test/soap-service.ts';
import { openOverHttp, secret } from './open-over-http.ts';

export const openHttpStage = (): Promise<DriverStage> =>
  openOverHttp({
    driver: createHttpDriver,
    request: (url) => ({ method: 'POST', url, headers: {}, bodyKind: 'none', responseType: 'auto', credentialId: 'token' }),
    answers: (_request, response) => response.end('fine'),
    repeats: (heard, response) => response.writeHead(200, { 'x-heard': heard }).end(JSON.stringify({ heard })),
  });

export const openSoapStage = (): Promise<DriverStage> =>
  openOverHttp({
    driver: createSoapDriver,
    request: (url) => ({ url, version: '1.1', action: '', headers: {}, namespaces: {}, body: { Ask: 'x' }, credentialId: 'token' }),
    answers: (_request, response) => response.setHeader('content-type', 'text/xml').end(envelope11('<fine/>')),
    repeats: (heard, response) =>
      response.writeHead(200, { 'content-type': 'text/xml', 'x-heard': heard }).end(envelope11(`<heard in="${heard}">${heard}</heard>`)),
  });

export const openModelStage = (): Promise<DriverStage> =>
  openOverHttp({
    driver: createModelDriver,
    request: (url) => ({ baseUrl: url, model: 'm', messages: [{ role: 'user', text: 'x' }], maxOutputTokens: 9, credentialId: 'token' }),
    answers: (_request, response) => response.setHeader('content-type', 'application/json').end(completion('{}')),
    repeats: (heard, response) => response.setHeader('content-type', 'application/json').end(completion(heard)),
  });

const completion = (content: string): string =>
  JSON.stringify({
    id: 'c',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  });

/** Checkouts as an effect: the credential of a company is its account, whose address the request names. */
export const openStripeStage = (): Promise<DriverStage> =>
  openOverHttp({
    driver: ({ dialer, credential }) => {
      const provider = createStripeProvider({ dialer });
      return drive(
        openCheckout,
        async ({ credentialId = '', openMs, timeoutMs, ...order }, { origin: { companyId }, nowMs, ...context }) => {
          const account = await credential(companyId, credentialId);
          if (account === undefined) return { kind: 'refused', cause: 'CREDENTIAL_MISSING', message: 'There is no such account' };
          const answer = await provider.createCheckout(
            { ...order, checkoutId: 'pay_1', createdAtMs: nowMs, expiresAtMs: nowMs + openMs, returnUrl: 'https://bots.example/returned' },
            { ...context, credential: account, companyId, timeoutMs },
          );
          return answer.kind === 'created' ? { kind: 'opened', checkoutId: answer.reference, url: answer.url } : answer;
        },
      );
    },
    credential: (baseUrl) => ({ kind: 'stripe', secretKey: secret, webhookSecret: 'whsec_of_company_7', baseUrl }),
    request: (url) => ({ credentialId: url, amount: 1250, currency: 'MXN', description: 'Order 7', openMs: 3_600_000 }),
    answers: (_request, response) => response.end(JSON.stringify({ id: 'cs_1', url: 'https://checkout.stripe.test/cs_1' })),
    repeats: (heard, response) =>
      response.end(JSON.stringify({ id: `cs_${heard}`, url: `https://checkout.stripe.test/${encodeURIComponent(heard)}` })),
  });
