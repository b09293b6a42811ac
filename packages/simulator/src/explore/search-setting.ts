// The circumstances of a search, made of what a simulation is given: what it finds is to happen in that simulation, too.
import { type Channel, isJsonObject, type JsonObject } from '@hilo/engine/contract';
import type { CompiledCanvas } from '@hilo/engine/debug';
import { seededRandom } from '../seeded-random.ts';
import { createCodeRunner } from '../simulation/code-driver.ts';
import { namedFields } from '../simulation/clock-starts.ts';
import { findIn } from '../simulation/company-directory.ts';
import { createDirectory, type SimulatedCompany, type SimulationOptions } from '../simulation/simulate.ts';
import { simulatedIds, type SimulatedUser } from '../simulation/world.ts';
import type { Script, Setting, Standing } from './standing.ts';

/** The options of a simulation that a search heeds. */
export type SettingOptions = Pick<SimulationOptions, 'channel' | 'user' | 'bot' | 'company' | 'seed'>;

const defaultUser: SimulatedUser = { id: '5215512345678', names: 'Ana', phone: '5215512345678' };

/** Before anything has happened. */
export const createRoot = (nowMs: number, script: Script | undefined, { user = defaultUser }: SettingOptions): Standing => ({
  frames: [],
  nowMs,
  windowUntilMs: Number.NEGATIVE_INFINITY,
  memory: {},
  contact: user.isKnown === true ? { names: user.names ?? null, phone: user.phone ?? null } : undefined,
  counts: { executions: 0, roots: 0, messages: 0, checkouts: 0, conversations: 0 },
  script,
  along: 0,
  isAside: false,
});

export function createSetting(canvases: readonly CompiledCanvas[], options: SettingOptions, observe: Setting['observe']): Setting {
  const { channel = 'whatsapp', user = defaultUser, bot = { id: simulatedIds.botId, name: 'Bot' }, company, seed = 1 } = options;
  const random = seededRandom(seed);
  const seeds: string[] = [];
  const seedOf = (index: number): string => {
    while (seeds.length <= index) {
      random.bytes(16); // the id of the execution
      seeds.push([...random.bytes(16)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
    }
    return seeds[index] ?? '';
  };
  const runner = createCodeRunner();
  const results = new Map<string, ReturnType<typeof runner>>();
  return {
    canvases,
    channel,
    user,
    scopes: createScopes(channel, bot, { fields: namedFields(canvases.map(({ canvas }) => canvas)), ...company }),
    found: findIn(company, { bot, user }),
    seedOf,
    observe,
    async runCode(request) {
      const key = JSON.stringify(request);
      const running = results.get(key) ?? runner(request as never);
      results.set(key, running);
      return running;
    },
  };
}

function createScopes(
  channel: Channel,
  bot: { readonly id: string; readonly name: string },
  company: SimulatedCompany | undefined,
): JsonObject {
  const directory = createDirectory({ channel, bot }, company, { isOpen: () => false });
  const [$company, $bot] = [directory.company(simulatedIds.companyId), directory.bot(simulatedIds.companyId, bot.id)];
  return {
    ...(isJsonObject($company as never) && { $company: $company as JsonObject }),
    ...(isJsonObject($bot as never) && { $bot: $bot as JsonObject }),
  };
}
