import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ended, folderWith, root, startHilo } from '../../server/test/hilo-process.ts';
import { hiloHere } from './hilo-in-process.ts';

it('serves a project, publishes changes, replays the transcripts, and restarts after a change of code', {
  timeout: 300_000,
}, async () => {
  using folder = folderWith({});
  await hiloHere(['init', 'bot'], { cwd: folder.path });
  const project = join(folder.path, 'bot');
  symlinkSync(join(root, 'packages/cli/node_modules'), join(project, 'node_modules')); // as npm install leaves it
  const child = startHilo(['dev', '--port', '0'], { cwd: project });
  const end = ended(child);
  let output = '';
  let look = (): void => {};
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString();
      look();
    });
  /** Waits until the output contains some texts, in whatever order, and returns and clears it up to there. */
  const until = (...texts: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      look = () => {
        const ends = texts.map((text) => output.indexOf(text) + text.length);
        if (texts.some((text) => !output.includes(text))) return;
        const told = output.slice(0, Math.max(...ends));
        output = output.slice(told.length);
        resolve(told);
      };
      void end.then(() => reject(new Error(`It ended before ${JSON.stringify(texts)}: ${output}`)));
      look();
    });

  try {
    await until('4 transcripts as they are written', 'is up', '/chat/bot_chat');

    const canvas = join(project, 'canvases/welcome.json');
    const before = readFileSync(canvas, 'utf8');
    const said = /^ {2}bot: (\S[^"\n]*)/m.exec(readFileSync(join(project, 'transcripts/welcome.txt'), 'utf8'))?.[1] ?? '';
    const changed = before.replace(said, `${said} Indeed.`);
    expect(changed).not.toBe(before);
    writeFileSync(canvas, changed);
    const told = await until('workspace.json is imported', 'not as written');
    expect(told).toContain('Indeed.');
    expect(told).not.toContain('already'); // the data directory that the service made is no change

    writeFileSync(canvas, changed.slice(0, 100));
    await until('the published versions stay');

    writeFileSync(canvas, before);
    await until('workspace.json is imported', '4 transcripts as they are written');

    writeFileSync(join(project, 'nodes/another.ts'), 'export const another = 1;\n');
    await until('restarting');
    await until('is up');
  } finally {
    child.kill('SIGTERM');
  }
  const { code } = await end;
  expect(code).toBe(0);
});
