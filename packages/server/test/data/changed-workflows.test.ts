// A workflow that was changed both in the workspace file and by management: nothing of it is replaced in silence.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { type Place, withPlace } from './open-for-test.ts';

/** A canvas that differs from another by its text. */
const saying = (text: string) => ({
  schemaVersion: 1,
  id: 'hello',
  name: 'Hello',
  nodes: [
    { id: 'start', type: 'start', data: { keywords: ['hi'] } },
    { id: 'say', type: 'message', data: { message: { type: 'text', text } } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'start', target: 'say' },
    { source: 'say', sourceHandle: 'sent', target: 'done' },
  ],
});

const company = { id: 1, name: 'Acme', plan: 'enterprise' };

async function writeWorkspace({ directory }: Place, workflow: object): Promise<string> {
  const file = join(directory, 'workspace.json');
  await writeFile(file, JSON.stringify({ companies: [{ ...company, workflows: [workflow] }] }));
  return file;
}

const ask = async (service: RunningService, method: string, path: string, body?: object) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await createManagement(service).request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  expect({ path, status: answer.status, body: await answer.clone().text() }).toMatchObject({ status: 200 });
};
const save = (service: RunningService, text: string) => ask(service, 'PUT', '/workflows/hello', saying(text));
const publish = (service: RunningService) => ask(service, 'POST', '/workflows/hello/publish', {});

/** What the latest version and the draft say. */
const read = async ({ store: { canvases } }: RunningService) =>
  [await canvases.latest('1', 'hello'), await canvases.draft('1', 'hello')].map(
    (kept) => (kept?.canvas.nodes.find(({ id }) => id === 'say')?.data as { message: { text: string } } | undefined)?.message.text,
  );

const version = 'Version 2 of workflow "hello" was not made by this file, whose canvas is another';
const draft = 'The draft of workflow "hello" was not made by this file, whose canvas is another';

type Change = (service: RunningService) => Promise<void>;

/** Imports the file, changes the workflow, ends the service, and writes the file with another text. */
async function changeBoth(place: Place, change: Change, text: string) {
  const before = await place.open({ workspace: await writeWorkspace(place, { canvas: saying('old'), publish: true }) });
  await change(before);
  const kept = await read(before);
  await before.close();
  return { workspace: await writeWorkspace(place, { canvas: saying(text), publish: true }), kept };
}

const publishMine: Change = async (service) => (await save(service, 'mine'), publish(service));

it.for<[string, Change, string]>([
  ['another version was published', publishMine, version],
  ['another draft was saved', (service) => save(service, 'mine'), draft],
])('after %s, a start with a changed file refuses it, unless it may replace the workflow', ([, change, message]) =>
  withPlace(async (place) => {
    const { open } = place;
    const { workspace, kept } = await changeBoth(place, change, 'new');
    const problem = { code: 'WORKFLOW_CHANGED', pointer: '/companies/0/workflows/0/canvas', message };
    await expect(open({ workspace })).rejects.toMatchObject({ code: 'WORKSPACE_REFUSED', details: { problems: [problem] } });
    const looking = await open();
    expect(await read(looking)).toEqual(kept);
    await looking.close();
    expect(await read(await open({ workspace, overwrite: true }))).toEqual(['new', 'new']);
  })(),
);

it.for<[string, Change, string, string]>([
  ['nothing was changed', async () => {}, 'new', 'new'],
  ['the same was published', async (service) => (await save(service, 'new'), publish(service)), 'new', 'new'],
  [
    'another version was published and taken back',
    async (service) => {
      for (const text of ['mine', 'old']) await save(service, text).then(() => publish(service));
    },
    'new',
    'new',
  ],
  ['the workflow was deleted', (service) => ask(service, 'DELETE', '/workflows/hello?force=true'), 'new', 'new'],
  ['another version was published, and the file was left as it was', publishMine, 'old', 'mine'],
])('after %s, a start with the file loses nothing and is not refused', ([, change, text, expected]) =>
  withPlace(async (place) => {
    const { workspace } = await changeBoth(place, change, text);
    expect(await read(await place.open({ workspace }))).toEqual([expected, expected]);
  })(),
);

it(
  'a workflow that management made under the same id is not replaced at a start, and a canvas that equals it is its own',
  withPlace(async (place) => {
    const { open } = place;
    const before = await open({ workspace: await writeWorkspace(place, { canvas: { ...saying('x'), id: 'other' } }) });
    await save(before, 'mine');
    await publish(before);
    await before.close();
    const refused = open({ workspace: await writeWorkspace(place, { canvas: saying('new'), publish: true }) });
    const message = 'Version 1 of workflow "hello" was not made by this file, whose canvas is another';
    await expect(refused).rejects.toMatchObject({ details: { problems: [{ code: 'WORKFLOW_CHANGED', message }] } });
    const same = await open({ workspace: await writeWorkspace(place, { canvas: saying('mine'), publish: true }) });
    expect(await read(same)).toEqual(['mine', 'mine']);
  }),
);

