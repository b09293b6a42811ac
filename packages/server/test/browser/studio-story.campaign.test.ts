import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../http/fake-service.ts';
import { drawWire, openStudio, type OpenStudio, takePicture } from './open-studio.ts';

describe('the story of a new author, in Chromium', () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  it('draws a bot, sees its problems, tries it, publishes it, watches it fail, and mends it while a user waits', async (context) => {
    const { service, base } = studio;
    const author = await studio.page(context, '');
    const { page, card, saved } = author;
    const side = page.locator('.side');
    const field = (pointerEnd: string) => side.locator(`[data-pointer$="${pointerEnd}"]`);
    const type = async (pointerEnd: string, text: string): Promise<void> => {
      await field(pointerEnd).locator('.cm-content').click();
      await page.keyboard.type(text);
      await page.keyboard.press('Escape'); // closes the completion
    };
    const input = (pointerEnd: string) => field(pointerEnd).getByRole('combobox').or(field(pointerEnd).getByRole('textbox')).first();
    const port = (nodeId: string, name: string) => card(nodeId).locator(`.react-flow__handle[data-handleid="${name}"]`);
    /** Draws a wire with the mouse: the whole canvas is in view, and a selected card shows all its ports. */
    const drag = async (from: readonly [string, string], to: string | { readonly x: number; readonly y: number }): Promise<void> => {
      await page.getByRole('button', { name: 'Fit the canvas' }).click();
      await card(from[0]).locator('header').click();
      await drawWire(port(...from), typeof to === 'string' ? card(to).locator('.port-in') : to);
    };
    const picture = (name: string): Promise<void> => takePicture(page, name);
    const say = async (text: string): Promise<void> => {
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.keyboard.press('Enter');
    };
    const bubble = (text: string) => page.locator('.bubbles').getByText(text, { exact: true });
    const keepAs = async (name: string): Promise<void> => {
      await page.getByLabel('Name of the test').fill(name);
      await page.keyboard.press('Enter');
      await page.getByText(`${name} passes`).waitFor();
    };
    const addByKeyboard = async (from: string, what: string, made: string): Promise<void> => {
      await card(from).locator('.port-out').first().waitFor();
      await card(from).press('Enter');
      await page.locator('.node-panel :focus').waitFor(); // Enter leads into the form
      await card(from).press('Tab');
      await page.getByRole('dialog', { name: 'Find a node' }).getByRole('searchbox').waitFor();
      await page.keyboard.type(what);
      await page.keyboard.press('Enter');
      await card(made).waitFor();
    };

    // From an empty canvas, by mouse and by keyboard.
    await page.getByRole('button', { name: 'New workflow' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Order status');
    await page.keyboard.press('Enter');
    await card('start').click();
    await page.locator('.palette').getByRole('button', { name: 'Ask', exact: true }).click();
    await type('/message/text', 'What is your order number?');
    await field('/input')
      .locator('.kinds label', { hasText: /^Number$/ })
      .click();
    await input('/saveAs').fill('$context.order');
    await input('/invalidMessage').fill('That is not a number.');
    await field('/timeout').getByRole('spinbutton').fill('1');
    await field('/timeout').getByRole('combobox').selectOption('hours');
    await picture('form');
    await addByKeyboard('ask', 'api', 'api');
    await type('/url', 'https://orders.example/{{$context.order}}');
    await input('/saveAs').fill('$context.found');
    await addByKeyboard('api', 'message', 'message');
    await type('/message/text', 'Order {{$context.order}} is {{$context.found.body.state}}.');
    await addByKeyboard('message', 'end', 'end');
    await page.locator('.palette').getByRole('button', { name: 'Webhook', exact: true }).click();
    await input('/variableName').fill('order');
    await input('/userIdPath').fill('user');
    await field('/methods').getByRole('button', { name: 'Set' }).click();
    await field('/methods').getByRole('button', { name: 'Add' }).click();
    await field('/methods').getByRole('combobox').selectOption('POST');
    await drag(['webhook', 'new'], 'ask');
    await drag(['ask', 'invalid'], 'end');

    // A path on which the variable is not set: shown, and then mended by another edge.
    await drag(['ask', 'timeout'], 'message');
    await page.getByRole('button', { name: '2 problems', exact: true }).click();
    await page.getByText('$context.order may be missing here: nothing writes it on the way start → ask → message').waitFor();
    await page.getByRole('button', { name: 'Show me' }).first().click();
    expect(await page.locator('.card.on-way .title').allTextContents()).toEqual(['Start', 'Ask', 'Message']);
    await page.getByRole('button', { name: 'Next step' }).click();
    await page.getByText(/^Step 2 of 3: .* by No reply$/).waitFor();
    expect(await author.axe()).toEqual([]);
    await picture('editor');
    await page.getByRole('button', { name: 'Stop showing' }).click();
    await drag(['ask', 'timeout'], 'end');
    await page.getByRole('button', { name: 'No problems' }).waitFor();
    await saved();

    // Tried with a wrong answer and a skipped hour; then with an answer of the service. Both are kept as tests.
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await say('Hello');
    await bubble('What is your order number?').waitFor();
    await say('blue');
    await bubble('That is not a number.').waitFor();
    await page.getByRole('button', { name: 'Skip 1h' }).click();
    await page.getByText('Ended: completed').waitFor();
    await keepAs('no-reply');
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByText('Write something to begin').waitFor();
    await say('Hello');
    await bubble('What is your order number?').waitFor();
    await say('7');
    await page.getByLabel(/^Answer for /).fill('api: 200 {"state":"on its way"}');
    await picture('tester');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await bubble('Order 7 is on its way.').waitFor();
    await keepAs('found');
    await page.getByText('never taken').waitFor();

    // Published; two calls of its webhook start two executions, each of which asks its user.
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('This is the first version.').waitFor();
    await page.getByRole('button', { name: 'Publish version 1' }).click();
    await page.getByText('Version 1 is live.').waitFor();
    const address = (await page.locator('.dialog code').filter({ hasText: '/web/' }).textContent())!;
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('v1 is live').waitFor();
    expect(new URL(address).pathname).toBe('/workflows/v2/webhooks/skill/order-status/web/webhook');
    for (const user of ['5215500000001', '5215500000002']) {
      const headers = { 'x-api-key': keys.acme, 'content-type': 'application/json' };
      const answer = await fetch(`${base}${new URL(address).pathname}`, { method: 'POST', headers, body: JSON.stringify({ user }) });
      expect(answer.status).toBe(200);
    }
    await service.engine.whenIdle();

    // One of them is watched: what its user answers, and what becomes of it, is seen as it happens.
    await page.getByRole('button', { name: 'Executions' }).click();
    await page
      .getByRole('row', { name: /5215500000001/ })
      .getByRole('link')
      .click();
    await page.locator('.card.is-waiting').waitFor();
    service.drivers.answer({ status: 404, body: '{"error":"unknown"}' });
    const delivery = { companyId: '1', botId: 'bot_web', eventId: 'e1', user: { id: '5215500000001' } };
    await service.engine.receiveMessage({ ...delivery, message: { id: 'm1', type: 'text', text: '7' } });
    await page.locator('.status.failed').waitFor();
    await page.locator('.card.is-failed').waitFor();
    await page.getByRole('tab', { name: 'Step' }).click();
    while (!(await page.getByText('Asked for a call of a service').isVisible()))
      await page.getByRole('button', { name: 'Step back' }).click();
    await page.getByText('"https://orders.example/7"').waitFor();
    await page.getByRole('tab', { name: 'Variables' }).click();
    await page.getByText('"5215500000001"').first().waitFor();
    expect(await author.axe()).toEqual([]);
    await picture('execution');

    // From there it is tried again with the draft, where what the call answered is one click away; and mended.
    await page.getByRole('button', { name: 'Try from here' }).click();
    await page.getByLabel(/^Answer for /).waitFor();
    expect(await page.getByLabel(/^Answer for /).inputValue()).toContain('api: 404');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByText('Ended: failed').waitFor();
    const stage = (await page.locator('.stage').boundingBox())!;
    await drag(['api', 'error'], { x: stage.x + stage.width / 2, y: stage.y + stage.height - 80 });
    await page.getByRole('dialog', { name: 'Find a node' }).getByRole('searchbox').fill('message');
    await page.keyboard.press('Enter');
    await card('message-2').waitFor();
    await drag(['message-2', 'sent'], 'end');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await card('message-2').locator('header').click();
    await type('/message/text', 'There is no such order.');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await bubble('There is no such order.').waitFor();
    await page.getByText('found passes').waitFor();

    // Published again while the other user has not answered yet.
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('1 execution waits in another version. Choose which of them come to v2.').waitFor();
    await page.getByText('2 tests pass.').waitFor();
    expect(await author.axe()).toEqual([]);
    await picture('publish');
    await page.getByRole('button', { name: 'Publish version 2' }).click();
    await page.getByText('Version 2 is live.').waitFor();
    const standing = (await service.store.executions.list('1', { workflowId: 'order-status', status: 'waiting', limit: 9 })).results;
    expect(standing.map(({ version }) => version)).toEqual([1]);
    expect(author.complaints).toEqual([]);
    await author.close();
  }, 240_000);
});
