import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type OpenStudio } from './open-studio.ts';

const bot = {
  schemaVersion: 1,
  id: 'forms',
  name: 'Forms',
  nodes: [
    { id: 'begin', type: 'start', position: { x: 0, y: 0 }, data: { keywords: ['one', 'two', 'three', 'four'] } },
    {
      id: 'tell',
      type: 'template',
      position: { x: 328, y: 0 },
      data: { templateId: '', parameters: { name: '{{$user.names}}', old: 'x' } },
    },
    { id: 'look', type: 'api', position: { x: 656, y: 0 }, data: { method: 'GET', url: 'https://example.test/orders' } },
    { id: 'again', type: 'message', position: { x: 984, y: 0 }, data: { message: { type: 'text', text: 'Looked' } } },
    { id: 'done', type: 'end', position: { x: 1_312, y: 0 } },
  ],
  edges: [
    { source: 'begin', target: 'look' },
    { source: 'tell', sourceHandle: 'sent', target: 'done' },
    { source: 'look', sourceHandle: 'success', target: 'again' },
    { source: 'look', sourceHandle: 'error', target: 'done' },
    { source: 'again', sourceHandle: 'sent', target: 'done' },
  ],
};

/** A picture of one pixel. */
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

/** Time limits for a machine that does much else. */
const patience = { timeout: 60_000 };

