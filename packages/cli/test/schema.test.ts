import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canvasSchema, standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { folderWith, root } from '../../server/test/hilo-process.ts';
import { scoreLead } from '../../../examples/own-node/score-lead.ts';
import { hiloHere as hilo } from './hilo-in-process.ts';

const project = join(root, 'examples/own-node');
const withOwn = canvasSchema([...standardNodes, scoreLead]);

describe('hilo schema', () => {
  it('prints the schema of Hilo alone where there is no project', async () => {
    using folder = folderWith({});
    const { code, stdout, stderr } = await hilo(['schema'], { cwd: folder.path });
    expect(JSON.parse(stdout)).toEqual(canvasSchema(standardNodes));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.for<readonly [string, readonly string[], string]>([
    ['of the folder', [], project],
    ['that --config names', ['--config', 'examples/own-node/hilo.config.ts'], root],
  ])('has the nodes of the configuration %s', async ([, flags, cwd]) => {
    const { code, stdout } = await hilo(['schema', ...flags], { cwd });
    expect(code).toBe(0);
    expect(withOwn).toHaveProperty(['$defs', 'score-lead', 'properties', 'hotFrom']);
    expect(JSON.parse(stdout)).toEqual(withOwn);
  });

  it('prints the schema of a workspace, with the channels of the project', async () => {
    using folder = folderWith({});
    const { code, stdout } = await hilo(['schema', '--workspace'], { cwd: folder.path });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(join(root, 'packages/server/workspace.schema.json'), 'utf8')));
  });

  it('writes a file and says so', async () => {
    using folder = folderWith({});
    const file = join(folder.path, 'canvas.schema.json');
    const { code, stdout, stderr } = await hilo(['schema', '-o', file], { cwd: project });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(withOwn);
    expect(stderr).toContain(`canvas.schema.json (${standardNodes.length + 1} types of nodes)`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  it('says why a file cannot be written, and why a configuration cannot be read', async () => {
    using folder = folderWith({ 'hilo.config.ts': 'export default { nodes: [1] };' });
    expect(await hilo(['schema'], { cwd: folder.path })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('is no node') as unknown,
    });
    const unwritable = await hilo(['schema', '-o', join(folder.path, 'none/a.json')], { cwd: root });
    expect(unwritable).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('its folder does not exist') as unknown });
  });
});
