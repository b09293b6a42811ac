import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyDirectory } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';
import { logging, storeAt } from './store-at.ts';

describe('hilo replay', () => {
  it('counts those that go otherwise with exit code 1, and none with 0', async () => {
    using data = emptyDirectory();
    await storeAt(data.path);
    const of = (...args: readonly string[]) => hiloHere(['replay', 'logging', ...args, '--data', data.path], { cwd: data.path });
    expect(await of('--draft')).toEqual({ code: 0, stderr: '', stdout: '✔ 2 conversations of version 1: 2 as before\n' });
    writeFileSync(join(data.path, 'other.json'), JSON.stringify(logging('second')));
    const other = await of('--canvas', 'other.json');
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(
      /^✖ 2 conversations of version 1: 0 as before, 2 otherwise\ngroup +conversations +first +newest +what is otherwise\nrequest:log:name +2 .* +"log" asks for something else: name\n/,
    );
    expect(await of('--canvas', 'other.json', '--ignore', 'request:log:name')).toMatchObject({ code: 0 });
    expect(await of('--canvas', 'other.json', '--last', '1')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 conversation of') as string,
    });
    expect(await of('--canvas', 'other.json', '--draft')).toMatchObject({ code: 2 });
    expect(JSON.parse((await of('--against', '1', '--json')).stdout)).toMatchObject({ read: 2, counts: { equal: 2 }, isPartial: false });
  });
});
