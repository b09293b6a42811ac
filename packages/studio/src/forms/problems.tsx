/** The problems that stand under a field, and from when on. */
import type { Problem } from '@hilo/engine/contract';
import { useState } from 'react';
import { useProblemText } from '../words/problem-words.ts';
import { useForm } from './form-context.ts';

/**
 * Whether the problems of a field are shown: those of a field that came upon the form, such as a new row of a list, once it was left.
 *
 * @returns `onBlur` for the element around the field
 */
export function useLeft(): { readonly isShown: boolean; readonly onBlur: () => void } {
  const { isOpen } = useForm();
  const [isShown, setShown] = useState(!isOpen.current);
  return { isShown, onBlur: () => setShown(true) };
}

/** Problems, each with what to do about it; what is wrong with the field itself is said by the message. */
export function FieldProblems({ problems }: { readonly problems: readonly Problem[] }) {
  const textOf = useProblemText();
  return problems.map((problem, index) => {
    const { message, hint } = textOf(problem);
    return (
      <p key={index} className={`field-problem ${problem.severity}`} dir="auto">
        {message}.{problem.code === 'INVALID_CONFIG' ? '' : ` ${hint}`}
      </p>
    );
  });
}
