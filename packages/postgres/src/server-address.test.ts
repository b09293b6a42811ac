import fc from 'fast-check';
import pgConnection from 'pg';
import { describe, expect, it } from 'vitest';
import { explainServerUrl, readServerPlace, withSettings } from './server-address.ts';

const several = 'and connections go to one: name the one that takes writes, or an address before them that leads to it';

describe('an address of PostgreSQL', () => {
  it.for([
    ['postgres://u:p@db:5433/bots', { host: 'db', port: '5433', database: '/bots' }],
    ['postgresql://db/bots?sslmode=verify-full', { host: 'db', port: '', database: '/bots' }],
    ['postgres://u@[::1]:5432/bots', { host: '[::1]', port: '5432', database: '/bots' }],
    ['postgres:///bots?host=/var/run/postgresql', { host: '/var/run/postgresql', port: '', database: '/bots' }],
    ['postgres://u:p@/bots?host=/run/pg&port=5433', { host: '/run/pg', port: '5433', database: '/bots' }],
    ['postgres://%2Frun%2Fpg/bots', { host: '/run/pg', port: '', database: '/bots' }],
    ['postgres://decoy:1/bots?host=db', { host: 'db', port: '1', database: '/bots' }],
  ] as const)('leads to one server: %s', ([url, place]) => {
    expect([readServerPlace(url), explainServerUrl(url)]).toEqual([place, undefined]);
  });

  it.for<[string, string]>([
    ['postgres://u:p,q@a:5432,b:5433/bots', `names several servers (a:5432,b:5433), ${several}`],
    ['postgres://a,b/bots', `names several servers (a,b), ${several}`],
    ['postgres://a,b:5432/bots', `names several servers (a,b:5432), ${several}`],
    ['postgres://u@[::1],[::2]/bots', `names several servers ([::1],[::2]), ${several}`],
    ['postgres:///bots?host=a,b', `names several servers (a,b), ${several}`],
    ['postgres:///bots?host=/run/a,/run/b', `names several servers (/run/a,/run/b), ${several}`],
    ['postgres://db/bots?port=5432,5433', `names several servers (5432,5433), ${several}`],
    ['postgres:///bots?host=run/pg', 'names the directory "run/pg" of a socket, which begins with "/": write ?host=/var/run/postgresql'],
    ['mysql://db/bots', 'is no address such as postgres://user:password@host:5432/database'],
    ['postgres', 'is no address such as postgres://user:password@host:5432/database'],
    ['', 'is no address such as postgres://user:password@host:5432/database'],
    ['postgres://db:none/bots', 'is no address such as postgres://user:password@host:5432/database'],
  ])('is refused in a sentence without its secrets: %s', ([url, sentence]) => {
    expect(explainServerUrl(url)).toBe(sentence);
  });

  it('is refused for any list of servers, and its password is in no sentence', () => {
    const host = fc.constantFrom('db', '10.0.0.1', '[::1]', 'db.example:5433');
    fc.assert(
      fc.property(fc.array(host, { minLength: 2, maxLength: 4 }), fc.boolean(), (hosts, isUser) => {
        const sentence = explainServerUrl(`postgres://${isUser ? 'u:secret,secret@' : ''}${hosts.join()}/bots`);
        expect(sentence).toBe(`names several servers (${hosts.join()}), ${several}`);
      }),
    );
  });

  it('keeps where it leads with settings added to it, as the client library reads it', () => {
    for (const url of [
      'postgres://u:p%40@db:5433/bots?sslmode=disable',
      'postgres://u@/bots?host=/run/pg',
      'postgres://%2Frun%2Fpg/bots',
    ]) {
      const plain = new pgConnection.Client(url);
      const added = new pgConnection.Client(withSettings({ connectionString: url }, '-c lock_timeout=0'));
      const shown = ({ host, port, user, database, password }: pgConnection.Client) => ({ host, port, user, database, password });
      expect({ url, ...shown(added) }).toEqual({ url, ...shown(plain) });
      expect(Reflect.get(Object(Reflect.get(added, 'connectionParameters')) as object, 'options')).toBe('-c lock_timeout=0');
    }
  });
});
