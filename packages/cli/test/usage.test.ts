import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Command } from 'commander';
import { drawn } from '../../../scripts/vitest/part-of.ts';
import { createCommands } from '../src/commands/commands.ts';
import { hiloHere } from './hilo-in-process.ts';
import { ended, folderWith, hilo, root, smallCanvas, startHilo } from '../../server/test/hilo-process.ts';

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
  ['a canvas to make a schema of', ['schema', 'a.json'], 'too many arguments', 'Usage: hilo schema'],
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
  ['a user without an id', ['say', 'bot_wa', ' ', 'hi'], 'the user is empty', 'Usage: hilo say'],
  ['a message without a text', ['say', 'bot_wa', '5215512345678', ''], 'the text is empty', 'Usage: hilo say'],
  ['an empty directory', ['init', ''], 'the directory is empty', 'Usage: hilo init'],
  ['an empty execution', ['executions', 'show', ''], 'the execution is empty', 'Usage: hilo executions show'],
  ['an empty flag', ['render', 'a.json', '-o', ''], '--output is empty: give a value, or leave it out', 'Usage: hilo render'],
  ['an empty flag among several', ['run', 'a.json', '--with', 'b.json', ''], '--with is empty', 'Usage: hilo run'],
  ['a picture that is not drawn', ['render', 'a.json', '-o', 'a.JPG'], 'a.JPG cannot be an SVG or a PNG by its name', 'Usage: hilo render'],
  ['a PNG by the name of an SVG', ['render', 'a.json', '--png', '-o', 'a.svg'], 'let it end with .png', 'Usage: hilo render'],
  ['help with an unknown command', ['help', 'bogus'], "unknown command 'bogus'", 'Usage: hilo [options] [command]'],
  ['a script in real time', ['run', 'x.json', '--script', 'x.txt', '--real-time'], 'cannot go with --script', 'Usage: hilo run'],
];

interface Known {
  readonly words: string;
  readonly command: Command;
}

const withInner = (command: Command, before: readonly string[] = []): readonly Known[] => {
  const words = [...before, command.name()];
  return [{ words: words.join(' '), command }, ...command.commands.flatMap((inner) => withInner(inner, words))];
};

/** Every command, and every group of commands such as `executions`; not that which always answers 410. */
const everyCommand = createCommands('0')
  .flatMap((command) => withInner(command))
  .filter(({ words }) => words !== 'tokens create');

/** Flags that say two things, or have no effect without another, by command. */
const contradictions: readonly (readonly [words: string, message: string])[] = [
  ['migrate w --from 1 --to 2 --write-map --apply', '--write-map and --apply do not go together'],
  ['migrate w --from 1 --to 2 --write-map m.json --json', '--write-map and --json do not go together'],
  ...['--from 1', '--to 2', '--map m.json', '--write-map', '--apply', '--accept same', '--rate 5'].map(
    (more) => [`migrate w --undo job ${more}`, `--undo and ${more.split(' ')[0]} do not go together`] as const,
  ),
  ['migrate w --from 1 --to 2 --accept same', '--accept has no effect without --apply'],
  ['executions bulk cancel --workflow w --rate 5', '--rate has no effect without --apply'],
  ['executions retry e --effect keep --keys new', 'with --effect keep nothing is performed again'],
  ['executions bulk retry --workflow w --effect keep --keys same', 'with --effect keep nothing is performed again'],
  ['replay w --draft --against 1', '--draft and --against do not go together'],
  ['replay w --draft --canvas c.json', '--draft and --canvas do not go together'],
  ['replay w --canvas c.json --against 1', '--canvas and --against do not go together'],
  ['test --agents --update', '--agents and --update do not go together'],
  ['test --agents --channel web', '--agents and --channel do not go together'],
  ['test --agents --workspace w.json', '--agents and --workspace do not go together'],
  ['test --depth 3', '--depth has no effect without --agents'],
  ['mcp --folder . --url http://127.0.0.1:1', '--folder and --url do not go together'],
  ['mcp --folder . --company 1', '--folder and --company do not go together'],
  ['schedules --url http://127.0.0.1:1 starts --data d', '--url and --data do not go together'],
];

