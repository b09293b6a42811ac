// The security header of a SOAP envelope.
import { createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from '@hilo/engine/contract';
import type { callSoap } from '@hilo/nodes/effects';
import type { z } from 'zod';
import { DriverError, type HttpCredential } from '@hilo/drivers';

const extensions = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd';
const utilities = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd';
const tokens = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0';
const base64 = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary';

type Request = z.output<typeof callSoap.request>;

/**
 * The user token of an envelope (WS-Security UsernameToken Profile 1.1). Nonce and time are new at every attempt: a service accepts each
 * only once.
 *
 * @throws {DriverError} when the credential has no user name and password
 */
export function securityHeader(
  { credentialId, password }: NonNullable<Request['wsSecurity']>,
  credential: HttpCredential,
  { version, nowMs }: { readonly version: Request['version']; readonly nowMs: number },
): JsonObject {
  if (credential.kind !== 'basic') {
    throw new DriverError('CREDENTIAL_INVALID', `The credential "${credentialId}" has no user name and password: use one of kind basic`);
  }
  const nonce = randomBytes(16);
  const created = new Date(nowMs).toISOString();
  const secret =
    password === 'text'
      ? credential.password
      : createHash('sha1').update(nonce).update(created).update(credential.password).digest('base64');
  return {
    'wsse:Security': {
      '@xmlns:wsse': extensions,
      '@xmlns:wsu': utilities,
      '@soap:mustUnderstand': version === '1.1' ? '1' : 'true',
      'wsse:UsernameToken': {
        'wsse:Username': credential.username,
        'wsse:Password': { '@Type': `${tokens}#Password${password === 'text' ? 'Text' : 'Digest'}`, '#text': secret },
        'wsse:Nonce': { '@EncodingType': base64, '#text': nonce.toString('base64') },
        'wsu:Created': created,
      },
    },
  };
}
