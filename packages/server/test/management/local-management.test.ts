// Commands of this machine, asked for by whoever can open the socket: each word that no command has is refused in words, and no path holds
// the service up.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLocalManagement } from '../../src/service/local-management.ts';
import { withPlace } from '../data/open-for-test.ts';

const bodies = [
  '',
  'x',
  'null',
  '[]',
  '1',
  '"x"',
  '{}',
  '{"file":1}',
  '{"do":"constructor"}',
  '{"do":"__proto__"}',
  '{"do":"out"}',
  '{"botId":""}',
  '['.repeat(200),
];

it(
  'refuses what is no command',
  withPlace(async ({ open, directory }) => {
    const local = createLocalManagement(await open());
    const ask = async (path: string, body: string): Promise<{ readonly status: number; readonly text: string }> => {
      const answer = await local.request(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
      return { status: answer.status, text: await answer.text() };
    };
    for (const path of ['/import', '/moves', '/say'])
      for (const body of bodies) {
        const { status, text } = await ask(path, body);
        expect({ path, body, status, isRefused: [400, 422].includes(status) }).toMatchObject({ isRefused: true });
        expect(text).toContain('"message"');
      }

    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const file of ['/dev/zero', pipe])
      for (const [path, command] of [
        ['/import', { file }],
        ['/moves', { do: 'in', file }],
      ] as const)
        expect(await ask(path, JSON.stringify(command))).toMatchObject({
          status: 400,
          text: expect.stringContaining('not a file') as unknown,
        });
    for (const file of ['/dev/zero', pipe]) {
      const workspace = join(directory, 'workspace.json');
      const company = { id: '7', name: 'Seven', functions: [{ id: 'fn', name: 'f', runtime: 'javascript', file }] };
      await writeFile(workspace, JSON.stringify({ companies: [company] }));
      expect(await ask('/import', JSON.stringify({ file: workspace }))).toMatchObject({ status: 422 });
    }
  }),
);
