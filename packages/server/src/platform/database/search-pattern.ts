/**
 * How what a person types into a search is looked for: as a part of a text, and a phone number as its digits, however it is written. Two spellings of
 * one number, as those of Mexico and Brazil, have the country and the last eight digits in common.
 */
import { encodeText } from '@hilo/stores';

/**
 * The pattern of a `like` that finds a text in lower case.
 *
 * @param escape - the sign with which the statement escapes
 */
export function searchPattern(text: string, escape: '!' | '\\'): string {
  const digits = asPhone.test(text.trim()) ? text.replace(/\D/g, '').replace(/^00/, '') : '';
  if (digits.length >= 7 && digits.length <= 10) return `%${digits}%`;
  if (digits.length > 10) return `%${digits.slice(0, 2)}%${digits.slice(-8)}%`;
  const sought = encodeText(text.toLowerCase());
  return `%${Array.from(sought, (sign) => (sign === '%' || sign === '_' || sign === escape ? `${escape}${sign}` : sign)).join('')}%`;
}

/** With a plus, blanks or brackets; days and codes, which have hyphens and points alone, are texts. Digits alone are a number where it is whole. */
const asPhone = /^(?=[^ ()]{0,30}[ ()+]|\d{11,15}$|\d{3}-\d{3}-\d{3,4}$)\+?[\d ().-]{7,30}$/;
