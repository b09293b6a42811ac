// The files of the studio under a service that runs, while somebody builds it again.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findStudio, serveApplication } from './application.ts';

it.each(['gzip', 'identity'])('answers 404 for a file that is gone, and the file once it is there again (%s)', async (coding) => {
  const folder = await mkdtemp(join(tmpdir(), 'hilo-studio-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'assets', 'a.js');
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<head></head>');
  await writeFile(file, 'one');
  const studio = await findStudio(folder);
  if (studio === undefined) throw new Error('The studio is there');
  const app = serveApplication(studio, undefined);
  const ask = async (): Promise<number> => (await app.request('/studio/assets/a.js', { headers: { 'accept-encoding': coding } })).status;
  await rm(file);
  expect(await ask()).toBe(404);
  expect(await ask()).toBe(404);
  await writeFile(file, 'two');
  expect(await ask()).toBe(200);
});
