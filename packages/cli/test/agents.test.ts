// What ships for coding agents: the pages, the skill and the notes of a new project, whose commands and codes must be real.
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describeCanvas, problemCodes } from '@hilo/engine/authoring';
import { standardNodes } from '@hilo/nodes';
import { parseScript } from '@hilo/simulator';
import { describe, expect, it } from 'vitest';
import { folderWith, root } from '../../server/test/hilo-process.ts';
import { hiloHere } from './hilo-in-process.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const blocks = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, block = '']) => block);
const skill = read('packages/cli/skills/hilo/SKILL.md');
const notes = read('packages/cli/template/AGENTS.md');

/** A node of a canvas, as the skill shows it. */
interface Shown {
  readonly id: string;
  readonly type: string;
}

describe('what ships for coding agents', () => {
  it('is short enough to be read at once', () => {
    expect(skill.split('\n').length).toBeLessThanOrEqual(200);
    expect(notes.split('\n').length).toBeLessThanOrEqual(60);
  });

  it('names ten codes of problems, all of which there are', () => {
    const codes = [...skill.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code = '']) => code);
    expect(codes).toHaveLength(10);
    expect(Object.keys(problemCodes)).toEqual(expect.arrayContaining(codes));
  });

  it('has commands that work in a new project', async () => {
    using folder = folderWith({});
    await hiloHere(['init', 'bot'], { cwd: folder.path });
    const cwd = join(folder.path, 'bot');
    symlinkSync(join(root, 'packages/cli/node_modules'), join(cwd, 'node_modules')); // as npm install leaves it
    const commands = [skill, notes].flatMap((text) => blocks(text, 'sh')).flatMap((block) => block.trim().split('\n'));
    expect(commands.length).toBeGreaterThan(5);
    for (const command of new Set(commands)) {
      const { code, stderr } = await hiloHere(command.replace('npx hilo ', '').split(' '), { cwd });
      expect([command, code, stderr]).toEqual([command, 0, expect.anything()]);
    }
    const { mcpServers } = JSON.parse(readFileSync(join(cwd, '.mcp.json'), 'utf8')) as { readonly mcpServers: object };
    expect(mcpServers).toEqual({ hilo: { command: 'npx', args: ['--no', 'hilo', 'mcp'] } }); // nothing of the registry has to be run, where another project has this name
  });

  it('shows a canvas that can be published, and the very conversation with it', async () => {
    const [script = '', transcript = ''] = blocks(skill, 'text');
    using folder = folderWith({ 'welcome.json': blocks(skill, 'json')[0] ?? '', 'welcome.txt': transcript, 'script.txt': script });
    const { code, stdout } = await hiloHere(['validate', 'welcome.json', '--strict'], { cwd: folder.path });
    expect([code, stdout]).toEqual([0, expect.stringContaining('can be published')]);
    expect((await hiloHere(['run', 'welcome.json', '--script', 'welcome.txt', '--check'], { cwd: folder.path })).code).toBe(0);
    expect((await hiloHere(['run', 'welcome.json', '--script', 'script.txt'], { cwd: folder.path })).stdout).toContain('Hello Ana!');
  });

  it('shows nodes of six kinds of bots, each of which can be published with the ports that are named for it', async () => {
    const tool = { schemaVersion: 1, id: 'stock', name: 'Stock', kind: 'tool', settings: { inputs: { sku: { type: 'string' } } } };
    const nodes = (blocks(skill, 'jsonl')[0] ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Shown);
    expect(nodes.map(({ type }) => type)).toEqual(['ask', 'api', 'agent', 'ask', 'condition', 'delay', 'template', 'handoff']);
    const canvasOf = (node: Shown): object => {
      const start = { id: 'begin', type: 'start', data: { keywords: [node.id] } };
      const drawn = { schemaVersion: 1, id: node.id, name: node.id, nodes: [start, node, { id: 'done', type: 'end' }] };
      const first = { source: 'begin', target: node.id };
      const [, described] = describeCanvas({ ...drawn, edges: [first] }, { nodes: standardNodes }).nodes;
      const ports = described?.ports ?? [];
      expect(ports.filter(({ name, isRequired }) => !isRequired && !skill.includes(`[\`${name}\`]`))).toEqual([]);
      const edges = ports.map(({ name }) => ({ source: node.id, sourceHandle: name, target: 'done' }));
      return { ...drawn, edges: [first, ...edges] };
    };
    const start = [
      { id: 'begin', type: 'start' },
      { id: 'done', type: 'end', data: { outputs: { left: 3 } } },
    ];
    using folder = folderWith({
      'stock.json': JSON.stringify({ ...tool, nodes: start, edges: [{ source: 'begin', target: 'done' }] }),
      ...Object.fromEntries(nodes.map((node) => [`${node.id}.json`, JSON.stringify(canvasOf(node))])),
    });
    const files = ['stock.json', ...nodes.map(({ id }) => `${id}.json`)];
    const { code, stdout, stderr } = await hiloHere(['validate', ...files], { cwd: folder.path });
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('All 9 canvases can be published')]);
  });

  it('names inputs of scripts that can be read, as the page of all of them does', () => {
    const named = (text: string) => [...text.matchAll(/`([a-z]+(?: [a-zA-Z0-9]+)?: [^`]+)`/g)].map(([, line = '']) => line);
    const lines = [skill, notes].flatMap((text) => text.split('\n').filter((line) => !line.startsWith('| `'))).flatMap(named);
    expect(lines).toEqual(expect.arrayContaining(['api: fails timeout', 'time: +2h']));
    const ofPage = named(read('docs/testing.md').split('| input | what happens |')[1]?.split('\n\n')[0] ?? '');
    const whole = [...lines, ...ofPage].filter((line) => !/…|[A-Z]{4}/.test(line)); // the others stand for lines of a form
    expect(whole.length).toBeGreaterThan(15);
    for (const line of whole) expect(() => parseScript(line)).not.toThrow();
  });

  it('prints every page, and what there is', async () => {
    const { stdout } = await hiloHere(['docs']);
    for (const page of ['agents', 'canvas', 'expressions', 'nodes/ask', 'testing']) {
      expect(stdout).toContain(`(${page}.md)`);
      expect((await hiloHere(['docs', page])).stdout).toBe(read(`docs/${page}.md`));
    }
    expect(stdout).not.toContain('(routes.md)');
    expect(await hiloHere(['docs', '../README'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no page') as unknown,
    });
  });
});
