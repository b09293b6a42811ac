import { channels, unseenInName } from '@hilo/engine/contract';
import { showsNothing } from '@hilo/nodes/effects';
import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';

/** A workspace as a file has it. */
export type WorkspaceJson = { readonly companies: readonly { readonly [field: string]: unknown }[] };

/** As names may be: they show something, and hold nothing that nobody sees. */
const words = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((text) => text.isWellFormed() && !showsNothing(text) && unseenInName(text) === undefined);
const name = fc.oneof({ weight: 4, arbitrary: words }, { weight: 1, arbitrary: words.map((text) => `"${text}`) });
const secret = fc.string({ minLength: 1, maxLength: 30 }).filter((text) => !text.includes('\0'));
const headerSecret = fc.stringMatching(/^[\x21-\x7e]{16,40}$/);
const instant = fc.date({ min: new Date(0), max: new Date(4_000_000_000_000), noInvalidDate: true }).map((date) => date.toISOString());
const colour = fc.stringMatching(/^#[0-9a-f]{6}$/);
const userId = fc.oneof(fc.stringMatching(/^[1-9][0-9]{5,14}$/), fc.stringMatching(/^[A-Z]{2}\.[A-Za-z0-9]{1,10}$/), name);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });

/** JSON values that survive a round trip: not minus zero. */
const keptJson = fc.json({ maxDepth: 1 }).map((text): unknown => JSON.parse(text));

/** Lists of items, each with an id that no other has. */
const withIds = <Item>(prefix: string, item: fc.Arbitrary<Item>, maxLength = 3) =>
  fc.array(item, { maxLength }).map((items) => items.map((fields, index) => ({ id: `${prefix}${index}`, ...fields })));
const numbered = <Item>(item: fc.Arbitrary<Item>) =>
  fc.array(item, { maxLength: 3 }).map((items) => items.map((fields, index) => ({ id: index + 1, ...fields })));

const provider = fc.oneof(
  fc.record({ kind: fc.constant('log'), appSecret: maybe(secret) }),
  fc.record({ kind: fc.constant('custom'), url: fc.webUrl(), appSecret: maybe(secret) }),
);

/** A random subset. */
const some = <Item>(items: readonly Item[]) => fc.subarray([...items]);

/** A company whose items name only its own items. */
const company = (id: number) =>
  fc
    .record({
      bots: withIds(
        `bot${id}_`,
        fc.record({
          name,
          channel: fc.constantFrom('custom', 'web'),
          connectedAt: instant,
          provider,
          settings: fc.record(
            { userIdFormat: fc.constantFrom('strict', 'open'), enforceSessionWindow: fc.boolean() },
            { requiredKeys: [] },
          ),
        }),
      ).filter((bots) => bots.length > 0),
      teams: numbered(fc.record({ name })),
      users: fc.uniqueArray(userId, { maxLength: 4 }),
    })
    .chain(({ bots, teams, users }) => {
      const botIds = bots.map((bot) => bot.id);
      const teamIds = teams.map((team) => team.id);
      const botId = fc.constantFrom(...botIds);
      const anyUser = users.length === 0 ? userId : fc.constantFrom(...users);
      return fc.record({
        id: fc.constant(id),
        name,
        kind: fc.constantFrom('self-service', 'enterprise'),
        plan: fc.constantFrom('free', 'builder', 'growth', 'enterprise'),
        timeZone: maybe(fc.constantFrom('America/Lima', 'Europe/Madrid')),
        locale: maybe(fc.constantFrom('es-PE', 'en')),
        settings: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), keptJson, { maxKeys: 3 }),
        clients: fc.array(secret, { maxLength: 1 }).map((all) => all.map((clientSecret) => ({ clientId: `client${id}`, clientSecret }))),
        apiKeys: withIds(
          'key',
          fc.record({ key: headerSecret.map((key) => `${id}${key}`), name: maybe(name), revokedAt: maybe(instant) }),
          1,
        ),
        bots: fc.constant(bots),
        teams: fc.constant(teams),
        users: fc.tuple(
          ...users.map((user) =>
            fc.record({
              id: fc.constant(user),
              names: maybe(name),
              timeZone: maybe(fc.constantFrom('America/Lima', 'Asia/Tokyo')),
              locale: maybe(fc.constantFrom('es-PE', 'de')),
              lastMessageAt: fc.dictionary(botId, instant, { maxKeys: 2 }),
            }),
          ),
        ),
        templates: withIds(
          'tpl',
          fc.record({
            botId,
            elementName: name,
            language: name,
            category: fc.constantFrom('UTILITY', 'MARKETING'),
            status: fc.constantFrom('APPROVED', 'PENDING'),
            body: name,
          }),
        ),
        operators: numbered(
          fc.record({ names: name, email: fc.constant('olga@acme.test'), teamIds: some(teamIds), leftAt: maybe(instant) }),
        ),
        tags: numbered(fc.record({ name, color: colour, teams: some(teamIds), channels: some(channels) })),
        rooms: withIds('room', fc.record({ botId, userId: anyUser })),
        conversations: fc
          .array(
            fc.record({
              botId,
              userId: anyUser,
              state: fc.constantFrom('active', 'closed', 'resolved', 'expired'),
              wasReplied: fc.boolean(),
              origin: name,
              startAt: instant,
              operatorResponseTimesMs: fc.array(fc.nat(), { maxLength: 3 }),
              lastMessageBy: maybe(fc.constantFrom('operator', 'user', 'bot')),
            }),
            { maxLength: 3 },
          )
          .map((all) => all.map((fields, index) => ({ _id: `conv${index}`, ...fields }))),
        credentials: withIds(
          'cred',
          fc.oneof(
            fc.record({ kind: fc.constant('basic'), username: fc.constant('hilo'), password: secret }),
            fc.record({ kind: fc.constant('bearer'), token: secret }),
            fc.record({
              kind: fc.constant('stripe'),
              secretKey: fc.stringMatching(/^sk_test_[A-Za-z0-9]{16}$/),
              webhookSecret: fc.stringMatching(/^whsec_[A-Za-z0-9]{16}$/),
              baseUrl: maybe(fc.constant('https://payments.example')),
            }),
          ),
        ),
        functions: withIds(`fn${id}_`, fc.record({ name, source: fc.string({ maxLength: 30 }).filter((text) => !text.includes('\0')) }), 1),
        workflows: fc.array(fc.record({ canvas: arbitraries.canvas({ nodes: ['condition', 'set', 'delay'] }), publish: fc.boolean() }), {
          maxLength: 1,
        }),
      });
    });

/** Workspaces of one or two companies, with everything that a company may have. */
export const arbitraryWorkspace = (): fc.Arbitrary<WorkspaceJson> =>
  fc.tuple(company(1), fc.option(company(2), { nil: undefined })).map(([first, second]) => ({
    companies: JSON.parse(JSON.stringify(second === undefined ? [first] : [first, second])) as WorkspaceJson['companies'],
  }));
