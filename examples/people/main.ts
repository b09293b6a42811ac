// What a company does with its people, call by call: access for its own operator, contacts from a CSV, a segment, a template, a person who
// answers from the app, and an erasure. Starts a service on this machine and prints what each call came to.
//   node scripts/up.mjs node examples/people/main.ts
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultSettings, openService, serve } from '@hilo/server';

const company = {
  id: 1,
  name: 'Acme',
  plan: 'growth',
  fields: [{ key: 'city', label: 'City', type: 'text' }],
  consent: { stop: ['STOP'], start: ['START'] },
  takeover: 'PT30M',
  bots: [
    {
      id: 'bot_wa',
      name: 'WhatsApp',
      channel: 'whatsapp',
      connectedAt: '2026-01-10T00:00:00Z',
      provider: {
        kind: 'whatsapp-cloud',
        phoneNumberId: '1065',
        accessToken: 'EAAB-example',
        appSecret: 'app-secret',
        verifyToken: 'verify',
      },
    },
  ],
  templates: [
    { id: 'promo', botId: 'bot_wa', elementName: 'promo', language: 'en', category: 'MARKETING', status: 'PENDING', body: 'Hi {{1}}' },
  ],
};
const csv = ['phone,names,city', '51999000111,Ana,Lima', '51999000222,Beto,Lima', '51999000333,Carla,Cusco'].join('\n');

interface Answer {
  readonly status: number;
  readonly text: string;
  /** A part of a JSON answer, by its path: `results.0.state`. */
  at(path: string): unknown;
}

/** Calls a service, as somebody. */
const callerOf =
  (url: string, token: string) =>
  async (method: string, path: string, body?: object | string): Promise<Answer> => {
    const content = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { authorization: `Bearer ${token}`, 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json' };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body: content }) });
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      at: (place) =>
        place
          .split('.')
          .reduce<unknown>((value, key) => (value as { readonly [key: string]: unknown } | undefined)?.[key], JSON.parse(text)),
    };
  };

/** What WhatsApp delivers: what a user wrote, or what somebody of the company answered them in the app. */
function deliver(url: string, field: 'messages' | 'smb_message_echoes', user: string, text: string): Promise<Response> {
  const message = { id: `wamid.${field}`, timestamp: String(Math.floor(Date.now() / 1_000)), type: 'text', text: { body: text } };
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550001111', phone_number_id: '1065' },
    ...(field === 'messages'
      ? { contacts: [{ profile: { name: 'Beto' }, wa_id: user }], messages: [{ from: user, ...message }] }
      : { message_echoes: [{ from: '15550001111', to: user, ...message }] }),
  };
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field, value }] }] });
  const signature = `sha256=${createHmac('sha256', 'app-secret').update(body).digest('hex')}`;
  return fetch(`${url}/channels/bot_wa/webhook`, { method: 'POST', body, headers: { 'x-hub-signature-256': signature } });
}

/** A day with the people of a company. @param say - is told what each step came to */
export async function workADay(say: (line: string) => void): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'hilo-people-'));
  const settings = { ...defaultSettings, data, port: 0, adminToken: 'admin-token-of-the-example' };
  const service = await openService(settings, { log: { info: () => undefined, warn: console.warn, error: console.error } });
  await service.importWorkspace({ workspace: { companies: [company, { id: 2, name: 'Other', plan: 'free' }] } });
  const listening = await serve(service, settings);
  const url = `http://127.0.0.1:${listening.port}`;
  const of = '/admin/v1/companies/1';
  try {
    // Access: whoever builds the bots gives the company a token that may operate it, and nothing else.
    const asBuilder = callerOf(url, settings.adminToken);
    const made = await asBuilder('POST', '/admin/v1/tokens', { name: 'crm', roles: ['operator'], companies: ['1'] });
    const asCompany = callerOf(url, String(made.at('token')));
    const own = await asCompany('GET', `${of}/contacts`);
    const foreign = await asCompany('GET', '/admin/v1/companies/2/contacts');
    say(`access: its own company ${own.status}, another one ${foreign.status}`);

    // Contacts from a CSV, tried out first.
    const tried = await asCompany('POST', `${of}/contacts/import?dryRun=true`, csv);
    await asCompany('POST', `${of}/contacts/import`, csv);
    say(`import: ${String((JSON.parse(tried.text.trim().split('\n').at(-1) ?? '{}') as { readonly created?: number }).created)} people`);

    // A segment: who is in it is found anew each time.
    await asCompany('PUT', `${of}/segments/lima`, { condition: 'user.fields.city == "Lima" && user.consent != "revoked"' });
    const lima = await asCompany('GET', `${of}/segments/lima/preview`);
    say(`segment lima: ${String(lima.at('contacts'))} people`);

    // A template that its provider has not approved yet is in the list, and goes to nobody.
    const templates = await asCompany('GET', `${of}/templates?botId=bot_wa`);
    const offer = {
      name: 'Offer',
      botId: 'bot_wa',
      templateId: 'promo',
      audience: { segment: 'lima' },
      parameters: { '1': '{{user.names}}' },
    };
    const refused = await asCompany('POST', `${of}/campaigns`, offer);
    say(
      `template ${String(templates.at('results.0.elementName'))}: ${String(templates.at('results.0.status'))}, a campaign ${refused.status}`,
    );

    // Somebody of the company answers Beto in the app of WhatsApp: the bot is silent, and what he writes is kept for them.
    await deliver(url, 'smb_message_echoes', '51999000222', 'Hi Beto, Olga here');
    await deliver(url, 'messages', '51999000222', 'The blue one, please');
    const inbox = await asCompany('GET', '/admin/v1/inbox?companyId=1');
    say(`takeover: ${String(inbox.at('results.0.origin'))}, ${String(inbox.at('results.0.unread'))} unread`);

    // Carla asks what is kept of her, and to be forgotten.
    const kept = await asCompany('POST', `${of}/contacts/phone:51999000333/export`);
    say(`export: ${String(kept.at('contact.names'))}`);
    const erasing = await asCompany('DELETE', `${of}/contacts/phone:51999000333`);
    const job = `/admin/v1/jobs/${String(erasing.at('jobId'))}?companyId=1`;
    while ((await asCompany('GET', job)).at('status') !== 'done') await pause(20);
    say(`erasure: ${(await asCompany('GET', `${of}/contacts/phone:51999000333`)).status}`);
  } finally {
    await listening.close(0);
    await service.close();
    await rm(data, { recursive: true });
  }
}

if (import.meta.main) await workADay(console.log);
