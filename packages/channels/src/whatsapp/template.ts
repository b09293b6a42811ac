// A template message as WhatsApp takes it, with its parameters in place.
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { DriverError } from '@hilo/drivers';
import type { ChannelTemplate } from '../channel-adapter.ts';
import { checkLength } from '../refusal.ts';
import {
  channelLimits,
  listButtonPlaces,
  readComponents,
  fillPlaces,
  listHeaderPlaces,
  isMedia,
  listPlaces,
  type TemplateComponent,
  type TemplatePlace,
} from '@hilo/nodes/effects';

/** Valid names of parameters; placeholders with other names are filled by position. */
const parameterName = /^[a-z0-9_]{1,60}$/;

/** The `template` of a message: its name, its language, and a component for each that has values, in the order of the template. */
export function createTemplate(template: ChannelTemplate | undefined, given: Json | undefined): JsonObject {
  if (template === undefined) throw new DriverError('INVALID_TEMPLATE', 'The template of this message is not in the workspace');
  const parameters = isJsonObject(given) ? given : {};
  const all = readComponents(template);
  const bodyMax = all.length > 1 ? channelLimits.whatsapp.templateBody : channelLimits.whatsapp.templateBodyAlone;
  const components = all.flatMap((component) => createComponents(component, parameters, bodyMax));
  return { name: template.elementName, language: { code: template.language }, ...(components.length > 0 && { components }) };
}

const { buttonId } = channelLimits.whatsapp;

function createComponents(component: TemplateComponent, parameters: JsonObject, bodyMax: number): readonly JsonObject[] {
  if (component.type === 'header') return createHeader(component, parameters);
  if (component.type === 'body') return wrapParameters('body', createTextParameters(listPlaces(component.text), parameters, bodyMax));
  return component.buttons.flatMap(({ type, url, payload }, index) => {
    const button = (sub_type: string, values: readonly JsonObject[]) =>
      values.length === 0 ? [] : [{ type: 'button', sub_type, index: String(index), parameters: values }];
    const name = `button.${index}.1`;
    if (type === 'url')
      return button(
        'url',
        listButtonPlaces(url, index).map(({ parameter }) => ({
          type: 'text',
          text: encodeForAddress(url, readValue(parameter, parameters, channelLimits.whatsapp.address)),
        })),
      );
    if (type === 'copy_code') return button('copy_code', [{ type: 'coupon_code', coupon_code: readValue(name, parameters, 20) }]);
    if (type !== 'quick_reply') return [];
    const places = listButtonPlaces(payload, index);
    if (places.length === 0 && !Object.hasOwn(parameters, name)) return [];
    const filled = places.length === 0 ? readValue(name, parameters, buttonId) : fillPayload(payload, places, parameters);
    return button('quick_reply', [{ type: 'payload', payload: checkLength(filled, buttonId, `The payload of button ${index}`) }]);
  });
}

/**
 * A value that the provider puts into the address of a button. Behind the host, what no address may hold is percent-encoded; what is
 * encoded already stays, and so do the marks that part an address, since a value may be several segments or a whole query.
 */
const encodeForAddress = (url: string, value: string): string =>
  /^[a-z]+:\/\/[^/?#{]+[/?#]/i.test(url) ? value.toWellFormed().replace(unfitForAddress, encodeURIComponent) : value;

/** A percent sign that begins no code, and every character that is neither unreserved nor reserved (RFC 3986). */
const unfitForAddress = /%(?![\dA-Fa-f]{2})|[^\w.~!$&'()*+,;=:@/?#%-]+/g;

/** A payload with a value at each of its places. */
const fillPayload = (payload: string, places: readonly TemplatePlace[], parameters: JsonObject): string =>
  fillPlaces(payload, Object.fromEntries(places.map((place) => [place.placeholder, readValue(place.parameter, parameters, buttonId)])));

function createHeader(component: TemplateComponent, parameters: JsonObject): readonly JsonObject[] {
  const { format } = component;
  if (format === 'text') {
    const places = listHeaderPlaces(component);
    if (places.length > 1)
      throw new DriverError('INVALID_TEMPLATE', `The header of the template has ${places.length} places, and WhatsApp takes one`);
    return wrapParameters('header', createTextParameters(places, parameters, channelLimits.whatsapp.templateHeader));
  }
  if (format === 'location') return wrapParameters('header', [{ type: format, location: createLocation(parameters) }]);
  if (!isMedia(format))
    throw new DriverError(
      'INVALID_TEMPLATE',
      `The header of the template has the format "${format}": WhatsApp takes text, image, video, document and location`,
    );
  const filename =
    format === 'document' && Object.hasOwn(parameters, 'header.filename') ? readValue('header.filename', parameters, 240) : undefined;
  const media = { link: readValue('header.link', parameters, channelLimits.whatsapp.address), ...(filename !== undefined && { filename }) };
  return wrapParameters('header', [{ type: format, [format]: media }]);
}

/** A place on the map. The provider requires its name and its address beside it. */
const createLocation = (parameters: JsonObject): JsonObject => ({
  latitude: readDegrees('header.latitude', parameters, 90),
  longitude: readDegrees('header.longitude', parameters, 180),
  name: readValue('header.name', parameters),
  address: readValue('header.address', parameters),
});

/** @throws {DriverError} `INVALID_PARAMETERS` for what is no number of degrees, or beyond `max` */
function readDegrees(name: string, parameters: JsonObject, max: number): number {
  const text = readValue(name, parameters).trim();
  const degrees = /^[+-]?\d{1,3}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Math.abs(degrees) <= max) return degrees;
  throw new DriverError('INVALID_PARAMETERS', `The parameter "${name}" must be degrees from -${max} to ${max}, such as 19.4326`);
}

const wrapParameters = (type: string, values: readonly JsonObject[]): readonly JsonObject[] =>
  values.length === 0 ? [] : [{ type, parameters: values }];

/** In the order of the placeholders. They carry their names when the provider accepts all of them. */
function createTextParameters(places: readonly TemplatePlace[], parameters: JsonObject, max: number): readonly JsonObject[] {
  const areNamed =
    places.every(({ placeholder }) => parameterName.test(placeholder)) && !places.every(({ placeholder }) => /^\d+$/.test(placeholder));
  return places.map(({ parameter, placeholder }) => ({
    type: 'text',
    ...(areNamed && { parameter_name: placeholder }),
    text: readText(parameter, parameters, Math.min(max, channelLimits.whatsapp.templateBody)),
  }));
}

/**
 * A value inside the text of a template. The provider refuses the whole template for a line break, a tab or more than four blanks in a
 * row: each of these becomes one blank.
 *
 * @throws {DriverError} `INVALID_PARAMETERS` where nothing is left of it, or more than `max` characters
 */
function readText(name: string, parameters: JsonObject, max: number): string {
  const text = readValue(name, parameters).replace(/[\s\u0085]+/gu, (blanks) =>
    blanks.length > 4 || /[\n\r\t\v\f\u0085\u2028\u2029]/u.test(blanks) ? ' ' : blanks,
  );
  if (text.trim() === '')
    throw new DriverError('INVALID_PARAMETERS', `The parameter "${name}" of the template is empty: it has blanks alone`);
  return checkLength(text, max, `The parameter "${name}"`);
}

/** A value as text: numbers are accepted too. @param max - its longest length in code points; any where left out */
function readValue(name: string, parameters: JsonObject, max = Number.POSITIVE_INFINITY): string {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string' || text === '')
    throw new DriverError('INVALID_PARAMETERS', `The parameter "${name}" of the template is missing or empty`);
  return checkLength(text, max, `The parameter "${name}"`);
}
