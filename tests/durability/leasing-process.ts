// Starts executions on a shared PostgreSQL, and dies at a join or a commit. Prints what was accepted and what was
// sent.
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { createEngine, parseCanvas } from '@hilo/engine';
import { type Commit, drive, type Leases } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { sendMessage } from '@hilo/nodes/effects';
import { openPostgresStore } from '../../packages/postgres/src/index.ts';
import { type LeaseDeath, leaseMs } from './lease-deaths.ts';
import { startVisit, systemClock, visiting } from './visiting.ts';

const { url, schema, point, side, passed } = JSON.parse(process.argv[2] ?? '') as LeaseDeath;
const say = (line: string): void => void writeSync(1, `${line}\n`);
let left = passed;

const fused =
  <Given extends readonly unknown[], Answer>(name: LeaseDeath['point'], call: (...given: Given) => Promise<Answer>) =>
  async (...given: Given): Promise<Answer> => {
    const dies = name === point && left-- === 0;
    if (dies && side === 'before') process.kill(process.pid, 'SIGKILL');
    const answer = await call(...given);
    if (dies) process.kill(process.pid, 'SIGKILL');
    return answer;
  };

const store = await openPostgresStore({ url, schema, leaseMs });
const { leases, ...executions } = store.executions;
if (leases === undefined) throw new Error('PostgreSQL has no leases');
const mortal: Leases = { ...leases, join: fused('join', leases.join) };
const engine = createEngine({
  nodes: standardNodes,
  drivers: [
    drive(sendMessage, async (_request, { idempotencyKey }) => {
      say(`sent ${idempotencyKey}`);
      return { kind: 'sent', messageId: idempotencyKey };
    }),
  ],
  clock: store.clock(systemClock),
  random: { bytes: (length) => randomBytes(length) },
  store: {
    executions: { ...executions, commit: fused('commit', async (commit: Commit) => executions.commit(commit)), leases: mortal },
    canvases: store.canvases,
  },
});
const { canvas } = parseCanvas(visiting);
if (canvas === undefined) throw new Error('not a canvas');
await engine.saveDraft('1', canvas);
await engine.publish('1', canvas.id);
await engine.start();
for (let user = 0; ; user += 1) {
  const { executionId } = await startVisit(engine, `${schema}-${user}`);
  say(`accepted ${schema}-${user} ${executionId}`);
  await engine.whenIdle();
}