describe('forms and tests of the studio, in Chromium', { timeout: 180_000 }, () => {
  let studio: OpenStudio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio?.close());

  const dataOf = async (workflowId: string, nodeId: string) => (await studio.draft(workflowId)).nodes.find(({ id }) => id === nodeId)?.data;

  it('the picture of a message is uploaded where the message is written, and seen in its preview and in the tester', async (context) => {
    const [begin, , , , done] = bot.nodes;
    const show = { id: 'show', type: 'message', position: { x: 328, y: 0 }, data: { message: { type: 'image', mediaUrl: '' } } };
    const edges = [
      { source: 'begin', target: 'show' },
      { source: 'show', sourceHandle: 'sent', target: 'done' },
    ];
    await studio.service.keep({ ...bot, id: 'shown', nodes: [begin, show, done], edges }, { publish: false });
    const { page, card, saved, axe, complaints, close } = await studio.page(context, '1/shown');
    await card('show').locator('header').click();
    const field = page.locator('[data-pointer="/nodes/1/data/message/mediaUrl"]');
    await field.getByRole('button', { name: 'Upload a file' }).waitFor();
    const name = 'menú "del" día.png';
    await field.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer: picture });
    const shown = page.locator('.message-preview img');
    await shown.waitFor();
    expect(await shown.getAttribute('alt')).toBe('menú _del_ día.png');
    await saved();
    const data = await dataOf('shown', 'show');
    expect(JSON.stringify(data)).toMatch(/"type":"image","mediaUrl":"file_[\w-]{32}"/);
    await field
      .locator('input[type=file]')
      .setInputFiles({ name: 'page.html', mimeType: 'image/png', buffer: Buffer.from('<!doctype html><p>') });
    await field.getByRole('alert').getByText('no type that a message can have').waitFor();
    expect(await dataOf('shown', 'show')).toEqual(data);
    expect([...(await axe()), ...complaints.filter((text) => !text.includes('400'))]).toEqual([]);
    await close();
  });

  it('a variable that is there from the start is declared in a line, with its kind and what it begins with', async (context) => {
    const { page, saved, axe, complaints, close } = await studio.page(context, '');
    await studio.service.keep({ ...bot, id: 'declares', variables: { kept: { type: 'array', default: [1] } } }, { publish: false });
    await page.goto(`${studio.base}/studio/1/declares`);
    await page.getByRole('button', { name: 'Workflow settings', exact: true }).click();
    await page.getByRole('textbox', { name: 'Variable 1: Begins with 1', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add a variable' }).click();
    const part = (what: string) => page.getByLabel(`Variable 2: ${what}`);
    await part('Name').fill('Número de intentos');
    await part('Kind of value').selectOption('number');
    await part('Begins with').fill('2,5');
    await part('What it is for').fill('How often we asked');
    await saved();
    const declared = async () => (await studio.draft('declares')).variables;
    const tries = { type: 'number', default: 2.5, description: 'How often we asked' };
    await expect.poll(declared).toEqual({ kept: { type: 'array', default: [1] }, Numero_de_intentos: tries });
    await part('Name').fill('constructor'); // no variable may be called so
    await part('Kind of value').selectOption('boolean');
    await part('Begins with').selectOption({ label: 'Begins with: yes' });
    await page.getByRole('button', { name: 'Remove: kept' }).click();
    await expect.poll(declared).toEqual({ Numero_de_intentos: { type: 'boolean', default: true, description: 'How often we asked' } });

    // Lists and fields are lines too, within one another: what is added is written next.
    await page.getByRole('button', { name: 'Add a variable' }).click();
    await part('Kind of value').selectOption('array');
    const list = page.getByRole('group', { name: 'Variable 2: Begins with', exact: true });
    for (const size of ['S', 'M']) {
      await list.getByRole('button', { name: 'Add a value' }).click();
      await page.keyboard.type(size);
    }
    await list.getByLabel('Variable 2: Begins with 2: Kind of value').selectOption('fields');
    await list.getByRole('button', { name: 'Add a field' }).click();
    await page.keyboard.type('Large');
    await expect.poll(async () => (await declared())?.['variable']).toEqual({ type: 'array', default: ['S', { field: 'Large' }] });
    expect([...(await axe()), ...complaints]).toEqual([]);
    await close();
  });

  it('what is remembered and the cases of a switch are written in rows, and “All fields” shows the same canvas', async (context) => {
    const [begin, , , , done] = bot.nodes;
    const set = { id: 'set', type: 'set', position: { x: 328, y: 0 }, data: { assignments: [{ path: '', value: '' }] } };
    const by = { id: 'by', type: 'switch', position: { x: 656, y: 0 }, data: { value: '{{$context.size}}', cases: ['S'] } };
    const person = { id: 'person', type: 'handoff', position: { x: 984, y: 0 }, data: {} };
    const edges = [
      { source: 'begin', target: 'set' },
      { source: 'set', target: 'by' },
      { source: 'by', sourceHandle: 'S', target: 'person' },
      { source: 'by', sourceHandle: 'else', target: 'done' },
    ];
    await studio.service.keep({ ...bot, id: 'rows', nodes: [begin, set, by, person, done], edges }, { publish: false });
    const { page, card, saved, axe, complaints, close } = await studio.page(context, '1/rows');
    const at = (pointer: string) => page.locator(`[data-pointer="/nodes/${pointer}"]`);
    await card('set').locator('header').click();
    await at('1/data/assignments/0/path').getByRole('combobox').fill('size');
    await at('1/data/assignments/0/value').locator('.cm-content').click();
    await page.keyboard.insertText('7');
    await at('1/data/assignments').getByRole('button', { name: 'Add' }).click();
    await at('1/data/assignments/1/path').getByRole('combobox').fill('$memory.seen');
    await at('1/data/assignments/1/value').locator('.cm-content').click();
    await page.keyboard.insertText('yes');
    await at('1/data/assignments/1').getByRole('spinbutton').fill('2');
    const remembered = [
      { path: '$context.size', value: '7' },
      { path: '$memory.seen', value: 'yes', ttl: 'PT2M' },
    ];
    await expect.poll(async () => (await dataOf('rows', 'set'))?.['assignments'], patience).toEqual(remembered);
    await page.getByRole('button', { name: 'Undo: Changed “Remember” of Set variables' }).waitFor();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'All fields' }).click();
    expect(await at('1/data/assignments/0/path').getByRole('combobox').inputValue()).toBe('size');
    expect((await dataOf('rows', 'set'))?.['assignments']).toEqual(remembered);

    await card('by').locator('header').click();
    await page.getByLabel('Values 2').fill('7');
    await expect.poll(async () => (await dataOf('rows', 'by'))?.['cases'], patience).toEqual(['S', 7]);
    await page.getByLabel('Values 1').fill('Small');
    await saved();
    const draft = await studio.draft('rows');
    expect(draft.edges).toContainEqual(expect.objectContaining({ source: 'by', sourceHandle: 'Small', target: 'person' }));

    // The panel covers the rest of the card.
    await card('person')
      .locator('header')
      .click({ position: { x: 12, y: 12 } });
    expect(await at('3/data/teamId').getByRole('combobox').locator('option').first().textContent()).toBe('Anybody');
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('an option that is renamed keeps its way, although its title is that of another one for a moment', async (context) => {
    const [begin, , , , done] = bot.nodes;
    const message = { type: 'quick_reply', text: 'Well?', quick_replies: [{ title: 'No' }, { title: 'Yes' }] };
    const ask = { id: 'ask', type: 'ask', position: { x: 328, y: 0 }, data: { message } };
    const thanks = { id: 'thanks', type: 'message', position: { x: 656, y: 0 }, data: { message: { type: 'text', text: 'Thanks' } } };
    const edges = [
      { source: 'begin', target: 'ask' },
      { source: 'ask', sourceHandle: 'No', target: 'done' },
      { source: 'ask', sourceHandle: 'Yes', target: 'thanks' },
      { source: 'ask', sourceHandle: 'other', target: 'ask' },
      { source: 'thanks', sourceHandle: 'sent', target: 'done' },
    ];
    await studio.service.keep({ ...bot, id: 'options', nodes: [begin!, ask, thanks, done!], edges }, { publish: false });
    const { page, complaints, close } = await studio.page(context, '1/options?node=ask');
    const ways = async () =>
      (await studio.draft('options')).edges.flatMap(({ source, sourceHandle, target }) =>
        source === 'ask' ? [`${sourceHandle} ${target}`] : [],
      );
    const title = page.locator('[data-pointer="/nodes/1/data/message/quick_replies"] input').nth(1);
    await title.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Not now');
    await expect.poll(ways, patience).toEqual(['No done', 'Not now thanks', 'other ask']);
    await page.getByRole('button', { name: 'Undo: Renamed Yes' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('an entry gets a name that begins with that of another one, letter by letter', async (context) => {
    const nodes = bot.nodes.map((node) => (node.id === 'look' ? { ...node, data: { ...node.data, headers: { Accept: 'a/b' } } } : node));
    await studio.service.keep({ ...bot, id: 'headers', nodes }, { publish: false });
    const { page, complaints, close } = await studio.page(context, '1/headers?node=look');
    const headers = page.locator('[data-pointer="/nodes/2/data/headers"]');
    await headers.getByRole('button', { name: 'Add' }).click();
    const name = headers.locator('.pair .sentence input').nth(1);
    await name.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Accept');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.type('-Language');
    await expect
      .poll(async () => (await dataOf('headers', 'look'))?.['headers'], patience)
      .toEqual({ Accept: 'a/b', 'Accept-Language': '' });
    expect(complaints).toEqual([]);
    await close();
  });

  it('what an exit of an agent must give is written in rows: its name, kind, choices and whether it must be there', async (context) => {
    const exits = [{ name: 'ordered', when: 'The order is placed.', fields: { number: { type: 'text' } } }];
    const agent = {
      id: 'talk',
      type: 'agent',
      position: { x: 328, y: 0 },
      data: { model: { baseUrl: 'https://models.example/v1', name: 'small' }, instructions: 'Help.', exits },
    };
    const [begin, , , , done] = bot.nodes;
    await studio.service.keep(
      { ...bot, id: 'given', nodes: [begin, agent, done], edges: [{ source: 'begin', target: 'talk' }] },
      { publish: false },
    );
    const { page, saved, axe, complaints, close } = await studio.page(context, '1/given?node=talk');
    const rows = page.locator('[data-pointer="/nodes/1/data/exits/0"]');
    await rows.getByRole('button', { name: 'Add a value' }).click();
    const added = rows.locator('.pair').nth(1);
    const name = added.locator('input[type=text]').first();
    await name.fill('number'); // another one has it: no more than written
    await name.fill('size');
    await added.locator('select').selectOption('option');
    for (const title of ['small', 'large']) {
      await added.locator('.chip-row input').last().fill(title);
      await page.keyboard.press('Enter');
    }
    await added.getByPlaceholder('What it is').fill('How large it is');
    await added.getByRole('checkbox').uncheck();
    await saved();
    const fields = {
      number: { type: 'text' },
      size: { type: 'option', options: [{ title: 'small' }, { title: 'large' }], description: 'How large it is', required: false },
    };
    await expect.poll(async () => await dataOf('given', 'talk'), patience).toMatchObject({ exits: [{ ...exits[0], fields }] });
    expect(await axe()).toEqual([]);
    await added.getByRole('button', { name: 'Remove: size' }).click();
    await expect.poll(async () => await dataOf('given', 'talk'), patience).toEqual({ ...agent.data, exits });
    expect(complaints).toEqual([]);
    await close();
  });

  it('tools are picked from workflows, functions and a server, by the mouse, with what each declares', async (context) => {
    const agent = {
      id: 'talk',
      type: 'agent',
      position: { x: 328, y: 0 },
      data: {
        model: { baseUrl: 'https://models.example/v1', name: 'small' },
        instructions: 'Help.',
        exits: [{ name: 'done', when: 'It is done.' }],
      },
    };
    const [begin, , , , done] = bot.nodes;
    await studio.service.keep(
      {
        ...bot,
        id: 'price',
        name: 'Price',
        kind: 'tool',
        settings: { inputs: { sku: { type: 'string' } } },
        nodes: [begin, done],
        edges: [],
      },
      { publish: false },
    );
    await studio.service.keep({ ...bot, id: 'picked', nodes: [begin, agent, done], edges: [] }, { publish: false });
    const { page, saved, axe, card, complaints, close, go } = await studio.page(context, '1/picked');
    const schema = { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'integer' } }, required: ['sku'] };
    // What the service tells of functions and servers has tests of its own; here neither is behind it.
    await page.route('**/admin/v1/references?**', async (route) => {
      const told = (await (await route.fetch()).json()) as object;
      const stock = { name: 'stock', description: 'How many are left', inputSchema: schema };
      await route.fulfill({ json: { ...told, functions: [{ id: 'fn_shop', name: 'Shop', tools: [stock] }] } });
    });
    const search = { name: 'search', description: 'Finds an order', schema, readOnly: true };
    await page.route('**/admin/v1/mcp/tools?**', (route) => route.fulfill({ json: { tools: [search] } }));
    await go('1/picked?node=talk');
    await page.getByLabel('Add: Workflow', { exact: true }).selectOption('price');
    await page.getByLabel('Add: Function', { exact: true }).selectOption({ label: 'Shop: stock' });
    await page.getByText('Add: Tool of a server').click();
    await page.getByPlaceholder('https://tools.example.com/mcp').fill('https://tools.example.com/mcp');
    await page.getByRole('button', { name: 'List its tools' }).click();
    await page.getByRole('button', { name: 'Add: search' }).click();
    await saved();
    await expect
      .poll(async () => await dataOf('picked', 'talk'), patience)
      .toMatchObject({
        tools: [
          { kind: 'workflow', name: 'price', workflowId: 'price', inputs: { sku: { type: 'text' } } },
          {
            kind: 'function',
            name: 'stock',
            functionId: 'fn_shop',
            tool: 'stock',
            inputs: { sku: { type: 'text' }, count: { type: 'number', integer: true, required: false } },
          },
          { kind: 'mcp', name: 'search', url: 'https://tools.example.com/mcp', tool: 'search', schema, readOnly: true },
        ],
      });
    // An exit that is called as a port of another node keeps its name.
    await expect.poll(() => card('talk').locator('.port-name').first().textContent(), patience).toBe('done');
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('a node of an unknown type shows what is wrong with it, and a note without a text has a name', async (context) => {
    const odd = { id: 'odd', type: 'unheard-of', position: { x: 0, y: 200 }, data: { deep: { kept: [null] } } };
    const note = { id: 'remark', type: 'note', position: { x: 328, y: 200 }, data: {} };
    await studio.service.keep({ ...bot, id: 'odd', nodes: [...bot.nodes, odd, note] }, { publish: false });
    const { page, card, axe, complaints, close } = await studio.page(context, '1/odd?node=odd');
    await page.locator('.node-panel .field-problem').getByText('There is no node type "unheard-of"').waitFor();
    expect(await card('remark').textContent()).toBe('Note');
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('moves the rows of a list by dragging, down and up, and by their button', async (context) => {
    await studio.service.keep(bot, { publish: false });
    const { page, complaints, close } = await studio.page(context, '1/forms?node=begin');
    const list = page.locator('[data-pointer="/nodes/0/data/keywords"] .list');
    const row = (number: number) => list.locator('> li').nth(number - 1);
    const keywords = () => expect.poll(async () => (await dataOf('forms', 'begin'))?.['keywords'], patience);
    await page.getByRole('button', { name: 'All fields' }).click();
    await row(4).waitFor();
    await row(1).locator('.grip').dragTo(row(3));
    await keywords().toEqual(['two', 'three', 'one', 'four']);
    await row(4).locator('.grip').dragTo(row(1));
    await keywords().toEqual(['four', 'two', 'three', 'one']);
    await page.getByRole('button', { name: /^Move up: .* 2$/ }).click();
    await keywords().toEqual(['two', 'four', 'three', 'one']);
    // Dropped outside of the list, nothing is moved.
    await row(1)
      .locator('.grip')
      .dragTo(page.getByRole('heading', { name: 'Start' }).first());
    await page.getByRole('button', { name: 'Undo: Changed “Begins when somebody writes” of Start' }).waitFor();
    await keywords().toEqual(['two', 'four', 'three', 'one']);
    expect(complaints).toEqual([]);
    await close();
  });

  it('asks for exactly the parameters of the template that is chosen, and keeps the values of those that stay', async (context) => {
    await studio.service.keep({ ...bot, id: 'template' }, { publish: false });
    const { page, axe, complaints, go, close } = await studio.page(context, '');
    const templates = [
      {
        id: 'shipped',
        name: 'Shipped',
        parameters: ['name', 'order'],
        isApproved: true,
        body: 'Hello {{name}}, order {{order}} is on its way.',
      },
      { id: 'plain', name: 'Plain', parameters: [], isApproved: true, body: 'Hello.' },
    ];
    let named = (): void => undefined;
    const isNamed = new Promise<void>((resolve) => (named = resolve));
    await page.route(/\/admin\/v1\/references/, async (route) => {
      const answer = await route.fetch();
      await isNamed; // the author is faster than the list of templates
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), templates } });
    });
    await go('1/template?node=tell');
    const parameters = page.locator('[data-pointer="/nodes/1/data/parameters"]');
    const names = () => expect.poll(() => parameters.locator('.pair > label').allTextContents(), patience);
    const template = page.locator('[data-pointer="/nodes/1/data/templateId"]').getByRole('combobox');
    await template.fill('shipped');
    await page.getByRole('button', { name: /^Undo: / }).waitFor();
    named();
    await page.getByText('Hello {{name}}, order {{order}} is on its way.').waitFor();
    await names().toEqual(['name', 'order']);
    await parameters.locator('.cm-content').nth(1).click();
    await page.keyboard.type('A-7');
    await expect
      .poll(() => dataOf('template', 'tell'), patience)
      .toEqual({ templateId: 'shipped', parameters: { name: '{{$user.names}}', order: 'A-7' } });
    expect(await axe()).toEqual([]);
    await template.fill('plain');
    await names().toEqual([]);
    await expect.poll(() => dataOf('template', 'tell'), patience).toEqual({ templateId: 'plain', parameters: {} });
    expect(complaints).toEqual([]);
    await close();
  });

  it('says in the conversation why a test failed, shows the node, and mends it; its name may have blanks', async (context) => {
    const without = <Item extends object>(items: readonly Item[]) => items.filter((item) => !Object.values(item).includes('tell'));
    const nodes = without(bot.nodes).map((node) =>
      node.id === 'look'
        ? { ...node, data: { ...node.data, saveAs: '$context.answer' } }
        : node.id === 'again'
          ? { ...node, data: { label: 'Tell the state', message: { type: 'text', text: 'It is {{$context.answer.body.state}}.' } } }
          : node,
    );
    await studio.service.keep({ ...bot, id: 'failing', nodes, edges: without(bot.edges) }, { publish: false });
    const { page, axe, complaints, close } = await studio.page(context, '1/failing');
    const failure = page.locator('.failure');
    const say = async (text: string) => {
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.keyboard.press('Enter');
    };
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await say('one');
    await page.getByRole('button', { name: 'Answers 200' }).click();
    await failure.getByText('Tell the state failed').waitFor();
    await failure.getByText('$context.answer.body.state is missing').waitFor();
    await page.getByText('Ended: failed: An expression could not be worked out').waitFor();
    const bottom = async (part: typeof failure): Promise<number> => {
      const { y, height } = (await part.boundingBox())!;
      return y + height;
    };
    await expect.poll(async () => (await bottom(failure)) <= (await bottom(page.locator('.chat'))), patience).toBe(true);
    expect(await axe()).toEqual([]);
    await failure.getByRole('button', { name: 'Show it' }).click();
    await page.getByRole('heading', { name: 'Message' }).waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await failure.getByRole('button', { name: 'Fix: $context.answer.body.state ?? ""' }).click();
    await page.locator('.bubbles').getByText('It is .', { exact: true }).waitFor();
    await failure.waitFor({ state: 'detached' });
    await page.getByLabel('Name of the test').fill('  Sin estado, mañana ');
    await page.keyboard.press('Enter');
    await page.getByText('Sin-estado-manana passes').waitFor();

    // What is selected is undone: the panel goes with it.
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.locator('.palette').getByRole('button', { name: 'Note', exact: true }).click();
    await page.locator('.node-panel').waitFor();
    await page.getByRole('button', { name: 'Undo: Added Note' }).click();
    await page.locator('.side').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await close();
  });

  it('keeps the answer of a call for the tests that follow, until it is asked again; ports that no test takes are marked', async (context) => {
    const without = <Item extends object>(items: readonly Item[]) => items.filter((item) => !Object.values(item).includes('tell'));
    const picture = 'https://pictures.test/order.svg';
    const nodes = without(bot.nodes).map((node) =>
      node.id === 'again' ? { ...node, data: { message: { type: 'image', mediaUrl: picture, text: 'Looked' } } } : node,
    );
    await studio.service.keep({ ...bot, id: 'answers', nodes, edges: without(bot.edges) }, { publish: false });
    const { page, card, axe, complaints, close } = await studio.page(context, '1/answers');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const say = async (text: string) => {
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.keyboard.press('Enter');
    };
    const looked = page.locator('.bubbles').getByText('Looked', { exact: true });
    await card('look').waitFor();
    await button('Test').click();
    await say('one');
    await page.getByLabel('Always answer so').check();
    // An answer that cannot be read is refused, and is not given again and again.
    await page.getByLabel(/^Answer for /).fill('api: certainly');
    await button('Answer').click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel(/^Answer for /).fill('api: 200 {"state":"lost"}');
    await button('Answer').click();
    await looked.waitFor();

    // The next test has it by itself; also after the panel was closed in between.
    const kept = page.getByRole('region', { name: 'Answered by themselves' });
    await kept.getByText('api: 200 {"state":"lost"}').waitFor();
    await button('Start over').click();
    await looked.waitFor({ state: 'detached' });
    await say('two');
    await looked.waitFor();
    await button('Close').first().click();
    await button('Test').click();
    await kept.getByText('api: 200 {"state":"lost"}').waitFor();
    expect(await axe()).toEqual([]);

    await page.getByLabel('Name of the test').fill('found');
    await page.keyboard.press('Enter');
    await page.getByText('found passes').waitFor();
    await card('look').locator('header').click();
    await card('look').locator('.port-out[data-handleid="error"][title="No test takes this port"]').waitFor();
    expect(await card('look').locator('.port-out[data-handleid="success"][title]').count()).toBe(0);

    await kept.getByRole('button', { name: 'Ask again at API' }).click();
    await kept.waitFor({ state: 'detached' });
    await button('Start over').click();
    await looked.waitFor({ state: 'detached' });
    await say('three');
    await page.getByLabel(/^Answer for /).waitFor();

    // Pictures stay addresses until they are asked for.
    await page.getByRole('button', { name: 'Answers 200' }).click();
    await page.getByText(`[Picture ${picture}]`).waitFor();
    await page.route(picture, (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>' }),
    );
    await page.getByText('More actions').click();
    await page.getByLabel('Load pictures from the internet').check();
    await page.getByRole('img', { name: picture }).waitFor();

    // The user sends a place, a picture and a contact of their own, and time passes by any length.
    for (const [what, field, value, shown] of [
      ['Send a place', 'Latitude', '-12.05', 'location: -12.05, -99.13'],
      ['Send a picture', 'Text below it', 'My roof', 'My roof'],
      ['Send a contact', 'Name', 'Bea', 'contacts: Bea'],
    ] as const) {
      const form = page.locator('.send').filter({ hasText: what });
      await form.getByText(what, { exact: true }).click();
      await form.getByLabel(field, { exact: true }).fill(value);
      await form.getByRole('button', { name: 'Send' }).click();
      await page.locator('.bubbles .from-user').getByText(shown, { exact: true }).waitFor();
    }
    expect(await axe()).toEqual([]);
    await page.getByLabel('How much time to skip').fill('5');
    await page.getByLabel('Unit of the time to skip').selectOption('hours');
    await page.getByRole('button', { name: 'Skip', exact: true }).click();
    await page.locator('.bubbles').getByText('time: +5h', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
