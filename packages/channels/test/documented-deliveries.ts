// What providers document that they deliver, one sample of each kind, and what a bot is told of it.
import type { JsonObject } from '@hilo/engine/contract';

/**
 * @property what - the kind, as the provider's documents name it
 * @property told - what comes of it: the kind of each event with the type of its message and its words, and what is counted
 */
export interface DocumentedDelivery {
  readonly what: string;
  readonly body: JsonObject;
  readonly told: readonly string[];
}

type Row = readonly [what: string, part: JsonObject, told: readonly string[]];

const bodies = (rows: readonly Row[], wrap: (part: JsonObject) => JsonObject): readonly DocumentedDelivery[] =>
  rows.map(([what, part, told]) => ({ what, body: wrap(part), told }));

const from = '5215512345678';
const metadata = { display_phone_number: '15550001111', phone_number_id: '1065' };
const contacts = [{ profile: { name: 'Ana' }, wa_id: from, user_id: 'MX.1' }];
const whatsappValue = (field: string, value: JsonObject): JsonObject => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '10', time: 1_750_269_342, changes: [{ field, value }] }],
});
const ofNumber = (value: JsonObject): JsonObject => whatsappValue('messages', { messaging_product: 'whatsapp', metadata, ...value });

const whatsappMessages: readonly Row[] = [
  ['text', { type: 'text', text: { body: 'Hola' } }, ['message text Hola']],
  ['text with a preview', { type: 'text', text: { body: 'https://a.pe', preview_url: true } }, ['message text https://a.pe']],
  ['text, forwarded', { type: 'text', text: { body: 'Hola' }, context: { forwarded: true } }, ['message text Hola']],
  ['text, forwarded many times', { type: 'text', text: { body: 'Hola' }, context: { frequently_forwarded: true } }, ['message text Hola']],
  [
    'text that answers a message',
    { type: 'text', text: { body: 'Sí' }, context: { from: '15550001111', id: 'wamid.1' } },
    ['message text Sí replyTo wamid.1'],
  ],
  [
    'text about a product',
    {
      type: 'text',
      text: { body: '¿Hay?' },
      context: { from: '1', id: 'wamid.1', referred_product: { catalog_id: '1', product_retailer_id: '2' } },
    },
    ['message text ¿Hay? replyTo wamid.1 referredProduct'],
  ],
  [
    'text by an advertisement',
    {
      type: 'text',
      text: { body: 'Info' },
      referral: {
        source_url: 'https://fb.me/1',
        source_type: 'ad',
        source_id: '1',
        headline: 'H',
        body: 'B',
        media_type: 'image',
        image_url: 'https://a.pe/1',
        ctwa_clid: 'Aff',
        welcome_message: { text: 'Hola' },
      },
    },
    ['message text Info referral'],
  ],
  [
    'text after the number changed hands',
    { type: 'text', text: { body: 'Hola' }, identity: { acknowledged: false, created_timestamp: '1750269342', hash: 'DF2' } },
    ['message text Hola'],
  ],
  [
    'text with errors of null',
    { type: 'text', text: { body: 'Hola' }, errors: null, context: null, referral: null },
    ['message text Hola'],
  ],
  ['image', { type: 'image', image: { id: '1', mime_type: 'image/jpeg', sha256: 'x', caption: 'Recibo' } }, ['message image Recibo']],
  ['image without a caption', { type: 'image', image: { id: '1', mime_type: 'image/jpeg', sha256: 'x' } }, ['message image']],
  ['video', { type: 'video', video: { id: '1', mime_type: 'video/mp4', sha256: 'x', caption: 'Mira' } }, ['message video Mira']],
  ['audio', { type: 'audio', audio: { id: '1', mime_type: 'audio/mpeg', sha256: 'x', voice: false } }, ['message audio']],
  ['voice', { type: 'audio', audio: { id: '1', mime_type: 'audio/ogg; codecs=opus', sha256: 'x', voice: true } }, ['message audio']],
  ['voice of the older interface', { type: 'voice', voice: { id: '1', mime_type: 'audio/ogg; codecs=opus' } }, ['message audio']],
  [
    'document',
    { type: 'document', document: { id: '1', mime_type: 'application/pdf', sha256: 'x', filename: 'a.pdf', caption: 'CV' } },
    ['message file CV'],
  ],
  ['sticker', { type: 'sticker', sticker: { id: '1', mime_type: 'image/webp', sha256: 'x', animated: true } }, ['message sticker']],
  [
    'location',
    { type: 'location', location: { latitude: -12.1, longitude: -77.03, name: 'Casa', address: 'Calle 1' } },
    ['message location'],
  ],
  [
    'contacts',
    {
      type: 'contacts',
      contacts: [
        { name: { formatted_name: 'Bea', first_name: 'Bea' }, phones: [{ phone: '+51 987 654 321', wa_id: '51987654321', type: 'CELL' }] },
      ],
    },
    ['message contacts'],
  ],
  [
    'button of a template',
    { type: 'button', button: { text: 'Sí', payload: 'YES' }, context: { from: '1', id: 'w0' } },
    ['message button Sí=YES replyTo w0'],
  ],
  [
    'interactive, button_reply',
    {
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: 'YES', title: 'Sí' } },
      context: { from: '1', id: 'w0' },
    },
    ['message button Sí=YES replyTo w0'],
  ],
  [
    'interactive, list_reply',
    { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: 'A', title: 'Uno', description: 'El primero' } } },
    ['message button Uno=A'],
  ],
  [
    'interactive, nfm_reply of a flow',
    { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"a":"1"}' } } },
    ['message flow Sent'],
  ],
  [
    'interactive, nfm_reply of an address',
    {
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'address_message', body: 'Calle 1', response_json: '{"values":{"city":"Pune"}}' },
      },
    },
    ['message flow Calle 1'],
  ],
  [
    'interactive, call_permission_reply',
    {
      type: 'interactive',
      interactive: {
        type: 'call_permission_reply',
        call_permission_reply: { response: 'accept', expiration_timestamp: '1', response_source: 'user_action' },
      },
    },
    ['notice call'],
  ],
  [
    'order',
    {
      type: 'order',
      order: {
        catalog_id: '1',
        text: 'Gracias',
        product_items: [{ product_retailer_id: 'p', quantity: 2, item_price: 10.5, currency: 'PEN' }],
      },
    },
    ['message order'],
  ],
  ['reaction', { type: 'reaction', reaction: { message_id: 'w0', emoji: '❤️' } }, ['reaction ❤️']],
  ['reaction with escapes', { type: 'reaction', reaction: { message_id: 'w0', emoji: '\ud83d\udc4d\ud83c\udffd' } }, ['reaction 👍🏽']],
  ['reaction removed', { type: 'reaction', reaction: { message_id: 'w0' } }, ['reaction removed']],
  ['reaction removed, as an empty text', { type: 'reaction', reaction: { message_id: 'w0', emoji: '' } }, ['reaction removed']],
  [
    'system, number changed',
    { type: 'system', system: { body: 'A changed', wa_id: '522', type: 'user_changed_number' } },
    [`userIdChanged ${from}>522`],
  ],
  [
    'system, number changed, v11',
    { type: 'system', system: { body: 'A changed', new_wa_id: '522', type: 'user_changed_number' } },
    [`userIdChanged ${from}>522`],
  ],
  [
    'system, identity changed',
    { type: 'system', system: { body: 'Changed', identity: 'x', type: 'customer_identity_changed', customer: from } },
    ['notice system'],
  ],
  [
    'system, user id changed',
    { type: 'system', system: { type: 'user_changed_user_id', user_id: 'MX.2', previous_user_id: 'MX.1', body: 'x' } },
    ['userIdChanged MX.1>MX.2'],
  ],
  [
    'unsupported',
    {
      type: 'unsupported',
      errors: [{ code: 131_051, title: 'Message type unknown', message: 'x', error_data: { details: 'y' } }],
      unsupported: { type: 'poll_creation' },
    },
    ['notice unsupported'],
  ],
  ['unknown', { type: 'unknown', errors: [{ code: 501, title: 'Unknown message type', details: 'x' }] }, ['notice unsupported']],
  ['request_welcome', { type: 'request_welcome' }, ['notice activity']],
  ['ephemeral', { type: 'ephemeral', errors: [{ code: 131_051 }] }, ['notice ephemeral']],
  ['edit', { type: 'edit', edit: { original_message_id: 'w0', message: { type: 'text', text: { body: 'Dos' } } } }, ['edit Dos']],
  [
    'edit of a caption',
    {
      type: 'edit',
      edit: { original_message_id: 'w0', message: { type: 'image', image: { id: '1', mime_type: 'image/png', caption: 'Dos' } } },
    },
    ['edit Dos'],
  ],
  ['revoke', { type: 'revoke', revoke: { original_message_id: 'w0' } }, ['edit deleted']],
  ['group', { type: 'text', text: { body: 'Hola' }, group_id: 'Y2' }, ['notice group']],
];

