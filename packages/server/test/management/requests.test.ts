// The call of an API node for its author: with the real node, and a driver that answers as the other system would.
import type { BoundDriver, Json } from '@hilo/engine/contract';
import { drive } from '@hilo/engine/contract';
import { httpRequest } from '@hilo/nodes/effects';
import { describe, expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { createRequests } from '../../src/workflows/request-routes.ts';
import { type FakeManagement, fakeManagement } from './fake-management.ts';

const sending = (management: FakeManagement, driver: BoundDriver) => {
  const requests = createRequests([driver], () => 'key-1', management.clock.now);
  const app = createManagement({ ...management.service, requests });
  return async (body: object): Promise<{ readonly status: number; readonly body: Json }> => {
    const answer = await app.request('/requests?companyId=1', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
};

const answering = (status: number, seen: Json[] = []): BoundDriver =>
  drive(httpRequest, (request, { origin }) => {
    seen.push({ ...(request as unknown as { readonly [field: string]: Json }), companyId: origin.companyId });
    return { kind: 'response', response: { status, headers: { 'x-one': '1' }, body: { total: 7 } } };
  });

describe('POST /requests', () => {
  it('makes the call that the node would make, and says how it would go on', async () => {
    await using management = await fakeManagement();
    const seen: Json[] = [];
    const send = sending(management, answering(200, seen));
    const data = {
      method: 'POST',
      url: 'https://example.com/{{$context.order}}',
      body: { order: '{{$context.order}}' },
      saveAs: '$context.answer',
    };
    expect(await send({ data, variables: { $context: { order: 'A-17' } } })).toEqual({
      status: 200,
      body: {
        method: 'POST',
        url: 'https://example.com/A-17',
        port: 'success',
        response: { status: 200, headers: { 'x-one': '1' }, body: { total: 7 } },
        failure: null,
      },
    });
    expect(seen).toMatchObject([{ method: 'POST', body: { order: 'A-17' }, companyId: '1' }]);
    expect(await sending(management, answering(500))({ data, variables: { $context: { order: 'A' } } })).toMatchObject({
      body: { port: 'error', response: { status: 500 }, failure: { cause: 'HTTP_STATUS' } },
    });
  });

  it('sees the company as the draft would: with the settings of tests, its name and its zone', async () => {
    await using management = await fakeManagement();
    const { service } = management;
    const settings = { shop: 'live.example.com', test: { shop: 'test.example.com' } };
    const company = { id: '1', name: 'Acme', kind: 'enterprise', plan: 'enterprise', timeZone: 'America/Lima', settings } as const;
    const companies = { ...service.companies, company: () => company };
    const send = sending({ ...management, service: { ...service, companies } }, answering(200));
    const url = 'https://{{$company.settings.shop}}/{{$company.name}}?zone={{$company.timeZone}}';
    expect(await send({ data: { url }, variables: {} })).toMatchObject({
      body: { url: 'https://test.example.com/Acme?zone=America%2FLima', failure: null },
    });
  });

  it('says why no answer came', async () => {
    await using management = await fakeManagement();
    const driver = drive(
      httpRequest,
      () => ({ kind: 'unreachable', reason: 'refused', message: 'Nobody listens', outcome: 'failed' }) as const,
    );
    expect(await sending(management, driver)({ data: { url: 'https://example.com/' } })).toMatchObject({
      status: 200,
      body: { port: 'error', response: null, failure: { cause: expect.any(String) as string } },
    });
  });

  it.each([
    [{}, 'data is the data of an API node'],
    [{ data: {} }, '\\"url\\" is missing'],
    [{ data: { url: 7 } }, '\\"url\\" must be a text'],
    [{ data: { url: 'https://example.com/{{$context.none}}' } }, 'none'],
    [{ data: { url: 'https://example.com/' }, variables: [] }, 'variables is an object'],
  ])('refuses %j', async (body, words) => {
    await using management = await fakeManagement();
    const seen: Json[] = [];
    const answer = await sending(management, answering(200, seen))(body);
    expect({ status: answer.status, text: JSON.stringify(answer.body) }).toEqual({
      status: 422,
      text: expect.stringContaining(words) as string,
    });
    expect(seen).toEqual([]);
  });
});