describe('flags that contradict each other', () => {
  it.for(contradictions)('%s', async ([words, message]) => {
    using folder = folderWith({});
    const said = await hiloHere(words.split(' '), { cwd: folder.path });
    expect(said).toMatchObject({ code: 2 });
    expect(said.stdout + said.stderr).toContain(words.endsWith('--json') ? `{"error":"${message}` : `error: ${message}`);
  });

  const remote = everyCommand.filter(({ command }) => command.options.some(({ long }) => long === '--url'));
  it.for(drawn(remote))('takes data of one place only: $words', async ({ words, command }) => {
    const needed = command.registeredArguments.filter(({ required }) => required).map(({ argChoices }) => argChoices?.[0] ?? '1');
    const options = command.options
      .filter(({ mandatory }) => mandatory)
      .flatMap(({ long }) => [long ?? '', long === '--role' ? 'viewer' : '1']);
    const args = [...words.split(' '), ...needed, ...options, '--url', 'http://127.0.0.1:1'];
    for (const more of ['--data', '--database-url'])
      expect(await hiloHere([...args, more, 'postgresql://127.0.0.1:1/none'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`error: --url and ${more} do not go together`) as unknown,
      });
  });
});

describe('every command', () => {
  it.for(drawn(everyCommand))('refuses what it does not take, in words and in JSON: $words', async ({ words, command }) => {
    const takes = command.registeredArguments;
    const needed = takes.filter(({ required }) => required).map((_, index) => `x${index}`);
    const wrong: string[][] = [[...needed, '--bogus']];
    if (needed.length > 0) wrong.push(needed.slice(1));
    if (!takes.some(({ variadic }) => variadic)) wrong.push([...takes.map((_, index) => `x${index}`), 'more']);
    for (const more of wrong) {
      const args = [...words.split(' '), ...more];
      const said = await hiloHere(args);
      expect({ args, ...said }).toEqual({
        args,
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^error: [^]*hilo[^]*--help"/) as string,
      });
      const told = await hiloHere([...args, '--json']);
      expect({ args, ...told }).toMatchObject({ args, code: 2, stderr: '' });
      expect(JSON.parse(told.stdout)).toEqual({ error: expect.any(String) as string });
    }
  });

  it.for(everyCommand)('has help in 80 columns, with what each argument and flag is: $words', ({ command }) => {
    const help = command.helpInformation();
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const described = [...command.registeredArguments, ...command.options].filter(({ description }) => description === '');
    expect(described).toEqual([]);
  });
});

