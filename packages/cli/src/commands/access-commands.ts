// The commands that say who else may do what: users, tokens, and the key of the secrets.
import { Command } from 'commander';
import type { KeyFlags } from '../keys.ts';
import type { RevokeFlags, TokenFlags } from '../tokens.ts';
import type { GrantFlags, UserFlags } from '../users.ts';
import { withAdmin, withGrant } from './flags.ts';

/** `hilo users add`, `link`, `list` and `remove`. */
export function usersCommand(): Command {
  const command = new Command('users')
    .summary('say who else may log in, and what they may do')
    .description(
      'People who log in to the studio by a link, with roles and companies: by the service that runs over the data directory, or in its store when none runs.',
    )
    .helpCommand(false);
  const withFlags = (name: string, description: string): Command =>
    withAdmin(new Command(name).description(description)).option('--json', 'print what management answers, and nothing else');
  command.addCommand(
    withGrant(
      withFlags('add', 'Adds a user, or changes what one may do, and prints a link that logs them in, once, within 24 hours.').argument(
        '<name>',
        'the name of the user, as it is on record with what they do',
      ),
    ).action(async function (this: Command, name: string, flags: UserFlags & GrantFlags) {
      const { add } = await import('../users.ts');
      await add(this, name, flags);
    }),
  );
  command.addCommand(
    withFlags('link', 'Prints another link for a user: a session lasts twelve hours.')
      .argument('<name>', 'the name of a user')
      .action(async function (this: Command, name: string, flags: UserFlags) {
        const { link } = await import('../users.ts');
        await link(this, name, flags);
      }),
  );
  command.addCommand(
    withFlags('list', 'Lists users with their roles and companies.').action(async function (this: Command, flags: UserFlags) {
      const { list } = await import('../users.ts');
      await list(this, flags);
    }),
  );
  command.addCommand(
    withFlags('remove', 'Removes a user: what they have open is closed with the next request.')
      .argument('<name>', 'the name of a user')
      .action(async function (this: Command, name: string, flags: UserFlags) {
        const { remove } = await import('../users.ts');
        await remove(this, name, flags);
      }),
  );
  return command;
}

/** Admin tokens, and runtime tokens of functions (TOK rules). */
export function tokensCommand(): Command {
  const command = new Command('tokens')
    .summary('admin tokens, and runtime tokens of functions')
    .description(
      'Admin tokens, with roles and companies, and runtime tokens of functions: by the service that runs over the data directory, or in its store when none runs.',
    )
    .helpCommand(false);
  const withFlags = (name: string, description: string): Command =>
    withAdmin(new Command(name).description(description)).option('--json', 'print a list or a token in JSON, and nothing else');
  command.addCommand(
    withGrant(
      withFlags('add', 'Makes an admin token, which is printed this once: programs send it as Authorization: Bearer.').argument(
        '<name>',
        'what it is for, as it is on record with what is done by it',
      ),
    ).action(async function (this: Command, name: string, flags: TokenFlags & GrantFlags) {
      const { add } = await import('../admin-tokens.ts');
      await add(this, name, flags);
    }),
  );
  command.addCommand(
    withFlags('list', 'Lists runtime tokens of functions, or admin tokens, never the tokens themselves.')
      .argument('[function]', 'the id of a function; all, when left out')
      .option('--admin', 'admin tokens instead, with their roles and companies')
      .action(async function (this: Command, functionId: string | undefined, { admin, ...flags }: TokenFlags & { readonly admin?: true }) {
        if (admin === true) {
          if (functionId !== undefined) this.error('error: admin tokens are of no function: leave it out, or --admin');
          const { list } = await import('../admin-tokens.ts');
          return list(this, flags);
        }
        const { list } = await import('../tokens.ts');
        await list(this, functionId, flags);
      }),
  );
  command.addCommand(
    new Command('create')
      .description(
        'Fails always: runtime tokens of functions are deprecated (410 Gone). Functions are called with an API key; "add" makes an admin token.',
      )
      .argument('[anything...]', 'whatever it was called with before')
      .allowUnknownOption() // gone for every request (TOK-02)
      .action(() => {
        throw new Error('410 Gone: runtime tokens can no longer be created; call functions with an API key');
      }),
  );
  command.addCommand(
    withFlags('revoke', 'Revokes an admin token, or a runtime token, whose function is deployed again: it is refused from then on.')
      .argument('<token>', 'the id of a token')
      .option('-f, --function <id>', 'of which function; needed where several have a token of this id')
      .action(async function (this: Command, tokenId: string, flags: RevokeFlags) {
        const admin = await import('../admin-tokens.ts');
        if (flags.function === undefined && admin.isAdminTokenId(tokenId)) return admin.revoke(this, tokenId, flags);
        const { revoke } = await import('../tokens.ts');
        await revoke(this, tokenId, flags);
      }),
  );
  return command;
}

/** `hilo keys rotate`. */
export function keysCommand(): Command {
  const command = new Command('keys')
    .summary('rotate the key that encrypts secrets')
    .description('The key of the secrets: by the service that runs over the data directory, or in its store when none runs.')
    .helpCommand(false);
  command.addCommand(
    withAdmin(
      new Command('rotate').description(
        'Encrypts every secret with another key, while the service runs: a new one in the file secret.key, or that of HILO_SECRET_KEY with the one until now in HILO_SECRET_KEY_BEFORE. One that was cut off is completed.',
      ),
    )
      .option('--json', 'print what management answers, and nothing else')
      .action(async function (this: Command, flags: KeyFlags) {
        const { rotate } = await import('../keys.ts');
        await rotate(this, flags);
      }),
  );
  return command;
}
