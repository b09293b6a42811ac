/** Fields: typed values with names, as tools take them, exits of an agent give them and forms ask for them. */
import { VariableName } from '@hilo/engine/contract';
import { z } from 'zod';
import { foldLetters } from '../messages/folded-text.ts';

/** The most fields that one tool, exit or form has. */
const maxFields = 30;

const common = {
  label: z
    .string()
    .min(1)
    .max(80)
    .optional()
    .meta({ description: 'What people read beside the field; its name, when left out', examples: ['Your age'] }),
  description: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'What belongs into the field; models read it', examples: ['The number of the order, such as A-17'] }),
  required: z.boolean().default(true).meta({ description: 'Whether the value must be there' }),
};

const isOrdered = (least: number | string | undefined, most: number | string | undefined): boolean =>
  least === undefined || most === undefined || least <= most;
const outOfOrder = { error: 'The least is more than the most: exchange them' };

const Length = z.int().min(1).max(2_000);
const TextField = z
  .strictObject({
    type: z.literal('text').meta({ description: 'A text' }),
    minLength: Length.default(1).meta({ description: 'The minimum number of characters' }),
    maxLength: Length.optional().meta({ description: 'The maximum number of characters' }),
    ...common,
  })
  .refine(({ minLength, maxLength }) => isOrdered(minLength, maxLength), outOfOrder);

const NumberField = z
  .strictObject({
    type: z.literal('number').meta({ description: 'A number' }),
    min: z.number().optional().meta({ description: 'The smallest accepted number' }),
    max: z.number().optional().meta({ description: 'The largest accepted number' }),
    integer: z.boolean().default(false).meta({ description: 'Whether it must be a whole number' }),
    ...common,
  })
  .refine(({ min, max }) => isOrdered(min, max), outOfOrder);

const Day = z.iso.date('Write a day of the calendar, such as 2031-04-03');
const DateField = z
  .strictObject({
    type: z.literal('date').meta({ description: 'A day, such as 2031-04-03' }),
    min: Day.optional().meta({ description: 'The earliest accepted day', examples: ['2031-01-01'] }),
    max: Day.optional().meta({ description: 'The latest accepted day', examples: ['2031-12-31'] }),
    ...common,
  })
  .refine(({ min, max }) => isOrdered(min, max), outOfOrder);

const FieldOption = z.strictObject({
  title: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta({ description: 'What people read and choose', examples: ['Basic'] }),
  payload: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'The value when it is chosen; the title, when left out', examples: ['basic'] }),
  description: z
    .string()
    .max(300)
    .optional()
    .meta({ description: 'More about the option, where there is room', examples: ['Up to 100 messages a day'] }),
});

const OptionField = z
  .strictObject({
    type: z.literal('option').meta({ description: 'One of some options, or several' }),
    options: z.array(FieldOption).min(2).max(50).meta({ description: 'The options' }),
    several: z.boolean().default(false).meta({ description: 'Whether more than one may be chosen: the value is then a list' }),
    ...common,
  })
  .superRefine(({ options }, context) => {
    for (const [index, { title, payload = title }] of options.entries()) {
      const before = options.slice(0, index);
      if (before.some((other) => foldLetters(other.title) === foldLetters(title)))
        context.addIssue({ code: 'custom', path: ['options', index, 'title'], message: `There is an option "${title}" already` });
      else if (before.some((other) => (other.payload ?? other.title) === payload))
        context.addIssue({ code: 'custom', path: ['options', index, 'payload'], message: `There is an option with "${payload}" already` });
    }
  });

const ListField = z.strictObject({
  type: z.literal('list').meta({ description: 'A list of texts or of numbers' }),
  of: z.enum(['text', 'number']).meta({ description: 'What it is a list of' }),
  maxItems: z.int().min(1).max(1_000).optional().meta({ description: 'The most items that it may have' }),
  ...common,
});

/** The shape of one value. */
export const Field = z.discriminatedUnion('type', [
  TextField,
  NumberField,
  z.strictObject({ type: z.literal('boolean').meta({ description: 'True or false' }), ...common }),
  DateField,
  z.strictObject({ type: z.literal('time').meta({ description: 'A time of day, such as 15:30' }), ...common }),
  z.strictObject({ type: z.literal('email').meta({ description: 'An e-mail address' }), ...common }),
  z.strictObject({ type: z.literal('phone').meta({ description: 'A phone number: its digits with the country code' }), ...common }),
  OptionField,
  ListField,
]);
export type Field = z.output<typeof Field>;

/** Fields by name. A name is that of a variable, so that none leads into the objects of JavaScript; a canvas with `__proto__` is refused. */
export const Fields = z
  .record(VariableName, Field)
  .refine((fields) => Object.keys(fields).length <= maxFields, { error: `There are more than ${maxFields} fields` });
export type Fields = z.output<typeof Fields>;

/** The values of the options of a field, in their order. */
export const optionValues = ({ options }: Pick<z.output<typeof OptionField>, 'options'>): readonly string[] =>
  options.map(({ title, payload = title }) => payload);
