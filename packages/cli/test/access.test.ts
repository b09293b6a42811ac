// `hilo users` and the admin tokens of `hilo tokens`, where no service runs.
import { describe, expect, it } from 'vitest';
import { emptyDirectory, exampleWorkspace } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';

describe('hilo users and tokens', () => {
  it('add, list and remove who may do what, for which companies', async () => {
    using data = emptyDirectory();
    const of = (...args: readonly string[]) =>
      hiloHere([...args, '--data', data.path], { env: { HILO_PUBLIC_URL: 'https://bots.example' } });
    await of('import', exampleWorkspace);

    expect((await of('users', 'list')).stdout).toBe('There are no users: hilo users add NAME --role editor --company ID\n');
    const added = await of('users', 'add', 'maria', '--company', '1', '--role', 'editor');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toMatch(
      /^✔ maria is editor of company 1\nhttps:\/\/bots\.example\/studio\/#login=[\w-]{43}\n {2}logs maria in, once, until 20[\dT:.-]+Z\n$/,
    );
    expect((await of('users', 'link', 'maria')).stdout).toMatch(/^https:\/\/bots\.example\/studio\/#login=/);
    const json = await of('users', 'add', 'jo', '--all-companies', '--role', 'viewer', '--role', 'answerer', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ name: 'jo', roles: ['viewer', 'answerer'], companies: 'all', login: {} });
    expect((await of('users', 'list')).stdout).toMatch(/maria +editor +company 1 +never\njo +viewer, answerer +all companies +never/);
    expect(await of('users', 'remove', 'maria')).toEqual({
      code: 0,
      stdout: '✔ maria is removed, and what they had open is closed\n',
      stderr: '',
    });
    expect(await of('users', 'remove', 'maria')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'hilo: There is no user "maria" of the service\n',
    });

    const made = await of('tokens', 'add', 'ci', '--company', '1', '--company', '2', '--role', 'publisher');
    expect(made.stdout).toMatch(/^✔ ci \(tok_[\w-]{12}\) is publisher of companies 1, 2\nhilo_[\w-]{43}\n {2}is shown this once: /);
    const [, id = ''] = /\((tok_[\w-]+)\)/.exec(made.stdout) ?? [];
    expect((await of('tokens', 'list', '--admin')).stdout).toMatch(/tok_[\w-]+ +ci +hilo_[\w-]{5}… +publisher +companies 1, 2 +never/);
    expect((await of('tokens', 'revoke', id)).stdout).toBe(`✔ ci (${id}) is revoked\n`);
    expect(JSON.parse((await of('tokens', 'list', '--admin', '--json')).stdout)).toMatchObject([
      { id, revokedAt: expect.any(String) as string },
    ]);

    for (const wrong of [
      ['users', 'add', 'x', '--role', 'editor'],
      ['users', 'add', 'x', '--company', '1'],
      ['users', 'add', 'x', '--company', '1', '--role', 'owner'],
      ['users', 'add', 'x', '--company', '1', '--all-companies', '--role', 'editor'],
      ['tokens', 'list', 'fn_echo', '--admin'],
    ])
      expect([wrong, (await of(...wrong)).code]).toEqual([wrong, 2]);
    expect(await of('users', 'add', 'x', '--company', '9', '--role', 'editor')).toMatchObject({
      code: 1,
      stderr: 'hilo: There is no company "9"\n',
    });
  });
});
