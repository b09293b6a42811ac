import { isExpression, isJsonObject, isTemplate, type Json, TimedDuration, ValueTemplate, VariablePath } from '@hilo/engine/contract';
import { z } from 'zod';
import { CallAddress, CredentialReference, HeaderName, HeaderValue } from '../api/config.ts';
import { PasswordType, SoapVersion } from '../effects/call-soap.ts';
import { elementsProblem, prefixProblem } from './xml-elements.ts';

const Namespaces = z.record(z.string(), z.string().min(1).max(2_000)).superRefine((namespaces, context) => {
  for (const prefix of Object.keys(namespaces)) {
    const problem = prefixProblem(prefix);
    if (problem !== undefined) context.addIssue({ code: 'custom', path: [prefix], message: problem });
  }
});

/** What a SOAP action must not have, in words. */
export const actionRule = 'An action has no quotes';

export const isAction = (text: string): boolean => !/["\\]/.test(text);
const Action = HeaderValue.refine(({ source }) => isTemplate(source) || isAction(source), { error: actionRule });

export const SoapConfig = z
  .strictObject({
    url: CallAddress,
    version: SoapVersion.default('1.1'),
    /** What the service calls the operation: `SOAPAction`, or with 1.2 a part of the content type. */
    action: Action.optional(),
    /** Prefixes with their namespaces. */
    namespaces: Namespaces.default({}),
    /** Elements of the envelope's header. */
    header: ValueTemplate.optional(),
    /** Elements of the envelope's body: mostly one, the operation. */
    body: ValueTemplate,
    /** Of HTTP. */
    headers: z.record(HeaderName, HeaderValue).default({}),
    auth: CredentialReference.optional(),
    clientCertificate: CredentialReference.optional(),
    /** A user's token in the envelope's header, by a credential with user name and password. */
    wsSecurity: CredentialReference.extend({ password: PasswordType.default('text') }).optional(),
    timeout: TimedDuration.optional(),
    saveAs: VariablePath.optional(),
  })
  .superRefine(({ namespaces, header, body }, context) => {
    for (const [field, template] of Object.entries({ header, body })) {
      const { source } = template ?? {};
      if (source === undefined || isExpression(source)) continue; // it may yet become elements
      const problem = partProblem(field, source, namespaces);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: [field], message: problem });
    }
  });
export type SoapConfig = z.output<typeof SoapConfig>;

/** What keeps a part of the envelope from being written, or `undefined`. */
export const partProblem = (field: string, part: Json, namespaces: { readonly [prefix: string]: string }): string | undefined =>
  isJsonObject(part) ? elementsProblem(part, namespaces) : `The ${field} is an object of elements, not a text of XML or a list`;
