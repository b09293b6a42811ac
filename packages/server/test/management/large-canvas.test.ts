import { checkCanvas, parseCanvas } from '@hilo/engine';
import { describeCanvas, diffCanvases } from '@hilo/engine/authoring';
import { standardNodes } from '@hilo/nodes';
import { drawCanvas } from '@hilo/picture';
import { describe, expect, it } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { canvasWorkLimits } from '../../src/platform/canvas-work/run-canvas-tasks.ts';
import { fakeManagement } from './fake-management.ts';

/** A canvas that is worked on in a thread, with warnings. */
const largeCanvas = (note: string) => {
  const nodes = Array.from({ length: 150 }, (_, n) => ({
    id: `n${n}`,
    type: 'set',
    data: { assignments: [{ path: '$context.a', value: `{{$message.txt}} ${note}` }] },
  }));
  const ids = ['begin', ...nodes.map(({ id }) => id), 'done'];
  return {
    schemaVersion: 1,
    id: 'large',
    name: 'Large',
    nodes: [{ id: 'begin', type: 'start', data: { fallback: true } }, ...nodes, { id: 'done', type: 'end', data: {} }],
    edges: ids.slice(1).map((target, index) => ({ source: ids[index], target })),
  };
};

describe('a large canvas', () => {
  it('has the answers on every route that a small one has', async () => {
    await using management = await fakeManagement();
    const { ask, service } = management;
    const [given, changed] = [largeCanvas('one'), largeCanvas('two')];
    const [canvas, other] = [given, changed].map((one) => parseCanvas(one).canvas!);
    expect(JSON.stringify(given).length).toBeGreaterThan(canvasWorkLimits.atOnceSize);
    const checks = { nodes: standardNodes, channels: ['whatsapp', 'slack'] as const, effects: service.effects, resolve: () => undefined };
    const problems: unknown = JSON.parse(JSON.stringify(checkCanvas(canvas!, checks)));
    expect(problems).not.toEqual([]);
    const put = await ask('PUT', '/workflows/large?companyId=1', given);
    expect(put).toMatchObject({ status: 200, body: { problems, canvas: { id: 'large' } } });
    expect(await ask('GET', '/workflows/large?companyId=1')).toMatchObject({ status: 200, body: { problems } });
    expect(await ask('POST', '/validate?companyId=1', given)).toEqual({ status: 200, body: { ok: true, problems } });
    const { nodes } = describeCanvas(JSON.stringify(given), checks);
    expect(await ask('POST', '/describe?companyId=1', given)).toEqual({ status: 200, body: { nodes, problems } });
    expect(await ask('POST', '/workflows/large/publish?companyId=1')).toMatchObject({
      status: 200,
      body: { version: 1, warnings: problems },
    });
    await ask('PUT', '/workflows/large?companyId=1', changed);
    const diff = await ask('GET', '/workflows/large/diff?companyId=1&from=1');
    expect(diff).toEqual({ status: 200, body: diffCanvases(canvas!, other!) });
    const page = await createStudio(service).request('/studio/plain/1/large');
    expect(await page.text()).toContain(drawCanvas(other, standardNodes).svg);
  });
});
