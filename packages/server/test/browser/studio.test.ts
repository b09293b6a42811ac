import { globSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio } from './open-studio.ts';

const orderStatus = JSON.parse(
  readFileSync(new URL('../../../../examples/workspace/canvases/order-status.json', import.meta.url), 'utf8'),
) as { readonly nodes: readonly object[] };

describe('the studio, in Chromium', () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  it('draws an example, tests it with a wrong answer and ten minutes that are skipped, and steps through an execution', async (context) => {
    const { service } = studio;
    await service.keep({ ...orderStatus, id: 'status' });
    await service.engine.receiveMessage({
      companyId: '1',
      botId: 'bot_wa',
      eventId: 'e1',
      user: { id: '5215512345678' },
      message: { id: 'm1', type: 'text', text: 'order' },
    });
    await service.engine.whenIdle();
    const { page, complaints, card, axe, go, close } = await studio.page(context, '1/status');
    await card('lost').waitFor();
    expect(await page.locator('.react-flow__node').count()).toBe(orderStatus.nodes.length);
    await page.keyboard.press('t');
    const say = async (what: string) => {
      await page.getByLabel('Message', { exact: true }).fill(what);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
    };
    await say('order');
    await page.locator('.bubbles').getByText('What is your order number?').waitFor();
    await say('blue');
    await page.locator('.bubbles').getByText('That is not a number. Try again.').waitFor();
    await page.locator('.card.is-waiting').waitFor();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Skip 10m' }).click();
    await page.getByText('Ended: completed').waitFor();

    const [execution] = (await service.store.executions.list('1', { workflowId: 'status', limit: 1 })).results;
    await go(`1/executions/${execution?.executionId}`);
    await page.locator('.card.is-waiting').waitFor();
    await page.getByRole('button', { name: 'Step back' }).click();
    await page.getByText('Asked for a message').waitFor();
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('a test knows which telephone numbers can exist, whose rules the check does not load', async (context) => {
    const { service } = studio;
    const ask = { message: { type: 'text', text: 'Your number?' }, input: { kind: 'phone' }, invalidMessage: 'No such number.' };
    const said = { message: { type: 'text', text: 'We call you.' } };
    await service.keep({
      schemaVersion: 1,
      id: 'number',
      name: 'Number',
      nodes: [
        { id: 'begin', type: 'start', data: { keywords: ['call'] } },
        { id: 'ask', type: 'ask', data: ask },
        { id: 'said', type: 'message', data: said },
        { id: 'end', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'ask' },
        { source: 'ask', sourceHandle: 'answered', target: 'said' },
        ...['invalid', 'timeout', 'windowClosed', 'error'].map((sourceHandle) => ({ source: 'ask', sourceHandle, target: 'end' })),
        { source: 'said', sourceHandle: 'sent', target: 'end' },
      ],
    });
    const { page, complaints, card, close } = await studio.page(context, '1/number');
    await card('ask').waitFor();
    await page.keyboard.press('t');
    const say = async (what: string, answer: string) => {
      await page.getByLabel('Message', { exact: true }).fill(what);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.locator('.bubbles').getByText(answer).waitFor();
    };
    await say('call', 'Your number?');
    await say('+52 12', 'No such number.');
    await say('+52 1 55 1234 5678', 'We call you.');
    expect(complaints).toEqual([]);
    await close();
  });

  it('hostile texts are texts, and unknown types and fields are kept', async (context) => {
    const { service } = studio;
    const evil = '<img src=x onerror="document.title=\'evil\'"><script>document.title="evil"</script>\u202e{{';
    const hostile = {
      schemaVersion: 1,
      id: 'hostile',
      name: evil.slice(0, 200),
      nodes: [
        { id: 'a', type: 'from-the-future', position: { x: 0, y: 0 }, data: { label: evil, what: { is: evil } } },
        { id: 'b', type: 'message', position: { x: 400, y: 0 }, data: { message: { type: 'text', text: evil }, later: evil } },
      ],
      edges: [{ source: 'a', sourceHandle: evil, target: 'b' }],
    };
    await service.keep(hostile, { publish: false });
    const { page, complaints, card, axe, saved, close } = await studio.page(context, '1/hostile');
    await card('b').click();
    await page.getByText('Fields not known here').waitFor();
    await page.keyboard.press('Escape');
    await card('a').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await saved();
    const { nodes, edges } = (await service.store.canvases.draft('1', 'hostile'))!.canvas;
    expect(nodes.map(({ data }) => data)).toEqual(hostile.nodes.map(({ data }) => data));
    expect(edges).toMatchObject(hostile.edges);
    expect(await page.title()).not.toBe('evil');
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('loads at most 120 kB before the list is seen, 230 kB of script and 10 kB of style before the editor is, and beside it a worker of 340 kB', async (context) => {
    const { service } = studio;
    await service.keep({ ...orderStatus, id: 'size' });
    const { page, card, go, close } = await studio.page(context, '');
    await page.route('**/worker-*.js', (route) => route.abort()); // once it has checked the canvas, what an author may open next is loaded
    // What the page itself asked for: the worker has its own list, and loads the layout for a canvas without places at a time of its own.
    const listLoaded = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
    const sizeIn = (paths: readonly string[], extension: string): number =>
      paths
        .filter((path) => path.endsWith(extension) && !path.includes('/worker-'))
        .reduce((sum, path) => sum + gzipSync(readFileSync(`${studio.built.folder}${path.replace('/studio', '')}`)).length, 0);
    await page.locator('table.workflows').waitFor();
    const first = await listLoaded();
    expect(first).not.toContainEqual(expect.stringContaining('/EditorScreen-'));
    expect(sizeIn(first, '.js') + sizeIn(first, '.css')).toBeLessThanOrEqual(120_000);
    await go('1/size');
    await card('lost').waitFor();
    const loaded = await listLoaded();
    const sizeOf = (extension: string): number => sizeIn(loaded, extension);
    expect(loaded).toContainEqual(expect.stringContaining('/EditorScreen-'));
    expect(sizeOf('.js')).toBeLessThanOrEqual(230_000);
    expect(sizeOf('.css')).toBeLessThanOrEqual(10_000);
    const [worker = ''] = globSync(`${studio.built.folder}/assets/worker-*.js`);
    expect(gzipSync(readFileSync(worker)).length).toBeLessThanOrEqual(340_000);
    await close();
  });
});
