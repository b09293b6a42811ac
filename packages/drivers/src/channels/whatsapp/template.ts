import { channelLimits } from '@hilo/nodes/effects';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { DriverError } from '../../driver-error.ts';
import type { ChannelTemplate } from '../channel-adapter.ts';
import { within } from '../refusal.ts';
import {
  buttonPlaces,
  componentsOf,
  fillPlaces,
  headerPlaces,
  isMedia,
  placesOf,
  type TemplateComponent,
  type TemplatePlace,
} from '../template-parameters.ts';

/** Valid names of parameters; placeholders with other names are filled by position. */
const parameterName = /^[a-z0-9_]{1,60}$/;

/** The `template` of a message: its name, its language, and a component for each that has values, in the order of the template. */
export function templateOf(template: ChannelTemplate | undefined, given: Json | undefined): JsonObject {
  if (template === undefined) throw new DriverError('INVALID_TEMPLATE', 'The template of this message is not in the workspace');
  const parameters = isJsonObject(given) ? given : {};
  const all = componentsOf(template);
  const bodyMax = all.length > 1 ? channelLimits.whatsapp.templateBody : channelLimits.whatsapp.templateBodyAlone;
  const components = all.flatMap((component) => valuesOf(component, parameters, bodyMax));
  return { name: template.elementName, language: { code: template.language }, ...(components.length > 0 && { components }) };
}

const { buttonId } = channelLimits.whatsapp;

function valuesOf(component: TemplateComponent, parameters: JsonObject, bodyMax: number): readonly JsonObject[] {
  if (component.type === 'header') return headerValues(component, parameters);
  if (component.type === 'body') return fill('body', textParameters(placesOf(component.text), parameters, bodyMax));
  return component.buttons.flatMap(({ type, url, payload }, index) => {
    const button = (sub_type: string, values: readonly JsonObject[]) =>
      values.length === 0 ? [] : [{ type: 'button', sub_type, index: String(index), parameters: values }];
    const name = `button.${index}.1`;
    if (type === 'url')
      return button(
        'url',
        buttonPlaces(url, index).map(({ parameter }) => ({
          type: 'text',
          text: valueOf(parameter, parameters, channelLimits.whatsapp.address),
        })),
      );
    if (type === 'copy_code') return button('copy_code', [{ type: 'coupon_code', coupon_code: valueOf(name, parameters, 20) }]);
    if (type !== 'quick_reply') return [];
    const places = buttonPlaces(payload, index);
    if (places.length === 0 && !Object.hasOwn(parameters, name)) return [];
    const filled = places.length === 0 ? valueOf(name, parameters, buttonId) : payloadOf(payload, places, parameters);
    return button('quick_reply', [{ type: 'payload', payload: within(filled, buttonId, `The payload of button ${index}`) }]);
  });
}

/** A payload with a value at each of its places. */
const payloadOf = (payload: string, places: readonly TemplatePlace[], parameters: JsonObject): string =>
  fillPlaces(payload, Object.fromEntries(places.map((place) => [place.placeholder, valueOf(place.parameter, parameters, buttonId)])));

function headerValues(component: TemplateComponent, parameters: JsonObject): readonly JsonObject[] {
  const { format } = component;
  if (format === 'text') {
    const places = headerPlaces(component);
    if (places.length > 1)
      throw new DriverError('INVALID_TEMPLATE', `The header of the template has ${places.length} places, and WhatsApp takes one`);
    return fill('header', textParameters(places, parameters, channelLimits.whatsapp.templateHeader));
  }
  if (format === 'location') return fill('header', [{ type: format, location: locationOf(parameters) }]);
  if (!isMedia(format))
    throw new DriverError(
      'INVALID_TEMPLATE',
      `The header of the template has the format "${format}": WhatsApp takes text, image, video, document and location`,
    );
  const filename =
    format === 'document' && Object.hasOwn(parameters, 'header.filename') ? valueOf('header.filename', parameters, 240) : undefined;
  const media = { link: valueOf('header.link', parameters, channelLimits.whatsapp.address), ...(filename !== undefined && { filename }) };
  return fill('header', [{ type: format, [format]: media }]);
}

/** A place on the map. The provider requires its name and its address beside it. */
const locationOf = (parameters: JsonObject): JsonObject => ({
  latitude: degreesOf('header.latitude', parameters, 90),
  longitude: degreesOf('header.longitude', parameters, 180),
  name: valueOf('header.name', parameters),
  address: valueOf('header.address', parameters),
});

/** @throws {DriverError} `INVALID_PARAMETERS` for what is no number of degrees, or beyond `max` */
function degreesOf(name: string, parameters: JsonObject, max: number): number {
  const text = valueOf(name, parameters).trim();
  const degrees = /^[+-]?\d{1,3}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Math.abs(degrees) <= max) return degrees;
  throw new DriverError('INVALID_PARAMETERS', `The parameter "${name}" must be degrees from -${max} to ${max}, such as 19.4326`);
}

const fill = (type: string, values: readonly JsonObject[]): readonly JsonObject[] =>
  values.length === 0 ? [] : [{ type, parameters: values }];

/** In the order of the placeholders. They carry their names when the provider accepts all of them. */
function textParameters(places: readonly TemplatePlace[], parameters: JsonObject, max: number): readonly JsonObject[] {
  const areNamed =
    places.every(({ placeholder }) => parameterName.test(placeholder)) && !places.every(({ placeholder }) => /^\d+$/.test(placeholder));
  return places.map(({ parameter, placeholder }) => ({
    type: 'text',
    ...(areNamed && { parameter_name: placeholder }),
    text: valueOf(parameter, parameters, max),
  }));
}

/** A value as text: numbers are accepted too. @param max - its longest length in code points; any where left out */
function valueOf(name: string, parameters: JsonObject, max = Number.POSITIVE_INFINITY): string {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string' || text === '')
    throw new DriverError('INVALID_PARAMETERS', `The parameter "${name}" of the template is missing or empty`);
  return within(text, max, `The parameter "${name}"`);
}
