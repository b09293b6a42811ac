/**
 * A service that dies at each instant between the question for a yes and what it allows, and between a form and what comes of it: a tool that
 * wants a yes is called once after it and never without, and a form that was submitted counts once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seal, signed, unseal } from '../../../channels/test/flow-double.ts';
import type { ServiceProcess } from '../service-process.ts';
import { askAgainMs, callerOf, type Execution, isGone } from './caller.ts';
import { type Asked, type Death, openOutside, type Outside } from './confirmed/outside.ts';
import { confirmedWorkflows } from './confirmed/workflows.ts';
import { oneCompany } from './one-company.ts';
import { describeOverPostgres, describeOverRestate, type OpenPlace, openPlace } from './place.ts';

const appSecret = 'secret-of-the-bots-0123456789';

/** The service dies while it is told something: 0 is what begins, 1 what a screen of the form asks for, 2 the answer. */
interface Told {
  readonly step: 0 | 1 | 2;
  readonly side: 'before' | 'after';
}

/** One conversation, and the instant of it at which the service dies. */
interface Talk {
  readonly userId: string;
  readonly what: 'charge' | 'ship' | 'form';
  readonly answer: 'Yes' | 'No';
  readonly death: Death | Told;
}

const sides = ['before', 'after'] as const;
const at = (kind: Asked['kind'], nth: number) => sides.map((side) => ({ kind, nth, side }));
const told = (step: Told['step']) => sides.map((side): Told => ({ step, side }));
const isTold = (death: object): death is Told => 'step' in death;

/** Every instant of a conversation, from outside: what the service is told, and what it asks for. */
const ordering = [told(0), at('model', 1), at('message', 1), told(2), at('deed', 1), at('model', 2), at('message', 2)].flat();
const declining = [at('message', 1), told(2), at('model', 2), at('message', 2)].flat();
const visiting = [told(0), at('message', 1), told(1), at('look', 1), told(2), at('deed', 1), at('message', 2)].flat();
const instants = [
  ...ordering.map((death, index) => ({ what: index % 4 < 2 ? 'charge' : 'ship', answer: 'Yes', death }) as const),
  ...ordering.map((death, index) => ({ what: index % 4 < 2 ? 'ship' : 'charge', answer: 'Yes', death }) as const),
  ...declining.map((death, index) => ({ what: index % 4 < 2 ? 'ship' : 'charge', answer: 'No', death }) as const),
  ...visiting.map((death) => ({ what: 'form', answer: 'Yes', death }) as const),
];

/** A quarter of all instants, another one with each seed; `HILO_ALL_INSTANTS=1` takes all of them. */
const oneIn = process.env['HILO_ALL_INSTANTS'] === undefined ? 4 : 1;
const talks: readonly Talk[] = instants
  .filter((_, index) => (index + (fc.readConfigureGlobal().seed ?? 0)) % oneIn === 0)
  .map(({ death, ...talk }, index) => {
    const userId = String(5_215_500_000_001 + index);
    return { ...talk, userId, death: isTold(death) ? death : { ...death, userId } };
  });
/** One of each kind, one after the other, where a death costs many seconds. */
const oneOfEach = (['charge', 'ship', 'form'] as const).flatMap((what) => talks.find((talk) => talk.what === what) ?? []);

/** A service that dies, and is started again at another address. What it goes on with may be its next death, before it is up. */
function openMortal(start: () => Promise<ServiceProcess>) {
  let running = start();
  return {
    url: async (): Promise<string> => (await running).url,
    die(): void {
      running = running.then(async (service) => {
        await service.end('SIGKILL');
        return start();
      });
    },
    [Symbol.asyncDispose]: async (): Promise<void> => (await running)[Symbol.asyncDispose](),
  };
}
type Mortal = ReturnType<typeof openMortal>;

/** Tells the service something until it is taken, and kills it with the first try where that is planned; `undefined` for a form that is over. */
async function tell(mortal: Mortal, { death }: Talk, step: Told['step'], path: string, content: JsonObject): Promise<string | undefined> {
  const body = JSON.stringify(content);
  const headers = { 'content-type': 'application/json', ...signed(body, appSecret) };
  for (let side = isTold(death) && death.step === step ? death.side : undefined; ; side = undefined) {
    const asked = callerOf(await mortal.url()).call(`POST ${path}`, { headers, body });
    const answered = asked.catch((error: unknown) => (isGone(error) ? undefined : Promise.reject(error)));
    if (side === 'before') mortal.die();
    const answer = await answered;
    if (side === 'after') mortal.die();
    if (answer?.status === 200) return answer.text;
    if (answer?.status === 427) return undefined;
    if (answer !== undefined && answer.status !== 503) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    await pause(askAgainMs);
  }
}

