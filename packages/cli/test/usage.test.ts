import { describe, expect, it } from 'vitest';
import { hiloHere } from './hilo-in-process.ts';
import { ended, folderWith, hilo, smallCanvas, startHilo } from '../../server/test/hilo-process.ts';

const wrongUses: readonly (readonly [what: string, args: readonly string[], message: string, usage: string])[] = [
  ['an unknown command', ['bogus'], "unknown command 'bogus'", 'Usage: hilo [options] [command]'],
  ['an unknown flag', ['--bogus'], "unknown option '--bogus'", 'Usage: hilo [options] [command]'],
  [
    'an unknown flag of a command',
    ['validate', '--bogus', 'x.json'],
    "unknown option '--bogus'",
    'Usage: hilo validate [options] <canvas...>',
  ],
  ['a missing canvas', ['validate'], "missing required argument 'canvas'", 'Usage: hilo validate'],
  ['a missing canvas to draw', ['render'], "missing required argument 'canvas'", 'Usage: hilo render'],
  ['two canvases to draw', ['render', 'a.json', 'b.json'], 'too many arguments', 'Usage: hilo render'],
  ['an unknown direction', ['render', 'a.json', '--direction', 'up'], 'Allowed choices are right, down', 'Usage: hilo render'],
  ['a missing canvas to run', ['run'], "missing required argument 'canvas'", 'Usage: hilo run'],
  ['an unknown channel', ['validate', '--channel', 'pigeon', 'x.json'], 'There are: whatsapp', 'Usage: hilo validate'],
  ['an unknown plan', ['run', 'x.json', '--plan', 'golden'], 'Allowed choices are free', 'Usage: hilo run'],
  ['a seed that is no number', ['run', 'x.json', '--seed', 'abc'], 'Give a whole number', 'Usage: hilo run'],
  ['a user that the channel does not know', ['run', 'x.json', '--user', '+51 999'], 'is not valid', 'Usage: hilo run'],
  ['a check without a script', ['run', 'x.json', '--check'], '--check needs a --script', 'Usage: hilo run'],
  ['a run that is kept', ['run', 'x.json', '--data', 'd'], "unknown option '--data'", 'Usage: hilo run'],
  ['a port that is none', ['serve', '--port', '70000'], '--port is a port', 'Usage: hilo serve'],
  ['a missing workspace', ['import'], "missing required argument 'file'", 'Usage: hilo import'],
  ['an unknown verb', ['executions', 'stop'], "unknown command 'stop'", 'Usage: hilo executions'],
  ['an unknown status', ['executions', 'list', '--status', 'done'], 'Allowed choices are running', 'Usage: hilo executions list'],
  ['a limit that is none', ['executions', 'list', '--limit', '0'], 'Give a number from 1 to 200', 'Usage: hilo executions list'],
  ['a server that is no address', ['export', '--url', 'localhost'], '--url is the address of a server', 'Usage: hilo export'],
  ['a missing execution', ['executions', 'cancel'], "missing required argument 'execution'", 'Usage: hilo executions cancel'],
  ['a script in real time', ['run', 'x.json', '--script', 'x.txt', '--real-time'], 'cannot go with --script', 'Usage: hilo run'],
];

describe('the hilo command', () => {
  it.for(wrongUses)('refuses %s with exit code 2 and the usage', async ([, args, message, usage]) => {
    const { code, stdout, stderr } = await hiloHere(args);
    expect(stderr).toContain(message);
    expect(stderr).toContain(usage);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('shows its usage without arguments', async () => {
    const { code, stderr } = await hiloHere([]);
    expect(stderr).toContain('Usage: hilo');
    expect(code).toBe(2);
  });

  it.for([
    'hilo',
    'hilo run',
    'hilo validate',
    'hilo render',
    'hilo serve',
    'hilo import',
    'hilo export',
    'hilo executions',
    'hilo executions list',
    'hilo executions cancel',
    'hilo tokens create',
  ])('helps with %s', async (command) => {
    const { code, stdout, stderr } = await hiloHere([...command.split(' ').slice(1), '--help']);
    expect(stdout).toContain(`Usage: ${command} [options]`);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('prints its version', async () => {
    const { code, stdout } = await hilo(['--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(code).toBe(0);
  });

  it('shows the stack of a failure on request', async () => {
    using folder = folderWith({ 'small.json': smallCanvas() });
    const args = ['render', 'small.json', '-o', 'nowhere/small.svg'];
    const plain = await hilo(args, { cwd: folder.path });
    expect(plain).toMatchObject({ code: 1, stdout: '' });
    expect(plain.stderr).toMatch(/^hilo: nowhere\/small\.svg cannot be written: [^\n]*\n$/);
    const verbose = await hilo(args, { cwd: folder.path, env: { HILO_DEBUG: '1' } });
    expect(verbose.stderr).toMatch(/\n +at /);
  });

  it('ends quietly when its reader has read enough', async () => {
    const child = startHilo(['render', 'examples/canvases/support-bot.json']);
    child.stdin.end();
    child.stdout.once('data', () => child.stdout.destroy());
    const { code, stderr } = await ended(child);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('colours output on a terminal only, unless forced', async () => {
    const plain = await hilo(['validate', 'nowhere.json'], { env: { NO_COLOR: '' } });
    const coloured = await hilo(['validate', 'nowhere.json'], { env: { NO_COLOR: '', FORCE_COLOR: '1' } });
    expect(plain.stdout).not.toContain('\u001b');
    expect(coloured.stdout).toContain('\u001b[31m');
  });
});
