// What a test shows where a node failed.
import type { Fix } from '@hilo/engine/contract';
import { CircleX, Wrench } from 'lucide-react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import type { TestView } from '../worker/protocol.ts';
import { useDetailText, useFixText } from '../words/problem-words.ts';
import { useNames, useWords } from '../words/words.tsx';
import { useStudio } from '../studio-context.ts';
import { fixFailure } from './failure-fix.ts';

interface FailureCardProps {
  readonly failure: NonNullable<TestView['failure']>;
  readonly canvas: CanvasJson;
  /** Opens the form of the node that failed; left out, there is none to open. */
  readonly onShow?: ((nodeId: string) => void) | undefined;
  readonly onFix?: ((fix: Fix) => void) | undefined;
}

/** Why a test ended as failed, where its author looks: in the conversation, with the way to the node and what mends it. */
export function FailureCard({ failure, canvas, onShow, onFix }: FailureCardProps) {
  const say = useWords();
  const { can } = useStudio();
  const causeWord = useNames('cause');
  const { nodeId, cause, message } = failure;
  const node = canvas.nodes.find(({ id }) => id === nodeId);
  const nameOf = useNodeName(canvas);
  const fixText = useFixText();
  const detailText = useDetailText();
  const name = node && nameOf(node.id);
  const fix = can('edit') ? fixFailure(canvas, failure) : undefined;
  return (
    <section className="failure" role="alert">
      <p>
        <CircleX size={15} aria-hidden /> <b dir="auto">{name === undefined ? causeWord(cause) : say('tester.failedAt', { node: name })}</b>
      </p>
      {name !== undefined && <p className="caption">{causeWord(cause)}</p>}
      <p dir="auto">{detailText(message)}</p>
      <p className="buttons">
        {node !== undefined && onShow !== undefined && (
          <button type="button" onClick={() => onShow(node.id)}>
            {say('tester.show')}
          </button>
        )}
        {fix !== undefined && onFix !== undefined && (
          <button type="button" onClick={() => onFix(fix)}>
            <Wrench size={13} aria-hidden /> {say('problems.fix', { what: fixText(fix.label) })}
          </button>
        )}
      </p>
    </section>
  );
}