/** Answers what is asked. @param time - the second time and later, where it is asked again */
type Answering = (time: number) => Promise<string | undefined>;

/** What users do, and what became of it. */
function userOf(mortal: Mortal, outside: Outside, publicKey: string, agreed: Set<string>) {
  const executions = async ({ userId }: Talk): Promise<readonly Execution[]> => {
    const all = callerOf(await mortal.url()).executions('1');
    const found = await all.catch((error: unknown) => (isGone(error) ? [] : Promise.reject(error)));
    return found.filter((one) => one.userId === userId && one.workflowId !== 'charge');
  };
  /** Whose conversation was set aside, and goes on: what they wrote meanwhile reached no question, and they are asked again. */
  const released = new Set<string>();
  /** Whether it is over. What was at work at three deaths of others is set aside, and an operator lets it go on. */
  const hasEnded = async (talk: Talk): Promise<boolean> => {
    const found = await executions(talk);
    for (const { executionId } of found.filter(({ status }) => status === 'quarantined')) {
      const release = callerOf(await mortal.url()).call(`POST /admin/v1/executions/${executionId}/release?companyId=1`);
      await release.catch((error: unknown) => (isGone(error) ? undefined : Promise.reject(error)));
      released.add(talk.userId);
    }
    return found.some(({ status }) => status !== 'running' && status !== 'waiting' && status !== 'quarantined');
  };
  /** The message that asks, as soon as the user has it; `undefined` where the conversation ends without. */
  const question = async (talk: Talk, text: string): Promise<string | undefined> => {
    for (;;) {
      const isIt = ({ kind, userId, body }: Asked) => kind === 'message' && userId === talk.userId && body.includes(text);
      const found = outside.asked.find(isIt)?.body;
      if (found !== undefined || (await hasEnded(talk))) return found;
      await pause(askAgainMs);
    }
  };
  const write = (talk: Talk, step: Told['step'], text: string, time = 1) => {
    const id = `${talk.userId}-${step}-${time}`;
    const event = { eventId: id, botId: 'bridge', user: { id: talk.userId }, message: { id, type: 'text', text } };
    return tell(mortal, talk, step, '/channels/bridge/webhook', { ...event, receivedAt: new Date().toISOString() });
  };
  const writeByPhone = (talk: Talk, step: Told['step'], message: JsonObject, time = 1) => {
    // The service is a process with the clock of the machine, and takes a message that was written long ago for one of before the question.
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const value = {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: '100', display_phone_number: '5111' },
      contacts: [{ wa_id: talk.userId, profile: { name: 'Ana' } }],
      messages: [{ from: talk.userId, id: `wamid.${talk.userId}.${step}.${time}`, timestamp, ...message }],
    };
    const entry = [{ id: '1', changes: [{ field: 'messages', value }] }];
    return tell(mortal, talk, step, '/channels/forms/webhook', { object: 'whatsapp_business_account', entry });
  };
  const order = async (talk: Talk): Promise<Answering> => {
    await write(talk, 0, `order by ${talk.what}: ${talk.userId}-A`);
    await question(talk, 'Shall I order');
    if (talk.answer === 'Yes') agreed.add(talk.userId);
    return (time) => write(talk, 2, talk.answer, time);
  };
  const visit = async (talk: Talk): Promise<Answering> => {
    await writeByPhone(talk, 0, { type: 'text', text: { body: 'visit' } });
    const [, token = ''] = /"flow_token":"([^"]+)"/.exec((await question(talk, 'flow_token')) ?? '') ?? [];
    const request = { version: '3.0', action: 'INIT', flow_token: token, data: {} };
    const screen = await tell(mortal, talk, 1, '/channels/forms/flows/slots', seal(request, publicKey));
    const wanted = { version: '3.0', screen: 'TIMES', data: { city: 'Lima', times: ['09:30'] } };
    expect([talk, screen === undefined ? 'over' : unseal(screen)]).toEqual([talk, wanted]);
    agreed.add(talk.userId);
    const reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify({ day: '2031-01-01', time: '09:30', flow_token: token }) };
    return (time) => writeByPhone(talk, 2, { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: reply } }, time);
  };
  return {
    executions,
    /** Goes through a conversation, to its end. */
    async talk(talk: Talk): Promise<void> {
      const answer = await (talk.what === 'form' ? visit(talk) : order(talk));
      await answer(1);
      for (let time = 2; !(await hasEnded(talk)); ) {
        await pause(askAgainMs);
        const isAskedAgain = released.has(talk.userId) && (await executions(talk)).some(({ status }) => status === 'waiting');
        if (!isAskedAgain) continue;
        released.delete(talk.userId);
        await answer(time);
        time += 1;
      }
    },
  };
}

