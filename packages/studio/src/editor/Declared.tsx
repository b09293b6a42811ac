// The variables that a workflow declares: a line for each, with its name, its type and what it holds from the start.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { isRecord } from '../canvas/canvas-json.ts';
import { Meaning, NameAndType } from '../forms/DeclaredValue.tsx';
import { freeName, withName } from '../forms/editors/pairs.ts';
import { withField } from '../forms/shape.ts';
import { usePartWords } from '../words/part.ts';
import { AnyValue, OneValue, ValueLines } from './BeginningValue.tsx';
import { declaredTypes, mayBeNamed, nameTyped, redeclared, typeOf } from './declared.ts';
import { declaredWords } from './declared-words.ts';

interface DeclaredProps {
  readonly variables: JsonObject;
  readonly isReadOnly: boolean;
  readonly onChange: (variables: JsonObject) => void;
}

export function Declared({ variables, isReadOnly, onChange }: DeclaredProps) {
  const say = usePartWords(declaredWords);
  const [fresh, setFresh] = useState<number>();
  return (
    <div className="pairs">
      <p className="help">{say('declared.about')}</p>
      {Object.entries(variables).map(([name, declaration], index) => (
        <Line
          key={index}
          name={name}
          declaration={isRecord(declaration) ? declaration : {}}
          label={say('declared.variable', { number: index + 1 })}
          isTaken={(wanted) => !mayBeNamed(wanted) || (wanted !== name && Object.hasOwn(variables, wanted))}
          isReadOnly={isReadOnly}
          isFresh={fresh === index}
          onRename={(wanted) => onChange(withName(variables, name, wanted))}
          onDeclare={(changed) => onChange({ ...variables, [name]: changed })}
          onRemove={() => onChange(Object.fromEntries(Object.entries(variables).filter(([one]) => one !== name)))}
        />
      ))}
      {!isReadOnly && (
        <button
          type="button"
          className="quiet"
          onClick={() => {
            setFresh(Object.keys(variables).length);
            onChange({ ...variables, [freeName(variables, 'variable')]: { type: 'string' } });
          }}
        >
          <Plus size={12} aria-hidden /> {say('declared.add')}
        </button>
      )}
    </div>
  );
}

interface LineProps {
  readonly name: string;
  readonly declaration: JsonObject;
  readonly label: string;
  readonly isTaken: (name: string) => boolean;
  readonly isReadOnly: boolean;
  /** It was just added: its name is written next. */
  readonly isFresh: boolean;
  readonly onRename: (name: string) => void;
  readonly onDeclare: (declaration: JsonObject) => void;
  readonly onRemove: () => void;
}

function Line({ name, declaration, label, isTaken, isReadOnly, isFresh, onRename, onDeclare, onRemove }: LineProps) {
  const say = usePartWords(declaredWords);
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFresh) line.current?.querySelector('input')?.select();
  }, [isFresh]);
  return (
    <div className="pair" ref={line}>
      <NameAndType
        name={name}
        labels={{ name: `${label}: ${say('declared.name')}`, type: `${label}: ${say('declared.type')}` }}
        type={typeOf(declaration)}
        types={declaredTypes.map((type) => [type, say(`declared.type.${type}`)])}
        isTaken={(wanted) => isTaken(nameTyped(wanted))}
        isReadOnly={isReadOnly}
        onRename={(wanted) => onRename(nameTyped(wanted))}
        onRetype={(type) => onDeclare(redeclared(declaration, typeOf({ type })))}
        onRemove={onRemove}
      />
      <Default
        key={typeOf(declaration)}
        declaration={declaration}
        label={`${label}: ${say('declared.default')}`}
        isReadOnly={isReadOnly}
        onChange={(value) => onDeclare(withField(declaration, 'default', value))}
      />
      <Meaning
        label={`${label}: ${say('declared.means')}`}
        placeholder={say('declared.means')}
        value={declaration['description']}
        isReadOnly={isReadOnly}
        onChange={(meaning) => onDeclare(withField(declaration, 'description', meaning))}
      />
    </div>
  );
}

interface DefaultProps {
  readonly declaration: JsonObject;
  readonly label: string;
  readonly isReadOnly: boolean;
  /** @param value - `undefined`: it begins with nothing */
  readonly onChange: (value: Json | undefined) => void;
}

function Default({ declaration, label, isReadOnly, onChange }: DefaultProps) {
  const say = usePartWords(declaredWords);
  const { default: value } = declaration;
  const type = typeOf(declaration);
  const nothing = `${say('declared.default')}: ${say('declared.nothing')}`;
  if (type === 'boolean')
    return (
      <select
        aria-label={label}
        value={typeof value === 'boolean' ? String(value) : ''}
        disabled={isReadOnly}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'true')}
      >
        <option value="">{nothing}</option>
        <option value="true">{`${say('declared.default')}: ${say('declared.yes')}`}</option>
        <option value="false">{`${say('declared.default')}: ${say('declared.no')}`}</option>
      </select>
    );
  if (type === 'string' || type === 'number')
    return <OneValue kind={type === 'number' ? 'number' : 'text'} placeholder={nothing} {...{ value, label, isReadOnly, onChange }} />;
  if (type === 'any')
    return (
      <span className="sentence">
        <span aria-hidden>{say('declared.default')}</span>
        <AnyValue {...{ value, label, isReadOnly, onChange }} />
      </span>
    );
  const isEmpty = isRecord(value) ? Object.keys(value).length === 0 : !Array.isArray(value) || value.length === 0;
  return (
    <>
      <span className="caption">{isEmpty ? nothing : say('declared.default')}</span>
      <ValueLines value={value ?? (type === 'object' ? {} : [])} {...{ label, isReadOnly, onChange }} />
    </>
  );
}
