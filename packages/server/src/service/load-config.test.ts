import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { channelAdapters } from '@hilo/channels';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from './load-config.ts';

/** A folder with a configuration. @param body - the code after the imports */
function folderWith(files: { readonly [name: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'hilo-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const contract = fileURLToPath(new URL('../../../engine/src/contract/index.ts', import.meta.url));
const zod = fileURLToPath(import.meta.resolve('zod'));
const imports = `import { defineEffect, defineNode, drive } from '${contract}';\nimport { z } from '${zod}';\n`;
const visual = `{ label: 'Own', category: 'logic', icon: 'dot', colour: '#000000', description: 'Own.' }`;
const node = (type: string, config = 'z.strictObject({})') =>
  `defineNode({ type: '${type}', config: ${config}, visual: ${visual}, ports: [], run: () => ({ kind: 'finish', outcome: 'done', outputs: {} }) })`;

describe('a configuration', () => {
  it('is not needed', async () => {
    expect(await loadConfig(undefined, folderWith({}))).toMatchObject({ file: undefined, nodes: standardNodes, drivers: [], settings: {} });
  });

  it('adds its parts to those of Hilo, and its paths begin at its folder', async () => {
    const effect = `defineEffect('own.effect', { request: z.null(), result: z.null() })`;
    const folder = folderWith({
      'hilo.config.ts': `${imports}const effect = ${effect};
        export default { nodes: [${node('own')}], drivers: [drive(effect, () => null)], workspace: './workspace.json', port: 3001 };`,
    });
    const loaded = await loadConfig(undefined, folder);
    expect(loaded.nodes.map(({ type }) => type)).toEqual([...standardNodes.map(({ type }) => type), 'own']);
    expect(loaded.drivers.map(({ effect: { type } }) => type)).toEqual(['own.effect']);
    expect(loaded.channels).toEqual(channelAdapters);
    expect(loaded.settings).toMatchObject({ workspace: join(folder, 'workspace.json'), port: '3001' });
  });

  it('is the file that --config names, wherever that is', async () => {
    const folder = folderWith({ 'other.mjs': `export default { host: '0.0.0.0' };` });
    expect((await loadConfig(join(folder, 'other.mjs'), folderWith({}))).settings.host).toBe('0.0.0.0');
  });

  it.each([
    [
      'throws',
      `const port: number = 1;\nthrow new Error('No key');`,
      /hilo\.config\.ts:2:\d+: the configuration cannot be loaded: No key$/,
    ],
    ['is no TypeScript', `export default {\n  nodes: [,,\n`, /hilo\.config\.ts(:\d+)?.*: the configuration cannot be loaded: /],
    ['imports what is not there', `import '../gone.ts';`, /hilo\.config\.ts.*: the configuration cannot be loaded: Cannot find module/],
    [
      'imports a package that is not installed',
      `import '@acme/none/deep';`,
      /hilo\.config\.ts.*: the configuration cannot be loaded: Cannot find package '@acme\/none'.*: run npm install, after npm install @acme\/none where/,
    ],
    ['exports nothing', `export const nodes = [];`, 'hilo.config.ts has no default export: write export default defineConfig({ … })'],
    ['is empty', '', 'hilo.config.ts has no default export'],
    ['exports nothing as CommonJS', 'const nodes = [];', 'hilo.config.ts has no default export'],
    ['exports a number', `export default 7;`, 'hilo.config.ts: the default export must be an object'],
    ['has an unknown field', `export default { node: [] };`, 'hilo.config.ts: there is no field "node"; there are nodes, drivers'],
    ['has one node in place of a list', `export default { nodes: ${node('own')} };`, 'hilo.config.ts: nodes must be a list'],
    [
      'has a node that is none',
      `export default { nodes: [${node('own')}, { type: 'b' }] };`,
      'nodes[1] is no node: make it with defineNode',
    ],
    ['has a driver that is none', `export default { drivers: [() => null] };`, 'drivers[0] is no driver: make it with drive'],
    [
      'has a channel that is none',
      `export default { channels: ['log'] };`,
      'channels[0] is no channel adapter: make it with defineChannel',
    ],
    ['has a port that is none', `export default { port: 70000 };`, /hilo\.config\.ts: port /],
    [
      'has a node of a standard type',
      `export default { nodes: [${node('message')}] };`,
      'nodes[0]: there is a node of type "message" already',
    ],
    ['has a type twice', `export default { nodes: [${node('a')}, ${node('a')}] };`, 'nodes[1]: there is a node of type "a" already'],
    [
      'has a type that is no name',
      `export default { nodes: [${node('a b')}] };`,
      'The "type" of a node is "a b": give a name without blanks',
    ],
    [
      'has a node that cannot be described to an editor',
      `export default { nodes: [${node('a', 'z.strictObject({ at: z.date() })')}] };`,
      'nodes: the config of "a" cannot be written as JSON Schema',
    ],
  ])('that %s is refused in one sentence with its place', async (_what, body, message) => {
    const folder = folderWith({ 'hilo.config.ts': `${/defineNode/.test(body) ? imports : ''}${body}` });
    const refused = await loadConfig(undefined, folder).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'INVALID_CONFIG', message: expect.stringMatching(/^[^\n]+$/) as string });
    expect(String(refused)).toMatch(message);
  });

  it('that --config names and that is not there is refused', async () => {
    await expect(loadConfig('gone.ts', folderWith({}))).rejects.toThrow('gone.ts: there is no such file');
  });
});
