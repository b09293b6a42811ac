// What is said of a command that was used wrongly: one sentence, what was likely meant, and how the command is used.
import { findNearestName } from '@hilo/engine/contract';
import type { Command, CommanderError } from 'commander';

/** How a use is refused. */
export interface WrongUse {
  /** What is wrong, and what was likely meant. */
  readonly sentence: string;
  /** How the command is used, and where its options are described: the list of them would push the sentence out of sight. */
  readonly usage: string;
}

/** Describes a refusal of the command line. @param command - the command that refuses */
export function describeWrongUse({ message, code }: CommanderError, command: Command): WrongUse {
  const [sentence = '', ...more] = message.split('\n').map((line) => line.replace(/^\((Did you mean .*\?)\)$/, '$1'));
  const hint = code === 'commander.unknownCommand' ? describeCommands(sentence, command) : (describeChoice(sentence) ?? more);
  const what = command.commands.length > 0 ? 'lists its commands' : 'describes its options';
  return {
    sentence: [sentence, ...hint].join('\n'),
    usage: `Usage: ${command.createHelp().commandUsage(command)}\n"${nameOf(command)} --help" ${what}.`,
  };
}

/** What people write for a command, and what it is called here. */
const otherWords: { readonly [word: string]: readonly string[] | undefined } = {
  stop: ['cancel', 'pause', 'revoke'],
  kill: ['cancel'],
  abort: ['cancel'],
  ls: ['list'],
  get: ['show', 'list'],
  describe: ['show'],
  info: ['show'],
  view: ['show'],
  add: ['create', 'make', 'add'],
  new: ['create', 'make'],
  create: ['make', 'new'],
  remove: ['delete', 'revoke', 'erase'],
  rm: ['delete', 'revoke', 'erase'],
  delete: ['erase', 'revoke'],
  start: ['serve', 'resume', 'unpause'],
  up: ['serve'],
  lint: ['validate'],
  verify: ['validate'],
  deploy: ['import'],
  publish: ['import'],
  load: ['import'],
  dump: ['export'],
  chat: ['run'],
  simulate: ['run'],
  play: ['run'],
  send: ['say'],
  draw: ['render'],
  rollback: ['roll-back'],
};

/** The command that was likely meant, or those that there are; those of the program are too many for a sentence. */
function describeCommands(sentence: string, command: Command): readonly string[] {
  const [, given = ''] = /'([^']{1,60})'/.exec(sentence) ?? [];
  const names = command.commands.map((one) => one.name());
  const meant = otherWords[given.toLowerCase()]?.find((word) => names.includes(word)) ?? findNearestName(given, names);
  if (meant !== undefined) return [`Did you mean ${meant}?`];
  return command.parent === null ? [] : [`There are ${names.join(', ')}.`];
}

/** The choice that was likely meant; `undefined` where nothing was to be chosen, or no choice is near. */
function describeChoice(sentence: string): readonly string[] | undefined {
  const [, given = '', listed = ''] =
    /(?:argument|value) '([^']{1,60})' is invalid.{0,100}?(?:Allowed choices are|There are:) ([^.]{1,400})\.$/.exec(sentence) ?? [];
  const nearest = findNearestName(given, listed.split(', '));
  return listed === '' || nearest === undefined ? undefined : [`Did you mean ${nearest}?`];
}

/** `hilo executions list`. */
const nameOf = (command: Command): string => (command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`);
