// The built studio under a service that runs: it is built, built again and replaced while pages are asked for.
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStudio, serveApplication } from './application.ts';

it('is served as it is built last, and as it was while a build replaces it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hilo-studio-'));
  const page = join(folder, 'index.html');
  const app = serveApplication(openStudio(folder), undefined);
  const see = async (path: string): Promise<string> => {
    const response = await app.request(path);
    return response.status === 200
      ? (/<title>(.*?)<\/title>/.exec(await response.clone().text())?.[1] ?? response.text())
      : `${response.status}`;
  };
  const build = async (name: string, builtAtS: number): Promise<void> => {
    await rm(join(folder, 'assets'), { recursive: true, force: true });
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'assets', `${name}.js`), name);
    await writeFile(page, `<head></head><title>${name}</title><script src="./assets/${name}.js"></script>`);
    await utimes(page, builtAtS, builtAtS);
  };
  try {
    expect([await see('/studio/'), await see('/studio/assets/one.js')]).toEqual(['404', '404']);
    await build('one', 1);
    expect([await see('/studio/'), await see('/studio/1/any'), await see('/studio/assets/one.js')]).toEqual(['one', 'one', 'one']);
    await rm(page);
    expect([await see('/studio/'), await see('/studio/assets/one.js')]).toEqual(['one', 'one']);
    await build('two', 2);
    // A file of the new page is there before anybody has asked for the page.
    expect([await see('/studio/assets/two.js'), await see('/studio/'), await see('/studio/assets/one.js')]).toEqual(['two', 'two', '404']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
