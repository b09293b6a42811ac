import { setImmediate as turn } from 'node:timers/promises';
import { createStudio } from '../../packages/server/src/studio/studio.ts';
import { fakeManagement } from '../../packages/server/test/management/fake-management.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { threadWork } from '../thread-work.ts';

/** A canvas of some size whose nodes, one behind the other, each compute a value. */
function chainOf(name: string, size: number, valueOf: (index: number) => string): object {
  const nodes: { readonly id: string }[] = [];
  for (let [index, length] = [0, 0]; length < size; index += 1) {
    const node = { id: `n${index}`, type: 'set', data: { assignments: [{ path: `$context.a${index}`, value: valueOf(index) }] } };
    nodes.push(node);
    length += JSON.stringify(node).length + 40;
  }
  const ids = ['begin', ...nodes.map(({ id }) => id), 'done'];
  return {
    schemaVersion: 1,
    id: name,
    name,
    nodes: [{ id: 'begin', type: 'start', data: { fallback: true } }, ...nodes, { id: 'done', type: 'end', data: {} }],
    edges: ids.slice(1).map((target, index) => ({ source: ids[index], target })),
  };
}

/** Canvases that are slow to work on for their size, each valid but for warnings. */
const canvasesOf = (size: number): readonly object[] => [
  chainOf('reads', size, (n) => `{{$context.b${n} ?? 1}}`),
  chainOf('patterns', size, (n) => `{{like($message.text ?? "", "((a{0,9}){0,9}){0,9}${n}$")}}`),
  chainOf('sums', size, () => `{{${'1 + '.repeat(20)}1}}`),
  chainOf('texts', size, (n) => `{{$context.c${n} ?? ""}}`.repeat(50)),
];

/** How long authors wait for work on hostile canvases, and what it leaves of the event loop that also serves requests (P20, P23). */
export async function hostileCanvases(quick: boolean, progress: Progress): Promise<Part> {
  await using management = await fakeManagement();
  const { request, service } = management;
  /** The answer as bytes: to parse that of `describe`, of up to 12 MB, is work of the client, and would be measured as the service's. */
  const ask = async (...asked: Parameters<typeof request>): Promise<{ readonly status: number }> => {
    const answer = await request(...asked);
    await answer.arrayBuffer();
    return answer;
  };
  const studio = createStudio(service);
  const answersMs = new Map<string, number>();
  let longestTurnMs = 0;
  const time = async (name: string, act: () => Promise<{ readonly status: number }>): Promise<void> => {
    progress.say(`hostile canvases: ${name}`);
    const beganMs = performance.now();
    let isOver = false;
    const answered = act().finally(() => (isOver = true));
    while (!isOver) {
      const workedMs = threadWork();
      await turn();
      longestTurnMs = Math.max(longestTurnMs, workedMs());
    }
    const { status } = await answered;
    if (status !== 200) throw new Error(`${name} was answered ${status}`);
    answersMs.set(name, Math.max(answersMs.get(name) ?? 0, performance.now() - beganMs));
  };
  for (const canvas of canvasesOf(quick ? 20_000 : 200_000)) {
    const { id } = canvas as { readonly id: string };
    const changed = { ...canvas, name: 'Changed' };
    await time('validate', () => ask('POST', '/validate?companyId=1', canvas));
    await time('describe', () => ask('POST', '/describe?companyId=1', canvas));
    await time('save', () => ask('PUT', `/workflows/${id}?companyId=1`, canvas));
    await time('publish', () => ask('POST', `/workflows/${id}/publish?companyId=1`));
    await time('save', () => ask('PUT', `/workflows/${id}?companyId=1`, changed));
    await time('diff', () => ask('GET', `/workflows/${id}/diff?companyId=1&from=1`));
    await time('the plain page of the studio', async () => studio.request(`/studio/plain/1/${id}`));
  }
  progress.clear();
  return {
    name: `The slowest answer about hostile canvases of ${quick ? 20 : 200} kB`,
    unit: 'ms',
    contestants: [
      ...[...answersMs].map(([name, median]) => ({ name, median })),
      { name: 'the longest turn of the event loop meanwhile', median: longestTurnMs },
    ],
    aims: [
      ...[...answersMs].map(([name, ms]) => atMost(`${name}, ms`, ms, 20_000)),
      atMost('the longest turn among hostile canvases, ms', longestTurnMs, 200),
    ],
  };
}
