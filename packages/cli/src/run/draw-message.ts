import { isJsonObject, type Json } from '@hilo/engine/contract';
import { type Message, type MessageOption, optionsOf } from '@hilo/nodes';
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { type Paint, printable, printableLines } from '../paint.ts';

/** The message in a send request. */
export const sentMessage = (request: Json): Message => (request as unknown as { readonly message: Message }).message; // the effect's own shape

/** What the user can choose from a message, in the order of the numbers they are drawn with. */
export const listChoices = (message: Message): readonly MessageOption[] => optionsOf(message);

/** A message in a bubble, its options with numbers, everything else in short. */
export function drawMessage(message: Message, paint: Paint, maxWidth: number): string {
  const choices = listChoices(message);
  const options = choices.map(({ title, payload }, index) => {
    const described = findDescription(message, payload);
    return ` ${paint(['cyan', 'bold'], String(index + 1))}  ${printable(title)}${described === undefined ? '' : `  ${paint('dim', printable(described))}`}`;
  });
  const lines = drawContent(message, paint).flatMap((text) => text.split('\n'));
  return bubble([...lines, ...(options.length === 0 ? [] : ['', ...options])], paint, maxWidth).join('\n');
}

function findDescription(message: Message, payload: string): string | undefined {
  return message.type === 'text' ? message.buttons?.options.find((option) => option.payload === payload)?.description : undefined;
}

/** The texts and attachments of a message. */
function drawContent(message: Message, paint: Paint): readonly string[] {
  const said = (text: string | undefined): readonly string[] => (text === undefined || text.trim() === '' ? [] : [printableLines(text)]);
  const title = (text: string | undefined): readonly string[] => said(text).map((line) => paint('bold', line));
  const thing = (what: string, text: string): string => `${paint('dim', what)} ${paint('cyan', printable(text))}`;
  const button = (text: string, leadsTo = ''): string =>
    `${paint('cyan', `[ ${printable(text)} ]`)}${leadsTo === '' ? '' : ` ${paint('dim', printable(leadsTo))}`}`;

  switch (message.type) {
    case 'text':
      return [...title(message.buttons?.title), ...said(message.text)];
    case 'quick_reply':
      return [...title(message.title), ...said(message.text)];
    case 'image':
    case 'video':
      return [thing(message.type, message.mediaUrl), ...said(message.text)];
    case 'audio':
    case 'sticker':
      return [thing(message.type, message.mediaUrl)];
    case 'file':
      return [thing('file', message.filename ?? message.mediaUrl), ...said(message.text)];
    case 'location':
      return [thing('location', `${message.coordinates.lat}, ${message.coordinates.long}`)];
    case 'contacts':
      return message.contacts.map(({ name, phones }) =>
        thing('contact', [name?.formatted_name ?? name?.first_name, phones?.[0]?.phone].filter(Boolean).join(', ') || 'contact'),
      );
    case 'location_request':
      return [...said(message.text), button('Send location', '/send {"type":"location","coordinates":{"lat":-12.05,"long":-77.04}}')];
    case 'contact_info_request':
      return [
        ...said(message.text),
        button('Share contact', '/send {"type":"contacts","contacts":[{"phones":[{"phone":"+51999000111"}]}]}'),
      ];
    case 'cta_url':
      return [
        ...title(message.title),
        ...said(message.text),
        ...said(message.caption),
        button(message.parameters.display_text, message.parameters.url),
      ];
    case 'voice_call':
      return [...title(message.header), ...said(message.text), button(message.parameters.display_text)];
    case 'flow': {
      const fields = message.parameters.form?.['fields'];
      const values = isJsonObject(fields)
        ? `/form {${Object.keys(fields)
            .map((name) => `"${name}":…`)
            .join(',')}}`
        : undefined;
      const label = message.parameters.flow_cta ?? 'Open form';
      return [...title(message.title), ...said(message.text), ...said(message.caption), button(label, values)];
    }
    case 'carousel':
      return [
        ...said(message.text),
        ...message.parameters.cards.map(
          ({ body, action }) => `▸ ${printable(body.text)} ${button(action.parameters.display_text, action.parameters.url)}`,
        ),
      ];
  }
}

/** Lines in a frame with round corners, as wide as needed and at most as wide as given. */
function bubble(lines: readonly string[], paint: Paint, maxWidth: number): readonly string[] {
  const inside = lines.flatMap((line) => wrapAnsi(line, maxWidth - 4, { hard: true, trim: false }).split('\n'));
  const width = Math.max(8, ...inside.map((line) => stringWidth(line)));
  const side = paint('blue', '│');
  return [
    paint('blue', `╭${'─'.repeat(width + 2)}╮`),
    ...inside.map((line) => `${side} ${line}${' '.repeat(width - stringWidth(line))} ${side}`),
    paint('blue', `╰${'─'.repeat(width + 2)}╯`),
  ];
}
