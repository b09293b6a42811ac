// Numbers, proof and changes over the canvas; and nodes that are added while another one has just been changed.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio, takePicture } from './open-studio.ts';
import { twoMessages } from './two-messages.ts';

const choice = {
  schemaVersion: 1,
  id: 'choice',
  name: 'Choice',
  nodes: [
    { id: 'begin', type: 'start', position: { x: 0, y: 0 }, data: { keywords: ['go'] } },
    {
      id: 'ask',
      type: 'ask',
      position: { x: 328, y: 0 },
      data: {
        message: { type: 'text', text: 'How many?' },
        input: { kind: 'number' },
        saveAs: '$context.many',
        invalidMessage: 'A number.',
      },
    },
    { id: 'thanks', type: 'message', position: { x: 656, y: 0 }, data: { message: { type: 'text', text: 'Thanks.' } } },
    { id: 'done', type: 'end', position: { x: 984, y: 0 } },
  ],
  edges: [
    { source: 'begin', target: 'ask' },
    { source: 'ask', sourceHandle: 'answered', target: 'thanks' },
    { source: 'ask', sourceHandle: 'invalid', target: 'done' },
    { source: 'thanks', sourceHandle: 'sent', target: 'done' },
  ],
};

describe('proof and changes, in Chromium', { timeout: 180_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  it('shows which test takes a port, finds a conversation for one that none takes, and keeps it', async (context) => {
    await studio.service.keep(choice);
    const { page, card, axe, complaints, close } = await studio.page(context, '1/choice?view=proof');
    await page.getByText('No test is kept yet.').waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const say = async (what: string) => {
      await page.getByLabel('Message', { exact: true }).fill(what);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
    };
    const keep = async (name: string) => {
      await page.getByLabel('Name of the test').fill(name);
      await page.getByRole('button', { name: 'Keep as test' }).click();
      await page.getByText(`${name} passes`).waitFor();
    };
    await say('go');
    await page.locator('.bubbles').getByText('How many?').waitFor();
    await say('7');
    await page.getByText('Ended: completed').waitFor();
    await keep('answered');
    const proof = page.getByRole('button', { name: 'Proof' });
    await proof.click();
    await page
      .locator('.side')
      .getByText(/^3 of \d+ ports tested$/)
      .waitFor();
    await page
      .locator('.strip')
      .getByText(/^3 of \d+ ports tested$/)
      .waitFor();
    expect(await card('ask').getByText('Tested by answered').count()).toBe(1);
    await takePicture(page, 'proof');
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: /› Invalid$/ }).click();
    await page.locator('.bubbles').getByText('A number.').first().waitFor();
    await keep('refused');
    await proof.click();
    await page
      .locator('.side')
      .getByText(/^4 of \d+ ports tested$/)
      .waitFor();
    expect(await page.getByRole('button', { name: /› Invalid$/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it('tries every answer of the model of an agent, and says what holds and what it uses at most', async (context) => {
    const text = readFileSync(new URL('../../../../examples/canvases/address-agent.json', import.meta.url), 'utf8');
    await studio.service.keep(JSON.parse(text) as object, { publish: false });
    const { page, axe, complaints, close } = await studio.page(context, '1/address-agent?view=proof');
    await page.getByRole('button', { name: 'Try every answer' }).click();
    await page.getByText('It always ends, asks before what needs a yes, and shows nothing that is withheld.').waitFor();
    await page.getByText(/^[\d,]+ steps; at most \d+ calls of the model, /).waitFor();
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('shows what happened over the canvas, and how many come from one card to the next', async (context) => {
    const { service } = studio;
    await service.keep({
      ...choice,
      id: 'counted',
      nodes: choice.nodes.map((node) => (node.id === 'begin' ? { ...node, data: { keywords: ['count'] } } : node)),
    });
    for (const [user, answer] of [
      ['51999000201', '7'],
      ['51999000202', undefined],
    ] as const) {
      const write = async (text: string) => {
        const message = { type: 'text', text };
        await service.engine.receiveMessage({ companyId: '1', botId: 'bot_wa', eventId: `${user} ${text}`, user: { id: user }, message });
        await service.engine.whenIdle();
      };
      await write('count');
      if (answer !== undefined) await write(answer);
    }
    const { page, card, axe, complaints, go, close } = await studio.page(context, '1/counted?view=numbers');
    await page.locator('.strip').getByText('2 conversations began → 1 came to an end').waitFor();
    expect(await card('begin').locator('.foot').textContent()).toBe('2 in ▲ 2');
    expect(await card('ask').locator('.foot').textContent()).toBe('2 in ▲ 2 · 1 now');
    expect(await card('done').locator('.foot').textContent()).toBe('1 in ▲ 1');
    await takePicture(page, 'numbers');
    await page.getByRole('combobox', { name: 'Channel' }).selectOption('WhatsApp');
    await page.getByRole('combobox', { name: 'Compared with' }).selectOption('v1');
    await card('ask').getByText('2 in = · 1 now', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Compared with' }).selectOption('Nothing');
    await card('ask').getByText('2 in · 1 now', { exact: true }).waitFor();
    expect(await axe()).toEqual([]);
    await card('begin').locator('header').click();
    await card('done').locator('header').click();
    await page.locator('.funnel').getByText('50% of the first').waitFor();
    expect(await page.getByRole('link', { name: 'Link to this view' }).getAttribute('href')).toMatch(
      /view=numbers&from=.*&channel=whatsapp$/,
    );
    await page.locator('.strip').getByRole('link', { name: 'End 1' }).waitFor();
    await page.getByRole('link', { name: 'Stopped at End' }).click();
    await page.getByRole('heading', { name: 'Executions' }).waitFor();
    expect(page.url()).toContain('nodeId=done');

    // Nothing is counted of a version that is there no more: it is said, and another one can be chosen.
    await go('1/counted?view=numbers&version=7');
    await page.locator('.side').getByText('has no version 7').waitFor();
    await page.getByRole('combobox', { name: 'Version' }).selectOption('All versions');
    await page.locator('.side').getByText('2 conversations began').waitFor();
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await close();
  });

  it('marks what the draft changes of the live version, and follows its edits', async (context) => {
    await studio.service.keep(twoMessages('marked'));
    const { page, card, axe, complaints, close } = await studio.page(context, '1/marked');
    await card('hello').waitFor();
    await page.getByRole('button', { name: 'Changes' }).click();
    await page.locator('.strip').getByText('No difference to v1.').waitFor();
    await card('bye').focus();
    await page.keyboard.press('Delete');
    await page.locator('.changes').getByText('Removed').first().waitFor();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Replay the last 1000 conversations' }).click();
    await page.getByText('No conversation of the live version ended in the last seven days.').waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByText('Changes since v1').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await close();
  });

  it('connects a node that is added at once after an edit of the one before it, and shows every new card', async (context) => {
    // What is pressed, of nothing to press: it has no port that leads on before its kind is another one.
    const ask = { id: 'ask', type: 'ask', position: { x: 328, y: 0 }, data: { message: { type: 'text', text: 'How many?' } } };
    const [begin] = choice.nodes;
    await studio.service.keep({ ...choice, id: 'quick', nodes: [begin, ask], edges: choice.edges.slice(0, 1) }, { publish: false });
    const { page, card, saved, complaints, close } = await studio.page(context, '1/quick');
    await card('ask').locator('header').click();
    await page.locator('[data-pointer$="/input"] .kinds label', { hasText: /^Number$/ }).click();
    await page.locator('.palette').getByRole('button', { name: 'End', exact: true }).click();
    await card('end').waitFor();
    await saved();
    const { edges } = await studio.draft('quick');
    expect(edges.filter(({ source, target }) => source === 'ask' && target === 'end')).toEqual([
      expect.objectContaining({ sourceHandle: 'answered' }),
    ]);
    for (const made of ['webhook', 'webhook-2', 'webhook-3']) {
      await page.locator('.palette').getByRole('button', { name: 'Webhook', exact: true }).click();
      await card(made).waitFor();
      await expect.poll(() => isSeen(made)).toBe(true);
    }
    expect(complaints).toEqual([]);
    await close();

    async function isSeen(id: string): Promise<boolean> {
      const [box, stage] = [await card(id).boundingBox(), await page.locator('.stage').boundingBox()];
      if (box === null || stage === null) return false;
      const [right, bottom] = [box.x + box.width, box.y + box.height];
      return box.x >= stage.x && box.y >= stage.y && right <= stage.x + stage.width && bottom <= stage.y + stage.height;
    }
  });
});
