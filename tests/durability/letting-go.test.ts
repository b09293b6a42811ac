import { createEngine, parseCanvas } from '@hilo/engine';
import { drive } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { sendMessage } from '@hilo/nodes/effects';
import { describe, expect, it } from 'vitest';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';
import { quiet, sayOnce } from './mortal-engine.ts';

const companyId = '1';

describe('an execution that is cancelled while its effect works', () => {
  it.each([
    ['lets go of the driver, whose answer changes nothing any more', true],
    ['waits no longer for a driver that does not let go', false],
  ])('%s', async (_, letsGo) => {
    const aborted: string[] = [];
    const slow = drive(sendMessage, (_request, { signal, executionId }) => {
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => {
        aborted.push(executionId);
        if (letsGo) reject(new Error('let go'));
      });
      return promise;
    });
    const clock = createVirtualClock();
    const engine = createEngine({ nodes: standardNodes, drivers: [slow], clock, random: seededRandom(1) });
    const { canvas } = parseCanvas(sayOnce('slow', 'hello'));
    if (canvas === undefined) throw new Error('not a canvas');
    await engine.saveDraft(companyId, canvas);
    await engine.publish(companyId, canvas.id);
    const origin = { companyId, botId: 'b', userId: 'u', channel: 'whatsapp', route: 'production' } as const;
    const { executionId } = await engine.startWorkflow({ origin, workflowId: 'slow' });
    await quiet();
    expect(aborted).toEqual([]);
    await engine.cancel(companyId, executionId);
    await engine.whenIdle();
    expect(aborted).toEqual([executionId]);
    expect((await engine.execution(companyId, executionId))?.state.status).toBe('cancelled');
    expect(await engine.history(companyId, executionId)).toHaveLength(3);
    expect(clock.nextMs()).toBeUndefined();
  });
});