const status = (more: JsonObject): JsonObject => ({ statuses: [{ id: 'w0', recipient_id: from, timestamp: '1750269342', ...more }] });
const whatsappOthers: readonly Row[] = [
  [
    'status sent',
    status({
      status: 'sent',
      conversation: { id: 'c', expiration_timestamp: '1', origin: { type: 'service' } },
      pricing: { billable: true, pricing_model: 'PMP', category: 'service', type: 'regular' },
    }),
    ['status sent'],
  ],
  ['status delivered', status({ status: 'delivered' }), ['status delivered']],
  ['status read', status({ status: 'read' }), ['status read']],
  ['status played', status({ status: 'played' }), ['status read']],
  [
    'status failed',
    status({
      status: 'failed',
      errors: [{ code: 131_047, title: 'Re-engagement message', message: 'x', error_data: { details: 'd' }, href: 'h' }],
    }),
    ['status failed OUTSIDE_SESSION_WINDOW'],
  ],
  [
    'status failed, of an older interface',
    status({ status: 'failed', errors: [{ code: 131_026, title: 'Message Undeliverable.' }] }),
    ['status failed USER_NOT_FOUND'],
  ],
  ['status failed without errors', status({ status: 'failed' }), ['status failed']],
  ['status deleted', status({ status: 'deleted' }), ['noted status']],
  ['status warning', status({ status: 'warning' }), ['noted status']],
  ['status held', status({ status: 'held_for_quality_assessment' }), ['noted status']],
  ['status of a payment', status({ status: 'captured', type: 'payment', payment: { reference_id: 'r' } }), ['noted status']],
  ['status of a call', status({ status: 'RINGING', type: 'call' }), ['noted status']],
  [
    'status in a group',
    status({ status: 'delivered', recipient_type: 'group', recipient_id: 'Y2', recipient_participant_id: from }),
    ['status delivered'],
  ],
  [
    'errors of the number',
    { errors: [{ code: 130_429, title: 'Rate limit hit', message: 'm', error_data: { details: 'd' } }] },
    ['account 130429'],
  ],
  [
    'calls, connect',
    {
      calls: [
        {
          id: 'wacid.1',
          from,
          to: '1555',
          event: 'connect',
          timestamp: '1750269342',
          direction: 'USER_INITIATED',
          session: { sdp_type: 'offer', sdp: 'x' },
        },
      ],
    },
    ['notice call'],
  ],
  [
    'calls, terminate',
    { calls: [{ id: 'wacid.1', from, to: '1555', event: 'terminate', timestamp: '1750269342', status: ['COMPLETED'], duration: 3 }] },
    ['notice call'],
  ],
];

