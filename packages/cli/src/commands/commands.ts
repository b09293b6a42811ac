// The list of commands of `hilo`.
import type { Command } from 'commander';
import { keysCommand, tokensCommand, usersCommand } from './access-commands.ts';
import {
  auditCommand,
  channelsCommand,
  checkCommand,
  exportCommand,
  importCommand,
  mcpCommand,
  eventsCommand,
  jobsCommand,
  schedulesCommand,
  moveCommand,
  sayCommand,
  workflowsCommand,
} from './admin-commands.ts';
import {
  coverCommand,
  docsCommand,
  newCommand,
  renderCommand,
  runCommand,
  schemaCommand,
  testCommand,
  validateCommand,
} from './canvas-commands.ts';
import { executionsCommand, migrateCommand, replayCommand, upgradeCommand } from './execution-commands.ts';
import { campaignsCommand, contactsCommand, templatesCommand } from './people-commands.ts';
import { capacityCommand, devCommand, initCommand, serveCommand } from './service-commands.ts';

/**
 * Every command with its flags, in the order in which `hilo --help` lists them. An action loads its own file when it is called, so
 * that help and wrong usage load this folder alone.
 */
export const createCommands = (version: string): readonly Command[] => [
  initCommand(version),
  newCommand(),
  serveCommand(version),
  devCommand(),
  runCommand(),
  testCommand(),
  coverCommand(),
  validateCommand(),
  renderCommand(),
  schemaCommand(),
  checkCommand(),
  upgradeCommand(),
  importCommand(),
  exportCommand(),
  moveCommand(),
  sayCommand(),
  executionsCommand(),
  migrateCommand(),
  replayCommand(),
  jobsCommand(),
  eventsCommand(),
  schedulesCommand(),
  workflowsCommand(),
  contactsCommand(),
  campaignsCommand(),
  templatesCommand(),
  auditCommand(),
  usersCommand(),
  tokensCommand(),
  keysCommand(),
  channelsCommand(),
  capacityCommand(),
  mcpCommand(),
  docsCommand(),
];
