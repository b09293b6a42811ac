// What a simulated company has of what canvases name: its templates, operators, teams and tags, found by the rules of the service.
import type { DriverContext, EffectDefinition } from '@hilo/engine/contract';
import {
  changedTags,
  type changeTags,
  chooseOperator,
  type Chosen,
  findTemplate,
  type SendableTemplate,
  type sendTemplate,
  type Wanted,
} from '@hilo/nodes/effects';

/** What canvases of a company find by name, as a workspace has it. */
export interface CompanyDirectory {
  readonly templates?: readonly SendableTemplate[];
  readonly teams?: readonly { readonly id: number; readonly name: string }[];
  /** The ids of each one's teams, and how many other users they attend now: none, when left out. */
  readonly operators?: readonly { readonly id: number; readonly teams: readonly number[]; readonly load?: number }[];
  readonly tags?: readonly { readonly id: number }[];
}

type RequestOf<Effect> = Effect extends EffectDefinition<string, infer Request, infer _> ? Request : never;

/** What the company has of what one node names. */
export interface FoundInCompany {
  /** The template that is sent. */
  template(
    request: RequestOf<typeof sendTemplate>,
    context: Pick<DriverContext, 'contact'>,
  ): { readonly kind: 'found'; readonly id: string } | { readonly kind: 'refused'; readonly cause: string; readonly message: string };
  /** The operator of a new conversation; one without an id where the company names none. */
  operator(wanted: Wanted): { readonly kind: 'chosen'; readonly operatorId: number | null } | Exclude<Chosen, { readonly kind: 'chosen' }>;
  /** Changes the tags of the user's room. */
  tags(
    change: RequestOf<typeof changeTags>,
    context: Pick<DriverContext, 'origin'>,
  ): { readonly kind: 'changed'; readonly tags: number[] } | { readonly kind: 'refused'; readonly cause: string; readonly message: string };
}

interface Whose {
  readonly bot?: { readonly id: string };
  readonly user?: { readonly id: string; readonly tags?: readonly number[] };
}

/** Finds things in a company; of a list that it leaves out, everything is found. */
export function findIn(
  { locale, directory = {} }: { readonly locale?: string; readonly directory?: CompanyDirectory } = {},
  { bot, user }: Whose = {},
): FoundInCompany {
  const { templates, operators, teams, tags } = directory;
  const rooms = new Map(user === undefined ? [] : [[user.id, user.tags ?? []]]);
  return {
    template({ templateId, parameters }, { contact }) {
      if (templates === undefined) return { kind: 'found', id: templateId };
      const ofCompany = { template: (id: string) => templates.find((one) => one.id === id), templates: () => templates };
      const found = findTemplate(ofCompany, { templateId, parameters, botId: bot?.id, locales: [contact?.locale, locale] });
      return found.kind === 'refused' ? found : { kind: 'found', id: found.template.id };
    },
    operator(wanted) {
      if (operators === undefined) return { kind: 'chosen', operatorId: wanted.operatorId ?? null };
      const load = new Map(operators.map((one) => [one.id, one.load ?? 0]));
      const named = new Map((teams ?? []).map(({ id, name }) => [id, name]));
      return chooseOperator({ operators, teams: named, load: (id) => load.get(id) ?? 0 }, wanted);
    },
    tags({ action, tags: given }, { origin: { userId = '' } }) {
      if (tags === undefined) return { kind: 'changed', tags: given };
      const next = changedTags(rooms.get(userId) ?? [], action, given).toSorted((left, right) => left - right);
      const unknown = next.filter((id) => !tags.some((tag) => tag.id === id));
      if (unknown.length > 0) return { kind: 'refused', cause: 'TAG_NOT_FOUND', message: `There is no tag ${unknown.join(', ')}` };
      rooms.set(userId, next);
      return { kind: 'changed', tags: [...next] };
    },
  };
}