const account: readonly (readonly [field: string, value: JsonObject, told: readonly string[]])[] = [
  ['account_update', { phone_number: '15550001111', event: 'VERIFIED_ACCOUNT' }, ['noted system']],
  [
    'account_update',
    { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE', waba_ban_date: 'May 1' } },
    ['account DISABLED_UPDATE'],
  ],
  ['account_update', { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SCAM' } }, ['account ACCOUNT_VIOLATION']],
  [
    'account_update',
    { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 1 }] },
    ['account ACCOUNT_RESTRICTION'],
  ],
  ['account_update', { event: 'ACCOUNT_DELETED' }, ['account ACCOUNT_DELETED']],
  ['account_update', { event: 'PARTNER_REMOVED', waba_info: { waba_id: '10', owner_business_id: '1' } }, ['account PARTNER_REMOVED']],
  ['account_update', { event: 'AD_ACCOUNT_LINKED' }, ['noted system']],
  ['account_review_update', { decision: 'APPROVED' }, ['noted system']],
  ['account_review_update', { decision: 'REJECTED' }, ['account REJECTED']],
  [
    'account_alerts',
    {
      entity_type: 'BUSINESS',
      entity_id: '1',
      alert_severity: 'WARNING',
      alert_status: 'ACTIVE',
      alert_type: 'OBA_APPROVED',
      alert_description: 'd',
    },
    ['account OBA_APPROVED'],
  ],
  ['phone_number_quality_update', { display_phone_number: '15550001111', event: 'UPGRADE', current_limit: 'TIER_1K' }, ['noted system']],
  ['phone_number_quality_update', { display_phone_number: '15550001111', event: 'FLAGGED', current_limit: 'TIER_1K' }, ['account FLAGGED']],
  [
    'phone_number_quality_update',
    { display_phone_number: '15550001111', event: 'DOWNGRADE', old_limit: 'TIER_1K', current_limit: 'TIER_50' },
    ['account DOWNGRADE'],
  ],
  [
    'phone_number_name_update',
    { display_phone_number: '15550001111', decision: 'APPROVED', requested_verified_name: 'A' },
    ['noted system'],
  ],
  [
    'phone_number_name_update',
    { display_phone_number: '15550001111', decision: 'REJECTED', requested_verified_name: 'A', rejection_reason: 'x' },
    ['account REJECTED'],
  ],
  ['business_capability_update', { max_daily_conversation_per_phone: 1000, max_phone_numbers_per_business: 2 }, ['noted system']],
  ['business_status_update', { business_id: '1', event: 'COMPROMISED_BUSINESS' }, ['account COMPROMISED_BUSINESS']],
  ['security', { display_phone_number: '15550001111', event: 'PIN_CHANGED', requester: '1' }, ['account PIN_CHANGED']],
  ['flows', { event: 'FLOW_STATUS_CHANGE', message: 'm', flow_id: '1', old_status: 'DRAFT', new_status: 'PUBLISHED' }, ['noted system']],
  [
    'flows',
    { event: 'ENDPOINT_ERROR_RATE', message: 'm', flow_id: '1', error_rate: 14.28, threshold: 10, alert_state: 'ACTIVATED' },
    ['account ENDPOINT_ERROR_RATE'],
  ],
  [
    'message_template_status_update',
    { event: 'APPROVED', message_template_id: 1, message_template_name: 'hi', message_template_language: 'es', reason: 'NONE' },
    ['template status APPROVED'],
  ],
  [
    'message_template_status_update',
    { event: 'REJECTED', message_template_id: 1, message_template_name: 'hi', message_template_language: 'es', reason: 'INVALID_FORMAT' },
    ['template status REJECTED'],
  ],
  [
    'message_template_status_update',
    {
      event: 'PAUSED',
      message_template_id: 1,
      message_template_name: 'hi',
      message_template_language: 'es',
      other_info: { title: 'FIRST_PAUSE', description: 'd' },
    },
    ['template status PAUSED'],
  ],
  [
    'message_template_quality_update',
    {
      previous_quality_score: 'GREEN',
      new_quality_score: 'YELLOW',
      message_template_id: 1,
      message_template_name: 'hi',
      message_template_language: 'es',
    },
    ['template quality'],
  ],
  [
    'template_category_update',
    {
      message_template_id: 1,
      message_template_name: 'hi',
      message_template_language: 'es',
      previous_category: 'UTILITY',
      new_category: 'MARKETING',
    },
    ['template category'],
  ],
  [
    'message_template_components_update',
    { message_template_id: 1, message_template_name: 'hi', message_template_language: 'es' },
    ['noted system'],
  ],
  [
    'template_correct_category_detection',
    { message_template_id: 1, message_template_name: 'hi', message_template_language: 'es', correct_category: 'MARKETING' },
    ['noted system'],
  ],
  [
    'user_preferences',
    {
      metadata,
      contacts,
      user_preferences: [{ wa_id: from, detail: 'd', category: 'marketing_messages', value: 'stop', timestamp: 1_750_269_342 }],
    },
    ['consent revoked'],
  ],
  [
    'user_id_update',
    { metadata, user_id_update: [{ wa_id: from, user_id: { previous: 'MX.1', current: 'MX.2' }, timestamp: '1750269342' }] },
    [`userIdChanged MX.1>${from}`],
  ],
  ['history', { metadata, history: [{ metadata: { phase: 0, chunk_order: 1, progress: 10 }, threads: [] }] }, ['noted system']],
  ['smb_app_state_sync', { metadata, state_sync: [{ type: 'contact', action: 'add', contact: {} }] }, ['noted system']],
  [
    'smb_message_echoes',
    {
      metadata,
      message_echoes: [{ from: '15550001111', to: from, id: 'w9', timestamp: '1750269342', type: 'text', text: { body: 'Ya va' } }],
    },
    ['notice echo'],
  ],
  ['tracking_events', { events: [] }, ['noted activity']],
  ['automatic_events', { metadata, automatic_events: [{ id: 'w0', event_name: 'Purchase', timestamp: 1 }] }, ['noted activity']],
  ['payment_configuration_update', { configuration_name: 'c', provider_name: 'razorpay', status: 'active' }, ['noted system']],
  ['partner_solutions', { event: 'SOLUTION_UPDATED', solution_id: '1', solution_status: 'ACTIVE' }, ['noted system']],
  ['group_lifecycle_update', { metadata, groups: [{ type: 'group_create', group_id: 'Y2' }] }, ['noted system']],
  ['messaging_handovers', { recipient: { id: '1' }, sender: { phone_number: from } }, ['noted system']],
  ['standby', { metadata, standby: {} }, ['noted system']],
  ['business_username_update', { username: 'a', status: 'approved' }, ['noted system']],
];

const whatsapp: readonly DocumentedDelivery[] = [
  ...bodies(whatsappMessages, (message) =>
    ofNumber({ contacts, messages: [{ from, from_user_id: 'MX.1', id: 'w1', timestamp: '1750269342', ...message }] }),
  ),
  ...bodies(whatsappOthers, ofNumber),
  ...account.map(([field, value, told]) => ({
    what: `${field} ${JSON.stringify(value).slice(0, 60)}`,
    body: whatsappValue(field, value),
    told,
  })),
];

const pageItem = (object: string, item: JsonObject): JsonObject => ({
  object,
  entry: [
    {
      id: '10154',
      time: 1_750_000_000_000,
      messaging: [{ sender: { id: '24' }, recipient: { id: '10154' }, timestamp: 1_750_000_000_000, ...item }],
    },
  ],
});
const said = (message: JsonObject): JsonObject => ({ message: { mid: 'm1', ...message } });
const file = (type: string, payload: JsonObject = { url: 'https://scontent.fbcdn.net/1' }): JsonObject =>
  said({ attachments: [{ type, payload }] });

const bothPages: readonly Row[] = [
  ['message', said({ text: 'Hola' }), ['message text Hola']],
  ['message with NLP', said({ text: 'Hola', nlp: { intents: [], entities: {}, traits: {}, detected_locales: [] } }), ['message text Hola']],
  [
    'message with nulls',
    said({ text: 'Hola', attachments: null, quick_reply: null, reply_to: null, referral: null, is_echo: null, is_deleted: null }),
    ['message text Hola'],
  ],
  ['quick reply', said({ text: 'Sí', quick_reply: { payload: 'YES' } }), ['message button Sí=YES']],
  ['reply', said({ text: 'Sí', reply_to: { mid: 'm0' } }), ['message text Sí replyTo m0']],
  ['reply to oneself', said({ text: 'Sí', reply_to: { mid: 'm0', is_self_reply: true } }), ['message text Sí replyTo m0']],
  ['image', file('image'), ['message image']],
  [
    'image and text',
    said({ text: 'Mira', attachments: [{ type: 'image', payload: { url: 'https://scontent.fbcdn.net/1' } }] }),
    ['message image Mira'],
  ],
  [
    'two images',
    said({ attachments: [1, 2].map(() => ({ type: 'image', payload: { url: 'https://scontent.fbcdn.net/1' } })) }),
    ['message image', 'message image'],
  ],
  ['audio', file('audio'), ['message audio']],
  ['video', file('video'), ['message video']],
  ['file', file('file'), ['message file']],
  ['file without payload', said({ attachments: [{ type: 'file' }] }), ['message file']],
  ['deleted', said({ is_deleted: true }), ['edit deleted']],
  ['unsupported', said({ is_unsupported: true }), ['notice unsupported']],
  ['postback', { postback: { mid: 'm1', title: 'Empezar', payload: 'GET_STARTED' } }, ['message button Empezar=GET_STARTED']],
  [
    'postback with a referral',
    { postback: { title: 'Empezar', payload: 'GET_STARTED', referral: { ref: 'r', source: 'SHORTLINK', type: 'OPEN_THREAD' } } },
    ['message button Empezar=GET_STARTED referral'],
  ],
  ['referral', { referral: { ref: 'r', source: 'SHORTLINK', type: 'OPEN_THREAD' } }, ['message referral']],
  [
    'referral of an advertisement',
    { referral: { ref: 'r', ad_id: 1, source: 'ADS', type: 'OPEN_THREAD', ads_context_data: { ad_title: 't', photo_url: 'u' } } },
    ['message referral'],
  ],
  [
    'message by an advertisement',
    said({ text: 'Hola', referral: { ref: 'r', ad_id: 1, source: 'ADS', type: 'OPEN_THREAD' } }),
    ['message text Hola referral'],
  ],
  ['reaction', { reaction: { mid: 'm0', action: 'react', reaction: 'love', emoji: '❤' } }, ['reaction ❤']],
  ['reaction removed', { reaction: { mid: 'm0', action: 'unreact', reaction: 'love', emoji: '❤' } }, ['reaction removed']],
  ['echo', { ...said({ text: 'Hola', is_echo: true, app_id: 1 }), sender: { id: '10154' }, recipient: { id: '24' } }, ['notice echo']],
  [
    'echo of ours',
    { ...said({ text: 'Hola', is_echo: true, app_id: 1, metadata: 'key-1' }), sender: { id: '10154' }, recipient: { id: '24' } },
    ['status sent'],
  ],
  ['edit', { message_edit: { mid: 'm0', text: 'Dos', num_edit: 1 } }, ['edit Dos']],
  ['edit without a text', { message_edit: { mid: 'm0', num_edit: 0 } }, ['noted edit']],
  ['read', { read: { watermark: 1_458_668_856_253 } }, []],
  ['read, of a message', { read: { mid: 'm0' } }, ['status read']],
  ['seen', { messaging_seen: { watermark: 1 } }, ['notice status']],
  ['optin of a plugin', { optin: { ref: 'x', user_ref: 'y' } }, ['notice activity']],
  [
    'optin for marketing',
    {
      optin: {
        type: 'notification_messages',
        payload: 'p',
        notification_messages_token: 't',
        notification_messages_timezone: 'America/Lima',
        topic: 't',
      },
    },
    ['consent granted'],
  ],
  [
    'optin for marketing, stopped',
    { optin: { type: 'notification_messages', notification_messages_token: 't', notification_messages_status: 'STOP_NOTIFICATIONS' } },
    ['consent revoked'],
  ],
  ['optin once', { optin: { type: 'one_time_notif_req', payload: 'p', one_time_notif_token: 't' } }, ['notice activity']],
  ['pass_thread_control', { pass_thread_control: { new_owner_app_id: '1', previous_owner_app_id: '2', metadata: 'm' } }, ['notice system']],
  ['take_thread_control', { take_thread_control: { previous_owner_app_id: '1', metadata: 'm' } }, ['notice system']],
  ['request_thread_control', { request_thread_control: { requested_owner_app_id: '1', metadata: 'm' } }, ['notice system']],
  ['app_roles', { app_roles: { 123: ['primary_receiver'] } }, ['notice system']],
  ['app_roles without a sender', { sender: null, app_roles: { 123: ['primary_receiver'] } }, ['noted system']],
  [
    'policy_enforcement',
    { sender: null, policy_enforcement: { action: 'block', reason: 'The bot violates the policy' } },
    ['account block'],
  ],
  [
    'policy-enforcement',
    { sender: null, 'policy-enforcement': { action: 'warning', reason: 'The bot violates the policy' } },
    ['account warning'],
  ],
  ['message_edit of nobody', { sender: null, recipient: null, message_edit: { mid: 'm0', num_edit: 0 } }, ['noted edit']],
];

const messengerOnly: readonly Row[] = [
  ['location', file('location', { coordinates: { lat: -12.1, long: -77 } }), ['message location']],
  [
    'location of the older form',
    said({
      attachments: [
        {
          title: 'Ana’s Location',
          url: 'https://www.facebook.com/l.php',
          type: 'location',
          payload: { coordinates: { lat: -12.1, long: -77 } },
        },
      ],
    }),
    ['message location'],
  ],
  [
    'link',
    said({ text: 'https://a.pe', attachments: [{ type: 'fallback', payload: { url: 'https://a.pe', title: 'A' } }] }),
    ['message fallback https://a.pe'],
  ],
  [
    'link of the older form',
    said({ text: 'https://a.pe', attachments: [{ type: 'fallback', title: 'A', url: 'https://a.pe', payload: null }] }),
    ['message fallback https://a.pe'],
  ],
  [
    'sticker',
    said({ sticker_id: 1, attachments: [{ type: 'image', payload: { url: 'https://scontent.fbcdn.net/1', sticker_id: 1 } }] }),
    ['message image'],
  ],
  [
    'thumb',
    said({
      sticker_id: 369_239_263_222_822,
      attachments: [{ type: 'image', payload: { url: 'https://scontent.fbcdn.net/1', sticker_id: 369_239_263_222_822 } }],
    }),
    ['message text 👍'],
  ],
  [
    'product',
    said({
      text: '¿Hay?',
      attachments: [
        {
          type: 'template',
          payload: { product: { elements: [{ id: 'p', retailer_id: 'r', title: 't', subtitle: 's', image_url: 'i' }] } },
        },
      ],
    }),
    ['message template ¿Hay?'],
  ],
  ['reel', file('reel', { url: 'https://scontent.fbcdn.net/1', title: 't', reel_video_id: 1 }), ['message reel']],
  ['delivery', { delivery: { mids: ['a', 'b'], watermark: 1 } }, ['status delivered', 'status delivered']],
  ['delivery without mids', { delivery: { watermark: 1 } }, []],
  ['account_linking', { account_linking: { status: 'linked', authorization_code: 'c' } }, ['notice system']],
  ['game_play', { game_play: { game_id: '1', player_id: '2', context_type: 'SOLO', context_id: 'c' } }, ['notice activity']],
  ['payment', { payment: { payload: 'p', amount: { currency: 'USD', amount: '1' } } }, ['notice activity']],
  ['messaging_feedback', { messaging_feedback: { feedback_screens: [] } }, ['notice activity']],
  ['response_feedback', { response_feedback: { feedback: 'Good response', mid: 'm0' } }, ['notice activity']],
  ['call', { call: { id: 'c', event: 'connect' } }, ['notice call']],
  ['from a group', { ...said({ text: 'Hola' }), thread: { id: 't_1' } }, ['notice group']],
];

const instagramOnly: readonly Row[] = [
  ['story_mention', file('story_mention'), ['message story_mention']],
  [
    'reply to a story',
    said({ text: 'Linda', reply_to: { story: { id: '17', url: 'https://scontent.cdninstagram.com/1' } } }),
    ['message text Linda story'],
  ],
  ['share', file('share'), ['message share']],
  ['ig_reel', file('ig_reel', { reel_video_id: '1', title: 't', url: 'https://scontent.cdninstagram.com/1' }), ['message ig_reel']],
  ['ig_post', file('ig_post', { ig_post_media_id: '1', title: 't', url: 'https://scontent.cdninstagram.com/1' }), ['message ig_post']],
  ['like_heart', file('like_heart', {}), ['message like_heart']],
  ['ephemeral', file('ephemeral', {}), ['notice ephemeral']],
  ['unsupported_type', file('unsupported_type', {}), ['notice unsupported']],
  ['referral of a product', said({ text: '¿Precio?', referral: { product: { id: '1' } } }), ['message text ¿Precio? referral']],
  ['referral of ig.me', { referral: { ref: 'r', source: 'IGME', type: 'OPEN_THREAD' } }, ['message referral']],
  [
    'echo of itself',
    { ...said({ text: 'Hola', is_echo: true, is_self: true }), sender: { id: '10154' }, recipient: { id: '10154' } },
    ['notice echo'],
  ],
];

const slackEvent = (event: JsonObject): JsonObject => ({
  token: 't',
  team_id: 'T1',
  api_app_id: 'A1',
  type: 'event_callback',
  event_id: 'Ev1',
  event_time: 1_750_000_000,
  authorizations: [{ team_id: 'T1', user_id: 'UBOT', is_bot: true }],
  is_ext_shared_channel: false,
  event,
});
const im = (more: JsonObject): JsonObject => ({
  type: 'message',
  user: 'U1',
  ts: '1750000000.000200',
  event_ts: '1750000000.000200',
  channel: 'D1',
  channel_type: 'im',
  client_msg_id: 'c',
  team: 'T1',
  text: 'Hola',
  ...more,
});
const previous = im({});
const slackFile = { id: 'F1', name: 'a.png', mimetype: 'image/png', filetype: 'png', size: 5, url_private: 'https://files.slack.com/1' };
const slackEvents: readonly Row[] = [
  ['message.im', im({}), ['message text Hola']],
  ['message.app_home', im({ channel_type: 'app_home' }), ['message text Hola']],
  ['message.channels', im({ channel: 'C1', channel_type: 'channel' }), ['notice group']],
  ['message.mpim', im({ channel: 'G1', channel_type: 'mpim' }), ['notice group']],
  ['message of a bot', im({ bot_id: 'B1', app_id: 'A1' }), ['noted echo']],
  [
    'message with blocks',
    im({ blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'Hola' }] }] }] }),
    ['message text Hola'],
  ],
  [
    'message in a thread',
    im({ thread_ts: '1750000000.000100', parent_user_id: 'UBOT' }),
    ['message text Hola replyTo D1:1750000000.000100'],
  ],
  ['message, edited', im({ edited: { user: 'U1', ts: '1' } }), ['message text Hola']],
  [
    'message with a link',
    im({ text: '<https://a.pe|a.pe> <mailto:ana@a.pe|ana@a.pe> <tel:987654321|987654321>' }),
    ['message text https://a.pe ana@a.pe 987654321'],
  ],
  ['file_share', im({ subtype: 'file_share', text: '', files: [slackFile], upload: false }), ['message image']],
  ['file_share with words', im({ subtype: 'file_share', files: [slackFile] }), ['message image Hola']],
  [
    'file_share, voice',
    im({
      subtype: 'file_share',
      text: '',
      files: [{ ...slackFile, mimetype: 'audio/mp4', filetype: 'm4a', subtype: 'slack_audio', media_display_type: 'audio' }],
    }),
    ['message audio'],
  ],
  [
    'file_share, of another workspace',
    im({ subtype: 'file_share', text: '', files: [{ id: 'F1', file_access: 'check_file_info' }] }),
    ['message file'],
  ],
  ['file_share, deleted', im({ subtype: 'file_share', text: '', files: [{ id: 'F1', mode: 'tombstone' }] }), ['message file']],
  [
    'thread_broadcast',
    im({ subtype: 'thread_broadcast', thread_ts: '1750000000.000100', root: {} }),
    ['message text Hola replyTo D1:1750000000.000100'],
  ],
  ['me_message', im({ subtype: 'me_message' }), ['message text Hola']],
  [
    'message_changed',
    {
      type: 'message',
      subtype: 'message_changed',
      channel: 'D1',
      ts: '1750000001.000300',
      event_ts: '1750000001.000300',
      hidden: true,
      message: { ...previous, text: 'Dos' },
      previous_message: previous,
    },
    ['edit Dos'],
  ],
  [
    'message_changed by a preview',
    {
      type: 'message',
      subtype: 'message_changed',
      channel: 'D1',
      ts: '1750000001.000300',
      hidden: true,
      message: { ...previous, attachments: [{}] },
      previous_message: previous,
    },
    [],
  ],
  [
    'message_deleted',
    {
      type: 'message',
      subtype: 'message_deleted',
      channel: 'D1',
      ts: '1750000001.000300',
      event_ts: '1750000001.000300',
      deleted_ts: '1750000000.000200',
      previous_message: previous,
    },
    ['edit deleted'],
  ],
  ['channel_join', im({ subtype: 'channel_join' }), ['notice system']],
  ['app_mention', { ...im({ text: '<@UBOT> Hola' }), type: 'app_mention', channel: 'C1' }, ['message text Hola']],
  [
    'reaction_added',
    {
      type: 'reaction_added',
      user: 'U1',
      reaction: 'thumbsup',
      item_user: 'UBOT',
      item: { type: 'message', channel: 'D1', ts: '5.1' },
      event_ts: '6.1',
    },
    ['reaction thumbsup'],
  ],
  [
    'reaction_removed',
    { type: 'reaction_removed', user: 'U1', reaction: 'thumbsup', item: { type: 'message', channel: 'D1', ts: '5.1' }, event_ts: '6.1' },
    ['reaction removed'],
  ],
  [
    'reaction_added to a file',
    { type: 'reaction_added', user: 'U1', reaction: 'thumbsup', item: { type: 'file', file: 'F1' }, event_ts: '6.1' },
    ['noted reaction'],
  ],
  ['app_home_opened', { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'messages', event_ts: '6.1' }, ['notice activity']],
  ['team_join', { type: 'team_join', user: { id: 'U1', name: 'ana' } }, ['noted system']],
  ['user_change', { type: 'user_change', user: { id: 'U1', name: 'ana' } }, ['noted system']],
  [
    'assistant_thread_started',
    {
      type: 'assistant_thread_started',
      assistant_thread: { user_id: 'U1', context: {}, channel_id: 'D1', thread_ts: '1.1' },
      event_ts: '1.1',
    },
    ['noted activity'],
  ],
  ['tokens_revoked of a person', { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } }, ['noted system']],
  ['tokens_revoked', { type: 'tokens_revoked', tokens: { oauth: [], bot: ['UBOT'] } }, ['account tokens_revoked']],
  ['app_uninstalled', { type: 'app_uninstalled' }, ['account app_uninstalled']],
  ['member_joined_channel', { type: 'member_joined_channel', user: 'U1', channel: 'C1', event_ts: '1.1' }, ['notice system']],
  [
    'link_shared',
    { type: 'link_shared', user: 'U1', channel: 'D1', message_ts: '1.1', links: [{ url: 'u', domain: 'd' }] },
    ['notice activity'],
  ],
];

