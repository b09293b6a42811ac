import { Command } from 'commander';
import { painter } from './paint.ts';
import { printable } from './printable.ts';

/** Tokens of functions (TOK rules). There is no function yet that could have one. */
export function tokensCommand(): Command {
  const command = new Command('tokens')
    .summary('list and revoke runtime tokens of functions')
    .description('Runtime tokens of functions.')
    .helpCommand(false);
  command.addCommand(
    new Command('list')
      .description('Lists the runtime tokens of a function, never the tokens themselves.')
      .argument('[function]', 'the id of a function')
      .option('--json', 'print a list in JSON, and nothing else')
      .action((_function: string | undefined, { json }: { readonly json?: true }) => {
        process.stdout.write(json === true ? '[]\n' : `${painter(process.stdout)('dim', 'There are no functions yet.')}\n`);
      }),
  );
  command.addCommand(
    new Command('create')
      .description('Fails always: runtime tokens are deprecated (410 Gone). Functions are called with an API key.')
      .argument('[anything...]')
      .allowUnknownOption() // whatever is asked for: it is gone (TOK-02)
      .action(() => {
        throw new Error('410 Gone: runtime tokens can no longer be created; call functions with an API key');
      }),
  );
  command.addCommand(
    new Command('revoke')
      .description('Revokes a runtime token.')
      .argument('<token>', 'the id of a token')
      .action((token: string) => {
        throw new Error(`There is no token ${printable(token)}: there are no functions yet`);
      }),
  );
  return command;
}
