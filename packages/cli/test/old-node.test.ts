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

  it('imports nothing before that check that old versions lack', () => {
    const script = stripTypeScriptTypes(readFileSync(main, 'utf8'));
    expect([...script.matchAll(/^\s*import\b.*$/gm)].map(([line]) => line)).toEqual(["import { readFileSync } from 'node:fs';"]);
  });
});
