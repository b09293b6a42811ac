import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings, openService } from '@hilo/server';

/** Logs something, and ends. */
export const logging = (name: string) => ({
  schemaVersion: 1,
  id: 'logging',
  name: 'Logging',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'log', type: 'log', data: { name } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'log' },
    { source: 'log', target: 'done' },
  ],
});

/** Waits a day. */
export const nap = {
  schemaVersion: 1,
  id: 'nap',
  name: 'Nap',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'sleep', type: 'delay', data: { duration: 'P1D' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'sleep' },
    { source: 'sleep', sourceHandle: 'elapsed', target: 'done' },
  ],
};

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A service over a directory. */
export const serviceAt = (data: string, workspace?: string) =>
  openService({ ...defaultSettings, data, workspace, adminToken: 'admin-token-0123456789' }, { log: silent });

/** A store in which two executions have ended. */
export async function storeAt(path: string): Promise<void> {
  const workspace = join(path, 'workspace.json');
  writeFileSync(workspace, JSON.stringify({ companies: [{ id: 1, name: 'Acme', plan: 'enterprise' }] }));
  const service = await serviceAt(path, workspace);
  await service.company('1').publish(logging('first'));
  for (let count = 0; count < 2; count += 1) await service.company('1').start('logging');
  await service.engine.whenIdle();
  await service.engine.saveDraft('1', (await service.company('1').versions('logging'))[0]?.canvas ?? never());
  await service.close();
}

function never(): never {
  throw new Error('Nothing is published');
}
