import type { Refusal } from './refusal.ts';

/** The body of a 422 (ERR-01, ERR-05). Its `status` is 0 for a failure, and not the HTTP status. */
export const fullError = ({ message, fields, problems }: Pick<Refusal, 'message' | 'fields' | 'problems'>) => ({
  message: [message],
  statusMessage: 'failed',
  status: 0,
  error: {
    code: 'E0422',
    key: 'VALIDATOR_ERROR',
    description: 'Some values break a rule',
    developerMessages: inLanguages,
    clientMessages: inLanguages,
  },
  validationError: Object.fromEntries(Object.entries(fields).map(([field, texts]) => [field, texts.map((en) => ({ en }))])),
  ...(problems !== undefined && { problems }),
});

const inLanguages = {
  en: 'Some values are not valid: see validationError',
  es: 'Algunos valores no son válidos: vea validationError',
  pt: 'Alguns valores não são válidos: veja validationError',
};
