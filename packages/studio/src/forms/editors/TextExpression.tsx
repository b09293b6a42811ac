import type { Json } from '@hilo/engine/contract';
import type { ReactNode } from 'react';
import { problemsAt, useForm } from '../form-context.ts';
import { ExpressionWidget } from '../widgets.tsx';

interface TextExpressionProps {
  readonly id: string;
  readonly label: string;
  readonly text: Json | undefined;
  /** Where it stands in the canvas. */
  readonly at: string;
  readonly onText: (text: string) => void;
  /** What stands above and below it in its field. */
  readonly above?: ReactNode;
  readonly below?: ReactNode;
}

/** A text of an editor, which may have expressions in it. */
export function TextExpression({ id, label, text, at, onText, above, below }: TextExpressionProps) {
  const { choices, problems, isReadOnly } = useForm();
  return (
    <div className="field" data-pointer={at}>
      {above}
      <ExpressionWidget
        id={id}
        label={label}
        value={text}
        isRequired
        isReadOnly={isReadOnly}
        pointer={at}
        problems={problemsAt(at, problems)}
        examples={[]}
        choices={choices}
        onChange={(changed) => onText(typeof changed === 'string' ? changed : '')}
      />
      {below}
    </div>
  );
}
