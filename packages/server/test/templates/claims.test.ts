// APPROVED in a workspace file is a claim: an import compares it, and a canvas that sends what is not approved is told so.
import type { JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { bot, template, withTemplates } from './templates-stage.ts';

const canvas = (templateId: string): JsonObject => ({
  schemaVersion: 1,
  id: 'sell',
  name: 'Sell',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['offers'] } },
    { id: 'sell', type: 'template', data: { templateId } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'sell' },
    { source: 'sell', sourceHandle: 'sent', target: 'done' },
    { source: 'sell', sourceHandle: 'error', target: 'done' },
  ],
});
const company = (url: string, more: JsonObject = {}): JsonObject => ({
  id: 1,
  name: 'Acme',
  plan: 'growth',
  bots: [bot('bot_wa', url, { businessAccountId: 'waba-1' })],
  templates: [template('promo'), template('lost'), template('fine')],
  ...more,
});
const listed = (name: string, status: string): JsonObject => ({
  id: `id-${name}`,
  name,
  language: 'es_MX',
  status,
  category: 'UTILITY',
  components: [],
});

it(
  'an import compares what a file claims with the provider, and imports it all the same',
  withTemplates(
    () => [],
    async ({ service, graph, admin, deliver }) => {
      const put = async (more: JsonObject = {}) =>
        (await admin('POST /workspace', { companies: [company(graph.url, more)] })).body['warnings'];
      graph.answer = () => ({ status: 401, body: { error: { code: 190, message: 'expired' } } });
      expect(await put()).toMatchObject([
        {
          code: 'TEMPLATES_NOT_COMPARED',
          severity: 'warning',
          pointer: '/companies/0/bots/0',
          message: expect.stringContaining('expired') as string,
        },
      ]);
      graph.answer = () => ({
        status: 200,
        body: { data: [listed('promo', 'REJECTED'), listed('fine', 'APPROVED'), listed('other', 'APPROVED')] },
      });
      const differences = [
        {
          code: 'TEMPLATE_DIFFERS',
          pointer: '/companies/0/templates/0',
          message: expect.stringContaining('it is REJECTED and not APPROVED') as string,
        },
        {
          code: 'TEMPLATE_DIFFERS',
          pointer: '/companies/0/templates/1',
          message: expect.stringContaining('has no template "lost" in es_MX') as string,
        },
      ];
      expect(await put()).toMatchObject(differences);
      // An import adds nothing but what the file has, and what is known is not asked for again.
      expect(service.companies.templates('1').map(({ id, status }) => [id, status])).toEqual([
        ['fine', 'APPROVED'],
        ['lost', 'APPROVED'],
        ['promo', 'REJECTED'],
      ]);
      const told = { message_template_name: 'lost', message_template_language: 'es_MX' };
      await deliver('message_template_status_update', { ...told, event: 'APPROVED' });
      const calls = graph.calls.length;
      expect(await put()).toMatchObject(differences.slice(0, 1));
      expect(graph.calls).toHaveLength(calls);
      expect(await put({ templates: [template('promo', { status: 'REJECTED' }), template('lost')] })).toBeUndefined();
      // Another template under the same id: what is known is not about it.
      graph.answer = () => ({ status: 200, body: { data: [{ ...listed('promo-2', 'APPROVED'), category: 'MARKETING' }] } });
      expect(await put({ templates: [template('promo', { elementName: 'promo-2' })] })).toMatchObject([
        { message: expect.stringContaining('it is MARKETING and not UTILITY') as string },
      ]);
    },
  ),
);

it(
  'a canvas with a template that is not approved is published with a warning that has its status',
  withTemplates(
    (url) => [
      company(url, {
        templates: [template('promo'), template('soon', { status: 'PENDING' })],
        workflows: [{ canvas: canvas('soon'), publish: true }],
      }),
    ],
    async ({ service, admin, deliver }) => {
      const warningsOf = async (templateId: string) => {
        const { body } = await admin('POST /validate?companyId=1', canvas(templateId));
        return (body['problems'] as readonly JsonObject[]).filter(({ code }) => code === 'TEMPLATE_NOT_APPROVED');
      };
      const promo = { message_template_name: 'promo', message_template_language: 'es_MX' };
      expect(await warningsOf('promo')).toEqual([]);
      expect(await warningsOf('soon')).toMatchObject([
        { severity: 'warning', nodeId: 'sell', message: 'The template "soon" cannot be sent now: it is PENDING' },
      ]);
      await deliver('message_template_status_update', { ...promo, event: 'PAUSED', reason: 'X' });
      expect(await warningsOf('promo')).toMatchObject([{ message: 'The template "promo" cannot be sent now: it is PAUSED (X)' }]);
      const again = await service.importWorkspace({
        workspace: { companies: [{ id: 1, name: 'Acme', plan: 'growth', workflows: [{ canvas: canvas('promo'), publish: true }] }] },
      });
      expect(again.workflows).toMatchObject([{ warnings: [expect.objectContaining({ code: 'TEMPLATE_NOT_APPROVED' })] }]);
    },
  ),
);
