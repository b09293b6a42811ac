// The commands about the people of a company: bringing them in, exporting and erasing them, and campaigns to them.
import { Command } from 'commander';
import type { CampaignFlags, MakeFlags } from '../campaigns.ts';
import type { ContactFlags } from '../contacts.ts';
import type { ImportFlags } from '../import-contacts.ts';
import type { CompanyTemplateFlags, DeleteFlags, TemplateFlags, TemplateListFlags } from '../templates.ts';
import { pageLimit, withAdmin, withCompany } from './flags.ts';

const ofCompany = (name: string, summary: string): Command =>
  withCompany(
    withAdmin(new Command(name).summary(summary).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)),
    'of which company',
  ).option('--json', 'print what management answers, and nothing else');

/** `hilo contacts`. */
export function contactsCommand(): Command {
  const command = new Command('contacts')
    .summary('bring contacts in from a CSV, export and erase them')
    .description(
      'Brings contacts of a company in from a CSV, gives what is kept of a person as a file, and erases them: by the service that runs over the data directory, or in its store when none runs.',
    )
    .helpCommand(false);
  command.addCommand(
    ofCompany('import', 'bring contacts in from a CSV; the same file again changes nothing')
      .argument('<file>', 'a CSV in UTF-8 whose first line names the columns')
      .option('--map <pairs>', 'what the columns mean, such as phone=Celular,city=Ciudad; columns of the same names, when left out')
      .option('--dry-run', 'count, and write nothing')
      .addHelpText('after', '\nExit code: 0 when every row was imported, 1 when some were left out, 2 for wrong use.')
      .action(async function (this: Command, file: string, flags: ImportFlags) {
        const { importFile } = await import('../import-contacts.ts');
        await importFile(this, file, flags);
      }),
  );
  const ofContact = (name: string, summary: string): Command =>
    withAdmin(new Command(name).summary(summary).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`))
      .argument('<contact>', 'a contact: its id, phone:DIGITS, bsuid:ID or BOT:ID')
      .requiredOption('-c, --company <id>', 'the company of the contact'); // always named: an erasure has no way back
  command.addCommand(
    ofContact('export', 'export everything that is kept of a person, as one JSON file')
      .argument('[file]', 'where it goes; without it, to standard output')
      .option('--json', 'print { file } as JSON, where there is one')
      .action(async function (this: Command, contact: string, file: string | undefined, flags: ContactFlags) {
        const { exportContact } = await import('../contacts.ts');
        await exportContact(this, contact, file, flags);
      }),
  );
  command.addCommand(
    ofContact('erase', 'erase a person with all that is kept of them: there is no way back')
      .option('--json', 'print the job as JSON, and nothing else')
      .addHelpText('after', '\nExit code: 0 when nothing is left, 1 when not all of it was done, 2 for wrong use.')
      .action(async function (this: Command, contact: string, flags: ContactFlags) {
        const { eraseContact } = await import('../contacts.ts');
        await eraseContact(this, contact, flags);
      }),
  );
  return command;
}

/** `hilo campaigns`. */
export function campaignsCommand(): Command {
  const command = new Command('campaigns')
    .summary('make, pause and look back on campaigns')
    .description('Makes campaigns, pauses them, adds to them, and tells what became of their recipients.')
    .helpCommand(false);
  command.addCommand(
    ofCompany('list', 'the newest campaigns, with their counts').action(async function (this: Command, flags: CampaignFlags) {
      const { list } = await import('../campaigns.ts');
      await list(this, flags);
    }),
  );
  command.addCommand(
    ofCompany('make', 'make a campaign of a file of JSON: name, botId, templateId, audience, parameters')
      .argument('<file>', 'what POST …/campaigns takes')
      .option('--dry-run', 'count whom it would reach, and write nothing')
      .action(async function (this: Command, file: string, flags: MakeFlags) {
        const { make } = await import('../campaigns.ts');
        await make(this, file, flags);
      }),
  );
  command.addCommand(
    ofCompany('add', 'add recipients to a campaign that is SCHEDULED')
      .argument('<id>', 'the id of a campaign')
      .argument('<file>', 'a file of JSON with audience and parameters')
      .action(async function (this: Command, id: string, file: string, flags: CampaignFlags) {
        const { add } = await import('../campaigns.ts');
        await add(this, id, file, flags);
      }),
  );
  for (const [verb, summary] of [
    ['pause', 'send nothing more of a campaign until it is resumed'],
    ['resume', 'go on with a campaign that is paused'],
    ['cancel', 'cancel a campaign that is still SCHEDULED'],
  ] as const)
    command.addCommand(
      ofCompany(verb, summary)
        .argument('<id>', 'the id of a campaign')
        .action(async function (this: Command, id: string, flags: CampaignFlags) {
          const { step } = await import('../campaigns.ts');
          await step(this, id, verb, flags);
        }),
    );
  command.addCommand(
    ofCompany('report', 'what became of the recipients, counted')
      .argument('<id>', 'the id of a campaign')
      .action(async function (this: Command, id: string, flags: CampaignFlags) {
        const { report } = await import('../campaigns.ts');
        await report(this, id, flags);
      }),
  );
  command.addCommand(
    ofCompany('results', 'what became of each recipient, as CSV')
      .argument('<id>', 'the id of a campaign')
      .argument('[file]', 'where it goes; without it, to standard output')
      .action(async function (this: Command, id: string, file: string | undefined, flags: CampaignFlags) {
        const { results } = await import('../campaigns.ts');
        await results(this, id, file, flags);
      }),
  );
  return command;
}

/** `hilo templates`. */
export function templatesCommand(): Command {
  const command = new Command('templates')
    .summary('see, submit and delete templates of messages at their provider')
    .description(
      'Tells what providers say of the templates of a company: their status, category and quality. Brings them up to date, submits and deletes them.',
    )
    .helpCommand(false);
  command.addCommand(
    ofCompany('list', 'the templates with their status, category, quality and language')
      .option('--bot <id>', 'of one bot')
      .option('--status <status>', 'of one status, such as PAUSED')
      .option('-n, --limit <number>', 'how many: 1 to 200', pageLimit, 50)
      .option('--cursor <cursor>', 'the page that follows an earlier one')
      .action(async function (this: Command, flags: TemplateListFlags) {
        const { list } = await import('../templates.ts');
        await list(this, flags);
      }),
  );
  command.addCommand(
    withAdmin(
      new Command('sync')
        .summary('bring the templates of a bot up to date with its provider')
        .description('Brings the templates of a bot up to date with its provider, and adds those that the company does not have.')
        .argument('<bot>', 'the id of a bot'),
    )
      .option('--json', 'print what management answers, and nothing else')
      .action(async function (this: Command, bot: string, flags: TemplateFlags) {
        const { sync } = await import('../templates.ts');
        await sync(this, bot, flags);
      }),
  );
  command.addCommand(
    ofCompany('submit', 'submit a template of the company to the provider of its bot')
      .argument('<id>', 'the id of a template')
      .action(async function (this: Command, id: string, flags: CompanyTemplateFlags) {
        const { submit } = await import('../templates.ts');
        await submit(this, id, flags);
      }),
  );
  command.addCommand(
    ofCompany('delete', 'remove a template, and delete it at the provider of its bot')
      .argument('<id>', 'the id of a template')
      .option('--keep', 'leave it at the provider')
      .action(async function (this: Command, id: string, flags: DeleteFlags) {
        const { remove } = await import('../templates.ts');
        await remove(this, id, flags);
      }),
  );
  return command;
}
