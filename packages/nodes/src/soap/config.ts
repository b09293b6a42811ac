// The data of the node `soap`.
import { isExpression, isJsonObject, isTemplate, type Json, TimedDuration, ValueTemplate, VariablePath } from '@hilo/engine/contract';
import { z } from 'zod';
import { CallAddress, CredentialReference, HeaderName, HeaderValue } from '../api/config.ts';
import { orExpression } from '../json-schema.ts';
import { PasswordType, SoapVersion } from '../effects/call-soap.ts';
import { elementsProblem, prefixProblem } from './xml-elements.ts';

const Namespaces = z.record(z.string(), z.string().min(1).max(2_000)).superRefine((namespaces, context) => {
  for (const prefix of Object.keys(namespaces)) {
    const problem = prefixProblem(prefix);
    if (problem !== undefined) context.addIssue({ code: 'custom', path: [prefix], message: problem });
  }
});

/** What a SOAP action must not contain, in words. */
export const actionRule = 'An action has no quotes';

export const isAction = (text: string): boolean => !/["\\]/.test(text);
const Action = HeaderValue.refine(({ source }) => isTemplate(source) || isAction(source), { error: actionRule });

export const SoapConfig = z
  .strictObject({
    url: CallAddress.meta({
      description: 'The address of the service; behind the host, the value of an expression is percent-encoded',
      examples: ['https://rates.example.com/service.asmx'],
    }),
    version: SoapVersion.default('1.1').meta({ description: 'The version of SOAP' }),
    action: Action.optional().meta({ description: 'The name of the operation in the service', examples: ['http://tempuri.org/Add'] }),
    namespaces: Namespaces.default({}).meta({ description: 'Prefixes with their namespaces' }),
    header: ValueTemplate.meta(orExpression({ type: 'object' }))
      .optional()
      .meta({ description: 'Elements of the header of the envelope, by name' }),
    body: ValueTemplate.meta({
      description: 'Elements of the body of the envelope: mostly one, the operation',
      ...orExpression({ type: 'object' }),
    }),
    headers: z.record(HeaderName, HeaderValue).default({}).meta({ description: 'Headers of HTTP, by name' }),
    auth: CredentialReference.optional().meta({ description: 'The credential of the company that the call is made with' }),
    clientCertificate: CredentialReference.optional().meta({ description: 'The credential with the client certificate of the call' }),
    wsSecurity: CredentialReference.extend({
      password: PasswordType.default('text').meta({ description: 'Whether the password is sent as text or as a digest' }),
    })
      .optional()
      .meta({ description: 'A user token in the header of the envelope, from a credential with user name and password' }),
    timeout: TimedDuration.optional().meta({ description: 'How long the call may take in all' }),
    saveAs: VariablePath.optional().meta({ description: 'Where the answer is kept: status, headers and body' }),
  })
  .superRefine(({ namespaces, header, body }, context) => {
    for (const [field, template] of Object.entries({ header, body })) {
      const { source } = template ?? {};
      if (source === undefined || isExpression(source)) continue; // checked when it is rendered
      const problem = partProblem(field, source, namespaces);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: [field], message: problem });
    }
  });
export type SoapConfig = z.output<typeof SoapConfig>;

/** Why a part of the envelope cannot be written, or `undefined`. */
export const partProblem = (field: string, part: Json, namespaces: { readonly [prefix: string]: string }): string | undefined =>
  isJsonObject(part) ? elementsProblem(part, namespaces) : `The ${field} is an object of elements, not a text of XML or a list`;
