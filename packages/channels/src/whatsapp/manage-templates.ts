// The templates of a WhatsApp Business Account over the Graph API: listed page by page, made, and deleted in one language.
import { getPath, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { writeComponents } from './new-template.ts';
import type { ChannelCall, ChannelContext } from '../channel-adapter.ts';
import { isDialerError } from '@hilo/drivers';
import { errorText, graphUrl } from '../meta/graph.ts';
import { callProvider, classifyStatus, failedCall, isSuccess, listAt, nameAt, type ProviderAnswer } from '../provider-answer.ts';
import type { ListedTemplate, TemplateManagement, TemplatePage, TemplateRefusal } from '../template-change.ts';
import type { WhatsAppConfig } from './config.ts';
import { whatsappError } from './errors.ts';
import { maxReasonChars, wordAt } from './template-changes.ts';

type Context = Pick<ChannelContext<WhatsAppConfig, unknown>, 'config' | 'dialer'>;

/** Templates of a page, and what it may hold of bytes: one template has at most some kilobytes. */
const pageSize = 100;
const maxPageBytes = 4_194_304;

const fields = 'id,name,language,status,category,correct_category,rejected_reason,quality_score,components';

/** What the account of a bot can be asked. */
export const templateManagement: TemplateManagement<WhatsAppConfig, Context> = {
  accountField: 'businessAccountId',
  account: ({ businessAccountId }) => businessAccountId,
  async list(from, context) {
    const query = new URLSearchParams({ fields, limit: String(pageSize), ...(from !== undefined && { after: from }) });
    return ask(context, { method: 'GET', query }, ({ json }): TemplatePage | undefined => {
      if (!Array.isArray(getPath(json, ['data']))) return undefined;
      // The address of the next page is the provider's word for a call with our token: its cursor alone is taken.
      const next = getPath(json, ['paging', 'next']) === undefined ? undefined : nameAt(json, 'paging', 'cursors', 'after');
      return { templates: listAt(json, 'data').flatMap((one) => readListed(one) ?? []), next };
    });
  },
  create: (template, context) =>
    ask(
      context,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          name: template.elementName,
          language: template.language,
          category: template.category,
          ...writeComponents(template),
        }),
      },
      ({ json }) => {
        const providerId = nameAt(json, 'id');
        if (providerId === undefined) return undefined;
        const [status = 'PENDING', category = template.category] = [wordAt(json, 'status'), wordAt(json, 'category')];
        return { kind: 'created' as const, providerId, status, category };
      },
    ),
  async remove({ elementName, language, providerId }, context) {
    const found = providerId === undefined ? await findId({ elementName, language }, context) : { id: providerId };
    if ('kind' in found) return found;
    if (found.id === undefined) return { kind: 'removed' };
    const query = new URLSearchParams({ name: elementName, hsm_id: found.id });
    const removed = await ask(context, { method: 'DELETE', query }, ({ json }) =>
      getPath(json, ['success']) === true ? { kind: 'removed' as const } : undefined,
    );
    return removed.kind === 'refused' && removed.cause === 'TEMPLATE_NOT_FOUND' ? { kind: 'removed' } : removed;
  },
};

/** The id of one language of a template: a deletion without it deletes every language. */
async function findId(
  { elementName, language }: Pick<ListedTemplate, 'elementName' | 'language'>,
  context: Context,
): Promise<{ readonly id: string | undefined } | TemplateRefusal> {
  const query = new URLSearchParams({ fields: 'id,name,language', name: elementName, limit: String(pageSize) });
  return ask(context, { method: 'GET', query }, ({ json }) => {
    const data = getPath(json, ['data']);
    if (!Array.isArray(data)) return undefined;
    const one = listAt(json, 'data').find((each) => nameAt(each, 'name') === elementName && nameAt(each, 'language') === language);
    return { id: one === undefined ? undefined : nameAt(one, 'id') };
  });
}

function readListed(one: JsonObject): ListedTemplate | undefined {
  const [elementName, language, status] = [nameAt(one, 'name'), nameAt(one, 'language'), wordAt(one, 'status')];
  const [category, correct] = [wordAt(one, 'category'), wordAt(one, 'correct_category')];
  if (elementName === undefined || language === undefined || status === undefined || category === undefined) return undefined;
  const reason = nameAt(one, 'rejected_reason');
  return {
    elementName,
    language,
    providerId: nameAt(one, 'id'),
    status,
    reason: reason === undefined || reason === 'NONE' ? undefined : reason.slice(0, maxReasonChars),
    category,
    categoryToCome: correct === category ? undefined : correct,
    quality: wordAt(one, 'quality_score', 'score'),
    components: listAt(one, 'components'),
  };
}

type Asked = Pick<ChannelCall, 'method' | 'headers' | 'body'> & { readonly query?: URLSearchParams };

/** Asks the account. @param read - what an answer says; undefined where it says nothing that is understood */
async function ask<Answer>(
  { config: { baseUrl, apiVersion, businessAccountId = '', accessToken }, dialer }: Context,
  { method, headers = {}, body, query }: Asked,
  read: (answer: ProviderAnswer) => Answer | undefined,
): Promise<Answer | TemplateRefusal> {
  const address = `${graphUrl(baseUrl)}/${apiVersion}/${encodeURIComponent(businessAccountId)}/message_templates`;
  const url = query === undefined ? address : `${address}?${query.toString()}`;
  const call = {
    method,
    url,
    headers: { ...headers, authorization: `Bearer ${accessToken}` },
    maxBytes: maxPageBytes,
    ...(body !== undefined && { body }),
  };
  try {
    const answer = await callProvider(call, { dialer });
    const error = getPath(answer.json, ['error']);
    if (isJsonObject(error)) return describeError(error, answer);
    const said = isSuccess(answer) ? read(answer) : undefined;
    return said ?? refusal(classifyStatus(answer.status).cause, `it answered ${answer.status} with a body that is not understood`, method);
  } catch (error) {
    if (!isDialerError(error)) throw error;
    const { cause, message } = failedCall(error);
    return { kind: 'refused', cause, message, wasSent: error.wasSent && method !== 'GET' };
  }
}

function describeError(error: JsonObject, { status }: ProviderAnswer): TemplateRefusal {
  // Details for people are in fields of their own.
  const details = ['error_user_title', 'error_user_msg'].flatMap((name) => nameAt(error, name)?.slice(0, maxReasonChars) ?? []);
  const message = [errorText(error), ...details].join(': ').toWellFormed();
  const known = causeOf(error) ?? whatsappError(error, status)?.cause;
  const cause = known === undefined || known === 'BOT_NOT_FOUND' ? classifyStatus(status, { namesError: true }).cause : known;
  return { kind: 'refused', cause, message, wasSent: false };
}

/** Codes that mean something else here than for a message. */
function causeOf(error: Json): string | undefined {
  const subcode = getPath(error, ['error_subcode']);
  if (subcode === 2_388_024) return 'TEMPLATE_EXISTS';
  if (subcode === 2_593_002) return 'TEMPLATE_NOT_FOUND';
  return undefined;
}

const refusal = (cause: string, message: string, method: ChannelCall['method']): TemplateRefusal => ({
  kind: 'refused',
  cause,
  message,
  wasSent: method !== 'GET',
});
