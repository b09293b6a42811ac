import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchChanges } from './watch-files.ts';

/** Performs a step between each two polls. @returns the number of steps before each reported change */
async function watchedWhile(paths: readonly string[], steps: readonly (() => void)[]): Promise<readonly number[]> {
  const ended = new AbortController();
  const told: number[] = [];
  let looks = 0;
  const pause = async () => {
    const step = steps[looks];
    looks += 1;
    if (step === undefined) ended.abort();
    else step();
  };
  for await (const _ of watchChanges(paths, { signal: ended.signal, pause })) told.push(looks);
  return told;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'hilo-watch-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
const nothing = () => {};

describe('watching files', () => {
  it('yields once at the beginning, and not while nothing changes', async () => {
    expect(await watchedWhile([join(folder(), 'a'), folder()], [nothing, nothing])).toEqual([0]);
  });

  it('yields when a file is written, replaced, removed and created again, in a folder that is created later', async () => {
    const place = join(folder(), 'later');
    const file = join(place, 'a.json');
    const steps = [
      () => mkdirSync(place),
      () => writeFileSync(file, '1'),
      nothing,
      () => {
        writeFileSync(`${file}.new`, '2');
        renameSync(`${file}.new`, file);
      },
      nothing,
      () => rmSync(file),
      nothing,
      () => writeFileSync(file, '2'),
      nothing,
    ];
    expect(await watchedWhile([file], steps)).toEqual([0, 3, 5, 7, 9]);
  });

  it('yields once for a file that is written in parts, when it is complete', async () => {
    const file = join(folder(), 'a.json');
    const part = (text: string) => () => writeFileSync(file, text);
    expect(await watchedWhile([file], [part('1'), part('12'), part('123'), nothing, nothing])).toEqual([0, 4]);
  });

  it('yields after a change during the work on the last one', async () => {
    const file = join(folder(), 'a.json');
    const ended = new AbortController();
    let runs = 0;
    for await (const _ of watchChanges([file], { signal: ended.signal, pause: async () => {} })) {
      runs += 1;
      if (runs === 4) ended.abort();
      else writeFileSync(file, '1'.repeat(runs));
    }
    expect(runs).toBe(4);
  });
});
