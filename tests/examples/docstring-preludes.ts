/**
 * The names that `@example` blocks of docstrings take from their surroundings, by file or by block: what the package exports, and values such as
 * `service` or `canvas`. Paths are those that the file itself would write.
 */

const simulated = `
  import { expect } from 'vitest';
  import { conversationFor, pathsOf, sampleAnswer, simulate, uncoveredPorts } from '@hilo/simulator';
  const canvas = {
    schemaVersion: 1,
    id: 'reminder',
    name: 'Reminder',
    nodes: [
      { id: 'begin', type: 'start', data: { fallback: true } },
      { id: 'pause', type: 'delay', data: { duration: 'PT2H' } },
      { id: 'remind', type: 'message', data: { message: { type: 'text', text: 'Are you still there?' } } },
      { id: 'done', type: 'end' },
    ],
    edges: [
      { source: 'begin', target: 'pause' },
      { source: 'pause', sourceHandle: 'elapsed', target: 'remind' },
      { source: 'remind', sourceHandle: 'sent', target: 'done' },
    ],
  };
`;

const send = `const send = (_request: unknown, context: { readonly idempotencyKey: string }) =>
  ({ kind: 'sent', messageId: context.idempotencyKey }) as const;`;

const ownParts = `
  import { smsChannel } from '../../../../examples/own-channel/sms-channel.ts';
  import { leadScores, scoreLead } from '../../../../examples/own-node/score-lead.ts';
  import { defineConfig, openService } from '@hilo/server';
`;

const settings = `
  import { createApp, createGateway, createRest, openService, serve } from '@hilo/server';
  const settings = { data: './data', host: '127.0.0.1', port: 0 };
`;

const request = `const request = new Request('http://127.0.0.1/health');`;

const contracts = `
  import { openSqliteStore } from '@hilo/stores';
  import { describeEffectDriver, describeExecutionStore, describeRuntime, stageOverStore } from '@hilo/testing/contracts';
  declare function newPath(): string;
`;

const ownTable = `
  import { defineTable, integer, key, openSqliteStore, type TableFacts, text } from '@hilo/stores';
  const openWith = async (table: TableFacts) =>
    await openSqliteStore({ path: 'hilo.db', extensions: [{ name: 'host', migrations: [(dialect) => table.ddl(dialect)] }] });
`;

