import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyFlows } from './many-flows.ts';
import { drawWire, openStudio, type OpenStudio, placeOf } from './open-studio.ts';

/** A start, two messages and an end, anywhere but in a row. */
const scattered = (id: string) => ({
  schemaVersion: 1,
  id,
  name: 'Scattered',
  nodes: [
    { id: 'start', type: 'start', position: { x: 240, y: 480 }, data: { fallback: true } },
    { id: 'hello', type: 'message', position: { x: 0, y: 0 }, data: { message: { type: 'text', text: 'Hello' } } },
    { id: 'bye', type: 'message', position: { x: 480, y: 80 }, data: { message: { type: 'text', text: 'Bye {{$user.names}}' } } },
    { id: 'done', type: 'end', position: { x: 160, y: 240 } },
  ],
  edges: [
    { source: 'start', target: 'hello' },
    { source: 'hello', sourceHandle: 'sent', target: 'bye' },
    { source: 'hello', sourceHandle: 'error', target: 'done' },
    { source: 'bye', sourceHandle: 'sent', target: 'done' },
  ],
});

/** Time limits for a machine that does much else. */
const patience = { timeout: 60_000 };

describe('the canvas of the studio, in Chromium', { timeout: 180_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  /** Where the nodes of the saved draft are: the service has layout beside the content. */
  const placesOf = async (page: Page, id: string): Promise<{ readonly [nodeId: string]: { readonly x: number; readonly y: number } }> => {
    const answer = await page.request.get(`${studio.base}/admin/v1/workflows/${id}?companyId=1`);
    const { canvas } = (await answer.json()) as { readonly canvas: Pick<ReturnType<typeof scattered>, 'nodes'> };
    return Object.fromEntries(canvas.nodes.map((node) => [node.id, node.position]));
  };

  it('opens whole, no larger than it is, in small and large windows; the plain page too', async (context) => {
    const alone = {
      schemaVersion: 1,
      id: 'alone',
      name: 'Alone',
      nodes: [{ id: 'begin', type: 'start', position: { x: 9_000, y: 0 } }],
      edges: [],
    };
    await studio.service.keep(manyFlows('wide', 4), { publish: false });
    await studio.service.keep(alone, { publish: false });
    const { page, card, go, close } = await studio.page(context, '');
    const zooms: number[] = [];
    for (const [width, height] of [
      [900, 600],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const [id, count] of [
        ['wide', 102],
        ['alone', 1],
      ] as const) {
        await go(`1/${id}`);
        await card('begin').waitFor();
        const seen = () =>
          page.evaluate<{ readonly zoom: number; readonly whole: number }>(`{
            const board = document.querySelector('.board').getBoundingClientRect();
            const cards = [...document.querySelectorAll('.react-flow__node')].map((card) => card.getBoundingClientRect());
            const isWhole = ({ left, right, top, bottom }) =>
              left >= board.left && right <= board.right && top >= board.top && bottom <= board.bottom;
            const { m11 } = new DOMMatrix(document.querySelector('.react-flow__viewport').style.transform);
            ({ zoom: m11, whole: cards.filter(isWhole).length });
          }`);
        await expect.poll(async () => (await seen()).whole, patience).toBe(count);
        zooms.push((await seen()).zoom);
      }
      await go('plain/1/wide');
      const picture = (await page.locator('main svg').boundingBox())!;
      expect(Math.max(picture.x + picture.width - width, picture.y + picture.height - height)).toBeLessThanOrEqual(0);
    }
    expect([zooms[1], zooms[3]]).toEqual([1, 1]);
    await close();
  });

  it('shows a card first where it stays: who clicks at once meets it', async (context) => {
    const { nodes, ...rest } = scattered('unplaced');
    await studio.service.keep(
      { ...rest, nodes: nodes.map(({ id, type, data }) => ({ id, type, ...(data !== undefined && { data }) })) },
      { publish: false },
    );
    await studio.service.keep(scattered('authored'), { publish: false });
    const { page, card, go, complaints, close } = await studio.page(context, '');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.addInitScript(`{
      const places = (globalThis.places = new Set());
      const look = () => {
        const card = document.querySelector('.react-flow__node[data-id="hello"]');
        if (card !== null && getComputedStyle(card).visibility === 'visible') {
          const { x, y } = card.getBoundingClientRect();
          places.add(Math.round(x) + ' ' + Math.round(y));
        }
        requestAnimationFrame(look);
      };
      look();
    }`);
    // Parts beside the canvas that are loaded on their own come after its cards, as on a slow connection.
    let seen = Promise.withResolvers<void>();
    const late = new Set<string>();
    await page.route(/\/assets\/(?:Rail|TogetherBar|later)-/, async (route) => {
      late.add(/(\w+)-[^/]*$/.exec(route.request().url())?.[1] ?? '');
      await seen.promise;
      await route.continue();
    });
    for (const address of ['unplaced', 'authored', 'unplaced?node=bye', 'authored?node=bye', 'unplaced?view=proof']) {
      await go(`1/${address}`);
      await card('hello').waitFor();
      await placeOf(card('hello'));
      seen.resolve();
      await page.getByRole('navigation', { name: 'Screens' }).waitFor();
      await placeOf(card('hello'));
      const places = await page.evaluate<string[]>('[...places]');
      expect(places, `${address}: ${places.join(', ')}`).toHaveLength(1);
      seen = Promise.withResolvers();
    }
    expect([...late].toSorted()).toEqual(['Rail', 'TogetherBar', 'later']);
    seen.resolve();
    await go('1/unplaced');
    await card('hello').locator('header').click();
    await page.locator('.node-panel').getByText('Hello').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('takes a press as a click or as a drag, never as both, and keeps a card where the browser brought it', async (context) => {
    await studio.service.keep(scattered('pressed'), { publish: false });
    const { page, card, complaints, close } = await studio.page(context, '1/pressed');
    const press = async (id: string, by: number): Promise<void> => {
      const { x, y } = await placeOf(card(id).locator('header'));
      await page.mouse.move(x + 20, y + 8);
      await page.mouse.down();
      await page.mouse.move(x + 20 + by, y + 8);
      await page.mouse.up();
    };
    const selected = () =>
      page
        .locator('.react-flow__node.selected')
        .evaluateAll((cards: readonly { readonly dataset: { readonly id: string } }[]) => cards.map(({ dataset }) => dataset.id));
    await card('hello').waitFor();
    await page.keyboard.down('Shift');
    await press('hello', 0);
    for (const [id, by] of [
      ['bye', 1],
      ['done', 3],
      ['start', 4],
    ] as const)
      await press(id, by);
    await page.keyboard.up('Shift');
    await expect.poll(selected, patience).toEqual(['start', 'hello', 'bye', 'done']);
    expect((await placesOf(page, 'pressed'))['done']).toEqual({ x: 160, y: 240 });

    // As a search in the page, or a screen reader, does it. The panel of the card that is clicked leaves less room.
    await page.setViewportSize({ width: 1000, height: 600 });
    await card('hello').locator('header').click();
    await page.getByRole('complementary', { name: 'Settings of the node' }).waitFor();
    expect(await selected()).toEqual(['hello']);
    const before = await placeOf(card('bye'));
    const board = await placeOf(page.locator('.board'));
    expect(before.x + before.width).toBeGreaterThan(board.x + board.width);
    await card('bye').evaluate((one: { scrollIntoView: () => void }) => one.scrollIntoView());
    const after = await placeOf(card('bye'));
    expect(after.x).toBeGreaterThanOrEqual(board.x);
    expect(after.x + after.width).toBeLessThanOrEqual(board.x + board.width + 1);
    expect(
      await page
        .locator('.react-flow')
        .evaluate(({ scrollLeft, scrollTop }: { readonly scrollLeft: number; readonly scrollTop: number }) => [scrollLeft, scrollTop]),
    ).toEqual([0, 0]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('tidies up: the cards glide to their places, a pinned one stays, and it is one step', async (context) => {
    await studio.service.keep(scattered('tidy'), { publish: false });
    const { page, card, axe, complaints, close } = await studio.page(context, '1/tidy?node=done');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const pin = page.getByRole('button', { name: 'Pin to its place' });
    await pin.click();
    await card('done').getByTitle('Pinned to its place').waitFor();
    expect(await pin.getAttribute('aria-pressed')).toBe('true');
    expect(await axe()).toEqual([]);
    await page.evaluate(`
      globalThis.seen = [];
      const card = document.querySelector('.react-flow__node[data-id="bye"]');
      new MutationObserver(() => seen.at(-1) !== card.style.transform && seen.push(card.style.transform)).observe(card, { attributes: true, attributeFilter: ['style'] });
    `);
    const placesOnTheWay = () => page.evaluate<readonly string[]>('globalThis.seen');
    await page.getByRole('button', { name: /^Tidy up/ }).click();
    const undo = page.getByRole('button', { name: 'Undo: Tidied up' });
    await undo.waitFor();
    await expect
      .poll(async () => {
        const { start, hello, bye, done } = await placesOf(page, 'tidy');
        return start!.x < hello!.x && hello!.x < bye!.x && bye!.x < done!.x;
      }, patience)
      .toBe(true);
    const { bye, done } = await placesOf(page, 'tidy');
    expect(done).toEqual({ x: 160, y: 240 });
    await expect.poll(async () => (await placesOnTheWay()).at(-1), patience).toBe(`translate(${bye!.x}px, ${bye!.y}px)`);
    expect((await placesOnTheWay()).length).toBeGreaterThan(1); // a slow machine draws few of the frames

    await undo.click();
    await expect.poll(() => placesOf(page, 'tidy'), patience).toMatchObject({ start: { x: 240, y: 480 }, bye: { x: 480, y: 80 } });
    await expect.poll(async () => (await placesOnTheWay()).at(-1), patience).toBe('translate(480px, 80px)');

    // Whoever wants less motion sees none: each card is at its place at once.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.evaluate('seen.length = 0');
    await page.getByRole('button', { name: /^Tidy up/ }).click();
    await expect.poll(() => placesOf(page, 'tidy'), patience).toMatchObject({ bye: bye! });
    expect(await placesOnTheWay()).toEqual([`translate(${bye!.x}px, ${bye!.y}px)`]);

    // A pinned card is not moved by keys, and is free again.
    await card('done').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await pin.click();
    await page.getByRole('button', { name: 'Undo: Freed 1 node' }).waitFor();
    await card('done').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('button', { name: 'Undo: Moved 1 node' }).waitFor();
    await expect.poll(async () => (await placesOf(page, 'tidy'))['done'], patience).toEqual({ x: 160, y: 248 });
    expect(complaints).toEqual([]);
    await close();
  });

  it('puts a frame around what is selected, which takes it along by pointer and by keys, and is pressed through', async (context) => {
    await studio.service.keep(scattered('framed'), { publish: false });
    const { page, card, axe, complaints, saved, close } = await studio.page(context, '1/framed');
    await card('hello').click({ modifiers: ['Shift'] }); // no form comes over the card that is clicked next
    await card('done').click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Put a frame around them' }).click();
    const frame = page.locator('.react-flow__node.behind');
    await frame.getByText('Group').waitFor();
    await page.locator('.node-panel .cm-content, .node-panel textarea').first().waitFor(); // where its title is written
    expect(await axe()).toEqual([]);
    await page.locator('.side').getByRole('button', { name: 'Close' }).click();
    await page.locator('.node-panel').waitFor({ state: 'detached' });
    await saved();
    const before = await placesOf(page, 'framed');
    const title = await placeOf(frame.locator('.frame-title'));
    await page.mouse.move(title.x + 30, title.y + 12);
    await page.mouse.down();
    await page.mouse.move(title.x + 90, title.y + 52, { steps: 5 });
    await page.mouse.up();
    const by = async (id: string) => {
      const after = await placesOf(page, 'framed');
      return [(after[id]?.x ?? 0) - (before[id]?.x ?? 0), (after[id]?.y ?? 0) - (before[id]?.y ?? 0)];
    };
    await expect.poll(() => by('hello'), patience).not.toEqual([0, 0]);
    const moved = await by('hello');
    expect([await by('done'), await by('start'), await by('bye')]).toEqual([moved, [0, 0], [0, 0]]);
    await card('hello').locator('header').click(); // over the frame
    await page.locator('.node-panel').getByText('What the user reads').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Undo: Moved/ }).click();
    await expect.poll(() => by('hello'), patience).toEqual([0, 0]);
    await frame.focus();
    await page.keyboard.press('Alt+ArrowRight');
    await expect.poll(() => by('done'), patience).toEqual([8, 0]);

    // Its size: by its corner, and by keys.
    const size = async () => {
      const answer = await page.request.get(`${studio.base}/admin/v1/workflows/framed?companyId=1`);
      const { canvas } = (await answer.json()) as {
        readonly canvas: { readonly nodes: readonly { type: string; width: number; height: number }[] };
      };
      const note = canvas.nodes.find(({ type }) => type === 'note');
      return [note?.width ?? 0, note?.height ?? 0] as const;
    };
    const [width, height] = await size();
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await expect.poll(size, patience).toEqual([width, height + 8]);
    const corner = (await frame.locator('.frame-grip').boundingBox())!;
    await page.mouse.move(corner.x + 12, corner.y + 12);
    await page.mouse.down();
    await page.mouse.move(corner.x + 72, corner.y + 12, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => (await size())[0], patience).toBeGreaterThan(width + 8);
    expect((await size())[1]).toBe(height + 8);
    await page.getByRole('button', { name: 'Undo: Resized a frame' }).click();
    await expect.poll(size, patience).toEqual([width, height + 8]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('is checked before anything is tried, also where a check reads days and times as answers are read', async (context) => {
    const ask = (id: string, kind: string) => ({
      id,
      type: 'ask',
      data: { message: { type: 'text', text: id }, input: { kind }, saveAs: `$context.${id}` },
    });
    const compared = { day: ['date', '24/12/2026'], hour: ['time', '9 pm'] } as const;
    const names = Object.keys(compared);
    const nodes = [
      { id: 'start', type: 'start', data: { keywords: ['forms'] } },
      ...Object.entries(compared).map(([id, [kind]]) => ask(id, kind)),
      {
        id: 'which',
        type: 'condition',
        data: {
          branches: Object.entries(compared).map(([name, [, right]]) => ({ name, rule: { op: 'eq', left: `$context.${name}`, right } })),
        },
      },
      { id: 'end', type: 'end' },
    ];
    const edges = [
      { source: 'start', target: names[0] },
      ...names.flatMap((source, index) => [
        { source, sourceHandle: 'answered', target: names[index + 1] ?? 'which' },
        { source, sourceHandle: 'invalid', target: 'end' },
      ]),
      ...[...names, 'else'].map((sourceHandle) => ({ source: 'which', sourceHandle, target: 'end' })),
    ];
    await studio.service.keep({ schemaVersion: 1, id: 'forms', name: 'Forms', nodes, edges }, { publish: false });
    const { page, complaints, close } = await studio.page(context, '1/forms');
    await page.locator('.problem-count').click();
    const problems = page.getByRole('complementary', { name: 'Problems' });
    for (const kept of ['2026-12-24', '21:00']) await problems.getByText(kept).first().waitFor();
    expect(await problems.getByText('It comes with').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it('asks what a port shall lead to when it is clicked: a new node, or one that is there', async (context) => {
    await studio.service.keep(scattered('ports'), { publish: false });
    const { page, card, axe, complaints, close } = await studio.page(context, '1/ports');
    const port = (nodeId: string, name: string) => card(nodeId).locator(`.react-flow__handle[data-handleid="${name}"]`);
    const find = page.getByRole('dialog', { name: 'Find a node' });

    // A port that leads to an end has a stub, which a click turns into the whole wire until the ground is clicked.
    await card('hello').getByText('End').click();
    await page.locator('.react-flow__edge-path.failing').waitFor();
    await card('hello').locator('.stub').waitFor({ state: 'detached' });
    expect(await page.locator('.side').count()).toBe(0);
    await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } });
    await card('hello').locator('.stub').waitFor();
    await page.locator('.react-flow__edge-path.failing').waitFor({ state: 'detached' });

    await port('bye', 'sent').click();
    expect(await axe()).toEqual([]);
    await find.getByRole('searchbox').fill('log');
    await page.keyboard.press('Enter');
    await card('log').waitFor();
    await find.waitFor({ state: 'detached' });
    const leadsTo = () =>
      expect.poll(
        async () => (await studio.draft('ports')).edges.flatMap(({ source, target }) => (source === 'bye' ? [target] : [])),
        patience,
      );
    await leadsTo().toEqual(['log']);

    await port('bye', 'sent').click();
    await find.getByRole('button', { name: /Hello/ }).click();
    await find.waitFor({ state: 'detached' });
    await leadsTo().toEqual(['hello']);

    // Nothing chosen, nothing changed; and the next click on a card selects it, and connects nothing.
    await port('bye', 'sent').click();
    await find.getByRole('searchbox').press('Escape');
    await find.waitFor({ state: 'detached' });
    await card('log').locator('.port-in').click();
    await page.getByRole('button', { name: 'Undo: Connected' }).click();
    await leadsTo().toEqual(['log']);
    expect(complaints).toEqual([]);
    await close();
  });

  it('connects a wire wherever on a card it is dropped, back to its own card too, and to no note or entry', async (context) => {
    const note = { id: 'remark', type: 'note', position: { x: 0, y: 480 }, data: { text: 'A remark' } };
    const { nodes, ...rest } = scattered('wires');
    await studio.service.keep({ ...rest, nodes: [...nodes, note] }, { publish: false });
    const { page, card, complaints, close } = await studio.page(context, '1/wires');
    const leads = async () =>
      (await studio.draft('wires')).edges.find(({ source, sourceHandle }) => source === 'bye' && sourceHandle === 'sent')?.target;
    /** Drags from the port of `bye` to a part of a card: `x` and `y` are shares of its size. */
    const drag = (to: string, x: number, y: number): Promise<void> =>
      drawWire(card('bye').locator('.port-out[data-handleid="sent"]'), card(to), [x, y]);
    await card('done').waitFor();
    for (const [to, x, y] of [
      ['hello', 0.5, 0.5],
      ['done', 0.7, 0.5],
      ['hello', 0.9, 0.95],
      ['bye', 0.2, 0.9],
    ] as const) {
      await drag(to, x, y);
      await expect.poll(leads, patience).toBe(to);
    }
    for (const to of ['remark', 'start']) await drag(to, 0.5, 0.5);
    expect(await page.getByRole('dialog', { name: 'Find a node' }).count()).toBe(0);
    await drag('done', 0.5, 0.5); // saved after those that changed nothing
    await expect.poll(leads, patience).toBe('done');
    await page.getByRole('button', { name: 'Undo: Connected' }).click();
    await expect.poll(leads, patience).toBe('bye');
    expect(complaints).toEqual([]);
    await close();
  });

  it('copies nodes with the ways between them: on a canvas, to another one, and out of a file', async (context) => {
    await studio.service.keep(scattered('from'), { publish: false });
    await studio.service.keep({ ...scattered('to'), nodes: scattered('to').nodes.slice(0, 1), edges: [] }, { publish: false });
    const { page, card, go, complaints, close } = await studio.page(context, '1/from');
    const drawn = () => page.locator('.react-flow__node');
    await card('bye').click(); // where the settings open over it
    await card('hello').click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await page.getByRole('button', { name: 'Undo: Pasted 2 nodes' }).waitFor();
    await page.keyboard.press('Control+d');
    await page.getByRole('button', { name: 'Undo: Duplicated' }).waitFor();
    await expect.poll(async () => (await studio.draft('from')).nodes.length, patience).toBe(8);
    const draft = await studio.draft('from');
    expect(draft.nodes.slice(4).map(({ id, data }) => [id, data['message']])).toEqual(
      ['message', 'message-2', 'message-3', 'message-4'].map((id, index) => [id, draft.nodes[1 + (index % 2)]?.data['message']]),
    );
    const own = scattered('from').edges.map(({ source, target }) => `${source} ${target}`);
    expect(draft.edges.map(({ source, target }) => `${source} ${target}`)).toEqual([...own, 'message message-2', 'message-3 message-4']);

    // A text that is being written keeps its own clipboard.
    await card('hello').press('Enter');
    const label = page.getByRole('textbox', { name: 'Label', exact: true });
    await label.fill('Greeting');
    await label.press('Control+a');
    await label.press('Control+x');
    await page.getByRole('textbox', { name: 'Name of the workflow' }).fill('');
    await page.keyboard.press('Control+v');
    expect(await page.getByRole('textbox', { name: 'Name of the workflow' }).inputValue()).toBe('Greeting');
    expect(await drawn().count()).toBe(8);

    await card('message-4').focus();
    await page.keyboard.press('Control+x');
    await expect.poll(async () => (await studio.draft('from')).nodes.length, patience).toBe(7);
    await go('1/to');
    await card('start').focus();
    await page.keyboard.press('Control+v');
    await card('message').getByText('Bye').waitFor();

    // Out of a file, at the place where it is dropped; what is no canvas is refused.
    const drop = (text: string) =>
      page.evaluate(
        `{
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([${JSON.stringify(text)}], 'canvas.json', { type: 'application/json' }));
          const [pane, at] = [document.querySelector('.react-flow__pane'), { clientX: 700, clientY: 600, bubbles: true, cancelable: true }];
          for (const type of ['dragover', 'drop']) pane.dispatchEvent(new DragEvent(type, { dataTransfer, ...at }));
        }`,
      );
    await drop('{"id": "half", ');
    await page.getByRole('status').getByText('This file is no canvas').waitFor();
    await drop(JSON.stringify(scattered('dropped')));
    await page.getByRole('button', { name: 'Undo: Pasted 4 nodes' }).waitFor();
    await expect.poll(() => drawn().count(), patience).toBe(6);
    const first = await placeOf(card('message-2'));
    expect(Math.hypot(first.x - 700, first.y - 600)).toBeLessThan(24);
    await expect.poll(async () => (await studio.draft('to')).edges.length, patience).toBe(scattered('dropped').edges.length);
    expect(complaints).toEqual([]);
    await close();
  });

  it('is to look at where it is too narrow to edit in, and can be edited again once it is wide', async (context) => {
    await studio.service.keep(scattered('narrow'), { publish: false });
    const { page, card, axe, complaints, close } = await studio.page(context, '1/narrow?node=hello');
    const label = page.getByRole('textbox', { name: 'Label', exact: true });
    await label.waitFor();
    await page.setViewportSize({ width: 899, height: 800 });
    await page.getByText('This screen is too small to edit on.').waitFor();
    await expect.poll(() => label.getAttribute('readonly'), patience).not.toBe(null);
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
    await card('hello').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Delete');
    expect(await axe()).toEqual([]);
    await page.setViewportSize({ width: 900, height: 800 });
    await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled()).toBe(true); // nothing was done
    await label.fill('Wide again');
    await card('hello').getByText('Wide again').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