const botsAt = (host: string): readonly JsonObject[] => {
  const bridge = { kind: 'custom', url: `http://${host}/bridge`, appSecret };
  const forms = {
    kind: 'whatsapp-cloud',
    phoneNumberId: '100',
    accessToken: 't',
    appSecret,
    verifyToken: 'v',
    baseUrl: `http://${host}`,
  };
  const bot = { connectedAt: '2026-01-01T00:00:00Z' };
  return [
    { ...bot, id: 'bridge', name: 'Bridge', channel: 'custom', provider: bridge },
    { ...bot, id: 'forms', name: 'Forms', channel: 'whatsapp', provider: forms },
  ];
};

/** What the user is told in the end, in a word of it. */
const lastWord = ({ what, answer }: Talk): string =>
  answer === 'No' ? 'Bye' : what === 'form' ? 'We come on 2031-01-01' : 'It is ordered';

/** @param lanes - so many at once: those that are not at their instant are hit wherever they are */
const killed = (open: OpenPlace, talked: readonly Talk[], lanes: number): void => {
  it(`does once what was agreed to, and never what was not, killed ${talked.length} times (P1, P3, P4, P9)`, {
    timeout: 60_000 + talked.length * 40_000,
  }, async () => {
    const agreed = new Set<string>();
    let die = (): void => undefined;
    const plan = talked.flatMap(({ death }) => (isTold(death) ? [] : [death]));
    await using outside = await openOutside(plan, agreed, () => die());
    const { companies } = oneCompany(appSecret, confirmedWorkflows(outside.host)) as { readonly companies: readonly JsonObject[] };
    using place = await open({ companies: companies.map((company) => ({ ...company, bots: botsAt(outside.host) })) });
    await using mortal = openMortal(() => place.start(['--egress-allow', outside.host]));
    die = mortal.die;
    const made = await callerOf(await mortal.url()).call('POST /admin/v1/bots/forms/flow-key', { body: {} });
    const { publicKey } = made.body as { readonly publicKey: string };
    const { executions, talk } = userOf(mortal, outside, publicKey, agreed);

    const rest = [...talked];
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (let next = rest.shift(); next !== undefined; next = rest.shift()) await talk(next);
      }),
    );

    expect(new Set(outside.died)).toEqual(new Set(plan));
    for (const one of talked) {
      const asked = outside.asked.filter(({ userId }) => userId === one.userId);
      const deeds = asked.filter(({ kind }) => kind === 'deed');
      // A message that was on its way comes again, and nothing else is said.
      const said = asked.flatMap(({ kind, body }) => (kind === 'message' ? [body] : [])).filter((body, at, all) => body !== all[at - 1]);
      expect({
        one,
        ends: (await executions(one)).map(({ status }) => status),
        messages: said.length,
        isTold: said.at(-1)?.includes(lastWord(one)),
        keys: new Set(deeds.map(({ key }) => key)).size,
        unasked: deeds.filter(({ isAgreed }) => !isAgreed),
      }).toEqual({ one, ends: ['completed'], messages: 2, isTold: true, keys: one.answer === 'Yes' ? 1 : 0, unasked: [] });
    }
  });
};

const name = 'what is confirmed or filled in, at a service that is killed';

describe(`${name}, on SQLite`, () => {
  killed(async (workspace) => openPlace(workspace), talks, 3);
});
// Elsewhere a dead process has its lanes for some seconds more, so that three deaths of others would set most conversations aside (P17): what
// their users write meanwhile reaches no question, and a form of theirs is not answered before an operator has let them go on.
describeOverPostgres(name, (open) => {
  killed(open, oneOfEach, 1);
});
describeOverRestate(name, (open) => {
  killed(open, oneOfEach, 1);
});
