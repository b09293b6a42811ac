import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { emptyDirectory, exampleWorkspace } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';

const page = readFileSync(new URL('../../../docs/change.md', import.meta.url), 'utf8').replaceAll('\r\n', '\n');
const commands = Array.from(page.matchAll(/```sh\n([^]*?)```/g), ([, block = '']) => block.trim().split('\n')).flat();

/** The words of a command as a shell would give them: quotes hold several together, and a comment ends it. */
const wordsOf = (command: string): readonly string[] =>
  Array.from(command.replace(/ +# .*$/, '').matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain = '']) => quoted ?? plain);

it('every command of docs/change.md does what the page says', { timeout: 120_000 }, async () => {
  using data = emptyDirectory();
  const cwd = data.path;
  expect(await hiloHere(['import', exampleWorkspace], { cwd })).toMatchObject({ code: 0 });
  expect(commands.length).toBeGreaterThan(2);
  for (const command of commands) {
    const [program, ...args] = wordsOf(command);
    expect({ command, program }).toEqual({ command, program: 'hilo' });
    const { code, stderr } = await hiloHere(args, { cwd });
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
  }
});
