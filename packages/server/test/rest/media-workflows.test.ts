import type { Json, JsonObject } from '@hilo/engine/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { made, type Served, startMediaHost } from './media-host.ts';
import { ana, type RestStage, restStage } from './rest-stage.ts';

let host: Awaited<ReturnType<typeof startMediaHost>>;
beforeAll(async () => {
  host = await startMediaHost();
});
afterAll(() => host.close());

/** A workflow that sends the file at the given URL, and reports the error. */
const sends = (message: JsonObject): Json => ({
  publish: true,
  canvas: {
    schemaVersion: 1,
    id: 'show',
    name: 'Show',
    nodes: [
      { id: 'begin', type: 'start', data: {} },
      { id: 'show', type: 'message', data: { message } },
      { id: 'done', type: 'end' },
      { id: 'not', type: 'end', data: { outcome: 'failed' } },
    ],
    edges: [
      { source: 'begin', target: 'show' },
      { source: 'show', sourceHandle: 'sent', target: 'done' },
      { source: 'show', sourceHandle: 'error', target: 'not' },
    ],
  },
});

const stageFor = (message: JsonObject): Promise<RestStage> =>
  restStage({
    looksAtFiles: true,
    settings: { egressAllow: [host.host], egressCa: host.egressCa },
    changes: { '/companies/0/workflows/-': sends(message) },
  });

async function run({ service }: RestStage) {
  const origin = { companyId: '1', botId: 'bot_free', userId: ana, channel: 'whatsapp', route: 'production' } as const;
  const { executionId } = await service.engine.startWorkflow({ workflowId: 'show', origin });
  await service.engine.whenIdle();
  const state = (await service.engine.execution('1', executionId))?.state;
  const sent = (await service.messages.list('1', 'bot_free', { limit: 9 })).results.map(({ message }) => message['type']);
  return { status: state?.status, error: state?.variables['$error'], sent };
}

const files: readonly (readonly [what: string, type: string, served: Served, cause: string])[] = [
  ['a page', 'image', { bytes: made.html(), type: 'text/html' }, 'INVALID_MEDIA_URL'],
  ['nothing', 'file', { bytes: made.pdf(), type: 'application/pdf', status: 404 }, 'INVALID_MEDIA_URL'],
  ['too much', 'image', { bytes: made.jpeg(5 * 1_048_576 + 1), type: 'image/jpeg' }, 'MEDIA_TOO_LARGE'],
  ['another type', 'image', { bytes: made.gif(), type: 'image/gif' }, 'UNSUPPORTED_MEDIA_TYPE'],
  ['another type than its header says', 'image', { bytes: made.pdf(), type: 'image/png' }, 'UNSUPPORTED_MEDIA_TYPE'],
];

describe('a file in the message of a workflow', () => {
  it.each(files)('is refused where it is %s, as the REST API refuses it (MED-01 to MED-06)', async (_what, type, served, cause) => {
    const message = { type, mediaUrl: host.serve(served) };
    await using stage = await stageFor(message);
    const { body } = await stage.send({ ...message, userId: ana }, 'bot_free');
    const { error: code, message: why } = body as { readonly error: string; readonly message: string };
    expect(code).toBe(cause);
    const { status, error, sent } = await run(stage);
    expect({ status, sent }).toEqual({ status: 'failed', sent: [] });
    expect(error).toMatchObject({ cause, message: why, nodeId: 'show' });
  });

  it('is sent where it fits, and looked at where it lies (MED-02)', async () => {
    await using stage = await stageFor({ type: 'image', mediaUrl: host.serve({ bytes: made.png(), type: 'image/png' }) });
    const before = host.asked.length;
    expect(await run(stage)).toMatchObject({ status: 'completed', sent: ['image'] });
    expect(host.asked.slice(before).map((asked) => asked.split(' ')[0])).toEqual(['HEAD', 'GET']);
  });
});
