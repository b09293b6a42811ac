// A workspace that is imported beside workflows that others have made: their agents call what it publishes.
import { expect, it } from 'vitest';
import type { JsonObject } from '@hilo/engine/contract';
import { withPlace } from './open-for-test.ts';
import { shopCanvas } from '../../../nodes/test/shop-canvas.ts';

const edge = (source: string, target: string, sourceHandle = 'next'): JsonObject => ({ source, target, sourceHandle });

const shop = shopCanvas({ inputs: {} });

/** A tool that calls an endpoint. */
const price = (data?: JsonObject): JsonObject => ({
  schemaVersion: 1,
  id: 'price',
  name: 'Price',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'call', type: 'api', data: { url: 'https://shop.example/', saveAs: '$context.price', ...data } },
    { id: 'done', type: 'end' },
  ],
  edges: [edge('begin', 'call'), edge('call', 'done', 'success')],
});

const credentials = [{ id: 'paying', kind: 'stripe', secretKey: 'sk_test_0123456789', webhookSecret: 'whsec_0123456789' }];
const workspace = (canvas: JsonObject, more: JsonObject = {}): JsonObject => ({
  companies: [{ id: 1, name: 'Acme', plan: 'enterprise', ...more, workflows: [{ canvas, publish: true }] }],
});

it(
  'warns of agents that it breaks, and is refused where one would move money by a credential that is kept',
  withPlace(async ({ open }) => {
    const { importWorkspace, engine } = await open();
    await importWorkspace({ workspace: workspace(price(), { credentials }) });
    await engine.company('1').publish(shop);
    const changing = await importWorkspace({ workspace: workspace(price({ method: 'POST' })) });
    expect(changing.workflows).toMatchObject([{ version: 2, warnings: [{ code: 'UNCONFIRMED_TOOL', severity: 'warning' }] }]);
    const paying = workspace(price({ auth: { credentialId: 'paying' } }));
    await expect(importWorkspace({ workspace: paying })).rejects.toMatchObject({
      code: 'WORKSPACE_REFUSED',
      details: { problems: [{ code: 'UNCONFIRMED_TOOL', message: expect.stringContaining('"shop" calls "price"') as unknown }] },
    });
  }),
);
