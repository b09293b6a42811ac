// Messages of a channel, in and out, beside the same work without one.
import { join } from 'node:path';
import { inDirectory } from '../in-directory.ts';
import { atMost, figure, type Measured, type Part } from '../part.ts';
import { answerOf, forkModule } from '../processes.ts';
import type { Progress } from '../progress.ts';
import { median } from '../statistics.ts';
import { apiKey, whatsapp } from './credentials.ts';
import { served } from './hilo.ts';
import type { ArrivalRounds, Arrivals } from './inbound-process.ts';
import type { Sends, SendRounds } from './outbound-process.ts';
import { whatsappDouble } from './whatsapp-double.ts';
import { middle, raceServers, type Raced, startCallers } from './race.ts';
import { startServer } from './start-server.ts';
import { bot, workspaceWith } from './workspace.ts';

/** What a channel costs beside the same without it: processor time of our process alone. */
export async function channels(quick: boolean, progress: Progress): Promise<readonly Part[]> {
  return [await inbound(quick, progress), await outbound(quick, progress)];
}

/** Three nodes and an end, begun by a webhook or by a user's message. */
const canvas = (id: string, begin: object) => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: [
    { id: 'begin', ...begin },
    { id: 'note', type: 'set', data: { assignments: [{ path: '$context.text', value: 'Thank you' }] } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', ...(id === 'hook' && { sourceHandle: 'new' }), target: 'note' },
    { source: 'note', target: 'done' },
  ],
});

const workspace = workspaceWith({
  apiKeys: [{ id: 'bench', key: apiKey }],
  bots: [{ ...bot('bot', 'whatsapp'), provider: whatsapp }],
  workflows: [
    { file: './hook.json', publish: true },
    { file: './talk.json', publish: true },
  ],
});

const canvases = {
  hook: canvas('hook', { type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'user.id' } }),
  talk: canvas('talk', { type: 'start', data: { fallback: true } }),
};
const files = { 'hook.json': canvases.hook, 'talk.json': canvases.talk, 'workspace.json': workspace };

const contestants = [
  served({ title: 'floor: gateway webhook', files, path: '/workflows/v2/webhooks/skill/hook/whatsapp/begin', calls: 'webhooks' }),
  served({ title: 'delivery of WhatsApp', files, path: '/channels/bot/webhook', calls: 'deliveries' }),
];

const connections = 8;

/** Webhook to answer, both durable, each by a service of its own; and the same two in the engine over SQLite alone. */
async function inbound(quick: boolean, progress: Progress): Promise<Part> {
  const options = quick ? { rounds: 3, roundMs: 1_000, warmUpMs: 1_000 } : { rounds: 7, roundMs: 3_000, warmUpMs: 4_000 };
  const raced = await inDirectory(async (directory) => {
    const callers = startCallers();
    const servers = await Promise.all(contestants.map((program, index) => startServer(program, join(directory, String(index)))));
    try {
      return await raceServers(servers, callers, { ...options, connections }, progress);
    } finally {
      callers.stop();
      await Promise.all(servers.map((server) => server.kill()));
      progress.clear();
    }
  });
  const alone = await arrivals(quick, progress);
  const [floor, delivery] = raced;
  const ratio = median((delivery?.rounds ?? []).map(({ cpuUs }, round) => cpuUs / (floor?.rounds[round]?.cpuUs ?? Number.NaN)));
  const measured = (one: Raced): Measured => ({
    name: one.title,
    median: middle(one, 'perSecond'),
    p99: middle(one, 'p99Ms'),
    cpuUs: middle(one, 'cpuUs'),
  });
  return {
    name: `Inbound: delivery to answer, ${connections} connections`,
    unit: 'requests/s',
    contestants: raced.map(measured),
    aims: [
      atMost(
        "processor time of a delivery, times a gateway webhook's",
        ratio,
        1.3,
        floor === undefined ? undefined : boundOf(floor, alone),
      ),
    ],
    notes: raced.flatMap(({ title, failed }) => (failed === undefined ? [] : [`${title}: ${failed}`])),
  };
}

/** What a message costs at least in place of a webhook: more is read before its commit, and more is written with it. */
function boundOf(floor: Raced, { webhook, message }: ArrivalRounds): string {
  const [webhookUs, messageUs, wholeUs] = [median(webhook), median(message), middle(floor, 'cpuUs')];
  const least = (wholeUs + messageUs - webhookUs) / wholeUs;
  return `without HTTP, the engine over SQLite takes ${figure(messageUs)} µs for a message and ${figure(webhookUs)} µs for a webhook, one commit each: this alone makes it ${figure(least)} times; the rest is the signature, the provider's form and the lookup of an operator`;
}

/** Webhooks and messages in the engine over SQLite, without a server. */
async function arrivals(quick: boolean, progress: Progress): Promise<ArrivalRounds> {
  const rounds = quick ? { rounds: 3, count: 2_000 } : { rounds: 9, count: 5_000 };
  progress.say('taking webhooks and messages in the engine alone');
  const child = forkModule(join(import.meta.dirname, 'inbound-process.ts'));
  try {
    const told = { ...rounds, canvases, callers: connections } satisfies Arrivals;
    return await answerOf<ArrivalRounds>(child, 'The process that takes webhooks and messages', told);
  } finally {
    child.disconnect();
    progress.clear();
  }
}

/** One message after the other to a double of the provider, in another process. */
async function outbound(quick: boolean, progress: Progress): Promise<Part> {
  const sends = quick ? { rounds: 3, messages: 2_000 } : { rounds: 9, messages: 5_000 };
  const { bare, sent, kept } = await inDirectory(async (directory) => {
    progress.say('sending to a double of WhatsApp');
    const double = await startServer(whatsappDouble, directory);
    const child = forkModule(join(import.meta.dirname, 'outbound-process.ts'));
    try {
      return await answerOf<SendRounds>(child, 'The process that sends', { ...sends, origin: double.origin } satisfies Sends);
    } finally {
      child.disconnect();
      await double.kill();
      progress.clear();
    }
  });
  const measured = (name: string, cpuUs: readonly number[]): Measured => ({
    name,
    median: median(cpuUs),
    ratioToFloor: median(cpuUs.map((us, round) => us / (bare[round] ?? Number.NaN))),
  });
  return {
    name: 'Outbound: message to WhatsApp, one after the other',
    unit: 'processor µs',
    contestants: [
      measured('floor: the same call by the client alone', bare),
      measured('adapter and dialer', sent),
      measured('outbox over SQLite, adapter and dialer', kept),
    ],
    aims: [
      atMost(
        'processor time of a message by adapter and dialer, µs',
        median(sent),
        150,
        `the client alone takes ${figure(median(bare))} µs here`,
      ),
    ],
  };
}
