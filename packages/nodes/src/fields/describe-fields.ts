/** Fields as JSON Schema, for models and for clients of tools. */
import type { JsonObject } from '@hilo/engine/contract';
import { type Field, type Fields, optionValues } from './field.ts';

/** A time of day on a clock of 24 hours. */
export const timeForm = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;
/** A phone number as digits with the country code (E.164). */
export const phoneForm = /^[1-9][0-9]{6,14}$/;

/** The schema of an object with these fields. A bound of a day, which has no keyword, stands in its description. */
export function fieldsToJsonSchema(fields: Fields): JsonObject {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, { ...describeValue(field), ...describeMeaning(field) }])),
    required: entries.flatMap(([name, { required }]) => (required ? [name] : [])),
    additionalProperties: false,
  };
}

function describeValue(field: Field): JsonObject {
  switch (field.type) {
    case 'text':
      return { type: 'string', minLength: field.minLength, ...(field.maxLength !== undefined && { maxLength: field.maxLength }) };
    case 'number':
      return {
        type: field.integer ? 'integer' : 'number',
        ...(field.min !== undefined && { minimum: field.min }),
        ...(field.max !== undefined && { maximum: field.max }),
      };
    case 'boolean':
      return { type: 'boolean' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'time':
      return { type: 'string', pattern: timeForm.source };
    case 'email':
      return { type: 'string', format: 'email' };
    case 'phone':
      return { type: 'string', pattern: phoneForm.source };
    case 'option': {
      const one = { type: 'string', enum: optionValues(field) };
      return field.several ? { type: 'array', items: one, minItems: 1, uniqueItems: true } : one;
    }
    case 'list':
      return {
        type: 'array',
        items: { type: field.of === 'text' ? 'string' : 'number' },
        ...(field.maxItems !== undefined && { maxItems: field.maxItems }),
      };
  }
}

/** The label and the description of a field, and what its schema cannot say. */
function describeMeaning(field: Field): JsonObject {
  const said = [field.label, field.description, describeForm(field)].filter((part) => part !== undefined && part !== '');
  return said.length === 0 ? {} : { description: said.join('. ') };
}

function describeForm(field: Field): string | undefined {
  switch (field.type) {
    case 'date': {
      const { min, max } = field;
      return [min === undefined ? '' : `From ${min}`, max === undefined ? '' : `until ${max}`].filter((part) => part !== '').join(' ');
    }
    case 'time':
      return 'A time such as 15:30';
    case 'phone':
      return 'Digits with the country code';
    case 'option': {
      const titled = field.options.filter(({ title, payload, description }) => description !== undefined || (payload ?? title) !== title);
      return titled
        .map(({ title, payload = title, description }) => `${payload}: ${title}${description === undefined ? '' : `, ${description}`}`)
        .join('; ');
    }
    default:
      return undefined;
  }
}
