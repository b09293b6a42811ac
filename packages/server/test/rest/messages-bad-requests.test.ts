import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acme, ana, eva, type RestStage, restStage } from './rest-stage.ts';

let stage: RestStage;
beforeAll(async () => {
  stage = await restStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

const file = 'https://files.example/a.png';
const text = (more: object = {}) => ({ type: 'text', userId: ana, text: 'Hi', ...more });
const to = (message: object) => ({ userId: ana, ...message });
const menu = (options: unknown, more: object = {}) => text({ buttons: { options, ...more } });
const quick = (quick_replies: unknown, more: object = {}) => to({ type: 'quick_reply', text: '?', quick_replies, ...more });
const titles = (count: number) => Array.from({ length: count }, (_, index) => ({ title: `${index}` }));
const place = (coordinates: unknown) => to({ type: 'location', coordinates });
const contact = (card: unknown) => to({ type: 'contacts', contacts: [card] });
const cta = (more: object) =>
  to({ type: 'cta_url', title: 'T', text: 'x', caption: 'C', parameters: { url: 'https://a.example', display_text: 'Go' }, ...more });
const call = (more: object) => to({ type: 'voice_call', text: 'x', parameters: { display_text: 'Call' }, ...more });
const flow = (more: object) => to({ type: 'flow', title: 'T', text: 'x', caption: 'C', parameters: {}, ...more });
const card = (card_index: number) => ({
  card_index,
  type: 'cta_url',
  header: { image: { link: file } },
  body: { text: 'x' },
  action: { name: 'cta_url', parameters: { display_text: 'Go', url: 'https://a.example' } },
});
const carousel = (cards: readonly object[]) => to({ type: 'carousel', text: 'x', parameters: { cards } });

type Row = readonly [rules: string, body: unknown, code: string, says: string, botId?: string];

const rows: readonly Row[] = [
  // The body
  ['GEN-02: no body', '', 'INVALID_REQUEST', 'not valid JSON'],
  ['GEN-02: no JSON', '{"type":', 'INVALID_REQUEST', 'not valid JSON'],
  ['GEN-02: a list', [], 'INVALID_REQUEST', 'not a JSON object'],
  ['GEN-02: a text', '"text"', 'INVALID_REQUEST', 'not a JSON object'],
  ['GEN-02: null', 'null', 'INVALID_REQUEST', 'not a JSON object'],
  ['P33: 65 levels', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'INVALID_REQUEST', '64 levels'],
  ['P33, MSG-03: more than a megabyte', text({ text: 'x'.repeat(1_100_000) }), 'INVALID_REQUEST', 'larger than'],
  // The recipient
  ['MSG-05: no userId', { type: 'text', text: 'Hi' }, 'INVALID_REQUEST', '"userId" is missing'],
  ['UID-03: a number', text({ userId: 5215512345678 }), 'INVALID_USER_ID', 'must be a text'],
  ['UID-03: null', text({ userId: null }), 'INVALID_USER_ID', 'must be a text'],
  ['UID-03: an object', text({ userId: {} }), 'INVALID_USER_ID', 'must be a text'],
  ['UID-03: empty', text({ userId: '' }), 'INVALID_USER_ID', 'not valid'],
  ['UID-03: a plus', text({ userId: '+5215512345678' }), 'INVALID_USER_ID', 'without "+"'],
  ['UID-03: blanks', text({ userId: '52 155 1234 5678' }), 'INVALID_USER_ID', 'not valid'],
  ['UID-03: hyphens', text({ userId: '52-155-1234' }), 'INVALID_USER_ID', 'not valid'],
  ['UID-01: a leading zero', text({ userId: '0155123456' }), 'INVALID_USER_ID', 'not valid'],
  ['UID-01: one digit', text({ userId: '5' }), 'INVALID_USER_ID', 'not valid'],
  ['UID-01: 16 digits', text({ userId: '1234567890123456' }), 'INVALID_USER_ID', 'not valid'],
  ['UID-01: digits of another script', text({ userId: '٥٢١٥٥١٢٣' }), 'INVALID_USER_ID', 'not valid'],
  ['UID-01: a line break behind', text({ userId: `${ana}\n` }), 'INVALID_USER_ID', 'not valid'],
  ['UID-02: small letters before the dot', text({ userId: 'us.123' }), 'INVALID_USER_ID', 'not valid'],
  ['UID-02: three letters before the dot', text({ userId: 'USA.123' }), 'INVALID_USER_ID', 'not valid'],
  ['UID-02: nothing behind the dot', text({ userId: 'US.' }), 'INVALID_USER_ID', 'not valid'],
  ['UID-02: a third segment', text({ userId: 'US.ENT.123' }), 'INVALID_USER_ID', 'not valid'],
  ['UID-05: a page-scoped id on a strict bot', text({ userId: 'U02ABC_x' }), 'INVALID_USER_ID', 'not valid', 'bot_slack'],
  ['UID-05: 129 characters on an open bot', text({ userId: 'a'.repeat(129) }), 'INVALID_USER_ID', 'not valid', 'bot_open'],
  ['UID-05: a blank on an open bot', text({ userId: 'a b' }), 'INVALID_USER_ID', 'not valid', 'bot_open'],
  ['GEN-09: the recipient before the message', { type: 'nothing', userId: '+52' }, 'INVALID_USER_ID', 'not valid'],
  ['MSG-06: another bot', text({ botId: 'bot_web' }), 'INVALID_REQUEST', '"botId" is "bot_web"'],
  ['MSG-06: a number', text({ botId: 7 }), 'INVALID_REQUEST', '"botId"'],
  // The type
  ['MSG-04: none', { userId: ana, text: 'Hi' }, 'INVALID_REQUEST', '"type" is missing'],
  ['MSG-04: unknown', to({ type: 'telegram', text: 'Hi' }), 'INVALID_REQUEST', 'text, quick_reply, image'],
  ['MSG-04: in capitals', to({ type: 'TEXT', text: 'Hi' }), 'INVALID_REQUEST', '"type" must be one of'],
  ['MSG-04: a list', to({ type: ['text'], text: 'Hi' }), 'INVALID_REQUEST', '"type" must be one of'],
  // Text and options
  ['MSG-08: no text', to({ type: 'text' }), 'INVALID_REQUEST', '"text" is missing'],
  ['MSG-08: empty', text({ text: '' }), 'INVALID_REQUEST', 'blank'],
  ['MSG-08: blank', text({ text: ' \n\u00a0' }), 'INVALID_REQUEST', 'blank'],
  ['MSG-08: a number', text({ text: 7 }), 'INVALID_REQUEST', 'must be a text'],
  ['MSG-09: previewUrl is a text', text({ previewUrl: 'no' }), 'INVALID_REQUEST', 'true or false'],
  ['MSG-11: buttons are a list', text({ buttons: [] }), 'INVALID_REQUEST', 'must be an object'],
  ['MSG-15: no options', text({ buttons: {} }), 'INVALID_REQUEST', '"buttons.options" is missing'],
  ['MSG-15: 0 options', menu([]), 'INVALID_REQUEST', 'has 0 items'],
  ['MSG-15: 11 options', menu(titles(11)), 'INVALID_REQUEST', 'has 11 items'],
  ['MSG-16: no title', menu([{}]), 'INVALID_REQUEST', '"buttons.options[0].title" is missing'],
  ['MSG-16: 25 characters', menu([{ title: '😀'.repeat(25) }]), 'INVALID_REQUEST', '25 characters'],
  ['MSG-17: 73 characters', menu([{ title: 'A', description: 'ñ'.repeat(73) }]), 'INVALID_REQUEST', '73 characters'],
  [
    'MSG-18: payloads repeat',
    menu([
      { title: 'A', payload: 'p' },
      { title: 'B', payload: 'p' },
    ]),
    'INVALID_REQUEST',
    'same payload "p"',
  ],
  ['MSG-18: a title as a payload', menu([{ title: 'A' }, { title: 'B', payload: 'A' }]), 'INVALID_REQUEST', 'same payload "A"'],
  ['MSG-14: another type', menu(titles(1), { buttonText: { type: 'url', text: 'x' } }), 'INVALID_REQUEST', '"text"'],
  ['MSG-14: no type', menu(titles(1), { buttonText: { text: 'x' } }), 'INVALID_REQUEST', '"buttons.buttonText.type"'],
  ['MSG-12, LIM-04: 21 characters on facebook', menu([{ title: 'x'.repeat(21) }]), 'INVALID_REQUEST', 'and Messenger shows 20', 'bot_fb'],
  ['MSG-12, LIM-04: 21 characters on instagram', menu([{ title: 'x'.repeat(21) }]), 'INVALID_REQUEST', 'and Instagram shows 20', 'bot_ig'],
  ['LIM-05: 3001 on slack', text({ text: 'x'.repeat(3001) }), 'INVALID_REQUEST', 'and Slack takes 3000', 'bot_slack'],
  ['LIM-05: 4097 on teams', text({ text: 'x'.repeat(4097) }), 'INVALID_REQUEST', 'and Microsoft Teams takes 4096', 'bot_teams'],
  ['LIM-05: 4097 on whatsapp', text({ text: 'x'.repeat(4097) }), 'INVALID_REQUEST', 'and WhatsApp takes 4096'],
  ['LIM-05: 2001 on facebook', text({ text: 'x'.repeat(2001) }), 'INVALID_REQUEST', 'and Messenger takes 2000', 'bot_fb'],
  ['LIM-05: 1001 bytes on instagram', text({ text: `${'ñ'.repeat(500)}x` }), 'INVALID_REQUEST', 'and Instagram takes 1000', 'bot_ig'],
  ['MSG-19: no quick replies', to({ type: 'quick_reply', text: '?' }), 'INVALID_REQUEST', '"quick_replies" is missing'],
  ['MSG-19: 0 quick replies', quick([]), 'INVALID_REQUEST', 'has 0 items'],
  ['MSG-19: 4 quick replies', quick(titles(4)), 'INVALID_REQUEST', 'has 4 items'],
  ['MSG-19: a title of 21', quick(titles(1), { title: 'x'.repeat(21) }), 'INVALID_REQUEST', '"title" has 21'],
  ['MSG-20: an item’s title of 21', quick([{ title: 'x'.repeat(21) }]), 'INVALID_REQUEST', '"quick_replies[0].title" has 21'],
  // Files
  ...(['image', 'audio', 'video', 'file', 'sticker'] as const).map(
    (type): Row => [`MSG-21 to MSG-25: ${type} without a file`, to({ type }), 'INVALID_REQUEST', '"mediaUrl" is missing'],
  ),
  ['MED-01: http', to({ type: 'image', mediaUrl: 'http://files.example/a.png' }), 'INVALID_MEDIA_URL', 'begins with http://'],
  ['MED-01: ftp', to({ type: 'image', mediaUrl: 'ftp://files.example/a.png' }), 'INVALID_MEDIA_URL', 'begins with ftp://'],
  ['MED-01: a data URL', to({ type: 'image', mediaUrl: 'data:image/png;base64,AA' }), 'INVALID_MEDIA_URL', 'not a whole address'],
  ['MED-01: a password', to({ type: 'image', mediaUrl: 'https://u:p@files.example/' }), 'INVALID_MEDIA_URL', 'user name or password'],
  ['MED-01: a control character', to({ type: 'image', mediaUrl: `${file}\0` }), 'INVALID_MEDIA_URL', 'control character'],
  ['MED-01: 2049 characters', to({ type: 'image', mediaUrl: `${file}?${'x'.repeat(2048)}` }), 'INVALID_MEDIA_URL', 'longer than 2048'],
  ['MED-01: relative', to({ type: 'audio', mediaUrl: '/a.mp3' }), 'INVALID_MEDIA_URL', 'not a whole address'],
  [
    'MSG-21: a caption on web',
    to({ type: 'image', mediaUrl: file, text: 'x' }),
    'INVALID_REQUEST',
    'no caption on the web chat',
    'bot_web',
  ],
  [
    'MSG-23: a caption on facebook',
    to({ type: 'video', mediaUrl: file, text: 'x' }),
    'INVALID_REQUEST',
    'no caption on Messenger',
    'bot_fb',
  ],
  ['MSG-24: a caption on slack', to({ type: 'file', mediaUrl: file, text: 'x' }), 'INVALID_REQUEST', 'no caption on Slack', 'bot_slack'],
  ['MSG-24: a filename that is none', to({ type: 'file', mediaUrl: file, filename: 7 }), 'INVALID_REQUEST', '"filename" must be a text'],
  [
    'MSG-25: a sticker on custom',
    to({ type: 'sticker', mediaUrl: file }),
    'INVALID_REQUEST',
    'cannot be sent on a channel of your own',
    'bot_custom',
  ],
  // Places and people
  ['MSG-26: no coordinates', to({ type: 'location' }), 'INVALID_REQUEST', '"coordinates" is missing'],
  ['MSG-26: lng', place({ lat: 1, lng: 2 }), 'INVALID_REQUEST', '"coordinates.long" is missing'],
  ['MSG-26: lat over 90', place({ lat: 90.1, long: 0 }), 'INVALID_REQUEST', '-90 to 90'],
  ['MSG-26: long under -180', place({ lat: 0, long: -180.1 }), 'INVALID_REQUEST', '-180 to 180'],
  ['MSG-26: texts', place({ lat: '1', long: 2 }), 'INVALID_REQUEST', '"coordinates.lat" must be a number'],
  ['MSG-27: no contacts', to({ type: 'contacts', contacts: [] }), 'INVALID_REQUEST', 'has 0 items'],
  ['MSG-27: an object', to({ type: 'contacts', contacts: {} }), 'INVALID_REQUEST', 'must be a list'],
  ['MSG-28: a name that is a text', contact({ name: 'Ana' }), 'INVALID_REQUEST', '"contacts[0].name" must be an object'],
  ['MSG-30: a bad address', contact({ emails: [{ email: 'ana' }] }), 'INVALID_REQUEST', 'not an e-mail address'],
  ['MSG-32: letters', contact({ phones: [{ phone: 'call me' }] }), 'INVALID_REQUEST', 'not a phone number'],
  ['MSG-32: two pluses', contact({ phones: [{ phone: '++521' }] }), 'INVALID_REQUEST', 'not a phone number'],
  ['MSG-33: no text', to({ type: 'location_request' }), 'INVALID_REQUEST', '"text" is missing'],
  ['MSG-34: no text', to({ type: 'contact_info_request' }), 'INVALID_REQUEST', '"text" is missing'],
  // Buttons of other kinds
  ...(['title', 'text', 'caption', 'parameters'] as const).flatMap((field): readonly Row[] => [
    [`MSG-35: cta_url without ${field}`, cta({ [field]: undefined }), 'INVALID_REQUEST', `"${field}" is missing`],
    [`MSG-37: flow without ${field}`, flow({ [field]: undefined }), 'INVALID_REQUEST', `"${field}" is missing`],
  ]),
  ['MSG-35: a script', cta({ parameters: { url: 'javascript:alert(1)', display_text: 'x' } }), 'INVALID_REQUEST', '"parameters.url"'],
  ['MSG-35: no display_text', cta({ parameters: { url: 'https://a.example' } }), 'INVALID_REQUEST', '"parameters.display_text"'],
  ['MSG-36: no parameters', call({ parameters: undefined }), 'INVALID_REQUEST', '"parameters" is missing'],
  ['MSG-36: no display_text', call({ parameters: {} }), 'INVALID_REQUEST', '"parameters.display_text" is missing'],
  ['MSG-36: a header that is a number', call({ header: 1 }), 'INVALID_REQUEST', '"header" must be a text'],
  ['MSG-38: flow_id is a number', flow({ parameters: { flow_id: 7 } }), 'INVALID_REQUEST', '"parameters.flow_id" must be a text'],
  ['MSG-38: the screen is a number', flow({ parameters: { flow_action_payload: { screen: 1 } } }), 'INVALID_REQUEST', 'screen'],
  ['MSG-39: another mode', flow({ parameters: { mode: 'live' } }), 'INVALID_REQUEST', '"draft" or "published"'],
  ['MSG-41: a carousel on whatsapp', carousel([card(0), card(1)]), 'INVALID_REQUEST', 'cannot be sent on WhatsApp'],
  ['MSG-41: one card', carousel([card(0)]), 'INVALID_REQUEST', 'has 1 item: give 2 to 10 items', 'bot_web'],
  ['MSG-41: a card twice', carousel([card(0), card(0)]), 'INVALID_REQUEST', 'card_index', 'bot_web'],
  // The window
  ['WIN-01: 24 hours are over', text({ userId: eva }), 'OUTSIDE_SESSION_WINDOW', 'only a template'],
  ['WIN-01: never heard of', text({ userId: '4915112345678' }), 'OUTSIDE_SESSION_WINDOW', 'only a template'],
  ['GEN-09: the channel’s limits before the window', text({ userId: eva, text: 'x'.repeat(4097) }), 'INVALID_REQUEST', 'WhatsApp takes'],
];

describe('POST /v1/bots/{botId}/messages', () => {
  it('has a table of at least 80 bad requests', () => expect(rows.length).toBeGreaterThanOrEqual(80));

  it.for(rows)('refuses %s', async ([, body, code, says, botId]) => {
    expect(await stage.send(body, botId)).toEqual({ status: 400, body: { error: code, message: expect.stringContaining(says) as string } });
  });

  it('keeps nothing of what it refuses, and looks at no file for it', async () => {
    for (const { id } of stage.service.companies.bots('1'))
      expect((await stage.service.messages.list('1', id, { limit: 1 })).results).toEqual([]);
    expect(stage.looked).toEqual([]);
  });

  it.each([
    ['no credential', null],
    ['another secret', 'acme-client:wrong'],
    ['an unknown client', `nobody:${acme}`],
  ])('refuses %s before all else (AUT-01, AUT-08, GEN-09)', async (_what, as) => {
    for (const [method, path] of [
      ['POST', '/v1/bots/nobody/messages'],
      ['GET', '/v1/bots/nobody/messages/none'],
      ['POST', '/v1/bots/nobody/campaigns/none/template-messages'],
    ] as const)
      expect(await stage.ask(method, path, { as, ...(method === 'POST' && { body: '{' }) })).toEqual({
        status: 401,
        body: { message: expect.any(String) as string },
      });
  });

  it.each(['nobody', 'bot_c2', '%00', '..%2F', 'BOT_WA'])('finds no bot %s, for any body (GEN-08, GEN-09, P28)', async (botId) => {
    const answer = { status: 404, body: { error: 'BOT_NOT_FOUND', message: expect.stringContaining('There is no bot') as string } };
    expect(await stage.send('{', botId)).toEqual(answer);
    expect(await stage.send(text(), botId)).toEqual(answer);
    expect(await stage.ask('GET', `/v1/bots/${botId}/messages/msg_1`)).toEqual(answer);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', 'nonsense'])(
    'accepts no %s (GEN-02)',
    async (type) => {
      expect(await stage.send(text(), 'bot_wa', { 'content-type': type })).toEqual({
        status: 400,
        body: { error: 'INVALID_REQUEST', message: 'The body is JSON: send it as application/json' },
      });
    },
  );

  it.each(['', ' ', 'a b', 'ñ', 'x'.repeat(129)])('accepts no Idempotency-Key %j (MSG-43)', async (key) => {
    expect(await stage.send(text(), 'bot_wa', { 'idempotency-key': key })).toMatchObject({
      status: 400,
      body: { error: 'INVALID_REQUEST' },
    });
  });

  it.each([
    ['INVALID_MEDIA_URL', 'gone'],
    ['MEDIA_TOO_LARGE', 'big'],
    ['UNSUPPORTED_MEDIA_TYPE', 'odd'],
  ] as const)('answers %s for a file that is that (MED-01 to MED-06, ERR-30)', async (code, name) => {
    const mediaUrl = `https://files.example/${name}`;
    stage.files.set(mediaUrl, { kind: 'refused', code, message: `It is ${name}` });
    const refused = { status: 400, body: { error: code, message: `It is ${name}` } };
    expect(await stage.send(to({ type: 'image', mediaUrl }))).toEqual(refused);
    const cards = [card(0), { ...card(1), header: { image: { link: mediaUrl } } }];
    expect(await stage.send(carousel(cards), 'bot_web')).toEqual(refused);
  });

  it('checks the window before it checks a file (GEN-09)', async () => {
    const before = stage.looked.length;
    expect(await stage.send({ type: 'image', userId: eva, mediaUrl: file })).toMatchObject({ body: { error: 'OUTSIDE_SESSION_WINDOW' } });
    expect(stage.looked).toHaveLength(before);
  });
});
