// One message of a conversation.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { isRecord } from '../canvas/canvas-json.ts';
import { BotMessage } from '../tester/BotMessage.tsx';
import { usePartWords } from '../words/part.ts';
import { inboxWords, typeWord } from './inbox-words.ts';
import { fileHandleOf, UserFile } from './UserFile.tsx';

const textIn = (message: JsonObject, name: string): string => {
  const value = message[name];
  return typeof value === 'string' ? value : '';
};

/** An address that a link may lead to: of the web, and of nothing that a browser would run. */
export const isWebAddress = (address: string): boolean => /^https?:\/\//i.test(address);

const places = (coordinates: Json | undefined): { readonly lat: number; readonly long: number } | undefined =>
  isRecord(coordinates) && typeof coordinates['lat'] === 'number' && typeof coordinates['long'] === 'number'
    ? { lat: coordinates['lat'], long: coordinates['long'] }
    : undefined;

/** Why the file of a user's message was not handed on. */
const whyNoFile = ({ mediaError }: JsonObject): string => (isRecord(mediaError) ? textIn(mediaError, 'message') : '');

/** A message of a user, of the bot or of an operator; media as pictures and links, what the user chose as its title. */
export function MessageView({ message }: { readonly message: JsonObject }) {
  const say = usePartWords(inboxWords);
  const type = textIn(message, 'type');
  const media = textIn(message, 'mediaUrl');
  const text = textIn(message, 'text') || textIn(message, 'title') || textIn(message, 'payload');
  const place = places(message['coordinates']);
  if (place !== undefined) return <span dir="auto">{say('inbox.place', { lat: place.lat, lng: place.long })}</span>;
  const handle = fileHandleOf(message);
  if (handle !== undefined || isWebAddress(media)) {
    const name = textIn(message, 'filename') || say('inbox.file', { type: typeWord(say, type === '' ? 'file' : type) });
    return (
      <>
        {handle === undefined ? (
          <>
            {type === 'image' && <img src={media} alt={text} referrerPolicy="no-referrer" />}
            <a href={media} target="_blank" rel="noreferrer noopener">
              {name}
            </a>
          </>
        ) : (
          <UserFile handle={handle} name={name} picture={type === 'image' || type === 'sticker' ? { text } : undefined} />
        )}
        {text !== '' && (
          <span className="text" dir="auto">
            {text}
          </span>
        )}
      </>
    );
  }
  if (type === 'quick_reply' || isRecord(message['buttons'])) return <BotMessage message={message} />;
  return (
    <span className="text" dir="auto">
      {[text === '' ? say('inbox.notShown', { type: typeWord(say, type) }) : text, whyNoFile(message)]
        .filter((part) => part !== '')
        .join('\n')}
    </span>
  );
}