it(
  'an import by management replaces it with a warning, or refuses it where it is asked to',
  withPlace(async ({ open }) => {
    const service = await open({});
    const workspace = (text: string) => ({ companies: [{ ...company, workflows: [{ canvas: saying(text), publish: true }] }] });
    await service.importWorkspace({ workspace: workspace('old') });
    await save(service, 'mine');
    await publish(service);
    const bring = async (query: string) => {
      const headers = { 'content-type': 'application/json' };
      return createManagement(service).request(`/workspace${query}`, { method: 'POST', headers, body: JSON.stringify(workspace('new')) });
    };
    const refused = await bring('?overwrite=false');
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 422,
      body: { problems: [{ code: 'WORKFLOW_CHANGED', severity: 'error', message: version }] },
    });
    expect(await read(service)).toEqual(['mine', 'mine']);
    const taken = await bring('');
    expect({ status: taken.status, body: await taken.json() }).toMatchObject({
      status: 200,
      body: {
        workflows: [{ workflowId: 'hello', version: 3, warnings: [{ code: 'WORKFLOW_CHANGED', severity: 'warning', message: version }] }],
      },
    });
    expect(await read(service)).toEqual(['new', 'new']);
    const again = (await (await bring('')).json()) as { readonly workflows: readonly { readonly warnings: readonly unknown[] }[] };
    expect(again.workflows.map(({ warnings }) => warnings)).toEqual([[]]);
  }),
);

const importing = (service: RunningService, workflow: object, name = 'Acme', overwrite = false) =>
  service.importWorkspace({ workspace: { companies: [{ ...company, name, workflows: [workflow] }] } }, undefined, { overwrite });

/** Does something between the checks of the next import and its write. */
function beforeWrite({ store: { runner } }: RunningService, act: () => Promise<void>): void {
  const { write } = runner;
  Object.assign(runner, {
    write: async (...given: Parameters<typeof write>) => {
      const [calls] = given;
      if (calls.length < 4) return write(...given); // no configuration with its canvases
      Object.assign(runner, { write });
      await act();
      return write(...given);
    },
  });
}

it.each<[string, Change, readonly string[]]>([
  ['a version is published', (service) => save(service, 'by hand').then(() => publish(service)), ['by hand', 'by hand']],
  ['a draft is saved', (service) => save(service, 'by hand'), ['old', 'by hand']],
])('is refused as a whole where %s between its checks and its write', async (_what, change, kept) => {
  await withPlace(async (place) => {
    const service = await place.open();
    await importing(service, { canvas: saying('old'), publish: true });
    beforeWrite(service, () => change(service));
    await expect(importing(service, { canvas: saying('new'), publish: true }, 'Renamed')).rejects.toThrow('was not made by this file');
    expect(await read(service)).toEqual(kept);
    expect(service.companies.company('1')?.name).toBe('Acme');
    // What was saved by hand is in the file then: the import goes through, and makes no version that is there.
    await importing(service, { canvas: saying(kept[0] ?? ''), draft: saying('by hand'), publish: true }, 'Renamed');
    expect(await read(service)).toEqual(kept);
    expect(service.companies.company('1')?.name).toBe('Renamed');
  })();
});

it('is told of as replaced where the import may overwrite it', async () => {
  await withPlace(async (place) => {
    const service = await place.open();
    await importing(service, { canvas: saying('old'), publish: true });
    beforeWrite(service, async () => {
      await save(service, 'by hand');
      await publish(service);
    });
    const { workflows } = await importing(service, { canvas: saying('new'), publish: true }, 'Acme', true);
    expect(workflows).toMatchObject([
      { version: 3, isChanged: true, warnings: [{ message: expect.stringContaining(version) as unknown }] },
    ]);
    expect(await read(service)).toEqual(['new', 'new']);
  })();
});

it('goes on where what was saved in between is what it brings', async () => {
  await withPlace(async (place) => {
    const service = await place.open();
    await importing(service, { canvas: saying('old'), publish: true });
    beforeWrite(service, async () => {
      await save(service, 'new');
      await publish(service);
    });
    const { workflows } = await importing(service, { canvas: saying('new'), publish: true }, 'Renamed');
    expect(workflows).toMatchObject([{ workflowId: 'hello', version: 2, isChanged: false }]);
    expect(await read(service)).toEqual(['new', 'new']);
    expect(service.companies.company('1')?.name).toBe('Renamed');
  })();
});

it('is brought by two imports at once as by one after the other', async () => {
  await withPlace(async (place) => {
    const service = await place.open();
    await Promise.all(['a', 'a'].map((text) => importing(service, { canvas: saying(text), publish: true })));
    expect(await read(service)).toEqual(['a', 'a']);
    expect(await service.store.canvases.versions('1', 'hello')).toHaveLength(1);
  })();
});
