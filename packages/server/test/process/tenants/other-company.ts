import type { Json } from '@hilo/engine/contract';

/** The second company of the example, with something of everything. */
export const otherCompany: Json = {
  id: 2,
  name: 'Other',
  kind: 'enterprise',
  plan: 'enterprise',
  clients: [{ clientId: 'other-client', clientSecret: 'other-secret' }],
  apiKeys: [{ id: 'other-key', key: 'hk_other_0123456789abcdef' }],
  bots: [
    {
      id: 'bot_c2',
      name: 'Other WhatsApp',
      channel: 'whatsapp',
      connectedAt: '2026-01-10T00:00:00Z',
      provider: { kind: 'log', appSecret: 'inbound-secret-c2' },
    },
  ],
  users: [{ id: '5215512345678', names: 'Ana', phone: '5215512345678', lastMessageAt: { bot_c2: 'now' } }],
  templates: [
    {
      id: 'tpl_c2',
      botId: 'bot_c2',
      elementName: 'hello',
      language: 'en',
      category: 'UTILITY',
      status: 'APPROVED',
      body: 'Hello.',
    },
  ],
  campaigns: [
    {
      id: 'camp_c2',
      name: 'Own',
      elementName: 'hello',
      templateId: 'tpl_c2',
      botId: 'bot_c2',
      status: 'SCHEDULED',
      scheduledAt: '2031-03-01T09:00:00Z',
      createdAt: '2026-02-01T00:00:00Z',
      recipients: [{ userId: '5215512345678' }],
    },
  ],
  teams: [{ id: 6, name: 'Own team' }],
  operators: [{ id: 20, names: 'Otto', email: 'otto@other.test', teamIds: [6] }],
  tags: [{ id: 3, name: 'Own', color: '#000000', textColor: '#ffffff', language: 'en', teams: [], channels: ['whatsapp'] }],
  rooms: [{ id: 'room_c2', botId: 'bot_c2', userId: '5215512345678', tags: [] }],
  conversations: [
    {
      _id: 'conv_c2',
      roomId: 'room_c2',
      botId: 'bot_c2',
      userId: '5215512345678',
      operatorId: 20,
      teamName: 'Own team',
      state: 'active',
      wasReplied: false,
      origin: 'organic',
      startAt: '2026-01-06T10:05:00Z',
      lastMessageBy: 'user',
    },
  ],
  functions: [
    {
      id: 'fn_c2',
      name: 'own',
      source: 'export default async () => "own";',
      runtimeTokens: [{ id: 'rt_c2', name: 'own', token: 'hfn_rt_other_0123456789abcdef', createdAt: '2025-01-01T00:00:00Z' }],
    },
  ],
  workflows: [
    {
      publish: true,
      canvas: {
        schemaVersion: 1,
        id: 'own',
        name: 'Own',
        nodes: [
          {
            id: 'own-hook',
            type: 'webhook',
            data: { variableName: 'call', methods: ['POST', 'GET'], userIdPath: 'user.id', executionIdPath: 'meta.executionId' },
          },
          { id: 'say', type: 'message', data: { message: { type: 'text', text: 'Hello' } } },
          { id: 'wait', type: 'wait-external', data: { timeout: 'P1D' } },
          { id: 'done', type: 'end', data: {} },
        ],
        edges: [
          { source: 'own-hook', sourceHandle: 'new', target: 'say' },
          { source: 'say', sourceHandle: 'sent', target: 'wait' },
          { source: 'say', sourceHandle: 'windowClosed', target: 'done' },
          { source: 'say', sourceHandle: 'error', target: 'done' },
          { source: 'wait', sourceHandle: 'resumed', target: 'done' },
          { source: 'wait', sourceHandle: 'timeout', target: 'done' },
        ],
      },
    },
  ],
};
