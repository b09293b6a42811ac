// The conversation of a test as its user sees it, and the field in which the user writes.
import type { Fix } from '@hilo/engine/contract';
import { Send } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { IconButton } from '../parts/parts.tsx';
import type { TestSetting } from '../worker/protocol.ts';
import { useNames, useWords } from '../words/words.tsx';
import { Bubbles } from './Bubbles.tsx';
import { FailureCard } from './FailureCard.tsx';
import type { Test } from './use-test.ts';

/** What was typed before the panel was there, and whether it was sent. */
export interface Early {
  readonly text: string;
  readonly isSent: boolean;
}

interface PhoneProps {
  readonly test: Test;
  readonly canvas: CanvasJson;
  readonly channel: TestSetting['channel'];
  readonly showsPictures: boolean;
  /** Where the user writes. */
  readonly field: RefObject<HTMLInputElement | null>;
  readonly early: Early | undefined;
  /** Performs a line of a script. */
  readonly onPlay: (line: string) => void;
  readonly onShow: ((nodeId: string) => void) | undefined;
  readonly onFix: ((fix: Fix) => void) | undefined;
}

/** A phone with the conversation. */
export function Phone({ test, canvas, channel, showsPictures, field, early, onPlay, onShow, onFix }: PhoneProps) {
  const { view, before, isBusy } = test;
  const say = useWords();
  const channelWord = useNames('channel');
  const [text, setText] = useState(early?.text ?? '');
  useEffect(() => field.current?.setSelectionRange(text.length, text.length), []); // after what was typed early
  /** Whether the text was sent before the worker was ready: it stays in its field until then. */
  const isSendWanted = useRef(early?.isSent ?? false);
  const send = (): void => {
    if (text.trim() === '') return;
    isSendWanted.current = view === undefined;
    if (isSendWanted.current) return;
    const lines = text.split('\n').map((line) => line.trim());
    onPlay(`user: ${lines.filter((line) => line !== '').join(' ')}`);
    setText('');
  };
  useEffect(() => {
    if (isSendWanted.current) send();
  }, [view === undefined]);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [view]);
  return (
    <div className="phone">
      <header>
        <span className="avatar" aria-hidden>
          {(Array.from(canvas.name)[0] ?? 'H').toUpperCase()}
        </span>
        <span>
          <b dir="auto">{canvas.name}</b>
          <br />
          <span className="caption">{channelWord(channel)}</span>
        </span>
      </header>
      <div className="chat" role="log" aria-label={say('execution.chat')} aria-busy={isBusy} tabIndex={0}>
        {view !== undefined && (
          <Bubbles
            lines={view.lines}
            before={before?.lines}
            showsPictures={showsPictures}
            onPress={(payload, title) => onPlay(`user: [payload ${payload}] ${title}`)}
          />
        )}
        {view?.failure !== undefined && <FailureCard failure={view.failure} canvas={canvas} onShow={onShow} onFix={onFix} />}
        <div ref={end} />
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <input
          ref={field}
          autoFocus
          aria-label={say('tester.message')}
          placeholder={say('tester.message')}
          value={text}
          dir="auto"
          onChange={({ target }) => setText(target.value)}
        />
        <IconButton label={say('tester.send')} onClick={send}>
          <Send size={16} aria-hidden />
        </IconButton>
      </form>
    </div>
  );
}
