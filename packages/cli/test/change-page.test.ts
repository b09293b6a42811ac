import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings, openService } from '@hilo/server';
import { expect, it } from 'vitest';
import { emptyDirectory, exampleWorkspace } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';
import { nap } from './store-at.ts';

const page = readFileSync(new URL('../../../docs/change.md', import.meta.url), 'utf8').replaceAll('\r\n', '\n');
const commands = Array.from(page.matchAll(/```sh\n([^]*?)```/g), ([, block = '']) => block.trim().split('\n')).flat();

/** The words of a command as a shell would give them: quotes hold several together, and a comment ends it. */
const wordsOf = (command: string): readonly string[] =>
  Array.from(command.replace(/ +# .*$/, '').matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain = '']) => quoted ?? plain);

/** Begins two executions: the page writes the id of one as ID. */
async function begin(cwd: string): Promise<{ readonly cancelled: string; readonly open: string }> {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const service = await openService({ ...defaultSettings, data: join(cwd, 'data') }, { log: silent });
  const [company] = service.companies.all();
  const acme = service.company(company?.id ?? '');
  await acme.publish(nap);
  const [one, other] = [await acme.start('nap'), await acme.start('nap')];
  await acme.cancel(one.executionId);
  await service.close();
  return { cancelled: one.executionId, open: other.executionId };
}

it('every command of docs/change.md does what the page says', { timeout: 120_000 }, async () => {
  using data = emptyDirectory();
  const cwd = data.path;
  expect(await hiloHere(['import', exampleWorkspace], { cwd })).toMatchObject({ code: 0 });
  expect(commands.length).toBeGreaterThan(2);
  const { cancelled, open } = await begin(cwd);
  for (const command of commands) {
    const [program, ...words] = wordsOf(command);
    const args = words.map((word) => (word !== 'ID' ? word : words.includes('retry') ? cancelled : open));
    expect({ command, program }).toEqual({ command, program: 'hilo' });
    const { code, stderr } = await hiloHere(args, { cwd });
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
  }
});
