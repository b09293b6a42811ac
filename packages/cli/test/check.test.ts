import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineNode, leave, type NodeDefinition } from '@hilo/engine/contract';
import { defaultSettings, openService } from '@hilo/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { emptyDirectory } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';

const own = defineNode({
  type: 'own',
  config: z.strictObject({}),
  visual: { label: 'Own', category: 'logic', icon: 'x', colour: '#000000', description: 'Own' },
  ports: ['next'],
  run: () => leave('next'),
}) as unknown as NodeDefinition;

const waiting = {
  schemaVersion: 1,
  id: 'nap',
  name: 'Nap',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'sleep', type: 'delay', data: { duration: 'P1D' } },
    { id: 'own', type: 'own' },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'sleep' },
    { source: 'sleep', sourceHandle: 'elapsed', target: 'own' },
    { source: 'own', target: 'done' },
  ],
};

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('hilo check', () => {
  it('lists the versions with open executions that the nodes here cannot run', async () => {
    using data = emptyDirectory();
    const workspace = join(data.path, 'workspace.json');
    writeFileSync(workspace, JSON.stringify({ companies: [{ id: 1, name: 'Acme', plan: 'enterprise' }] }));
    const service = await openService(
      { ...defaultSettings, data: data.path, nodes: [own], workspace, adminToken: 'admin-token-0123456789' },
      { log: silent },
    );
    await service.company('1').publish(waiting);
    const fine = await service.company('1').start('nap');
    await service.close();

    const found = await hiloHere(['check', '--data', data.path]);
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(/✖ nap version 1 of company 1: 1 execution since .*Z\n +\/nodes\/2\/type There is no node type "own"/);
    const { versions } = JSON.parse((await hiloHere(['check', '--data', data.path, '--json'])).stdout) as { readonly versions: unknown };
    expect(versions).toMatchObject([{ companyId: '1', workflowId: 'nap', version: 1, executions: 1 }]);

    const next = await openService(
      { ...defaultSettings, data: data.path, nodes: [own], adminToken: 'admin-token-0123456789' },
      { log: silent },
    );
    await next.company('1').cancel(fine.executionId);
    await next.close();
    expect(await hiloHere(['check', '--data', data.path])).toMatchObject({ code: 0 });
    expect((await hiloHere(['check', '--data', `${data.path}/none`])).code).toBe(1);
  });
});
