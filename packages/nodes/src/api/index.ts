// The node `api`.
import { credentialsOf } from '../credential-kinds.ts';
import {
  type ConfigProblem,
  defineNode,
  durationMs,
  fail,
  formatPath,
  holdCapMs,
  type JsonTemplate,
  leave,
  perform,
  planDeadline,
} from '@hilo/engine/contract';
import { httpRequest } from '../effects/http-request.ts';
import { failUnreachable, holdUser, pickRetryAfter, readPlanHolder } from '../outside-call.ts';
import { ApiConfig, chooseBodyKind, mapResponse } from './config.ts';
import { renderRequest } from './request.ts';
import { namesAt } from '../names-at.ts';

/**
 * Calls an HTTP endpoint and keeps its answer, `{ status, headers, body }`, in a variable, also when the status is no success; of a success
 * it can keep parts in variables of their own. Its time-out is its own or the one of the company's plan, whichever is shorter (TMO rules);
 * both end the call by `error`, distinguished by the cause (TMO-08).
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
      'responseMapping.path': 'variable',
    },
  },
  facts: {
    needs: 'a public address, or one in `HILO_EGRESS_ALLOW`; credentials by id',
    limits:
      '60 s if unset; at most 10, 20 or 30 s by plan, except for enterprise companies and with a client certificate; an answer of 64 KB; a file of 10 MB from an address, of 25 MB by its handle or as the answer',
    holds: 'for its timeout, 60 s if unset',
  },
  ports: ['success'],
  optionalPorts: ['error'],
  effects: [httpRequest],
  risk: ({ method }) => (method === 'GET' ? 'read' : 'change'),
  run({ config, variables, hold: holdConfig }) {
    const { clientCertificate, timeout, saveAs, responseMapping = [], successStatuses } = config;
    const timeoutMs = timeout === undefined ? undefined : durationMs(timeout, variables);
    const rendered = renderRequest(config, variables);
    if (rendered.kind === 'refused') return fail(rendered.cause, rendered.message);

    const call = { node: 'api', configuredMs: timeoutMs, hasClientCertificate: clientCertificate !== undefined } as const;
    const deadline = planDeadline(readPlanHolder(variables), call);
    const { cause, appliedMs, limitMs, configuredMs } = deadline;
    const details = { limitMs, configuredMs, appliedMs };
    const hold = holdUser(holdConfig, holdCapMs('api', timeoutMs), variables);

    return perform(
      httpRequest({ ...rendered.request, timeoutMs: appliedMs }),
      (result) => {
        if (result.kind === 'unreachable') return failUnreachable(result, deadline);
        const { response } = result;
        const { status } = response;
        const writes = saveAs === undefined ? [] : [{ path: saveAs, value: response }];
        if (successStatuses?.includes(status) ?? (status >= 200 && status < 400)) {
          const mapped = mapResponse(responseMapping, response);
          return 'cause' in mapped ? leave('error', writes, { failure: mapped }) : leave('success', [...writes, ...mapped]);
        }
        const message = `The call was answered with status ${status}`;
        const failure = { cause: 'HTTP_STATUS', message, details: { status, ...pickRetryAfter(status, result) } };
        return leave('error', writes, { failure });
      },
      { deadline: { appliedMs, cause, details }, ...(hold !== undefined && { hold }) },
    );
  },
  writingFields: ['saveAs', 'responseMapping'],
  writes: ({ saveAs, responseMapping = [] }) => ({
    success: [...(saveAs === undefined ? [] : [saveAs]), ...responseMapping.map(({ path }) => path)].map(formatPath),
  }),
  shapes: ({ saveAs }) => namesAt(saveAs, ['status', 'headers', 'body']),
  references: ({ auth, clientCertificate }) => credentialsOf({ auth, clientCertificate }),
  check: (config) => (chooseBodyKind(config) === 'json' && isMixedText(config.body) ? [textAsJson] : []),
});

/** Whether a body is a text that is not one single expression. */
const isMixedText = (body: JsonTemplate | undefined): boolean => typeof body?.source === 'string' && !/^\{\{[^]*\}\}$/.test(body.source);

const textAsJson: ConfigProblem = {
  code: 'TEXT_AS_JSON',
  severity: 'warning',
  message: 'The body is a text, so it goes out as one JSON text, in quotes',
  hint: 'Write the body as JSON instead of a text that contains JSON, or set bodyKind to "text".',
  at: ['body'],
};
