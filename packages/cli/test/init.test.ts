import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, root } from '../../server/test/hilo-process.ts';
import { hiloHere } from './hilo-in-process.ts';

describe('hilo init', () => {
  it('creates a project whose canvas can be published, and whose transcripts are correct', async () => {
    using folder = folderWith({});
    const made = await hiloHere(['init', 'My Bot!'], { cwd: folder.path });
    expect(made.stdout).toContain("  cd 'My Bot!'\n  npm install ");
    const [, packed = ''] = /npm install (\S+)\/\*\.tgz/.exec(made.stdout) ?? [];
    expect(resolve(folder.path, 'My Bot!', packed)).toBe(join(root, 'dist')); // where the pack steps of the README leave them
    expect(made.code).toBe(0);
    const project = join(folder.path, 'My Bot!');
    const { name, dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      readonly name: string;
      readonly dependencies: { readonly [name: string]: string };
    };
    const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { readonly version: string };
    expect([name, dependencies['@hilo/cli']]).toEqual(['my-bot', version]);
    expect(readFileSync(join(project, '.gitignore'), 'utf8').split('\n')).toEqual(expect.arrayContaining(['data/', 'workspace.json']));
    // An editor without it resolves no package by its exports, and refuses imports that end in ".ts".
    expect(JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8'))).toMatchObject({
      compilerOptions: { module: 'nodenext', strict: true, noEmit: true, allowImportingTsExtensions: true },
    });
    expect(statSync(join(project, 'workspace.json')).mode & 0o777).toBe(0o600);
    const secrets = [...readFileSync(join(project, 'workspace.json'), 'utf8').matchAll(/"appSecret": "([^"]+)"/g)].map(
      ([, secret]) => secret,
    );
    expect(new Set(secrets).size).toBe(2);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{32}$/);

    symlinkSync(join(root, 'packages/cli/node_modules'), join(project, 'node_modules')); // as npm install leaves it
    const valid = await hiloHere(['validate', 'canvases/welcome.json', '--workspace', 'workspace.json', '--strict'], { cwd: project });
    expect(valid.stdout).toContain('The canvas can be published');
    const imported = await hiloHere(['import', 'workspace.json', '--data', 'data'], { cwd: project });
    expect(imported.stderr).toBe('');
    expect(imported.stdout).toContain('2 bots');
    const played = await hiloHere(['test'], { cwd: project });
    expect(played.stdout).toContain('4 transcripts as they are written');
    expect(played.stdout).not.toContain('never');
  });

  it('creates a new secret for each project', async () => {
    using folder = folderWith({});
    const secretOf = async (name: string): Promise<string | undefined> => {
      await hiloHere(['init', name], { cwd: folder.path });
      return /"appSecret": "([^"]+)"/.exec(readFileSync(join(folder.path, name, 'workspace.json'), 'utf8'))?.[1];
    };
    expect(await secretOf('one')).not.toBe(await secretOf('two'));
  });

  it('writes nothing where something is', async () => {
    using folder = folderWith({ 'notes.txt': 'mine' });
    const { code, stderr } = await hiloHere(['init', '.'], { cwd: folder.path });
    expect(stderr).toBe('hilo: . is not empty: nothing was written there\n');
    expect(code).toBe(1);
    expect(readdirSync(folder.path)).toEqual(['notes.txt']);
    writeFileSync(join(folder.path, 'file'), '');
    const onFile = await hiloHere(['init', 'file/below'], { cwd: folder.path });
    expect(onFile.code).toBe(1);
    expect(existsSync(join(folder.path, 'file', 'below'))).toBe(false);
  });

  it.runIf(existsSync('/proc/self'))('ends where a file system takes no directory', async () => {
    using folder = folderWith({});
    const { code, stderr } = await hiloHere(['init', '/proc/no/bot'], { cwd: folder.path });
    expect(stderr).toMatch(/^hilo: \/proc\/no\/bot cannot be written: ENOENT/);
    expect(code).toBe(1);
  });
});
