import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changed, inlineExample } from '../data/inline-example.ts';
import type { ServiceProcess } from '../service-process.ts';
import { expectAccountedFor } from './accounts.ts';
import { type Caller, callerOf } from './caller.ts';
import { conversationFlows } from './flows/conversations.ts';
import { resumeFlows } from './flows/resumes.ts';
import { routeFlows } from './flows/routes.ts';
import { startFlows } from './flows/starts.ts';
import { listen, type Listening } from './listening.ts';
import { describeOverEachStore, type Place } from './place.ts';
import { thirdCompany } from './third-company.ts';

/** Says of every order that it is on its way. */
const startOrders = (): Promise<Listening> =>
  listen((_request, response) => void response.setHeader('content-type', 'application/json').end('{"state":"shipped"}'));

describeOverEachStore('the example workspace, over HTTP', (open) => {
  let [orders, place, service, caller]: [Listening?, Place?, ServiceProcess?, Caller?] = [];
  const calls = (): Caller => {
    if (caller === undefined) throw new Error('The service is not up');
    return caller;
  };

  beforeAll(async () => {
    orders = await startOrders();
    const { address } = orders;
    const changes = { '/companies/0/settings/ordersUrl': `http://${address}`, '/companies/-': thirdCompany };
    place = await open(changed(await inlineExample(), changes));
    service = await place.start(['--egress-allow', address]);
    caller = callerOf(service.url);
  }, 120_000);
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    place?.[Symbol.dispose]();
    await orders?.[Symbol.asyncDispose]();
  }, 120_000);

  describe('starts by webhook', () => {
    startFlows(calls);
  });
  describe('resumes by webhook', () => {
    resumeFlows(calls);
  });
  describe('routes and versions', () => {
    routeFlows(calls);
  });
  describe('conversations', () => {
    conversationFlows(calls);
  });

  it('accounts for everything that was accepted, company by company (P35)', async () => {
    for (const companyId of ['1', '3']) expect(await expectAccountedFor(calls(), companyId)).toBeGreaterThan(10);
  });
});
