import { describe, expect, it } from 'vitest';
import { hiloHere } from '../../../cli/test/hilo-in-process.ts';
import { accepted, type Caller, callerOf } from './caller.ts';
import { openPlace } from './place.ts';
import { callingWorkspace, startSilentSide } from './silent-side.ts';

const start = async (caller: Caller, user: string): Promise<string> =>
  accepted(await caller.hook('calling/web/hook', { user })).executionId;

describe('a service whose effect has no answer', { timeout: 300_000 }, () => {
  it('stops without waiting for it, and repeats it with the same key after the restart (P4, P25)', async () => {
    await using side = await startSilentSide();
    const { workspace, env } = callingWorkspace(side.address);
    using place = openPlace(workspace);
    await using service = await place.start([], env);
    const executionId = await start(callerOf(service.url), '51999000111');
    const asked = await side.called(1);
    expect(await service.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });

    side.answer();
    await using next = await place.start([], env);
    expect(await side.called(1)).toEqual(asked);
    expect(await callerOf(next.url).settled(executionId)).toMatchObject({ status: 'completed' });
  });

  it('quarantines what killed it three times, until it is released: over HTTP, or by the command (P3, P17)', async () => {
    await using side = await startSilentSide();
    const { workspace, env } = callingWorkspace(side.address);
    using place = openPlace(workspace);
    const ids: string[] = [];
    const asked: (readonly string[])[] = [];
    for (let deaths = 0; deaths < 3; deaths += 1) {
      await using service = await place.start([], env);
      if (deaths === 0) for (const user of ['51999000111', '51999000222']) ids.push(await start(callerOf(service.url), user));
      asked.push((await side.called(2)).toSorted());
      await service.end('SIGKILL');
    }
    expect(new Set(asked.map(String)).size).toBe(1);

    await using service = await place.start([], env);
    const caller = callerOf(service.url);
    const [byHttp = '', byCommand = ''] = ids;
    for (const id of ids) await expect.poll(() => caller.execution(id)).toMatchObject({ status: 'quarantined' }); // a service listens before it recovers
    const listed = await hiloHere(['executions', 'list', '--data', place.directory, '--status', 'quarantined', '--json']);
    expect((JSON.parse(listed.stdout) as { readonly results: readonly object[] }).results).toHaveLength(2);

    side.answer();
    const { status, body } = await caller.call(`POST /admin/v1/executions/${byHttp}/release`);
    expect({ status, body }).toMatchObject({ status: 200, body: { executionId: byHttp } });
    const released = await hiloHere(['executions', 'release', byCommand, '--data', place.directory]);
    expect(released).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(byCommand) as unknown });
    for (const id of ids) expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
    expect((await side.called(2)).toSorted()).toEqual(asked[0]);
  });
});