const slackOthers: readonly Row[] = [
  [
    'app_rate_limited',
    { type: 'app_rate_limited', team_id: 'T1', minute_rate_limited: 1_750_000_000, api_app_id: 'A1' },
    ['account app_rate_limited'],
  ],
  ['url_verification', { type: 'url_verification', token: 't', challenge: 'c' }, []],
];

const activity = (more: JsonObject): JsonObject => ({
  type: 'message',
  id: '17',
  timestamp: '2026-02-01T10:00:00.123Z',
  localTimestamp: '2026-02-01T05:00:00.123-05:00',
  localTimezone: 'America/Lima',
  serviceUrl: 'https://smba.trafficmanager.net/amer/',
  channelId: 'msteams',
  from: { id: '29:1', name: 'Ana', aadObjectId: 'a' },
  conversation: { conversationType: 'personal', tenantId: 't', id: 'a:1' },
  recipient: { id: '28:bot', name: 'Bot' },
  entities: [{ locale: 'es-PE', country: 'PE', platform: 'Web', timezone: 'America/Lima', type: 'clientInfo' }],
  channelData: { tenant: { id: 't' } },
  locale: 'es-PE',
  ...more,
});
const teamsRows: readonly Row[] = [
  ['message', { text: 'Hola', textFormat: 'plain' }, ['message text Hola']],
  [
    'message with HTML beside it',
    { text: 'Hola', attachments: [{ contentType: 'text/html', content: '<p>Hola</p>' }] },
    ['message text Hola'],
  ],
  [
    'message that quotes',
    { text: 'Sí', attachments: [{ contentType: 'messageReference', content: '{"messageId":"16"}' }] },
    ['message text Sí replyTo a:1|16'],
  ],
  [
    'message with a picture',
    {
      text: 'Mira',
      attachments: [{ contentType: 'image/*', contentUrl: 'https://smba.trafficmanager.net/amer/v3/attachments/1/views/original' }],
    },
    ['message image Mira'],
  ],
  [
    'message with a file',
    {
      attachments: [
        {
          contentType: 'application/vnd.microsoft.teams.file.download.info',
          contentUrl: 'https://a.sharepoint.com/1',
          name: 'a.pdf',
          content: { downloadUrl: 'https://a.sharepoint.com/1', uniqueId: '1', fileType: 'pdf' },
        },
      ],
    },
    ['message file'],
  ],
  [
    'message with a card',
    { attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: {} }] },
    ['message attachment'],
  ],
  ['message of a pressed button', { value: { payload: 'YES' }, replyToId: '16' }, ['message button =YES replyTo a:1|16']],
  ['message of inputs', { value: { name: 'Ana', date: '2026-02-01' }, replyToId: '16' }, ['message text  replyTo a:1|16']],
  [
    'message with a mention',
    { text: '<at>Bot</at> Hola', entities: [{ type: 'mention', text: '<at>Bot</at>', mentioned: { id: '28:bot', name: 'Bot' } }] },
    ['message text Hola'],
  ],
  ['message of a channel', { text: 'Hola', conversation: { conversationType: 'channel', isGroup: true, id: '19:1' } }, ['notice group']],
  ['messageUpdate', { type: 'messageUpdate', text: 'Dos', channelData: { eventType: 'editMessage' } }, ['edit Dos']],
  ['messageUpdate, undelete', { type: 'messageUpdate', text: 'Uno', channelData: { eventType: 'undeleteMessage' } }, ['edit Uno']],
  ['messageDelete', { type: 'messageDelete', channelData: { eventType: 'softDeleteMessage' } }, ['edit deleted']],
  ['messageReaction, added', { type: 'messageReaction', replyToId: '9', reactionsAdded: [{ type: 'like' }] }, ['reaction like']],
  ['messageReaction, removed', { type: 'messageReaction', replyToId: '9', reactionsRemoved: [{ type: 'like' }] }, ['reaction removed']],
  ['conversationUpdate', { type: 'conversationUpdate', membersAdded: [{ id: '28:bot' }] }, ['notice system']],
  ['installationUpdate', { type: 'installationUpdate', action: 'add' }, ['notice system']],
  ['typing', { type: 'typing' }, ['noted activity']],
  ['readReceipt', { type: 'event', name: 'application/vnd.microsoft.readReceipt', value: { lastReadMessageId: '9' } }, ['status read']],
  ['meetingStart', { type: 'event', name: 'application/vnd.microsoft.meetingStart', value: {} }, ['notice call']],
  ...[
    'signin/verifyState',
    'signin/tokenExchange',
    'fileConsent/invoke',
    'task/fetch',
    'task/submit',
    'composeExtension/query',
    'message/submitAction',
    'config/fetch',
  ].map((name): Row => [name, { type: 'invoke', name, value: {} }, ['notice activity']]),
  [
    'adaptiveCard/action',
    {
      type: 'invoke',
      name: 'adaptiveCard/action',
      replyToId: '16',
      value: { action: { type: 'Action.Execute', title: 'Sí', verb: 'v', data: { payload: 'YES' } }, trigger: 'manual' },
    },
    ['message button Sí=YES replyTo a:1|16'],
  ],
];

