import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hilo } from '../../server/test/hilo-process.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('README', () => {
  it('shows a real conversation', async () => {
    const [, input = '', command = '', output] = /```console\n\$ printf '(.*)' \| hilo (.*)\n([^]*?)```/.exec(readme) ?? [];
    const { code, stdout } = await hilo(command.split(' '), { input: input.replaceAll('\\n', '\n') });
    expect(stdout).toBe(output);
    expect(code).toBe(0);
  });
});
