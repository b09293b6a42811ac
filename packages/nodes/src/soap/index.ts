// The node `soap`.
import { credentialsOf } from '../credential-kinds.ts';
import {
  defineNode,
  durationMs,
  fail,
  formatPath,
  holdCapMs,
  isJsonObject,
  leave,
  perform,
  planDeadline,
  type Variables,
} from '@hilo/engine/contract';
import type { z } from 'zod';
import { findBrokenHeader } from '../api/request.ts';
import { callSoap } from '../effects/call-soap.ts';
import { failUnreachable, holdUser, pickRetryAfter, readPlanHolder } from '../outside-call.ts';
import { renderFields } from '../render-fields.ts';
import { actionRule, isAction, partProblem, SoapConfig } from './config.ts';
import { namesAt } from '../names-at.ts';

/**
 * Calls a SOAP service and keeps its answer, `{ status, headers, body }`, in a variable, also when it is a fault. It is an
 * `api` call in all else: the same way out, and the same time-outs of the plan (TMO-05).
 */
export const soap = defineNode({
  type: 'soap',
  config: SoapConfig,
  visual: {
    label: 'SOAP',
    category: 'integration',
    icon: 'file-code-2',
    colour: '#0d9488',
    description: 'Calls a SOAP service and keeps its answer.',
    summary: ({ action, url }) => `${action ?? ''} ${url ?? ''}`.trim(),
    formHints: {
      url: 'expression',
      action: 'expression',
      header: 'expression',
      body: 'expression',
      headers: 'expression',
      'auth.credentialId': 'credential',
      'clientCertificate.credentialId': 'credential',
      'wsSecurity.credentialId': 'credential',
      timeout: 'duration',
      saveAs: 'variable',
    },
  },
  facts: {
    needs: 'a public address, or one in `HILO_EGRESS_ALLOW`; credentials by id',
    limits:
      '60 s if unset; at most 10, 20 or 30 s by plan, except for enterprise companies and with a client certificate; an answer of 256 KB of XML without a document type, 64 KB as JSON',
    holds: 'for its timeout, 60 s if unset',
  },
  ports: ['success'],
  optionalPorts: ['error'],
  effects: [callSoap],
  risk: () => 'change',
  run({ config, variables, hold: holdConfig }) {
    const { clientCertificate, timeout, saveAs } = config;
    const timeoutMs = timeout === undefined ? undefined : durationMs(timeout, variables);
    const rendered = renderRequest(config, variables);
    if (rendered.kind === 'refused') return fail(rendered.cause, rendered.message);

    const call = { node: 'soap', configuredMs: timeoutMs, hasClientCertificate: clientCertificate !== undefined } as const;
    const deadline = planDeadline(readPlanHolder(variables), call);
    const { cause, appliedMs, limitMs, configuredMs } = deadline;
    const hold = holdUser(holdConfig, holdCapMs('soap', timeoutMs), variables);

    return perform(
      callSoap({ ...rendered.request, timeoutMs: appliedMs }),
      (result) => {
        if (result.kind === 'unreachable') return failUnreachable(result, deadline);
        if (result.kind === 'invalid') {
          const { status, reason, message } = result;
          const isAnswerOfHttp = reason === 'not-xml' && status >= 400;
          return isAnswerOfHttp
            ? fail('HTTP_STATUS', `The call was answered with status ${status}`, { status, ...pickRetryAfter(status, result) })
            : fail('SOAP_ANSWER_INVALID', message, { status, reason, ...pickRetryAfter(status, result) });
        }
        const { response } = result;
        const { status } = response;
        const writes = saveAs === undefined ? [] : [{ path: saveAs, value: response }];
        if (result.kind === 'fault') {
          const { message, ...details } = result.fault;
          return leave('error', writes, {
            failure: { cause: 'SOAP_FAULT', message, details: { status, ...details, ...pickRetryAfter(status, result) } },
          });
        }
        if (status < 400) return leave('success', writes);
        return leave('error', writes, {
          failure: {
            cause: 'HTTP_STATUS',
            message: `The call was answered with status ${status}`,
            details: { status, ...pickRetryAfter(status, result) },
          },
        });
      },
      { deadline: { appliedMs, cause, details: { limitMs, configuredMs, appliedMs } }, ...(hold !== undefined && { hold }) },
    );
  },
  writingFields: ['saveAs'],
  writes: ({ saveAs }) => ({ success: saveAs === undefined ? [] : [formatPath(saveAs)] }),
  shapes: ({ saveAs }) => namesAt(saveAs, ['status', 'headers', 'body']),
  references: ({ auth, clientCertificate, wsSecurity }) => credentialsOf({ auth, clientCertificate, wsSecurity }),
});

/** A call with all of its values, or why it cannot be made. */
type Rendered =
  | { readonly kind: 'request'; readonly request: Omit<z.output<typeof callSoap.request>, 'timeoutMs'> }
  | { readonly kind: 'refused'; readonly cause: string; readonly message: string };

function renderRequest(config: SoapConfig, variables: Variables): Rendered {
  const { version, namespaces, auth, clientCertificate, wsSecurity } = config;
  const headers = renderFields(config.headers, variables);
  const action = config.action?.(variables) ?? '';
  const broken = findBrokenHeader({ ...headers, SOAPAction: action }) ?? (isAction(action) ? undefined : actionRule);
  if (broken !== undefined) return { kind: 'refused', cause: 'INVALID_HEADER', message: broken };

  const header = config.header?.(variables);
  const body = config.body(variables);
  const problem = partProblem('body', body, namespaces) ?? (header === undefined ? undefined : partProblem('header', header, namespaces));
  if (problem !== undefined) return { kind: 'refused', cause: 'INVALID_BODY', message: problem };

  return {
    kind: 'request',
    request: {
      url: config.url(variables),
      version,
      action,
      headers,
      namespaces,
      ...(isJsonObject(header) && { header }),
      body: isJsonObject(body) ? body : {},
      ...(auth !== undefined && { credentialId: auth.credentialId }),
      ...(clientCertificate !== undefined && { clientCertificateId: clientCertificate.credentialId }),
      ...(wsSecurity !== undefined && { wsSecurity }),
    },
  };
}
