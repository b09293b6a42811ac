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

  it('leaves every other sentence as it is', () => {
    expect(sayWithFlags('"before" is the index of an event')).toBe('"before" is the index of an event');
    expect(sayWithFlags('Give a value: "set": {"$context.brand": "…"}')).toBe("Give a value: --set '$context.brand=…'");
    expect(sayWithFlags('"set": {"$context.$&": "…"}')).toBe("--set '$context.$&=…'");
  });
});