export const preludes: { readonly [file: string]: string } = {
  'packages/server/src/platform/define-resource.ts: defineResource': `
    import { defineResource } from '@hilo/server';
    import { defineTable, key, text } from '@hilo/stores';
  `,
  'packages/server/src/platform/define-resource.ts: driveResource': `
    import { defineEffect } from '@hilo/engine/node-kit';
    import { driveResource } from '@hilo/server';
    import { defineTable, key, text } from '@hilo/stores';
    import { z } from 'zod';
    const notes = defineTable('notes', { companyId: key(text()), id: key(text()) }, { moves: 'copied', personal: 'none' });
  `,
  'packages/stores/src/tables/table.ts: Personal': `import type { Personal } from '@hilo/stores';`,
  'packages/client/src/client.ts': `
    import { createClient as createClientOf } from '@hilo/client';
    const answer = async () => Response.json({ messageId: 'm1' });
    const createClient: typeof createClientOf = (options) => createClientOf({ ...options, fetch: answer });
    const secret = 's3c:ret-of-acme';
    const userId = '5215512345678';`,
  'packages/channels/src/channel-adapter.ts': `
    import { z } from 'zod';
    import { defineChannel } from '@hilo/channels';`,
  'packages/integrations/src/standard-drivers.ts': send,
  'packages/engine/src/contract/effect.ts': `
    import { z } from 'zod';
    import { defineEffect } from '@hilo/engine/contract';`,
  'packages/engine/src/contract/node.ts': `
    import { z } from 'zod';
    import { defineNode, leave, Template } from '@hilo/engine/contract';`,
  'packages/engine/src/engine.ts': `${send}
    const canvas = {
      schemaVersion: 1,
      id: 'hello',
      name: 'Hello',
      nodes: [{ id: 'begin', type: 'start', data: { fallback: true } }, { id: 'done', type: 'end' }],
      edges: [{ source: 'begin', target: 'done' }],
    };`,
  'packages/mcp/src/authoring-server.ts': `
    import { type AuthoringBackend, createAuthoringServer, createCallBudget, serveStdio, type SimulationTask } from '@hilo/mcp';
    import { runSimulation } from '@hilo/mcp/simulation';
    import { standardNodes } from '@hilo/nodes';
    const backend: AuthoringBackend = { ask: async () => ({ status: 200, body: [] }) };
    const budget = createCallBudget(() => performance.now());
    const simulate = async (task: SimulationTask) => ({ kind: 'done', report: await runSimulation(standardNodes, task) }) as const;
    const onError = (error: unknown) => console.error(error);
    const createId = () => crypto.randomUUID();`,
  'packages/restate/src/restate-runtime.ts': `
    import { openSqliteStore } from '@hilo/stores';
    const server = { directory: './restate', store: 'bot' };
    const store = await openSqliteStore({ path: './bot.db' });`,
  'packages/server/src/service/app.ts': `${settings}${request}
    import { createManagement } from '@hilo/server/kit';
    import { OpenAPIHono } from '@hono/zod-openapi';
    import type { MiddlewareHandler } from 'hono';
    const app = new OpenAPIHono();
    const adminAuth: MiddlewareHandler = async (_c, next) => next();`,
  'packages/server/src/service/load-config.ts': ownParts,
  'packages/server/src/service/open-service.ts': ownParts,
  'packages/server/src/platform/http/define-route.ts': `
    import { z } from '@hono/zod-openapi';
    import { defineRoute } from './define-route.ts';
    import { jsonResponse } from './openapi.ts';
    import { restErrorResponses } from './rest.ts';
    import type { Platform } from '../platform.ts';
    import { tags } from '../tables/tags.ts';`,
  'packages/server/src/platform/jobs/define-job.ts': `
    import { defineJob } from '@hilo/server';
    import { z } from 'zod';
    interface Shop {
      readonly orders: { after(companyId: string, place: unknown, size: number): Promise<{ orders: readonly string[]; next: string | null }> };
      send(order: string, text: string): Promise<void>;
    }
    const service = {
      jobs: { ask: async (_job: object, asked: { companyId: string; spec: object; createdBy: string }) => ({ jobId: asked.companyId }) },
    };`,
  'packages/server/src/platform/once-for-each.ts': `
    import { createPool } from '@hilo/drivers';
    import type { Engine } from '@hilo/engine';
    import { onceForEach } from './once-for-each.ts';`,
  'packages/server/src/service/serve.ts': settings,
  'packages/server/src/webhooks/routes.ts': `${settings}${request}`,
  'packages/simulator/src/agents/explore-agent.ts': `
    import type { JsonObject } from '@hilo/engine/contract';
    import { exploreAgent } from '@hilo/simulator';
    import { expect } from 'vitest';
    import agentCanvas from '../../../../examples/nodes/agent.json' with { type: 'json' };
    const canvas: JsonObject = agentCanvas;`,
  'packages/simulator/src/inputs-of.ts': simulated,
  'packages/simulator/src/paths-of.ts': `${simulated}
    const conversation = await simulate(canvas);
    await conversation.says('hello');
    await conversation.passes('2h');`,
  'packages/simulator/src/simulation/sample-answers.ts': simulated,
  'packages/simulator/src/simulation/simulate.ts': simulated,
  'packages/simulator/src/virtual-clock.ts': `import { createVirtualClock } from '@hilo/simulator';`,
  'packages/stores/src/schema/migrations.ts': `import type { Extension } from '@hilo/stores';`,
  'packages/stores/src/sqlite/open-sqlite-store.ts': send,
  'packages/stores/src/statements/of-company.ts: companyStatementsOver': `${ownTable}
    import { call, companyStatementsOver } from '@hilo/stores';
    const store = await openWith(defineTable('tags', { companyId: key(text()), id: key(text()), name: text() }, { moves: 'copied' }));`,
  'packages/stores/src/statements/statement.ts: statement': `import { statement } from './statement.ts';`,
  'packages/stores/src/statements/statement.ts: statementsOver': `import { statementsOver } from '@hilo/stores';`,
  'packages/stores/src/tables/queries.ts: companyQueriesOver': `${ownTable}
    import { companyQueriesOver, pick, type RowOf } from '@hilo/stores';
    const tags = defineTable('tags', { companyId: key(text()), id: key(text()), name: text() }, { moves: 'copied' });
    const roomTags = defineTable('room_tags', { companyId: key(text()), roomId: key(text()), tagId: key(text()) }, { moves: 'copied' });
    const store = await openSqliteStore({
      path: 'hilo.db',
      extensions: [{ name: 'host', migrations: [(dialect) => [...tags.ddl(dialect), ...roomTags.ddl(dialect)]] }],
    });`,
  'packages/stores/src/tables/table.ts: read': `${ownTable}
    const campaigns = defineTable('campaigns_of_host', { companyId: key(text()), id: key(text()), status: text() }, { moves: 'copied' });
    const { runner } = await openWith(campaigns);
    const companyId = '1';`,
  'packages/stores/src/tables/define-table.ts: defineTable': `${ownTable}
    const store = await openWith(defineTable('tags', { companyId: key(text()), id: key(integer()), name: text() }, { moves: 'copied' }));`,
  'packages/studio/src/worker/serve-worker.ts': `
    import type { WorkerPort } from './serve-worker.ts';
    import { scoreLead } from '../../../../examples/own-node/score-lead.ts';
    declare const self: WorkerPort;`,
  'packages/testing/src/arbitraries/arbitraries.ts': `${simulated}
    import fc from 'fast-check';
    fc.configureGlobal({ seed: 1 });
    import { arbitraries } from '@hilo/testing';`,
  'packages/testing/src/arbitraries/canvases.ts': `
    import { parseCanvas } from '@hilo/engine';
    import fc from 'fast-check';
    fc.configureGlobal({ seed: 1 });
    import { canvas } from './canvases.ts';`,
  'packages/testing/src/contracts/effect-driver.ts': `${contracts}
    import { openHttpStage } from '../../../drivers/test/stages/http-stages.ts';`,
  'packages/testing/src/contracts/execution-store.ts': contracts,
  'packages/testing/src/contracts/runtime.ts': contracts,
};
