// What a new template is at the Graph API: its components with the samples that reviewers want for each place.
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { listPlaces, readComponents, type TemplateComponent } from '@hilo/nodes/effects';
import type { NewTemplate } from '../template-change.ts';

/**
 * The components of a new template. A list is the provider's own form and goes as it is, with samples where it has none; an object by
 * the names of its components is written as such a list.
 */
export function writeComponents(template: NewTemplate): JsonObject {
  const { components } = template;
  const given = Array.isArray(components) ? (components as readonly JsonObject[]) : [];
  const all = readComponents(template);
  const isNamed = all.some(({ text }) => listPlaces(text).some(({ placeholder }) => !/^\d+$/.test(placeholder)));
  const own = (type: string): JsonObject =>
    given.find((one) => typeof one['type'] === 'string' && one['type'].toLowerCase() === type) ?? memberOf(components, type);
  return {
    ...(isNamed && { parameter_format: 'NAMED' }),
    components: all.map((component) => ({ ...writeComponent(component, isNamed), ...tidy(own(component.type)) })),
  };
}

/** A component of an object by names. */
function memberOf(components: NewTemplate['components'], type: string): JsonObject {
  if (components === undefined || Array.isArray(components)) return {};
  const member = Object.entries(components as JsonObject).find(([name]) => name.toLowerCase() === type)?.[1];
  if (Array.isArray(member)) return { buttons: member };
  return isJsonObject(member) ? member : {};
}

/** What the provider wants in capitals. */
const tidy = ({ type: _type, format, buttons, ...others }: JsonObject): JsonObject => ({
  ...others,
  ...(typeof format === 'string' && { format: format.toUpperCase() }),
  ...(Array.isArray(buttons) && {
    buttons: (buttons as readonly Json[]).map((button) =>
      isJsonObject(button) && typeof button['type'] === 'string' ? { ...button, type: button['type'].toUpperCase() } : button,
    ),
  }),
});

function writeComponent({ type, format, text }: TemplateComponent, isNamed: boolean): JsonObject {
  const component = { type: type.toUpperCase(), ...(type === 'header' && { format: format.toUpperCase() }), ...(text !== '' && { text }) };
  const places = type === 'buttons' || type === 'footer' ? [] : listPlaces(text);
  if (places.length === 0) return component;
  const key = type === 'header' ? 'header_text' : 'body_text';
  const example = isNamed
    ? { [`${key}_named_params`]: places.map(({ placeholder }) => ({ param_name: placeholder, example: sample(placeholder) })) }
    : {
        [key]:
          type === 'header' ? places.map(({ placeholder }) => sample(placeholder)) : [places.map(({ placeholder }) => sample(placeholder))],
      };
  return { ...component, example };
}

/** A sample by the name of its place: reviewers read it. */
const sample = (placeholder: string): string => (/^\d+$/.test(placeholder) ? `Sample ${placeholder}` : placeholder);
