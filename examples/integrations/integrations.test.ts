import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

it('reaches an API, a SOAP service, a database, a model, a function and a payment, and ends by itself', async () => {
  const began = Date.now();
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main], { timeout: 110_000 });
  expect(stderr).toBe('');
  const [taxNumber, stampCard, sortMail = '', ...talks] = stdout.trimEnd().split('\n');
  expect(taxNumber).toBe('tax-number: {"Taxpayer":{"number":"20100070970","isKnown":"true"}}');
  expect(stampCard).toBe('stamp-card: {"card":{"customer":"C-7","name":"Ana"},"stamp":{"id":1}}');
  const [, queue, answerBy = ''] = /^sort-mail: \{"queue":"(\w+)","answerBy":"([^"]+)"\}$/.exec(sortMail) ?? [];
  expect(queue).toBe('order');
  expect(Date.parse(answerBy) - began).toBeGreaterThanOrEqual(3_600_000); // most urgent: within the hour
  expect(talks).toEqual([
    'greeting: {"greeting":"Hello Ana"}',
    'order-status: Order 7 is on its way.',
    expect.stringMatching(/^pay-order: Your order is 12.5 MXN. Pay here: http:\/\/127.0.0.1:\d+\/payments\/test\/pay_\w+$/),
    expect.stringMatching(/^pay-order: Thank you! Your payment pay_\w+ is here.$/),
  ]);
});
