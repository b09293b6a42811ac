// A message of the bot as its user sees it: in previews, tests, executions and the inbox.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { lazy, Suspense } from 'react';
import { loadPart } from '../parts/load-part.ts';
import { isRecord } from '../canvas/canvas-json.ts';
import { fieldText } from '../forms/field-text.ts';
import { Tokens } from '../parts/parts.tsx';
import { useStudio } from '../studio-context.ts';
import { useLanguage } from '../words/words.tsx';

const FilePicture = lazy(() => loadPart(() => import('../forms/FilePicture.tsx')));

/** A message of the bot: its text, its media as a placeholder or a picture, its options as buttons. Everything else is text. */
export function BotMessage({
  message,
  showsPictures = false,
  isDraft = false,
  onPress,
}: {
  readonly message: Json;
  /** Whether it is as its author writes it, with expressions in it. */
  readonly isDraft?: boolean;
  readonly showsPictures?: boolean | undefined;
  readonly onPress?: (payload: string, title: string) => void;
}) {
  const typeWord = useMessageType();
  const fields: JsonObject = isRecord(message) ? message : {};
  const text = textIn(fields, 'text');
  const type = textIn(fields, 'type');
  const media = textIn(fields, 'mediaUrl');
  const options = optionsOf(fields);
  const isPicture = showsPictures && type === 'image' && media.startsWith('https://');
  const isKept = media.startsWith('file_');
  return (
    <>
      {isPicture && <img src={media} alt={media} referrerPolicy="no-referrer" />}
      {isKept && (
        <Suspense>
          <FilePicture handle={media} />
        </Suspense>
      )}
      {type !== 'text' && type !== 'quick_reply' && !isPicture && !isKept && (
        <span className="caption">
          [{typeWord(type)}
          {media === '' ? '' : ` ${media}`}]{' '}
        </span>
      )}
      {text !== '' && (
        <span className="text" dir="auto">
          {isDraft ? <Tokens text={text} /> : text}
        </span>
      )}
      {options.length > 0 && (
        <span className="options">
          {options.map(({ title, payload }, index) => (
            <button key={index} type="button" disabled={onPress === undefined} dir="auto" onClick={() => onPress?.(payload, title)}>
              {isDraft ? <Tokens text={title} /> : title}
            </button>
          ))}
        </span>
      )}
    </>
  );
}

/** What a type of message is called: as the forms that make one say it. */
function useMessageType(): (type: string) => string {
  const { catalogue } = useStudio();
  const { locale } = useLanguage();
  return (type) => fieldText(catalogue.get('message')?.fields ?? {}, `message.type=${type}`, locale)?.label ?? type;
}

/** What the user can press: quick replies, and the options of a list. */
function optionsOf({ quick_replies: replies, buttons }: JsonObject): readonly { readonly title: string; readonly payload: string }[] {
  const list = Array.isArray(replies)
    ? replies
    : isRecord(buttons) && Array.isArray(buttons['options'])
      ? (buttons['options'] as readonly Json[])
      : [];
  return list.flatMap((option: Json) => {
    if (!isRecord(option)) return [];
    const title = textIn(option, 'title');
    return title === '' ? [] : [{ title, payload: textIn(option, 'payload') || title }];
  });
}

const textIn = (fields: JsonObject, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};
