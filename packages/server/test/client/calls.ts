import type { JsonObject } from '@hilo/engine/contract';

/** A call of the generated client, and what must be in its answer. */
export interface ClientCall {
  readonly operation: string;
  readonly options: (seen: Seen) => JsonObject;
  readonly answer: (seen: Seen) => JsonObject;
}

/** What later calls need of earlier answers: the last of each. */
export interface Seen {
  readonly messageId: string;
  readonly executionId: string;
}

const [ana, bot] = ['5215512345678', { botId: 'bot_wa' }];
const webhook = { workflowId: 'payment-reminder', channel: 'whatsapp', nodeId: 'wh1' };
const invoice = { user: { id: ana }, number: 'F-7', amount: '120' };
const january = { startAt: '2026-01-01T00:00:00Z', endAt: '2026-01-31T23:59:59Z' };

const call = (operation: string, options: JsonObject, answer: JsonObject): ClientCall => ({
  operation,
  options: () => options,
  answer: () => answer,
});

/** One message of every type (MSG-07, MSG-11). */
const messages = (mediaUrl: (type: string) => string): readonly JsonObject[] => [
  { type: 'text', text: 'Hello', previewUrl: false },
  { type: 'text', text: 'Which?', buttons: { title: 'Sizes', options: [{ title: 'Small', payload: 's' }, { title: 'Large' }] } },
  { type: 'quick_reply', text: 'Sure?', title: 'Order', quick_replies: [{ title: 'Yes' }, { title: 'No' }] },
  { type: 'image', mediaUrl: mediaUrl('image'), text: 'Front' },
  { type: 'audio', mediaUrl: mediaUrl('audio') },
  { type: 'video', mediaUrl: mediaUrl('video'), text: 'Tour' },
  { type: 'file', mediaUrl: mediaUrl('file'), filename: 'invoice.pdf' },
  { type: 'sticker', mediaUrl: mediaUrl('sticker') },
  { type: 'location', coordinates: { lat: -12.05, long: -77.04 } },
  { type: 'contacts', contacts: [{ name: { formatted_name: 'Olga' }, phones: [{ phone: '+5215512345678' }] }] },
  { type: 'location_request', text: 'Where are you?' },
  { type: 'contact_info_request', text: 'May we call you?' },
  { type: 'cta_url', title: 'Pay', text: 'Invoice', caption: 'Safe', parameters: { url: 'https://pay.test/7', display_text: 'Pay' } },
  { type: 'voice_call', text: 'Talk to us', parameters: { display_text: 'Call' } },
  { type: 'flow', title: 'Survey', text: 'Two questions', caption: 'Thanks', parameters: { flow_id: '7', flow_cta: 'Go', mode: 'draft' } },
];

/**
 * Every call of the specification, in an order in which each succeeds with the example workspace.
 *
 * @param mediaUrl - where a file of a type lies
 */
export const callsWith = (mediaUrl: (type: string) => string): readonly ClientCall[] => [
  ...messages(mediaUrl).map((message) => call('sendMessage', { path: bot, body: { userId: ana, ...message } }, { success: true })),
  {
    operation: 'getMessageStatus',
    options: ({ messageId }) => ({ path: { ...bot, messageId } }),
    answer: ({ messageId }) => ({ messageId, status: 'sent' }),
  },
  call(
    'sendTemplate',
    {
      path: { ...bot, campaignId: 'camp_s' },
      body: { type: 'template', templateId: 'tpl1', userId: ana, parameters: { name: 'Ana', code: 'A1' } },
    },
    { success: true },
  ),
  call('listCampaigns', { query: { limit: 50, status: 'SCHEDULED' } }, { status: 'success', data: { pagination: { total: 1 } } }),
  call(
    'updateCampaign',
    { path: { campaignId: 'camp_s' }, body: { name: 'Summer', scheduledAt: '2040-01-01T00:00:00Z' } },
    { status: 1, data: { id: 'camp_s', name: 'Summer', status: 'SCHEDULED' } },
  ),
  call('cancelCampaign', { path: { campaignId: 'camp_s' } }, { status: 1 }),
  call(
    'getStatistics',
    { query: { startAt: '2026-01-01', endAt: '2026-01-31', operatorId: 10 } },
    { _id: 10, total: 2, transfered: 1, operator: { names: 'Olga' } },
  ),
  call(
    'reportConversations',
    { query: { ...january, limit: 1, page: 2, state: 'transferred' } },
    { pagination: { total: 1, totalPages: 1 }, results: [] },
  ),
  call('listTags', { path: { companyId: '1' }, query: { language: 'en' } }, { data: [{ id: 1, name: 'VIP' }] }),
  call('setRoomTags', { path: bot, body: { roomId: 'room_ana', tags: [1, 2] } }, { status: 1 }),
  call('getRoom', { path: { roomId: 'room_ana' } }, { data: { tags: [{ id: 1 }, { id: 2 }] } }),

  call('startWorkflow', { path: webhook, body: invoice }, { success: true, mode: 'new' }),
  {
    operation: 'startWorkflow',
    options: ({ executionId }) => ({ path: webhook, body: { meta: { executionId }, receipt: 'R-7' } }),
    answer: ({ executionId }) => ({ success: true, mode: 'resume', executionId }),
  },
  call('testWorkflow', { path: webhook, body: invoice }, { success: true, mode: 'new' }),
  call('startWorkflowOfWebhook', { path: { webhookId: 'wh1' }, query: {}, body: invoice }, { success: true, mode: 'new' }),

  call('callFunction', { path: { functionId: 'fn_echo' }, body: { hello: 1 } }, { echo: { hello: 1 } }),
  call(
    'callFunctionTools',
    {
      path: { functionId: 'fn_echo' },
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    },
    { jsonrpc: '2.0', id: 1, result: {} },
  ),
  call('listFunctionTokens', { path: { functionId: 'fn_echo' } }, { results: [{ id: 'rt_1', name: 'legacy' }] }),
  call('revokeFunctionToken', { path: { functionId: 'fn_echo', tokenId: 'rt_1' } }, {}),
];
