// The data of the node `payment`.
import {
  formatPath,
  isExpression,
  isTemplate,
  type Json,
  type Path,
  Template,
  TimedDuration,
  ValueTemplate,
  VariablePath,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { orExpression } from '../json-schema.ts';
import { MessageTemplate } from '../message-config.ts';

/** The longest description that the page of a checkout shows. */
const maxDescriptionChars = 250;

/** The rule for a description, in words. */
export const descriptionRule = `The description of a payment has 1 to ${maxDescriptionChars} characters`;

export const isDescription = (text: string): boolean => text !== '' && text.length <= maxDescriptionChars;

export const PaymentConfig = z
  .strictObject({
    auth: z
      .strictObject({
        credentialId: z
          .string()
          .min(1)
          .max(128)
          .meta({ description: 'The id of a credential of the company', examples: ['stripe-acme'] }),
      })
      .optional()
      .meta({ description: 'The credential of the payment provider; without it the payment is a test and no money moves' }),
    amount: ValueTemplate.meta({
      description: 'The amount as an integer in the smallest unit of the currency: 1250 for 12.50',
      ...orExpression({ type: 'integer', minimum: 1 }),
    }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'A currency has the three capital letters of ISO 4217, such as MXN')
      .meta({ description: 'Three capital letters of ISO 4217, such as MXN', examples: ['MXN'] }),
    description: Template.refine(({ source }) => isTemplate(source) || isDescription(source.trim()), { error: descriptionRule }).meta({
      description: 'What the user pays for, as the checkout page shows it',
      examples: ['Order {{$context.order}}'],
    }),
    timeout: TimedDuration.prefault('PT24H').meta({ description: 'How long the node waits before it leaves by "expired"' }),
    message: MessageTemplate.optional().meta({
      description: 'The message that contains the link; the description with the link, when left out',
    }),
    saveAs: VariablePath.optional().meta({ description: 'Where the checkout is kept: checkoutId, url, amount, currency, status' }),
  })
  .superRefine(({ amount, message, saveAs }, context) => {
    const refuse = (field: string, text: string) => context.addIssue({ code: 'custom', path: [field], message: text });
    if (!isExpression(amount.source) && !isAmount(amount.source)) refuse('amount', amountRule);
    if (message === undefined) return;
    if (saveAs === undefined) refuse('saveAs', 'Name a variable here, such as $context.payment, so that the message can show its "url"');
    else if (!message.reads.some(({ path }) => isWithin(path, saveAs)))
      refuse('message', `The message shows no link: write {{${formatPath(saveAs)}.url}} in it`);
  })
  .transform(({ message, ...config }) => ({
    ...config,
    // The checkout is there when the message is made: nothing before the node has to write it.
    message: message === undefined ? undefined : dropReads(message, config.saveAs ?? []),
  }));
export type PaymentConfig = z.output<typeof PaymentConfig>;

/** The rule for an amount, in words. */
export const amountRule = 'An amount is a whole number above zero, in the smallest unit of the currency: 1250 for 12.50';

export const isAmount = (value: Json): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** Whether a path is this variable, or something in it. */
export const isWithin = (path: Path, variable: Path): boolean => variable.every((step, index) => path[index] === step);

const dropReads = (message: MessageTemplate, variable: Path): MessageTemplate =>
  Object.assign((...given: Parameters<MessageTemplate>) => message(...given), {
    ...message,
    reads: message.reads.filter(({ path }) => !isWithin(path, variable)),
  });
