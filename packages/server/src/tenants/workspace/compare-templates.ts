// APPROVED in a workspace is a claim: an import compares it with what the provider says, and a difference is a warning.
import { type Problem, pointer } from '@hilo/engine/contract';
import type { Runner } from '@hilo/stores';
import { type MessageTemplate, templatesWithReports, withReport } from '../template-status.ts';
import type { WorkspaceCompany } from './schema.ts';

/** What came of asking a provider: nothing where it has no interface for templates, or the bot names no account. */
export type AskTemplates = (companyId: string, botId: string) => Promise<'asked' | 'nobody' | { readonly refused: string }>;

interface ComparingParts {
  readonly store: { readonly runner: Pick<Runner, 'read'> };
  readonly askTemplates?: AskTemplates;
}

/** A company of a file. */
interface GivenCompany {
  readonly companyId: string;
  readonly index: number;
  readonly company: Pick<WorkspaceCompany, 'templates' | 'bots'>;
}

/** Compares what a workspace claims with what providers have said, and asks those that have not said anything yet. */
export async function compareTemplates(parts: ComparingParts, companies: readonly GivenCompany[]): Promise<readonly Problem[]> {
  const warnings = await Promise.all(companies.map(async (one) => compareCompany(parts, one)));
  return warnings.flat();
}

async function compareCompany({ store: { runner }, askTemplates }: ComparingParts, { companyId, index, company }: GivenCompany) {
  const claimed = company.templates.flatMap((one, place) => (one.status === 'APPROVED' ? [{ ...one, place }] : []));
  if (claimed.length === 0) return [];
  const at = (...path: readonly PropertyKey[]) => ['companies', index, ...path];
  const readNow = async (): Promise<ReadonlyMap<string, MessageTemplate>> =>
    new Map((await runner.read(templatesWithReports({ companyId }))).map(({ reported, ...one }) => [one.id, withReport(one, reported)]));
  const before = await readNow();
  const unknown = new Set(claimed.flatMap(({ id, botId }) => (before.get(id)?.reported === undefined ? [botId] : [])));
  const answers = new Map<string, Awaited<ReturnType<AskTemplates>>>();
  for (const botId of askTemplates === undefined ? [] : unknown) answers.set(botId, (await askTemplates?.(companyId, botId)) ?? 'nobody');
  const now = [...answers.values()].includes('asked') ? await readNow() : before;

  const warnings: Problem[] = [];
  for (const [botId, answer] of answers) {
    const place = company.bots.findIndex(({ id }) => id === botId);
    if (typeof answer !== 'object') continue;
    const message = `The templates of bot "${botId}" could not be compared with those of its provider: ${answer.refused}`;
    warnings.push(warn('TEMPLATES_NOT_COMPARED', place === -1 ? at() : at('bots', place), message));
  }
  for (const { id, botId, elementName, language, category, place } of claimed) {
    const template = now.get(id);
    const difference =
      template?.reported === undefined
        ? answers.get(botId) === 'asked'
          ? `its provider has no template "${elementName}" in ${language}`
          : undefined
        : describeDifference(template, category);
    if (difference !== undefined)
      warnings.push(warn('TEMPLATE_DIFFERS', at('templates', place), `Template "${id}" is not as the file claims: ${difference}`));
  }
  return warnings;
}

function describeDifference({ status, category, reported }: MessageTemplate, claimedCategory: string): string | undefined {
  const reason = reported?.status?.reason === undefined ? '' : ` (${reported.status.reason})`;
  const differences = [
    ...(status === 'APPROVED' ? [] : [`it is ${status}${reason} and not APPROVED`]),
    ...(category === claimedCategory ? [] : [`it is ${category} and not ${claimedCategory}`]),
  ];
  return differences.length === 0 ? undefined : differences.join(', and ');
}

const hints = {
  TEMPLATE_DIFFERS: 'What its provider says counts. Change the file, or the template at the provider; `hilo templates list` shows each.',
  TEMPLATES_NOT_COMPARED: 'Mend what it says and run `hilo templates sync BOT`; until then what the file claims counts.',
} as const;

const warn = (code: keyof typeof hints, at: readonly PropertyKey[], message: string): Problem => ({
  code,
  severity: 'warning',
  pointer: pointer(at),
  message,
  hint: hints[code],
});