describe('the hilo command', () => {
  it.for(wrongUses)('refuses %s with exit code 2 and the usage', async ([, args, message, usage]) => {
    const { code, stdout, stderr } = await hiloHere(args);
    expect(stderr).toContain(message);
    expect(stderr).toContain(usage);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it.for<readonly [args: readonly string[], said: string]>([
    [['executions', 'lst'], "error: unknown command 'lst'\nDid you mean list?"],
    [['executions', 'stop'], "error: unknown command 'stop'\nDid you mean cancel?"],
    [['workflows', 'rollback', 'x', '1'], "error: unknown command 'rollback'\nDid you mean roll-back?"],
    [['jobs', 'frobnicate'], "error: unknown command 'frobnicate'\nThere are list, "],
    [['simulate', 'a.json'], "error: unknown command 'simulate'\nDid you mean run?"],
    [['validate', 'a.json', '--channel', 'whatsap'], 'Did you mean whatsapp?'],
    [['executions', 'list', '--status', 'complete'], 'Did you mean completed?'],
    [['executions', 'list', '--statu', 'failed'], "error: unknown option '--statu'\nDid you mean --status?"],
    [['docs', 'expresions'], 'error: there is no page expresions: did you mean expressions?'],
  ])('says what was meant by %j, in as few lines as a person reads', async ([args, said]) => {
    const { stderr } = await hiloHere(args);
    expect(stderr).toContain(said);
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(6);
    expect(stderr).toMatch(
      /\n"hilo [a-z ]{2,30}--help" (?:lists its commands|describes its options)\.\n$|\n"hilo --help" lists its commands\.\n$/,
    );
  });

  it.for<readonly [string, readonly string[], number, string]>([
    ['an unknown flag', ['executions', 'list', '--json', '--bogus'], 2, "unknown option '--bogus'"],
    ['a missing argument', ['import', '--json'], 2, "missing required argument 'file'"],
    ['no store', ['executions', 'show', 'none', '--json', '--data', 'nowhere'], 1, 'There is no store in nowhere'],
    ['a missing transcript', ['test', 'nowhere.txt', '--json'], 1, 'nowhere.txt: there is no such file or folder'],
    ['what can be no result', ['capacity', '--users', '1000G', '--messages', '1G/s', '--json'], 1, 'That takes 400,000 cells'],
  ])('tells programs of %s in JSON alone', async ([, args, exitCode, message]) => {
    const { code, stdout, stderr } = await hiloHere(args);
    expect(JSON.parse(stdout)).toEqual({ error: expect.stringContaining(message) as string });
    expect(stderr).toBe('');
    expect(code).toBe(exitCode);
  });

  it('tells programs of a canvas that cannot run', async () => {
    const { code, stdout } = await hiloHere(['run', 'nowhere.json', '--json']);
    expect(JSON.parse(stdout)).toEqual({ error: 'nowhere.json cannot run: hilo validate --json lists why' });
    expect(code).toBe(1);
  });

  it('takes what follows -- for no flag', async () => {
    const { stdout, stderr } = await hiloHere(['say', 'bot', 'user', '--data', 'nowhere', '--', '--json']);
    expect(stdout).toBe('');
    expect(stderr).toContain('There is no store in nowhere');
  });

  it.for<readonly [string, readonly string[], string]>([
    ['a folder that is drawn to', ['render', 'small.json', '-o', 'folder'], 'hilo: folder cannot be written: it is a folder, not a file\n'],
    [
      'a path below no folder',
      ['render', 'small.json', '-o', 'none/a.svg'],
      'hilo: none/a.svg cannot be written: its folder does not exist\n',
    ],
    [
      'a missing script',
      ['run', 'small.json', '--script', 'none.txt'],
      'hilo: The script none.txt cannot be read: there is no such file\n',
    ],
    [
      'a folder as a script',
      ['run', 'small.json', '--script', 'folder'],
      'hilo: The script folder cannot be read: it is a folder, not a file\n',
    ],
  ])('describes %s in words', async ([, args, message]) => {
    using folder = folderWith({ 'small.json': smallCanvas() });
    mkdirSync(join(folder.path, 'folder'));
    const { code, stderr } = await hiloHere(args, { cwd: folder.path });
    expect(stderr).toBe(message);
    expect(code).toBe(1);
  });

  it('shows its usage without arguments', async () => {
    const { code, stderr } = await hiloHere([]);
    expect(stderr).toContain('Usage: hilo');
    expect(code).toBe(2);
  });

  it('prints the version of the program when it is asked alone, and leaves --version of a command to the command', async () => {
    expect(await hiloHere(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown });
    const { code, stdout, stderr } = await hiloHere(['executions', 'list', '--version', 'latest']);
    expect(stderr).toContain("unknown option '--version'");
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.for([
    'hilo',
    'hilo run',
    'hilo validate',
    'hilo render',
    'hilo schema',
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

  it('helps by a command as by the flag', async () => {
    const { code, stdout } = await hiloHere(['help', 'run']);
    expect(stdout).toBe((await hiloHere(['run', '--help'])).stdout);
    expect(code).toBe(0);
  });

  it.for<readonly string[]>([
    ['import', 'none.json'],
    ['import', 'broken.json', '--json'],
    ['move', 'in', 'none.ndjson'],
  ])('makes no store for what it cannot read: %s', async (args) => {
    using folder = folderWith({ 'broken.json': '{' });
    const { code } = await hiloHere(args, { cwd: folder.path });
    expect(code).toBe(1);
    expect(readdirSync(folder.path)).toEqual(['broken.json']);
  });

  it('imports a workspace from a pipe, which can be read once', async () => {
    using folder = folderWith({ 'small.json': { companies: [{ id: 7, name: 'Piped', kind: 'self-service', plan: 'free' }] } });
    const main = join(root, 'packages/cli/src/main.ts');
    const line = `cat small.json | "${process.execPath}" "${main}" import /dev/stdin --data data`;
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd: folder.path });
    expect(stdout).toContain('1 company (1 new or different)');
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
