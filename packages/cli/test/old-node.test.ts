import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import { main } from '../../server/test/hilo-process.ts';

/** Starts the command in a Node.js that reports another version. */
function hiloOn(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, main, '--version'],
    {
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
}

describe('the hilo command on a Node.js that is too old', () => {
  it.each(['20.20.2', '22.19.0', '24.16.0', '26.0.9'])('names the required version in one line on %s', (version) => {
    expect(hiloOn(version)).toEqual({
      status: 2,
      stdout: '',
      stderr: `hilo: This is Node.js ${version}, and hilo needs 26.1 or newer: older ones cannot keep functions from the network, and some cut stored texts.\n`,
    });
  });

  it.each(['26.1.0', '26.10.0', '27.0.0'])('runs on %s', (version) => {
    expect(hiloOn(version)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as unknown });
  });

  it('imports nothing before that check', () => {
    const script = stripTypeScriptTypes(readFileSync(main, 'utf8'));
    expect([...script.matchAll(/^\s*import\b.*$/gm)].map(([line]) => line)).toEqual([]);
    expect(script.indexOf('import(')).toBe(script.indexOf("import('@hilo/engine/require-node')"));
  });
});

/** The entry points that need more than the engine, by their files. */
const entryPoints = [
  'stores/src/index',
  'stores/src/sql-kit',
  'postgres/src/index',
  'drivers/src/index',
  'drivers/src/kit',
  'channels/src/index',
  'integrations/src/index',
  'restate/src/index',
  'server/src/index',
  'server/src/kit',
  'server/src/project',
];

const urlOf = (path: string): URL => new URL(`../../${path}`, import.meta.url);

/** Loads the stores in a Node.js that reports a version. @returns what the load ended with */
function loadOn(version: string): string {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const load = `console.log(await import('${urlOf('stores/src/index.ts').href}').then(() => 'loaded', ({ message }) => message));`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', `${pretend}\n${load}`], { encoding: 'utf8' }).stdout.trim();
}

describe('packages that a host loads in a Node.js that is too old', () => {
  it('say so in one sentence, with the reason, before anything else in them runs', () => {
    expect(loadOn('26.0.9')).toBe(
      'This is Node.js 26.0.9, and hilo needs 26.1 or newer: older ones cannot keep functions from the network, and some cut stored texts.',
    );
    for (const path of entryPoints) {
      const lines = readFileSync(urlOf(`${path}.ts`), 'utf8').split('\n');
      expect([path, lines.find((line) => /^(?:import|export)\b/.test(line))]).toEqual([path, "import '@hilo/engine/require-node';"]);
    }
  });

  it('load in the oldest that suffices, which their manifests name', () => {
    expect(loadOn('26.1.0')).toBe('loaded');
    for (const name of ['stores', 'postgres', 'drivers', 'channels', 'integrations', 'restate', 'server', 'cli']) {
      const manifest = readFileSync(urlOf(`${name}/package.json`), 'utf8');
      expect(JSON.parse(manifest)).toMatchObject({ engines: { node: '>=26.1.0' } });
    }
  });
});
