// What the errors of the WhatsApp Cloud API mean for a message.
import { getPath, type Json } from '@hilo/engine/contract';
import { errorMeaning } from '../meta/graph.ts';
import {
  type ProviderError,
  type ProviderErrors,
  rateLimited,
  refusedAs,
  templateIs,
  textAt,
  unauthorized,
  unavailable,
} from '../provider-answer.ts';

/** The codes of the WhatsApp Cloud API. */
const errors: ProviderErrors = {
  0: unauthorized, // AuthException
  3: unauthorized, // API Method
  10: unauthorized, // Permission Denied
  190: unauthorized, // access token has expired
  368: unauthorized, // temporarily blocked for policy violations
  131005: unauthorized, // access denied
  131031: unauthorized, // business account locked
  131037: unauthorized, // the display name of the number is not approved
  131042: unauthorized, // payment method of the business

  4: rateLimited,
  17: rateLimited,
  32: rateLimited,
  613: rateLimited,
  80007: rateLimited,
  80008: rateLimited, // calls for one business account
  133016: rateLimited,
  130429: rateLimited,
  131048: rateLimited, // spam rate limit
  131056: rateLimited, // too many messages to this one user
  132069: rateLimited, // flow throttled

  1: unavailable,
  2: unavailable,
  131000: unavailable,
  131016: unavailable, // service unavailable
  131057: unavailable, // account in maintenance
  133004: unavailable, // server temporarily unavailable
  131052: unavailable, // media of the user could not be downloaded

  33: refusedAs('BOT_NOT_FOUND'), // business phone number deleted
  131045: refusedAs('BOT_NOT_FOUND'), // phone number registered with another certificate
  133010: refusedAs('BOT_NOT_FOUND'), // phone number not registered

  100: refusedAs('INVALID_REQUEST'),
  '100/2494010': refusedAs('USER_NOT_FOUND'), // not on WhatsApp
  131008: refusedAs('INVALID_REQUEST'),
  131009: refusedAs('INVALID_REQUEST'),
  131051: refusedAs('INVALID_REQUEST'), // message type
  132068: refusedAs('INVALID_REQUEST'), // flow blocked

  131021: refusedAs('INVALID_USER_ID'), // sender and recipient are one
  131062: refusedAs('INVALID_USER_ID'), // a template that needs a phone number
  131026: refusedAs('USER_NOT_FOUND'), // undeliverable
  131030: refusedAs('USER_NOT_FOUND'), // not in the list of those whom a test number may write to
  131047: refusedAs('OUTSIDE_SESSION_WINDOW'),

  130497: refusedAs('NOT_DELIVERED'), // the business may not write to people of this country
  130472: refusedAs('NOT_DELIVERED'), // the user is part of an experiment of Meta
  131049: refusedAs('NOT_DELIVERED'), // held back to protect the user
  131050: refusedAs('NOT_DELIVERED'), // the user stopped marketing messages

  132000: refusedAs('INVALID_PARAMETERS'),
  132005: refusedAs('INVALID_PARAMETERS'),
  132007: refusedAs('INVALID_PARAMETERS'),
  132012: refusedAs('INVALID_PARAMETERS'),
  132018: refusedAs('INVALID_PARAMETERS'),
  132001: refusedAs('INVALID_TEMPLATE'),
  132015: templateIs('PAUSED'),
  132016: templateIs('DISABLED'),
};

/**
 * The meaning of an error of the WhatsApp Cloud API; errors of a failed status mean the same as those of a response.
 *
 * @param status - of the response; left out for a failed status
 * @returns `undefined` for an unknown code
 */
export function whatsappError(error: Json, status?: number): ProviderError | undefined {
  const code = getPath(error, ['code']);
  // Meta publishes two meanings of this code: with 404 there is no such template.
  if (code === 132_000 && status === 404) return refusedAs('INVALID_TEMPLATE');
  if (code === 131_053) return refusedAs(mediaCause(textAt(error, 'error_data', 'details') ?? ''));
  return errorMeaning(error, errors) ?? (isOfPermission(code) ? unauthorized : undefined);
}

/** Meta publishes the codes 200 to 299 as one: a permission was not granted or was removed. */
const isOfPermission = (code: Json | undefined): boolean => typeof code === 'number' && code >= 200 && code <= 299;

/** The provider has one code for files that it could not fetch, does not support, or finds too large: its details tell which. */
function mediaCause(details: string): string {
  if (/size|too (?:large|big)|exceed/i.test(details)) return 'MEDIA_TOO_LARGE';
  return /mime|unsupported|format/i.test(details) ? 'UNSUPPORTED_MEDIA_TYPE' : 'INVALID_MEDIA_URL';
}