const xBody = (data: JsonObject): JsonObject => ({
  for_user_id: '1',
  users: { 99: { id: '99', name: 'Ana', screen_name: 'ana' } },
  apps: {},
  direct_message_events: [
    {
      type: 'message_create',
      id: '954',
      created_timestamp: '1750000000000',
      message_create: {
        target: { recipient_id: '1' },
        sender_id: '99',
        source_app_id: '1',
        message_data: { entities: { hashtags: [], symbols: [], user_mentions: [], urls: [] }, ...data },
      },
    },
  ],
});
const xFile = (media: JsonObject): JsonObject => ({
  text: 'Mira https://t.co/x',
  attachment: {
    type: 'media',
    media: { id: 1, id_str: '1', url: 'https://t.co/x', media_url_https: 'https://pbs.twimg.com/1.jpg', ...media },
  },
});
const xRows: readonly Row[] = [
  ['text', { text: 'Hola &amp; adiós' }, ['message text Hola & adiós']],
  ['quick reply', { text: 'Sí', quick_reply_response: { type: 'options', metadata: 'YES' } }, ['message button Sí=YES']],
  ['photo', xFile({ type: 'photo' }), ['message image Mira']],
  ['gif', xFile({ type: 'animated_gif' }), ['message video Mira']],
  [
    'video',
    xFile({ type: 'video', video_info: { variants: [{ bitrate: 5, content_type: 'video/mp4', url: 'https://video.twimg.com/1.mp4' }] } }),
    ['message video Mira'],
  ],
  [
    'location',
    {
      text: '',
      attachment: {
        type: 'location',
        location: { type: 'shared_coordinate', shared_coordinate: { coordinates: { type: 'Point', coordinates: [-77, -12.1] } } },
      },
    },
    ['message location'],
  ],
];
const xOthers: readonly Row[] = [
  [
    'direct_message_indicate_typing_events',
    {
      for_user_id: '1',
      direct_message_indicate_typing_events: [{ created_timestamp: '1', sender_id: '99', target: { recipient_id: '1' } }],
    },
    ['noted activity'],
  ],
  [
    'direct_message_mark_read_events',
    {
      for_user_id: '1',
      direct_message_mark_read_events: [
        { created_timestamp: '1750000000000', sender_id: '99', target: { recipient_id: '1' }, last_read_event_id: '9' },
      ],
    },
    ['status read'],
  ],
  ...['tweet_create_events', 'favorite_events', 'follow_events', 'tweet_delete_events'].map(
    (name): Row => [name, { for_user_id: '1', [name]: [{}] }, ['noted activity']],
  ),
  ...['block_events', 'mute_events'].map((name): Row => [name, { for_user_id: '1', [name]: [{}] }, ['noted system']]),
  [
    'user_event',
    { user_event: { revoke: { date_time: '2026', target: { app_id: '1' }, source: { user_id: '1' } } } },
    ['account user_event'],
  ],
];

/** By kind of provider. */
export const documentedDeliveries: { readonly [kind: string]: readonly DocumentedDelivery[] } = {
  'whatsapp-cloud': whatsapp,
  messenger: bodies([...bothPages, ...messengerOnly], (item) => pageItem('page', item)),
  instagram: bodies([...bothPages, ...instagramOnly], (item) => pageItem('instagram', item)),
  slack: [...bodies(slackEvents, slackEvent), ...bodies(slackOthers, (body) => body)],
  teams: bodies(teamsRows, activity),
  x: [...bodies(xRows, xBody), ...bodies(xOthers, (body) => body)],
};
