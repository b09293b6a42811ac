import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sayWithFlags } from '../src/service/flag-words.ts';
import { emptyDirectory } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';
import { nap, serviceAt } from './store-at.ts';

describe('refusals of management at the command line', () => {
  it('name flags and commands, where management names fields and routes', async () => {
    using data = emptyDirectory();
    const workspace = join(data.path, 'workspace.json');
    const companies = [1, 2].map((id) => ({ id, name: 'Acme', plan: 'enterprise' }));
    writeFileSync(workspace, JSON.stringify({ companies }));
    const service = await serviceAt(data.path, workspace);
    const company = service.company('1');
    await company.publish(nap);
    const [one, other, open] = [await company.start('nap'), await company.start('nap'), await company.start('nap')];
    for (const { executionId } of [one, other]) await company.cancel(executionId);
    await company.retry(one.executionId);
    await service.close();

    const refusals: readonly (readonly [args: readonly string[], says: RegExp])[] = [
      [['executions', 'bulk', 'cancel', '--workflow', 'nap'], /choose one, such as --company 1$/],
      [['executions', 'bulk', 'cancel', '--company', '1'], /too much: give it --workflow, --user, --from, --to or --older-than$/],
      [['executions', 'bulk', 'signal', '--company', '1', '--workflow', 'nap', '--name', 'x'], /too much: give it --node, where/],
      [['executions', 'retry', one.executionId], /; add --again to continue it once more$/],
      [
        ['executions', 'bulk', 'retry', '--company', '1', '--user', 'u', '--version', '2'],
        /too much: give it --workflow, whose version 2 is meant/,
      ],
      [['jobs', 'show', 'none'], /: hilo jobs list shows them$/],
      [['replay', 'none', '--company', '1', '--draft'], /: hilo import FILE brings workflows in$/],
      [['schedules', 'cancel', 'none', '--company', '1'], /: hilo schedules shows them$/],
      [['executions', 'retry', open.executionId], /is waiting: .*make a copy with fork$/],
    ];
    for (const [args, says] of refusals) {
      const { code, stderr } = await hiloHere([...args, '--data', data.path], { cwd: data.path });
      expect({ args, fails: code !== 0, stderr: stderr.trim() }).toEqual({
        args,
        fails: true,
        stderr: expect.stringMatching(says) as unknown,
      });
      expect(stderr).not.toMatch(/\/admin\/v1|nodeId|workflowId|companyId|again: true|FILTER_EMPTY/);
    }
  });

  it('need no company where there is one, and name all where there are several', async () => {
    for (const ids of [[7], [7, 8]]) {
      using data = emptyDirectory();
      const workspace = join(data.path, 'workspace.json');
      writeFileSync(workspace, JSON.stringify({ companies: ids.map((id) => ({ id, name: `Acme ${id}`, plan: 'enterprise' })) }));
      await (await serviceAt(data.path, workspace)).close();
      const { code, stdout, stderr } = await hiloHere(['schedules', 'starts', '--data', data.path], { cwd: data.path });
      const several = 'error: there are several companies: choose one by --company: 7 (Acme 7), 8 (Acme 8)';
      expect({ code, stdout, said: stderr.split('\n')[0] }).toEqual(
        ids.length === 1 ? { code: 0, stdout: 'There is no such start.\n', said: '' } : { code: 2, stdout: '', said: several },
      );
    }
  });

  it('say what mends each of many that were retried, now and when their job is looked at', async () => {
    using data = emptyDirectory();
    const workspace = join(data.path, 'workspace.json');
    writeFileSync(workspace, JSON.stringify({ companies: [{ id: 1, name: 'Acme', plan: 'enterprise' }] }));
    const service = await serviceAt(data.path, workspace);
    const company = service.company('1');
    await company.publish(nap);
    await company.cancel((await company.start('nap')).executionId);
    await company.publish(JSON.parse(JSON.stringify(nap).replaceAll('"sleep"', '"rest"')) as object);
    await service.close();
    const here = { cwd: data.path };
    const retry = ['executions', 'bulk', 'retry', '--workflow', 'nap', '--version', 'latest', '--apply', '--data', data.path];
    const { code, stdout } = await hiloHere(retry, here);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/NODE_GONE .*: hilo executions fork with --enter\n$/) as unknown,
    });
    const [, jobId = ''] = /^bulk (\w+)/.exec(stdout) ?? [];
    expect(await hiloHere(['jobs', 'show', jobId, '--data', data.path], here)).toMatchObject({ code: 0, stdout });
  });

  it('refuse a flag of another act on many, which would be left out without a word', async () => {
    using data = emptyDirectory();
    const flags = {
      version: 'retry',
      set: 'retry',
      keys: 'retry',
      effect: 'retry',
      skip: 'retry',
      reason: 'cancel',
      map: 'migrate',
      accept: 'migrate',
      name: 'signal',
      payload: 'signal',
    };
    const values: { readonly [flag: string]: string } = { set: '$context.x=1', keys: 'new', effect: 'keep' };
    for (const [flag, owner] of Object.entries(flags))
      for (const verb of ['cancel', 'release', 'retry', 'migrate', 'signal']) {
        const args = ['executions', 'bulk', verb, '--workflow', 'nap', `--${flag}`, values[flag] ?? '2', '--data', data.path];
        const { code, stderr } = await hiloHere(args, { cwd: data.path });
        expect({ flag, verb, isRefused: code === 2 && stderr.includes(`--${flag} is of ${owner}, and not of ${verb}`) }).toEqual({
          flag,
          verb,
          isRefused: owner !== verb,
        });
      }
  });

  it('leaves every other sentence as it is', () => {
    expect(sayWithFlags('"before" is the index of an event')).toBe('"before" is the index of an event');
    expect(sayWithFlags('Give a value: "set": {"$context.brand": "…"}')).toBe("Give a value: --set '$context.brand=…'");
    expect(sayWithFlags('"set": {"$context.$&": "…"}')).toBe("--set '$context.$&=…'");
  });
});
