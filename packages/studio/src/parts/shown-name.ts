// How people are called on a page, by the names that the service has for operators.

/**
 * The name of an operator without the word that says what it is, and without the digest that keeps accounts of OpenID Connect apart:
 * `user ana+0123456789abcdef` is shown as `ana`. The record of acts shows the whole name.
 */
export const shownName = (name: string): string => name.replace(/^(?:operator|user|token) (?=.)/, '').replace(/(?<=.)\+[0-9a-f]{16}$/, '');
