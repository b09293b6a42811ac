import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkOptions } from './check-options.ts';
import { openService, type ServiceOptions } from './open-service.ts';
import { defaultSettings } from './settings.ts';

const data = join(tmpdir(), `hilo-never-made-${process.pid}`);

it.each<[unknown, string]>([
  [null, 'The options must be an object'],
  [{ prot: 1 }, 'There is no option "prot"; there are nodes, drivers, '],
  [{ nodes: 'mine' }, 'nodes must be a list'],
  [{ nodes: [{}] }, 'nodes[0] is no node: make it with defineNode'],
  [{ drivers: [{}] }, 'drivers[0] is no driver: make it with drive(effect, perform)'],
  [{ channels: [{}] }, 'channels[0] is no channel adapter: make it with defineChannel'],
  [{ authorize: 'everybody' }, 'authorize must be a function of the request'],
  [{ data: 5 }, 'data must be a text'],
  [{ port: 65_536 }, 'port must be a port'],
  [{ rateLimit: 0 }, 'rateLimit must be how many requests a second'],
  [{ rateLimit: -1 }, 'rateLimit must be how many requests a second'],
  [{ publicUrl: 'bots.example' }, 'publicUrl must be an address such as'],
  [{ databaseUrl: 'mysql://localhost/bots' }, 'databaseUrl must be an address of PostgreSQL such as postgres://'],
  [{ egressAllow: '127.0.0.1:4010' }, 'egressAllow must be a list'],
  [{ keepDays: 0 }, 'keepDays must be 1 or more'],
  [{ log: 'xml' }, 'log must be "pretty" or "json"'],
])('openService refuses %j in a sentence, and makes nothing', async (options, sentence) => {
  const given = (options === null ? null : { data, ...(options as object) }) as ServiceOptions;
  await expect(openService(given)).rejects.toMatchObject({
    code: 'INVALID_OPTIONS',
    message: expect.stringContaining(sentence) as string,
  });
  expect(existsSync(data)).toBe(false);
});

it('takes the settings of a service where none are given, and options that are left undefined', () => {
  const sockets = { databaseUrl: 'postgresql:///bots?host=/var/run/postgresql' };
  const left = { nodes: undefined, laneRuntime: undefined, publicUrl: undefined, port: 0 };
  for (const options of [defaultSettings, {}, sockets, { ...defaultSettings, ...left }]) expect(() => checkOptions(options)).not.toThrow();
});
