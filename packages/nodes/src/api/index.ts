import {
  type ConfigProblem,
  defineNode,
  fail,
  formatPath,
  holdCapMs,
  type JsonTemplate,
  leave,
  perform,
  type PlanDeadline,
  type PlanHolder,
  planDeadline,
  type Variables,
} from '@hilo/engine/contract';
import { httpRequest } from '../effects/http-request.ts';
import { holdUser } from '../hold.ts';
import { ApiConfig, bodyKindOf } from './config.ts';
import { renderRequest } from './request.ts';

/**
 * Calls an HTTP endpoint and keeps its answer, `{ status, headers, body }`, in a variable, also when the status is no
 * success. Its time-out is its own or the one of the company's plan, whichever is shorter (TMO rules); both end the call
 * by `error`, told apart by the cause (TMO-08).
 */
export const api = defineNode({
  type: 'api',
  config: ApiConfig,
  visual: {
    label: 'API',
    category: 'integration',
    icon: 'globe',
    colour: '#0d9488',
    description: 'Calls another system over HTTP and keeps its answer.',
    summary: ({ method = 'GET', url }) => `${method} ${url ?? ''}`,
    formHints: {
      url: 'expression',
      query: 'expression',
      headers: 'expression',
      body: 'expression',
      'auth.credentialId': 'credential',
      'clientCertificate.credentialId': 'credential',
      timeout: 'duration',
      saveAs: 'variable',
    },
  },
  ports: ['success'],
  optionalPorts: ['error'],
  run({ config, variables, hold: holdConfig }) {
    const { clientCertificate, timeout, saveAs, successStatuses } = config;
    const rendered = renderRequest(config, variables);
    if (rendered.kind === 'refused') return fail(rendered.cause, rendered.message);

    const call = { node: 'api', configuredMs: timeout, hasClientCertificate: clientCertificate !== undefined } as const;
    const deadline = planDeadline(planHolder(variables), call);
    const { cause, appliedMs, limitMs, configuredMs } = deadline;
    const details = { limitMs, configuredMs, appliedMs };
    const hold = holdUser(holdConfig, holdCapMs('api', timeout), variables);

    return perform(
      httpRequest({ ...rendered.request, timeoutMs: Math.ceil(appliedMs) }),
      (result) => {
        if (result.kind === 'unreachable') {
          const { reason, message, outcome, retryAfterMs } = result;
          const known = { ...(outcome !== undefined && { outcome }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
          if (reason === 'timeout') return fail(cause, cutMessage(deadline), { ...details, ...known });
          return fail('HTTP_UNREACHABLE', message ?? reasons[reason], { reason, ...known });
        }
        const { response } = result;
        const { status } = response;
        const writes = saveAs === undefined ? [] : [{ path: saveAs, value: response }];
        if (successStatuses?.includes(status) ?? (status >= 200 && status < 400)) return leave('success', writes);
        const failure = { cause: 'HTTP_STATUS', message: `The call was answered with status ${status}`, details: { status } };
        return leave('error', writes, { failure });
      },
      { deadline: { appliedMs, cause, details }, ...(hold !== undefined && { hold }) },
    );
  },
  writes: ({ saveAs }) => ({ success: saveAs === undefined ? [] : [formatPath(saveAs)] }),
  references: ({ auth, clientCertificate }) =>
    Object.entries({ auth, clientCertificate }).flatMap(([field, reference]) =>
      reference === undefined ? [] : [{ kind: 'credential', id: reference.credentialId, at: [field, 'credentialId'] }],
    ),
  check: (config) => (bodyKindOf(config) === 'json' && isMixedText(config.body) ? [textAsJson] : []),
});

/** Who the plan rules see. Without a company, as where the engine is embedded, no plan limits anything. */
function planHolder(variables: Variables): PlanHolder {
  if (variables.get(['$company']) === undefined) return { plan: '', kind: 'enterprise' };
  const textAt = (name: string): string => {
    const value = variables.get(['$company', name]);
    return typeof value === 'string' ? value : '';
  };
  return { plan: textAt('plan'), kind: textAt('kind') };
}

const cutMessage = ({ cause, appliedMs }: PlanDeadline): string =>
  cause === 'PLAN_TIMEOUT_EXCEEDED'
    ? `The call was ended after ${appliedMs} ms, which is all that the company's plan allows`
    : `The call was not answered within ${appliedMs} ms`;

const reasons = {
  'invalid-url': 'The address is not a valid URL',
  refused: 'The address did not take the call',
  blocked: 'The address is not one that a canvas may reach',
  'too-large': 'The answer is longer than is read',
};

/** Whether a body is a text that is not one single expression. */
const isMixedText = (body: JsonTemplate | undefined): boolean => typeof body?.source === 'string' && !/^\{\{[^]*\}\}$/.test(body.source);

const textAsJson: ConfigProblem = {
  code: 'TEXT_AS_JSON',
  severity: 'warning',
  message: 'The body is a text, so it goes out as one JSON text, in quotes',
  hint: 'Write the body as JSON instead of a text that holds JSON, or set bodyKind to "text".',
  at: ['body'],
};
