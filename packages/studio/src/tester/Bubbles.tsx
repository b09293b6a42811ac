// The lines of a test: what its user and the bot say, and what is called in between.
import { isSame } from '../canvas/merge.ts';
import type { TestLine } from '../worker/protocol.ts';
import { useCallLine } from '../words/effect-words.ts';
import { BotMessage } from './BotMessage.tsx';

/** A conversation as the user sees it. Lines that an edit of the draft changed are marked. */
export function Bubbles({
  lines,
  before,
  showsPictures,
  onPress,
}: {
  readonly lines: readonly TestLine[];
  readonly before?: readonly TestLine[] | undefined;
  /** Whether pictures are loaded from where they are; else their addresses are shown. */
  readonly showsPictures?: boolean;
  readonly onPress?: (payload: string, title: string) => void;
}) {
  const callLine = useCallLine();
  const last = lines.findLastIndex(({ kind }) => kind === 'bot');
  return (
    <ol className="bubbles">
      {lines.map((line, index) => {
        const isChanged = before !== undefined && index < before.length && !isSame(before[index], line);
        const mark = isChanged ? ' changed' : '';
        if (line.kind === 'note')
          return (
            <li key={index} className={`note-line${mark}`} dir="auto">
              <Folded text={line.text} />
            </li>
          );
        if (line.kind === 'call')
          return (
            <li key={index} className={`note-line${mark}`} dir="auto">
              {callLine(line.effect, line.what)}
            </li>
          );
        if (line.kind === 'user')
          return (
            <li key={index} className={`from-user${mark}`} dir="auto">
              {line.text}
            </li>
          );
        return (
          <li key={index} className={`from-bot${mark}`}>
            <BotMessage
              message={line.message}
              showsPictures={showsPictures}
              {...(onPress !== undefined && index === last && { onPress })}
            />
          </li>
        );
      })}
    </ol>
  );
}

/** The most letters of an answer that stand in the way of the conversation. */
const mostShown = 120;

/** An answer of a call; a long one is opened by who wants to read it. */
function Folded({ text }: { readonly text: string }) {
  if (text.length <= mostShown) return text;
  return (
    <details>
      <summary>{`${text.slice(0, mostShown - 1).toWellFormed()}…`}</summary>
      {text}
    </details>
  );
}
