import type { Channel, Json } from '@hilo/engine/contract';
import { channelLimits } from '@hilo/nodes/effects';
import { isRecord } from '../canvas/canvas-json.ts';
import { BotMessage } from '../tester/BotMessage.tsx';
import { useNames, useWords } from '../words/words.tsx';

/** A message as the user will see it, with how much of what the connected channels take it uses. */
export function MessagePreview({ message, channels }: { readonly message: Json | undefined; readonly channels: readonly Channel[] }) {
  const say = useWords();
  const channelWord = useNames('channel');
  const text = isRecord(message) ? message['text'] : undefined;
  if (!isRecord(message) || typeof message['type'] !== 'string') return null;
  const counts = channels.flatMap((channel) => {
    const most = textLimit(channel, message);
    return most === undefined || typeof text !== 'string' ? [] : [{ channel, most, used: lengthOn(channel, text) }];
  });
  return (
    <div className="message-preview">
      <div className="bubbles" role="img" aria-label={say('form.preview')}>
        <div className="from-bot">
          <BotMessage message={message} isDraft />
        </div>
      </div>
      {counts.map(({ channel, most, used }) => (
        <span key={channel} className={`caption${used > most ? ' bad' : ''}`}>
          {say('form.count', { used, most, channel: channelWord(channel) })}
        </span>
      ))}
    </div>
  );
}

/** How long the text of a message may be on a channel; a text beside buttons has less room on some. */
export function textLimit(channel: Channel, message: { readonly [field: string]: unknown }): number | undefined {
  const limits = channelLimits[channel];
  const hasButtons = 'quick_replies' in message || 'buttons' in message;
  if (message['type'] !== 'text' && message['type'] !== 'quick_reply') return 'caption' in limits ? limits.caption : undefined;
  if (hasButtons && 'body' in limits) return limits.body;
  return hasButtons && 'template' in limits ? limits.template : limits.text;
}

/** Instagram counts bytes, the others code points. What an expression will be is not known: it counts as it is written. */
export const lengthOn = (channel: Channel, text: string): number =>
  channel === 'instagram' ? new TextEncoder().encode(text).length : Array.from(text).length;
