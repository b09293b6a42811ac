import type { Problem } from '@hilo/engine/contract';
import { workspaceProblem } from './problems.ts';
import type { WorkspaceCompany } from './schema.ts';

/** What an item of a company may name. */
export type Named = 'bot' | 'template' | 'team' | 'operator' | 'tag' | 'room' | 'conversation';

/** A name that must exist in the company. */
export interface NamedElsewhere {
  readonly kind: Named;
  readonly id: string | number;
  readonly at: readonly PropertyKey[];
}

/**
 * All that a company's items name, and the company itself does not bring: it may be kept already.
 *
 * @param ofUsers - the bots that its users name
 */
export function findUnresolved(
  company: WorkspaceCompany,
  ofUsers: readonly NamedElsewhere[],
  at: readonly PropertyKey[],
): readonly NamedElsewhere[] {
  const brought: { readonly [Kind in Named]: ReadonlySet<string | number> } = {
    bot: new Set(company.bots.map(({ id }) => id)),
    template: new Set(company.templates.map(({ id }) => id)),
    team: new Set(company.teams.map(({ id }) => id)),
    operator: new Set(company.operators.map(({ id }) => id)),
    tag: new Set(company.tags.map(({ id }) => id)),
    room: new Set(company.rooms.map(({ id }) => id)),
    conversation: new Set(company.conversations.map(({ _id }) => _id)),
  };
  const unresolved: NamedElsewhere[] = ofUsers.filter(({ kind, id }) => !brought[kind].has(id));
  const names = (kind: Named, id: string | number | undefined, ...path: readonly PropertyKey[]): void => {
    if (id !== undefined && !brought[kind].has(id)) unresolved.push({ kind, id, at: [...at, ...path] });
  };
  company.templates.forEach(({ botId }, index) => names('bot', botId, 'templates', index, 'botId'));
  company.campaigns.forEach(({ botId, templateId }, index) => {
    names('bot', botId, 'campaigns', index, 'botId');
    names('template', templateId, 'campaigns', index, 'templateId');
  });
  company.operators.forEach(({ teamIds }, index) =>
    teamIds.forEach((id, place) => names('team', id, 'operators', index, 'teamIds', place)),
  );
  company.tags.forEach(({ teams }, index) => teams.forEach((id, place) => names('team', id, 'tags', index, 'teams', place)));
  company.rooms.forEach(({ botId, tags }, index) => {
    names('bot', botId, 'rooms', index, 'botId');
    tags.forEach((id, place) => names('tag', id, 'rooms', index, 'tags', place));
  });
  company.conversations.forEach(({ botId, roomId, operatorId, childConversation, parentConversation }, index) => {
    names('bot', botId, 'conversations', index, 'botId');
    names('room', roomId, 'conversations', index, 'roomId');
    names('operator', operatorId, 'conversations', index, 'operatorId');
    names('conversation', childConversation, 'conversations', index, 'childConversation');
    names('conversation', parentConversation, 'conversations', index, 'parentConversation');
  });
  return unresolved;
}

/** Items of a company that contradict each other. */
export function findContradictions(
  { templates, campaigns, conversations }: WorkspaceCompany,
  at: readonly PropertyKey[],
): readonly Problem[] {
  const problems: Problem[] = [];
  const contradiction = (message: string, ...path: readonly PropertyKey[]): void =>
    void problems.push(workspaceProblem('CONTRADICTION', [...at, ...path], message));
  const templatesById = new Map(templates.map((template) => [template.id, template]));
  campaigns.forEach(({ templateId, botId, elementName }, index) => {
    const template = templatesById.get(templateId);
    if (template === undefined) return;
    if (template.botId !== botId) contradiction(`Template "${templateId}" is of bot "${template.botId}"`, 'campaigns', index, 'botId');
    if (template.elementName !== elementName)
      contradiction(`Template "${templateId}" has the element name "${template.elementName}"`, 'campaigns', index, 'elementName');
  });
  // A transfer is seen from both ends (CON-18).
  const conversationsById = new Map(conversations.map((conversation) => [conversation._id, conversation]));
  conversations.forEach(({ _id, state, childConversation, parentConversation }, index) => {
    if (childConversation !== undefined && state !== 'transferred')
      contradiction('A conversation with a child is "transferred"', 'conversations', index, 'state');
    const child = conversationsById.get(childConversation ?? '');
    if (child !== undefined && child.parentConversation !== _id)
      contradiction(`Conversation "${child._id}" does not name this one as its parent`, 'conversations', index, 'childConversation');
    const parent = conversationsById.get(parentConversation ?? '');
    if (parent !== undefined && parent.childConversation !== _id)
      contradiction(`Conversation "${parent._id}" does not name this one as its child`, 'conversations', index, 'parentConversation');
  });
  return problems;
}
