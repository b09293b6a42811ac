// What people cost: fields of contacts and subscribers beside a message, a CSV and a segment of 1,000,000 beside other work, 100,000 starts
// due at one instant, and a campaign of 100,000 in which many write STOP.
import { createReadStream } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createManagement } from '../../packages/server/src/service/app.ts';
import { logChannel } from '../../packages/channels/src/log/index.ts';
import { takeEvent } from '../../packages/server/src/channels/channels.ts';
import { defaultSettings, openService, type RunningService } from '../../packages/server/src/index.ts';
import { inDirectory } from '../in-directory.ts';
import { atMost, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { median, percentile } from '../statistics.ts';

const edge = (source: string, target: string, sourceHandle = 'next') => ({ source, sourceHandle, target });

/** Answers a message, with a field of the contact where it has one. */
const greet = {
  schemaVersion: 1,
  id: 'greet',
  name: 'Greet',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
    { id: 'say', type: 'message', data: { message: { type: 'text', text: 'Hello {{$user.fields.city ?? "there"}}' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [edge('begin', 'say'), edge('say', 'done', 'sent')],
};

/** Waits for a call: other work, beside which the rest is measured. */
const order = {
  schemaVersion: 1,
  id: 'order',
  name: 'Order',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'customer' } },
    { id: 'done', type: 'end' },
  ],
  edges: [edge('hook', 'done', 'new')],
};

/** Starts by the clock, once a day, for everybody of a segment. */
const daily = (cron: string) => ({
  schemaVersion: 1,
  id: 'daily',
  name: 'Daily',
  nodes: [
    { id: 'begin', type: 'start', data: { schedule: { cron, timeZone: 'UTC', for: { segment: 'all' } } } },
    { id: 'done', type: 'end' },
  ],
  edges: [edge('begin', 'done')],
});

const fields = [
  { key: 'city', label: 'City', type: 'text' },
  ...Array.from({ length: 9 }, (_, index) => ({ key: `field${index}`, label: `Field ${index}`, type: 'number' })),
];

/** A company with a bot that keeps what it sends. */
const companyOf = (id: number, more: object): object => ({
  id,
  name: `Company ${id}`,
  plan: 'growth',
  kind: 'enterprise',
  bots: [
    {
      id: `bot_${id}`,
      name: 'WA',
      channel: 'whatsapp',
      connectedAt: '2026-01-10T00:00:00Z',
      provider: { kind: 'fast', appSecret: 'secret-of-it' },
    },
  ],
  ...more,
});

/** Takes what is sent at once, as fast as it comes: the rate of a provider is not what is measured. */
const fast = { ...logChannel, kind: 'fast', isRecordOnly: false, limits: { messagesPerSecond: 5_000 } };

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Works with a service of its own over SQLite. */
const withService = <Result>(companies: readonly object[], work: (service: RunningService) => Promise<Result>): Promise<Result> =>
  inDirectory(async (directory) => {
    const service = await openService(
      { ...defaultSettings, data: directory, adminToken: 'token-of-the-benchmark', channels: [fast] },
      { log: silent },
    );
    try {
      await service.importWorkspace({ workspace: { companies: [...companies] } });
      return await work(service);
    } finally {
      await service.close();
    }
  });

const admin = async <Body>(service: RunningService, method: string, path: string, body?: object): Promise<Body> => {
  const init = { method, headers: { 'content-type': 'application/json' }, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const answer = await createManagement(service).request(path, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as Body;
};

const userOf = (number: number): string => String(51_900_000_000 + number);
let events = 0;

/** A user writes to the bot of a company. */
async function write(service: RunningService, company: number, userId: string, text: string): Promise<void> {
  const bot = service.companies.botOf(String(company), `bot_${company}`);
  if (bot === undefined) throw new Error('The bot is missing');
  const eventId = `event-${(events += 1)}`;
  await takeEvent(service, bot, {
    kind: 'message',
    eventId,
    user: { id: userId },
    message: { type: 'text', text, id: eventId },
    atMs: service.clock.now(),
  });
}

/** Microseconds of the processors for a message of each company, over rounds whose order alternates. */
async function costOfMessages(service: RunningService, companies: readonly number[], rounds: number): Promise<readonly number[][]> {
  const each = 500;
  const costs: number[][] = companies.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    const indexed = companies.map((company, index) => [company, index] as const);
    for (const [company, index] of round % 2 === 0 ? indexed : indexed.toReversed()) {
      const before = process.cpuUsage();
      for (let from = 0; from < each; from += 8)
        await Promise.all(Array.from({ length: 8 }, (_, user) => write(service, company, userOf(user), 'hello')));
      await service.engine.whenIdle();
      const { user, system } = process.cpuUsage(before);
      if (round > 0) costs[index]?.push((user + system) / each); // the first round warms up
    }
  }
  return costs;
}

async function besideMessages(rounds: number, progress: Progress): Promise<Part> {
  progress.say('messages with fields of contacts, and with a subscriber');
  const workflows = [{ canvas: greet, publish: true }];
  const subscription = { url: 'https://subscriber.invalid/hook', events: ['*'], secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` };
  const given = Object.fromEntries(fields.map(({ key }, index) => [key, index === 0 ? 'Lima' : index]));
  // Each beside a company without, in a service of its own: deliveries that are still under way are of nobody else's messages.
  const besidePlain = (more: object, prepare: (service: RunningService) => Promise<void>): Promise<readonly number[][]> =>
    withService([companyOf(1, { workflows }), companyOf(2, { workflows, ...more })], async (service) => {
      await prepare(service);
      return costOfMessages(service, [1, 2], rounds);
    });
  const [plain = [], kept = []] = await besidePlain({ fields }, async (service) => {
    for (let user = 0; user < 8; user += 1) {
      await write(service, 2, userOf(user), 'hello');
      await admin(service, 'PATCH', `/companies/2/contacts/phone:${userOf(user)}`, { fields: given });
    }
  });
  const [untold = [], told = []] = await besidePlain({ eventSubscriptions: [{ id: 'sub', ...subscription }] }, () => Promise.resolve());
  const less = kept.map((cost, round) => cost - (plain[round] ?? Number.NaN));
  const ratios = told.map((cost, round) => cost / (untold[round] ?? Number.NaN));
  return {
    name: 'A message and its answer, with what is kept of people',
    unit: 'CPU µs',
    contestants: [
      { name: 'without fields and subscribers', median: median(plain) },
      { name: 'ten fields of the contact, one of them read', median: median(kept) },
      { name: 'a subscriber that hears of everything', median: median(told), ratioToFloor: median(ratios) },
    ],
    aims: [atMost('fields add, µs', median(less), 3), atMost('events add, %', (median(ratios) - 1) * 100, 10)],
    notes: ['Over SQLite, eight users at once; differences within each round. A message with a subscriber writes three events.'],
  };
}

/** Lets webhooks of another company come while something is done. @returns the milliseconds of each */
async function beside<Result>(
  service: RunningService,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: readonly number[] }> {
  let isOver = false;
  const ms: number[] = [];
  const calls: Promise<void>[] = [];
  const come = async (): Promise<void> => {
    for (let number = 0; !isOver; number += 1) {
      const beganMs = performance.now();
      const request = { method: 'POST', body: { customer: userOf(number % 100) }, query: {}, headers: {} };
      const target = {
        companyId: '2',
        botId: 'bot_2',
        workflowId: 'order',
        nodeId: 'hook',
        route: 'production',
        channel: 'whatsapp',
      } as const;
      calls.push(service.engine.receiveWebhook({ ...target, request }).then(() => void ms.push(performance.now() - beganMs)));
      await pause(20);
    }
  };
  const coming = come();
  try {
    return { result: await work(), ms };
  } finally {
    isOver = true;
    await coming;
    await Promise.all(calls);
  }
}

/** Writes a CSV of people. It is read as a file is sent: what would make its lines meanwhile would be counted as memory of the import. */
async function writeCsv(path: string, count: number): Promise<void> {
  await writeFile(path, 'phone,names,city\n');
  for (let next = 0; next < count; next += 1_000) {
    const numbers = Array.from({ length: Math.min(1_000, count - next) }, (_, index) => next + index);
    const lines = numbers.map((number) => `${userOf(number)},Person ${number},${number % 3 === 0 ? 'Lima' : 'Cusco'}\n`);
    await appendFile(path, lines.join(''));
  }
}

/** Imports so many people into the first company. @returns the last line of the answer, and the milliseconds */
const importPeople = (
  service: RunningService,
  count: number,
  query = '',
  beginning: () => void = () => undefined,
): Promise<{ readonly last: string; readonly ms: number }> =>
  inDirectory(async (directory) => {
    const path = join(directory, 'people.csv');
    await writeCsv(path, count);
    beginning();
    const beganMs = performance.now();
    const body = Readable.toWeb(createReadStream(path));
    const init = { method: 'POST', headers: { 'content-type': 'text/csv' }, body, duplex: 'half' as const };
    const answer = await createManagement(service).request(`/companies/1/contacts/import${query}`, init);
    return { last: (await answer.text()).trimEnd().split('\n').at(-1) ?? '', ms: performance.now() - beganMs };
  });

async function importAndSearch(count: number, progress: Progress): Promise<Part> {
  const companies = [companyOf(1, { fields }), companyOf(2, { workflows: [{ canvas: order, publish: true }] })];
  return withService(companies, async (service) => {
    const so = count.toLocaleString('en');
    progress.say(`a CSV of ${so} lines`);
    let [restingBytes, mostBytes] = [0, 0];
    const look = (): void => void (mostBytes = Math.max(mostBytes, process.memoryUsage().rss));
    const watch = setInterval(look, 50);
    const { last, ms: importMs } = await importPeople(service, count, '', () => {
      globalThis.gc?.();
      restingBytes = process.memoryUsage().rss;
      mostBytes = restingBytes;
    });
    clearInterval(watch);
    if ((JSON.parse(last) as { readonly created?: number }).created !== count)
      throw new Error(`The import ended with ${last.slice(0, 500)}`);

    progress.say(`a segment over ${so} contacts`);
    const condition = 'user.fields.city == "Lima" && user.names != "Person 3"';
    const alone = await beside(service, () => pause(3_000));
    const searchBeganMs = performance.now();
    const found = await beside(service, () =>
      admin<{ readonly contacts: number }>(service, 'POST', '/companies/1/segments/preview', { condition }),
    );
    const searchMs = performance.now() - searchBeganMs;
    if (found.result.contacts !== Math.ceil(count / 3) - 1) throw new Error(`The segment has ${found.result.contacts} contacts`);
    return {
      name: `${so} contacts`,
      unit: 's',
      contestants: [
        { name: 'imported from a CSV', median: importMs / 1_000 },
        { name: 'searched by a segment', median: searchMs / 1_000, p99: percentile(found.ms, 0.99) },
        { name: 'other work alone', median: median(alone.ms) / 1_000, p99: percentile(alone.ms, 0.99) },
      ],
      aims: [
        atMost('the import, s', importMs / 1_000, (60 * count) / 1_000_000),
        atMost('memory that it adds, MB', (mostBytes - restingBytes) / 1e6, 64),
        atMost('the search, s', searchMs / 1_000, (20 * count) / 1_000_000),
        atMost('p99 of other work beside the search, ms', percentile(found.ms, 0.99), 50),
      ],
    };
  });
}

async function scheduled(count: number, progress: Progress): Promise<Part> {
  const due = new Date(Date.now() + 150_000);
  const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
  const company = companyOf(1, { fields, limits: { startsPerMinute: 1_000_000 } });
  return withService([company, companyOf(2, { workflows: [{ canvas: order, publish: true }] })], async (service) => {
    const so = count.toLocaleString('en');
    progress.say(`${so} starts due at one instant`);
    await importPeople(service, count);
    await admin(service, 'PUT', '/companies/1/segments/all', { condition: 'user.consent != "revoked"' });
    await service.importWorkspace({
      workspace: { companies: [{ ...company, workflows: [{ canvas: daily(cron), publish: true }] }] },
    });
    const dueMs = Math.floor(due.getTime() / 60_000) * 60_000;
    if (Date.now() > dueMs) throw new Error('The contacts were not there in time');
    await pause(dueMs - Date.now());
    const { result: doneMs, ms } = await beside(service, async () => {
      for (;;) {
        const { results } = await admin<{
          readonly results: readonly { readonly status: string; readonly counts?: { readonly started?: number } }[];
        }>(service, 'GET', '/companies/1/starts?workflowId=daily');
        const [start] = results;
        if (start !== undefined && (start.status === 'started' || start.status === 'failed')) {
          if (start.counts?.started !== count) throw new Error(`The start ended with ${JSON.stringify(start)}`);
          return Date.now() - dueMs;
        }
        await pause(200);
      }
    });
    return {
      name: `${so} starts by the clock, due at one instant`,
      unit: 's',
      contestants: [{ name: 'all of them begun', median: doneMs / 1_000, p99: percentile(ms, 0.99) }],
      aims: [atMost('all of them begun, s', doneMs / 1_000, (60 * count) / 100_000)],
      notes: ['The company may begin 1,000,000 a minute; p99 is that of the webhooks of another company beside it.'],
    };
  });
}

async function stopWithin(count: number, progress: Progress): Promise<Part> {
  const template = {
    id: 'promo',
    botId: 'bot_1',
    elementName: 'promo',
    language: 'en',
    category: 'MARKETING',
    status: 'APPROVED',
    body: 'Buy!',
  };
  const consent = { stop: ['STOP'], start: ['START'], categories: ['MARKETING'] };
  return withService([companyOf(1, { consent, templates: [template] })], async (service) => {
    const so = count.toLocaleString('en');
    progress.say(`a campaign of ${so}, in which a hundredth write STOP`);
    await importPeople(service, count, '?map=phone=phone,names=names');
    await admin(service, 'PUT', '/companies/1/segments/all', { condition: 'user.names != ""' });
    const beganMs = performance.now();
    const { id } = await admin<{ readonly id: string }>(service, 'POST', '/companies/1/campaigns', {
      name: 'Spring',
      botId: 'bot_1',
      templateId: 'promo',
      audience: { segment: 'all' },
      parameters: {},
    });
    const stoppedAt = new Map<string, number>();
    type Report = { readonly pending: number; readonly skipped: { readonly consent?: number }; readonly sent: number };
    const report = (): Promise<Report> => admin<Report>(service, 'GET', `/companies/1/campaigns/${id}/report`);
    for (let turn = 0; (await report()).pending > 0; turn += 1) {
      const userId = userOf((turn * 7_919) % count);
      if (!stoppedAt.has(userId) && stoppedAt.size < count / 100) {
        await write(service, 1, userId, 'STOP');
        stoppedAt.set(userId, Date.now());
      }
      await pause(stoppedAt.size < count / 100 ? 5 : 200);
    }
    const tookMs = performance.now() - beganMs;
    const results = await createManagement(service).request(`/companies/1/campaigns/${id}/results`);
    let late = 0;
    for (const line of (await results.text()).split('\n')) {
      const [user = '', status = '', , , at = ''] = line.split(',');
      const sinceMs = stoppedAt.get(user);
      if (sinceMs !== undefined && ['sent', 'delivered', 'read'].includes(status) && Date.parse(at) > sinceMs) late += 1;
    }
    const { skipped, sent } = await report();
    return {
      name: `A campaign of ${so}, and STOP from a hundredth of its people`,
      unit: 's',
      contestants: [{ name: 'all of it', median: tookMs / 1_000 }],
      aims: [
        atMost('sent to somebody whose STOP was answered before', late, 0),
        atMost('neither sent nor skipped', count - sent - (skipped.consent ?? 0), 0),
      ],
      notes: [
        `${stoppedAt.size.toLocaleString('en')} wrote STOP while it ran; ${(skipped.consent ?? 0).toLocaleString('en')} of them were skipped.`,
      ],
    };
  });
}

/** What people cost. */
export async function people(quick: boolean, progress: Progress): Promise<readonly Part[]> {
  return [
    await besideMessages(quick ? 2 : 9, progress),
    await importAndSearch(quick ? 20_000 : 1_000_000, progress),
    await scheduled(quick ? 2_000 : 100_000, progress),
    await stopWithin(quick ? 2_000 : 100_000, progress),
  ];
}
