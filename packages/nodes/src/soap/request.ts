import { isJsonObject, type Variables } from '@hilo/engine/contract';
import type { z } from 'zod';
import { brokenHeader, textsOf } from '../api/request.ts';
import type { callSoap } from '../effects/call-soap.ts';
import { actionRule, isAction, partProblem, type SoapConfig } from './config.ts';

/** A call with all of its values, or why it cannot be made. */
type Rendered =
  | { readonly kind: 'request'; readonly request: Omit<z.output<typeof callSoap.request>, 'timeoutMs'> }
  | { readonly kind: 'refused'; readonly cause: string; readonly message: string };

export function renderRequest(config: SoapConfig, variables: Variables): Rendered {
  const { version, namespaces, auth, clientCertificate, wsSecurity } = config;
  const headers = textsOf(config.headers, variables);
  const action = config.action?.(variables) ?? '';
  const broken = brokenHeader({ ...headers, SOAPAction: action }) ?? (isAction(action) ? undefined : actionRule);
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
