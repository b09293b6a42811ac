import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hiloHere as hilo } from './hilo-in-process.ts';
import { ended, folderWith, hilo as hiloAlone, root, smallCanvas, startHilo } from '../../server/test/hilo-process.ts';

const orderStatus = 'examples/workspace/canvases/order-status.json';
const transcript = 'examples/workspace/transcripts/order-status.txt';

const say = (...lines: readonly string[]): { readonly input: string } => ({ input: lines.map((line) => `${line}\n`).join('') });

describe('hilo run', () => {
  it('runs in a process of its own, from its arguments to its exit code', async () => {
    const { code, stdout, stderr } = await hiloAlone(['run', orderStatus], say('order', '/quit'));
    expect(stdout).toContain('What is your order number?');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('converses through a pipe: draws messages, reads numbers as options, answers calls', async () => {
    const lines = ['order', 'on the receipt', '1234', '/api 200 {"state":"lost"}', '1', '/quit', 'never said'];
    const { code, stdout, stderr } = await hilo(['run', orderStatus], say(...lines));
    expect(stdout).toContain('› order\n╭────────────────────────────╮\n│ What is your order number? │\n╰────────────────────────────╯\n');
    expect(stdout).toContain('That is not a number. Try again.');
    expect(stdout).toContain('→ GET http://127.0.0.1:4010/orders/1234');
    expect(stdout).toContain('│  1  Yes ');
    expect(stdout).toContain('A new one is on its way.');
    expect(stdout).toContain('✔ completed');
    expect(stdout).not.toContain('never said');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('warns of a canvas that is called and cannot be read, though a file beside it has its name', async () => {
    const parent = smallCanvas({
      nodes: [
        { id: 'begin', type: 'start', data: { keywords: ['go'] } },
        { id: 'call', type: 'workflow', data: { workflowId: 'kid' } },
        { id: 'done', type: 'end', data: {} },
      ],
      edges: [
        { source: 'begin', target: 'call' },
        { source: 'call', sourceHandle: 'success', target: 'done' },
        { source: 'call', sourceHandle: 'error', target: 'done' },
      ],
    });
    using folder = folderWith({ 'small.json': parent, 'kid.json': { ...smallCanvas({ id: 'kid' }), nodes: 7 }, 'go.txt': 'user: go\n' });
    const { stderr } = await hilo(['run', 'small.json', '--script', 'go.txt'], { cwd: folder.path });
    expect(stderr).toContain('Workflow "kid" is called, and no file of this folder that can be read has it');
    expect(stderr).toContain('check it with hilo validate');
  });

  it('ends with its input, in the middle of anything', async () => {
    const { code, stderr } = await hilo(['run', orderStatus], { input: 'order\n12' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('leaves cleanly when it is interrupted', async () => {
    const child = startHilo(['run', orderStatus]);
    child.stdout.once('data', () => child.kill('SIGINT'));
    const { code, stderr } = await ended(child);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('advances time, and shows the state and the history', async () => {
    const { stdout } = await hilo(['run', orderStatus], say('order', '/time', '/state', '/time +10m', '/history'));
    expect(stdout).toContain('next due Mon 3 Mar 2031 09:10, in 10m');
    expect(stdout).toMatch(/<execution-1> +order-status v1 +waiting +which +waits for reply, due Mon 3 Mar 2031 09:10/);
    expect(stdout).toContain('── Mon 3 Mar 2031 09:10 (+10m)');
    expect(stdout).toMatch(/Mon 09:10 +which +ask +→ timeout/);
  });

  it('shows how to begin a canvas with a webhook, and accepts that line', async () => {
    const first = await hilo(['run', 'examples/workspace/canvases/sign-contract.json']);
    const [, begin = ''] = /Begin with (\/webhook .*)/.exec(first.stdout) ?? [];
    const second = await hilo(['run', 'examples/workspace/canvases/sign-contract.json'], say('hi', begin));
    expect(second.stdout).toContain('← started <execution-1>');
    const [, resume = ''] = /waits for a webhook call, at most 1d: (\/webhook .*)/.exec(second.stdout) ?? [];
    const third = await hilo(['run', 'examples/workspace/canvases/sign-contract.json'], say('hi', begin, resume));
    expect(third.stdout).toContain('Contract unknown signed by signer.');
    expect(third.stdout).toMatch(/✔ completed\n$/);
  });

  it('reports that the user has to write first when messages need it (WIN-01)', async () => {
    const canvas = 'examples/workspace/canvases/payment-once.json';
    const { stdout } = await hilo(['run', canvas]);
    expect(stdout).toContain('Ana has not written yet, so that only templates go out: write anything first.');
    const [, begin = ''] = /Begin with (\/webhook .*)/.exec(stdout) ?? [];
    expect((await hilo(['run', canvas], say('Hello', begin))).stdout).toContain('Hello Ana, invoice');
    expect((await hilo(['run', canvas, '--channel', 'web'])).stdout).not.toContain('has not written yet');
  });

  it('reports invalid lines, and continues', async () => {
    const lines = ['/bogus', '/webhook {', '/api', '/time backwards', '/signal paid', 'hello'];
    using folder = folderWith({ 'small.json': smallCanvas() });
    const { code, stdout } = await hilo(['run', 'small.json'], { ...say(...lines), cwd: folder.path });
    expect(stdout).toContain('There is no command /bogus');
    expect(stdout).toContain('A body in JSON is expected');
    expect(stdout).toContain('Nothing waits for a signal');
    expect(stdout).toMatch(/› hello\n✔ completed\n$/);
    expect(code).toBe(0);
  });

  it('asks for results of calls that it cannot make, and runs code', async () => {
    const canvas = 'examples/canvases/sort-mail.json';
    const call = '/webhook {"text":"Where is order 7?"}';
    const { stdout } = await hilo(['run', canvas, '--coverage'], say(call, '/model {"topic":"weather","urgency":"now"}', '/time'));
    expect(stdout).toContain('sort waits for the answer: /model {"topic":"order","urgency":1} or /model fails timeout');
    expect(stdout).toMatch(/\/time\nIt is .*; next due /);
    const answered = await hilo(['run', canvas, '--coverage'], say(call, '/model {"topic":"order","urgency":3}'));
    expect(answered.stdout).toContain('▪ code returned {"$context.answerBy":"2031-03-03T10:00:00.000Z","$context.queue":"order"}');
    expect(answered.stdout).toContain('← answers the caller 200 {"queue":"order","answerBy":"2031-03-03T10:00:00.000Z"}');
    expect(answered.stderr).toMatch(/^4 of 9 ports of sort-mail taken, never:\n {2}sort\.invalidOutput\n/);
  });

  it('hands over: the operator writes, closes, and an idle conversation expires', async () => {
    const canvas = 'examples/canvases/talk-to-us.json';
    const talk = say(
      'help',
      '/operator says Hello',
      'My lamp hums',
      '/signal handoff conversation-1 {"state":"gone"}',
      '/time',
      '/time next',
    );
    const { stdout } = await hilo(['run', canvas], talk);
    expect(stdout).toContain('waits for the operator: /operator says TEXT, /operator closes or /operator expires');
    expect(stdout).toContain('☏ the operator hears: My lamp hums');
    expect(stdout).toContain('A hand-off ends as closed, resolved, expired');
    expect(stdout).toContain('next due Mon 3 Mar 2031 11:00, in 2h (/time next)');
    expect(stdout).toMatch(/conversation-1 expires[^]*Write "help" whenever you need us\.[^]*✔ completed\n/);
    expect((await hilo(['run', canvas], say('help', '/operator closes'))).stdout).toContain('Thank you for talking to us.');
  });

  it('explains an unmatched message, and sends a picture, a place and a contact by short commands', async () => {
    const canvas = 'examples/canvases/order-ready.json';
    const other = '/webhook {"id":"A-7","customer":{"phone":"51999000111"}}';
    const { stdout } = await hilo(['run', canvas, '--channel', 'web'], say(other, '/image https://files.example/a.png Look'));
    expect(stdout).toMatch(/› \/image .*\n∅ The flow waits for 51999000111; 5215512345678 wrote\n/);
    const sent = await hilo(
      ['run', 'examples/canvases/talk-to-us.json', '--json'],
      say('/contact', '/contact +51 Olga B', '/image cat', '/location 91 0'),
    );
    expect(sent.stdout.match(/"kind":"unmatched"/g)).toHaveLength(2);
    expect(sent.stdout.match(/"kind":"complaint"/g)).toHaveLength(2);
  });

  it('restarts the conversation', async () => {
    const { stdout } = await hilo(['run', orderStatus], say('order', '/restart', '/state'));
    expect(stdout).toContain('Nothing has been started yet.');
  });

  it('prints one JSON object a line for programs', async () => {
    const { code, stdout } = await hilo(['run', orderStatus, '--json'], say('order', '/state'));
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly kind: string });
    expect(lines.map(({ kind }) => kind)).toEqual(['ready', 'line', 'effect', 'waiting', 'line', 'state']);
    expect(code).toBe(0);
  });

  it('runs for the company of the workspace, unless a plan is named', async () => {
    const lines = say('order', '7', '/time +10s');
    expect((await hilo(['run', orderStatus], lines)).stdout).toContain('PLAN_TIMEOUT_EXCEEDED');
    expect((await hilo(['run', orderStatus, '--plan', 'growth'], lines)).stdout).not.toContain('PLAN_TIMEOUT_EXCEEDED');
  });

  it.for([
    ['nowhere.json', /^hilo: The workspace nowhere\.json cannot be read: [^\n]*\n$/],
    ['broken.json', /^hilo: broken\.json is no workspace: [^\n]* at line 2, column 3\n$/],
    ['other.json', /^hilo: other\.json is no workspace: "name" must be a text at \/companies\/0\/name\n$/],
  ] as const)('reports the problem of the workspace %s', async ([file, message]) => {
    using folder = folderWith({
      'small.json': smallCanvas(),
      'broken.json': '{"companies":\n [,]}',
      'other.json': { companies: [{ name: 7 }] },
    });
    const { code, stderr } = await hilo(['run', 'small.json', '--workspace', file], { cwd: folder.path });
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });

  it('lets the clock run on request', async () => {
    const canvas = 'examples/canvases/message-burst.json';
    const { code, stdout } = await hilo(['run', canvas, '--real-time'], {
      input: 'The tap drips\n',
      endsWhen: (shown) => shown.includes('noted: The tap drips.'),
    });
    expect(stdout).toContain('noted: The tap drips.');
    expect(code).toBe(0);
  });

  it.for([
    ['that is not there', undefined, 'FILE_NOT_FOUND'],
    ['that cannot be published', smallCanvas({ edges: [] }), 'PORT_WITHOUT_EDGE'],
  ])('refuses a canvas %s', async ([, content, problem]) => {
    using folder = folderWith(content === undefined ? {} : { 'canvas.json': content });
    const { code, stdout, stderr } = await hilo(['run', 'canvas.json'], { cwd: folder.path });
    expect(stderr).toContain(problem);
    expect(stderr).toContain('✖ canvas.json cannot run');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });
});

describe('hilo run --script', () => {
  it('replays a transcript and prints it unchanged', async () => {
    const { code, stdout, stderr } = await hilo(['run', orderStatus, '--script', transcript]);
    expect(stdout.trimEnd()).toBe(readFileSync(join(root, transcript), 'utf8').trimEnd());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('checks a transcript', async () => {
    const right = await hilo(['run', orderStatus, '--script', transcript, '--check']);
    expect(right).toMatchObject({ code: 0, stderr: '' });
    const wrong = readFileSync(join(root, transcript), 'utf8').replace('Order 1234 is', 'Order 4321 is');
    const { code, stdout } = await hilo(['run', orderStatus, '--script', '-', '--check'], { input: wrong });
    expect(stdout).toContain('-   bot: Order 4321 is on its way.');
    expect(stdout).toContain('+   bot: Order 1234 is on its way.');
    expect(code).toBe(1);
  });

  it('replays the transcript of a conversation', async () => {
    const talk = await hilo(['run', orderStatus], say('order', '1234', '/api 200 {"state":"shipped"}', '/transcript'));
    const written = talk.stdout.slice(talk.stdout.indexOf('› /transcript\n') + '› /transcript\n'.length);
    const { code } = await hilo(['run', orderStatus, '--script', '-', '--check'], { input: written });
    expect(code).toBe(0);
  });

  it('names the line that it cannot read', async () => {
    const { code, stdout, stderr } = await hilo(['run', orderStatus, '--script', '-'], { input: 'user: order\nusr: 7\n' });
    expect(stderr).toMatch(/^hilo: standard input: Line 2: [^\n]*\n$/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('reports a missing script', async () => {
    const { code, stderr } = await hilo(['run', orderStatus, '--script', 'nowhere.txt']);
    expect(stderr).toMatch(/^hilo: The script nowhere\.txt cannot be read: [^\n]*\n$/);
    expect(code).toBe(1);
  });
});
