/** The config of a question that asks for several values at once: a form. */
import { ValueTemplate } from '@hilo/engine/contract';
import { z } from 'zod';
import { Fields } from '../fields/field.ts';
import { isLonger } from '../messages/text.ts';

/** The most fields that a person fills in at once. */
const maxFields = 20;

/** The most bytes that the fields of a form have, and the values that are sent for them. */
export const maxFormBytes = 30_000;

/** Fields that a person can fill in. */
const FormFields = Fields.superRefine((fields, context) => {
  const count = Object.keys(fields).length;
  if (count === 0) context.addIssue('A form has at least one field: name it, and give it a type');
  if (count > maxFields) context.addIssue(`A form has at most ${maxFields} fields, and this one has ${count}`);
  if (isLonger(JSON.stringify(fields), maxFormBytes, 'bytes'))
    context.addIssue(`The fields have more than ${maxFormBytes} bytes: shorten their labels and options`);
  for (const [name, { type }] of Object.entries(fields))
    if (type === 'list')
      context.addIssue({
        code: 'custom',
        path: [name, 'type'],
        message: 'Nobody can fill in a list: ask for an "option" with "several", or for a text',
      });
});

/** A form: on WhatsApp and in the web chat filled in at once, elsewhere asked for field by field. */
export const FormInput = z.strictObject({
  kind: z.literal('form').meta({ description: 'Several values at once: a form of the channel, or a question for each field' }),
  fields: FormFields.meta({
    description: 'The fields by name, 1 to 20: what is kept has these names, in the types of the fields',
    examples: [{ age: { type: 'number', label: 'Your age' } }],
  }),
  exchange: z
    .strictObject({
      workflowId: z
        .string()
        .min(1)
        .meta({ description: 'The workflow, of kind "tool", that answers the screens', examples: ['slots'] }),
      context: ValueTemplate.optional().meta({
        description: 'What the workflow is given of this conversation, as $input.context',
        examples: [{ city: '{{$context.city}}' }],
      }),
    })
    .optional()
    .meta({ description: 'On WhatsApp, a workflow that answers the screens of the form while it is filled in' }),
  fallback: z.enum(['questions', 'refuse']).default('questions').meta({
    description: 'On a channel without forms: "questions" asks for each field in turn, "refuse" leaves by "error"',
  }),
});
export type FormInput = z.output<typeof FormInput>;
