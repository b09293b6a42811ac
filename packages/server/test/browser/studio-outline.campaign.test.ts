import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio } from './open-studio.ts';

const empty = {
  schemaVersion: 1,
  id: 'keys',
  name: 'By keys',
  nodes: [{ id: 'start', type: 'start', position: { x: 0, y: 0 }, data: { fallback: true } }],
  edges: [],
};

/** Time limits for a machine that does much else. */
const patience = { timeout: 60_000 };

describe('the outline of the studio, in Chromium', { timeout: 180_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  it('writes a bot by keys alone: adds, connects, inserts, renames, cuts, copies and deletes', async (context) => {
    await studio.service.keep(empty, { publish: false });
    const { page, card, axe, complaints, close } = await studio.page(context, '1/keys');
    await card('start').waitFor();
    /** The row that has the focus. */
    const focused = () =>
      expect.poll(() => page.evaluate<string>('document.activeElement.closest("[role=treeitem]")?.textContent ?? ""'), patience);
    const ways = () =>
      expect.poll(async () => (await studio.draft('keys')).edges.map(({ source, target }) => `${source} ${target}`).toSorted(), patience);
    const press = (...keys: readonly string[]) =>
      keys.reduce(async (before, key) => {
        await before;
        await page.keyboard.press(key);
      }, Promise.resolve());
    const find = page.getByRole('dialog', { name: 'Find a node' });
    const choose = async (what: string): Promise<void> => {
      await find.getByRole('searchbox').waitFor();
      await page.keyboard.type(what);
      await page.keyboard.press('Enter');
      await find.waitFor({ state: 'detached' });
    };

    // A new node at an open port; its form, and back.
    await press('o');
    await focused().toMatch(/^Start anything else/); // and its problems, once they are known
    await press('ArrowDown');
    await focused().toBe('Next → nothing yet');
    await press('Enter');
    await choose('message');
    await focused().toContain('Next → Message message');
    await press('F2');
    await page.getByRole('textbox', { name: 'Label', exact: true }).waitFor();
    await page.keyboard.type('Which order');
    await press('Escape');
    await focused().toContain('Next → Which order message');

    // Its optional ports are next to it: one leads to a new end, the other to the same.
    await press('ArrowDown');
    await focused().toBe('Window closed → nothing yet');
    await press('c');
    await choose('end');
    await focused().toContain('Window closed → End done');
    await press('ArrowLeft', 'ArrowDown');
    await focused().toMatch(/ → nothing yet$/);
    await press('Enter');
    await find.getByRole('searchbox').press('Escape');
    await focused().toMatch(/ → nothing yet$/); // nothing was chosen, and the place is not lost
    await press('Enter');
    await find.getByRole('searchbox').fill('end');
    await find.getByRole('button', { name: 'End done' }).click();
    await ways().toEqual(['message end', 'message end', 'start message']);
    expect(await axe()).toEqual([]);

    // A node on a way that is there; the way is cut, and all of it is undone.
    await press('Home', 'ArrowDown');
    await focused().toContain('Next → Which order message');
    await press('i');
    await choose('log');
    await focused().toMatch(/^Next → Log /);
    await ways().toEqual(['log message', 'message end', 'message end', 'start log']);
    await press('Shift+Delete');
    await ways().toEqual(['log message', 'message end', 'message end']);
    await press('Control+z');
    await ways().toEqual(['log message', 'message end', 'message end', 'start log']);
    await press('Home', 'ArrowDown');
    await focused().toMatch(/^Next → Log /);
    await press('Delete');
    await ways().toEqual(['message end', 'message end']);
    await focused().not.toBe('');

    // Several at once are copied, with the way between them.
    await page.getByRole('treeitem', { name: /Which order message/ }).click();
    await press('Shift+ArrowDown', 'Control+c', 'Control+v');
    await page.getByRole('button', { name: /^Undo: Pasted \d nodes?/ }).waitFor();
    await focused().not.toBe('');
    expect(complaints).toEqual([]);
    await close();
  });
});
