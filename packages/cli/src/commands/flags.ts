import type { Channel } from '@hilo/engine/contract';
import { type Command, InvalidArgumentError } from 'commander';

// Flags that several commands take, and what reads their values. Lists of choices are written here, since those of the engine come
// with its schemas; their types hold them complete.

/** Every channel, for flags that name one. */
export const channels = listKeys<Channel>({
  whatsapp: true,
  web: true,
  instagram: true,
  facebook: true,
  slack: true,
  teams: true,
  twitter: true,
  custom: true,
});

/** Adds the flag that names a project's own nodes, drivers and channels. */
export function withConfig(command: Command): Command {
  return command.option(
    '--config <file>',
    'nodes, drivers and channels of your own; without it hilo.config.ts of this directory, where there is one',
  );
}

/** Adds the flags that say where the data is on this machine. */
export function withData(command: Command): Command {
  return withConfig(
    command
      .option('-d, --data <directory>', 'the data directory (HILO_DATA; ./data)')
      .option('--database-url <url>', 'a PostgreSQL database instead (HILO_DATABASE_URL)'),
  );
}

/** Adds the flags that say where the data is. */
export function withAdmin(command: Command): Command {
  withData(command).option('--url <address>', 'a service on another machine, or with other data; its token is read from HILO_ADMIN_TOKEN');
  return apart(command, 'url', ['data', 'databaseUrl']);
}

/** Flags of commands that say two things, or have no effect without another: obeyed in part, a command would do less or more than was asked. */
const flagRules = new WeakMap<Command, readonly FlagRule[]>();

interface FlagRule {
  readonly flag: string;
  readonly others: readonly string[];
  /** Whether the flag goes with none of the others, or needs one of them. */
  readonly goes: 'apart' | 'with';
}

const addRule = (command: Command, rule: FlagRule): Command => {
  flagRules.set(command, [...(flagRules.get(command) ?? []), rule]);
  return command;
};

/** Says that a flag cannot be given with some others. */
export const apart = (command: Command, flag: string, others: readonly string[]): Command =>
  addRule(command, { flag, others, goes: 'apart' });

/** Says that a flag has an effect only with another. */
export const goesWith = (command: Command, flag: string, other: string): Command =>
  addRule(command, { flag, others: [other], goes: 'with' });

/** Why the flags that are given do not go together; `undefined` where they do. */
export function findContradiction(command: Command): string | undefined {
  const isGiven = (flag: string): boolean => command.getOptionValueSourceWithGlobals(flag) === 'cli';
  const nameOf = (flag: string): string => `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  for (const { flag, others, goes } of (flagRules.get(command) ?? []).filter((rule) => isGiven(rule.flag))) {
    const given = others.find(isGiven);
    if (goes === 'apart' && given !== undefined) return `${nameOf(flag)} and ${nameOf(given)} do not go together: give one of them`;
    if (goes === 'with' && given === undefined)
      return `${nameOf(flag)} has no effect without ${others.map(nameOf).join(' or ')}: give both`;
  }
  return undefined;
}

/** Commands about one company, which is the only one where none is named. */
export const ofOneCompany = new WeakSet<Command>();

/** Adds the flag that names the company that a command is about. */
export function withCompany(command: Command, description: string): Command {
  ofOneCompany.add(command);
  return command.option('-c, --company <id>', `${description}; the only one, when left out`);
}

/** A channel by name, added to those given before it. */
export function oneMoreChannel(name: string, before: readonly Channel[] = []): readonly Channel[] {
  const channel = channels.find((known) => known === name);
  if (channel === undefined) throw new InvalidArgumentError(`There are: ${channels.join(', ')}.`);
  return [...before, channel];
}

/** Reads a whole number of up to 15 digits, which may be negative. @throws {InvalidArgumentError} for anything else */
export function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

/** Reads the length of a page, 1 to 200. @throws {InvalidArgumentError} for anything else */
export function pageLimit(text: string): number {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 200) throw new InvalidArgumentError('Give a number from 1 to 200.');
  return number;
}

/** Reads the number of a version, from 1. @throws {InvalidArgumentError} for anything else */
export function versionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give the number of a version.');
  return Number(text);
}

/** Reads a version by its number or by its name. @throws {InvalidArgumentError} for anything else */
export function versionName(text: string): number | 'same' | 'latest' {
  if (text === 'same' || text === 'latest') return text;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give the number of a version, latest or same.');
  return Number(text);
}

/** Reads the index of an event in a history. @throws {InvalidArgumentError} for anything else */
export function eventIndex(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give the index of an event: a whole number from 1.');
  return Number(text);
}

/** Collects values for variables, each a path and a text. @throws {InvalidArgumentError} without both */
export function collectValue(text: string, before: readonly (readonly [string, string])[] = []): readonly (readonly [string, string])[] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Give a variable and its value, such as $context.brand=Acme.');
  return [...before, [text.slice(0, at), text.slice(at + 1)]];
}

/** The roles that accounts of the service may have. */
const roles = ['viewer', 'editor', 'publisher', 'operator', 'answerer', 'admin'];

/** Adds the flags that say what an account may do, and for which companies. */
export const withGrant = (command: Command): Command =>
  command
    .requiredOption('-r, --role <role>', `what it may do, more than once for several: ${roles.join(', ')}`, oneMoreRole)
    .option('-c, --company <id>', 'of which company, more than once for several', oneMoreText)
    .option('--all-companies', 'of every company that there is and will be');

function oneMoreRole(name: string, before: readonly string[] = []): readonly string[] {
  if (!roles.includes(name)) throw new InvalidArgumentError(`There are: ${roles.join(', ')}.`);
  return [...before, name];
}

const oneMoreText = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Reads permissions with commas between. @throws {InvalidArgumentError} for any that there is not */
export function readPermissions(text: string): readonly string[] {
  const given = text.split(',').map((one) => one.trim());
  if (!given.every((one) => ['view', 'edit', 'publish'].includes(one))) throw new InvalidArgumentError('There are: view, edit, publish.');
  return given;
}

/** The members of a union of texts, none left out. */
export function listKeys<Key extends string>(keys: Record<Key, true>): Key[] {
  return Object.keys(keys) as Key[];
}
