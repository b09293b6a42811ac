// The settings of the whole workflow, as an author writes them.
import type { Json } from '@hilo/engine/contract';
import { type ComponentProps, useId } from 'react';
import { type CanvasJson, isRecord } from '../canvas/canvas-json.ts';
import { JsonField } from '../forms/JsonField.tsx';
import { DurationWidget } from '../forms/widgets.tsx';
import { areDeclared } from './declared.ts';
import { Declared } from './Declared.tsx';
import { declaredWords } from './declared-words.ts';
import { VariableUses } from './VariableUses.tsx';
import { usePartWords } from '../words/part.ts';
import { useWords } from '../words/words.tsx';

/** What it is for, when its waits expire, and which variables there are from the start. */
export function CanvasSettings({
  canvas,
  onChange,
  onRename,
  onOpen,
  isReadOnly,
}: Pick<ComponentProps<typeof VariableUses>, 'onRename' | 'onOpen'> & {
  readonly canvas: CanvasJson;
  readonly onChange: (field: 'description' | 'settings' | 'variables', value: Json | undefined) => void;
  readonly isReadOnly: boolean;
}) {
  const say = useWords();
  const about = usePartWords(declaredWords);
  const id = useId();
  const settings = canvas.settings ?? {};
  const expiry = settings['sessionExpiry'];
  const description = canvas['description'];
  const { variables } = canvas;
  return (
    <section className="node-panel form">
      <h2>{say('editor.settings')}</h2>
      <div className="field">
        <label htmlFor={`${id}-description`}>{about('settings.description')}</label>
        <textarea
          id={`${id}-description`}
          rows={3}
          maxLength={2_000}
          dir="auto"
          readOnly={isReadOnly}
          value={typeof description === 'string' ? description : ''}
          onChange={({ target }) => onChange('description', target.value === '' ? undefined : target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-expiry`}>{about('settings.sessionExpiry')}</label>
        <DurationWidget
          id={`${id}-expiry`}
          label={about('settings.sessionExpiry')}
          value={expiry}
          isRequired={false}
          isReadOnly={isReadOnly}
          pointer="/settings/sessionExpiry"
          problems={[]}
          examples={['PT24H']}
          onChange={(value) => {
            const { sessionExpiry: _before, ...others } = settings;
            onChange('settings', value === undefined ? others : { ...others, sessionExpiry: value });
          }}
        />
      </div>
      {areDeclared(variables) ? (
        <fieldset className="field">
          <legend>{about('settings.variables')}</legend>
          <Declared variables={variables ?? {}} isReadOnly={isReadOnly} onChange={(value) => onChange('variables', value)} />
        </fieldset>
      ) : (
        <div className="field">
          <label htmlFor={`${id}-variables`}>{about('settings.variables')}</label>
          <JsonField
            id={`${id}-variables`}
            value={variables ?? {}}
            isReadOnly={isReadOnly}
            onChange={(value) => isRecord(value) && onChange('variables', value)}
          />
        </div>
      )}
      <VariableUses {...{ canvas, isReadOnly, onRename, onOpen }} />
    </section>
  );
}
