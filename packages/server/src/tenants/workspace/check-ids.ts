import type { Problem } from '@hilo/engine/contract';
import { workspaceProblem } from './problems.ts';
import type { Workspace, WorkspaceCompany } from './workspace.ts';

/** What must be given once only. Users are looked at where they are read. */
export function checkIds({ companies }: Workspace): readonly Problem[] {
  const problems: Problem[] = [];
  const everywhere = uniqueness(problems);
  companies.forEach((company, index) => {
    const at = ['companies', index];
    const here = uniqueness(problems);
    everywhere('company', company.id, [...at, 'id']);
    for (const [kind, id] of idsInCompany)
      company[kind].forEach((item, place) => here(kind, id(item), [...at, kind, place, kind === 'conversations' ? '_id' : 'id']));
    company.bots.forEach(({ id }, place) => everywhere('bot', id, [...at, 'bots', place, 'id']));
    company.clients.forEach(({ clientId }, place) => everywhere('client', clientId, [...at, 'clients', place, 'clientId']));
    company.apiKeys.forEach(({ key }, place) => everywhere('API key', key, [...at, 'apiKeys', place, 'key'], true));
    company.functions.forEach(({ id, runtimeTokens }, place) => {
      everywhere('function', id, [...at, 'functions', place, 'id']);
      const ofFunction = uniqueness(problems);
      runtimeTokens.forEach((token, number) => {
        const tokenAt = [...at, 'functions', place, 'runtimeTokens', number];
        ofFunction('runtime token', token.id, [...tokenAt, 'id']);
        everywhere('runtime token', token.token, [...tokenAt, 'token'], true);
      });
    });
    company.campaigns.forEach(({ recipients }, place) => {
      const ofCampaign = uniqueness(problems);
      recipients.forEach(({ userId }, number) =>
        ofCampaign('recipient', userId, [...at, 'campaigns', place, 'recipients', number, 'userId']),
      );
    });
  });
  return problems;
}

type ListWithIds = 'apiKeys' | 'templates' | 'campaigns' | 'teams' | 'operators' | 'tags' | 'rooms' | 'conversations' | 'credentials';

const idOf = (item: WorkspaceCompany[ListWithIds][number]): string | number => ('_id' in item ? item._id : item.id);

const lists = ['apiKeys', 'templates', 'campaigns', 'teams', 'operators', 'tags', 'rooms', 'conversations', 'credentials'] as const;

/** Lists whose items have an id of their own inside the company. */
const idsInCompany = lists.map((kind) => [kind, idOf] as const);

/** Reports every second use. A secret is not repeated in what is told. */
function uniqueness(problems: Problem[]) {
  const seen = new Set<string>();
  return (kind: string, id: string | number | undefined, at: readonly PropertyKey[], isSecret = false): void => {
    if (id === undefined) return;
    const name = JSON.stringify([kind, id]);
    if (seen.has(name))
      problems.push(workspaceProblem('DUPLICATE_ID', at, isSecret ? `This ${kind} is given twice` : `There is a second "${id}"`));
    seen.add(name);
  };
}
