import type { Json, JsonObject } from '@hilo/engine/contract';
import { createManagement } from '../../src/service/app.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { type Answer, type Call, callOf } from './campaigns-stage.ts';

/** Operators at work: management without its door, the REST API, and users who write. */
export interface Desk {
  readonly call: Call;
  admin(request: string, body?: unknown): Promise<Answer>;
  /** The same; throws when it is refused. */
  does(request: string, body?: unknown): Promise<JsonObject>;
  /** The user writes. */
  writes(text: string, userId?: string): Promise<void>;
  /** The messages to the user, as texts. */
  sent(userId?: string, botId?: string): Promise<readonly Json[]>;
  record(id: string): Promise<JsonObject>;
}

/** The id of a conversation that was answered. */
export const idIn = ({ _id }: JsonObject): string => (typeof _id === 'string' ? _id : '');

export const ana = '5215512345678';

export function deskOf(service: RunningService): Desk {
  const management = createManagement(service);
  let events = 0;
  const admin: Desk['admin'] = async (request, body) => {
    const [method = '', path = ''] = request.split(' ');
    const response = await management.request(`${path}${path.includes('?') ? '&' : '?'}companyId=1`, {
      method,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const does: Desk['does'] = async (request, body) => {
    const answer = await admin(request, body);
    if (answer.status !== 200) throw new Error(`${request}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as JsonObject;
  };
  return {
    call: callOf(service),
    admin,
    does,
    async writes(text, userId = ana) {
      const eventId = `${userId}-${service.clock.now()}-${(events += 1)}`;
      await service.engine.receiveMessage({
        companyId: '1',
        botId: 'bot_wa',
        eventId,
        user: { id: userId },
        message: { id: eventId, type: 'text', text },
      });
      await service.engine.whenIdle();
    },
    async sent(userId = ana, botId = 'bot_wa') {
      const { results } = await service.messages.list('1', botId, { userId, limit: 200 });
      return results.filter(({ direction }) => direction === 'outbound').map(({ message }) => message['text'] ?? message['type'] ?? null);
    },
    record: (id) => does(`GET /conversations/${id}`),
  };
}

/** A canvas that hands over a user who writes "help", and reports how it ended. */
const handoffCanvas = (config: JsonObject = {}): JsonObject => ({
  schemaVersion: 1,
  id: 'help',
  name: 'Help',
  kind: 'skill',
  nodes: [
    { id: 'start', type: 'start', data: { keywords: ['help'], fallback: true } },
    { id: 'hand', type: 'handoff', data: { saveAs: '$context.case', ...config } },
    text('closed', '{{$context.case.state}} by {{$context.case.operatorId}}'),
    text('expired', 'expired'),
    text('nobody', 'nobody is here'),
    text('failed', '{{$error.cause}}'),
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'start', target: 'hand' },
    { source: 'hand', sourceHandle: 'closed', target: 'closed' },
    { source: 'hand', sourceHandle: 'expired', target: 'expired' },
    { source: 'hand', sourceHandle: 'noAgent', target: 'nobody' },
    { source: 'hand', sourceHandle: 'error', target: 'failed' },
    ...['closed', 'expired', 'nobody', 'failed'].map((source) => ({ source, sourceHandle: 'sent', target: 'done' })),
  ],
});

const text = (id: string, words: string): JsonObject => ({ id, type: 'message', data: { message: { type: 'text', text: words } } });

/** The example workspace with that canvas alone, without conversations and campaigns, and with more changes by JSON pointer. */
export async function helpDesk(config: JsonObject = {}, changes: { readonly [pointer: string]: Json } = {}): Promise<JsonObject> {
  const mine = {
    '/companies/0/workflows': [{ canvas: handoffCanvas(config), publish: true }],
    '/companies/0/conversations': [],
    '/companies/0/campaigns': [],
  };
  return changed(await inlineExample(), { ...mine, ...changes });
}

/** The conversation of the list that is active with a user. */
export async function activeOf(desk: Desk, userId = ana): Promise<string> {
  const { body } = await desk.call(
    `GET /v1/external/conversations?startAt=2020-01-01T00:00:00Z&endAt=2040-01-01T00:00:00Z&state=active&userId=${userId}`,
  );
  const { results } = body as { readonly results: readonly { readonly _id: string }[] };
  const [first] = results;
  if (first === undefined) throw new Error('No conversation is active');
  return first._id;
}
