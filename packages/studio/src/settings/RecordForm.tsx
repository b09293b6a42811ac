// The form of a record: generated from the schema that the service gives, with labels of its own, and the refusals under their fields.
import type { Json, JsonObject, Problem } from '@hilo/engine/contract';
import { useMemo } from 'react';
import { ApiError } from '../api/client.ts';
import { isRecord, type JsonSchema } from '../canvas/canvas-json.ts';
import type { FieldChoices } from '../expressions/completions.ts';
import { Form } from '../forms/Form.tsx';
import { withField } from '../forms/shape.ts';
import type { WidgetProps } from '../forms/widget-props.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { choiceWidgets } from './choice-widgets.tsx';
import type { ListedKind } from './kinds.ts';
import { settingsHints, settingsTexts } from './settings-texts.ts';
import { settingsWords } from './settings-words.ts';

interface RecordFormProps {
  readonly kind: ListedKind | 'company';
  readonly schema: JsonSchema;
  readonly value: JsonObject;
  /** Whether there is none yet, of which secrets are kept. */
  readonly isNew?: boolean;
  /** Says what becomes of the record as it is then: two fields may be changed at once. */
  readonly onChange: (change: (before: JsonObject) => JsonObject) => void;
  /** Why the service refused it. */
  readonly problems: readonly Problem[];
}

export function RecordForm({ kind, schema, value, isNew = false, onChange, problems }: RecordFormProps) {
  const { client, companyId, widgets, can } = useStudio();
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const choices = useMemo(
    (): FieldChoices => ({
      variables: [],
      workflows: references?.workflows ?? [],
      credentials: references?.credentials ?? [],
      templates: references?.templates ?? [],
      channels: [],
      valueOf: () => undefined,
    }),
    [references],
  );
  const all = useMemo(
    () => ({
      ...(isNew ? newSecrets : keptSecrets),
      line: LineWidget,
      long: LongWidget,
      colour: ColourWidget,
      ...choiceWidgets,
      bot: BotWidget,
      ...widgets,
    }),
    [widgets, isNew],
  );
  return (
    <Form
      schema={schema}
      value={value}
      onChange={(changed, field) =>
        isRecord(changed) && onChange((before) => (kind === 'credentials' ? changed : withField(before, field, changed[field])))
      }
      pointer=""
      hints={settingsHints[kind]}
      texts={settingsTexts[kind]}
      problems={problems}
      choices={choices}
      widgets={all}
      isReadOnly={!can('operate')}
    />
  );
}

/** What the service found wrong with a record, where it says so. */
export function problemsOf(error: unknown): readonly Problem[] {
  const body: unknown = error instanceof ApiError ? error.body : undefined;
  const problems: unknown = isRecord(body) ? body['problems'] : undefined;
  return Array.isArray(problems) ? (problems as readonly Problem[]) : [];
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** A secret, which is never shown. */
function SecretWidget({ value, onChange, id, isReadOnly }: WidgetProps) {
  return (
    <input
      id={id}
      type="password"
      autoComplete="new-password"
      value={textOf(value)}
      readOnly={isReadOnly}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    />
  );
}

/** A secret of several lines, such as a private key: a field of one line would take its line breaks away. */
function LongSecretWidget({ value, onChange, id, isReadOnly }: WidgetProps) {
  return (
    <textarea
      id={id}
      className="long-secret"
      rows={4}
      autoComplete="off"
      spellCheck={false}
      value={textOf(value)}
      readOnly={isReadOnly}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    />
  );
}

/** The same of a record that is there: the secret that is kept stays where nothing is written. */
const keptOf = (Widget: (props: WidgetProps) => React.ReactNode) =>
  function KeptSecret(props: WidgetProps) {
    const say = usePartWords(settingsWords);
    return (
      <>
        <Widget {...props} />
        <p className="help">{say('settings.secretKept')}</p>
      </>
    );
  };

const newSecrets = { secret: SecretWidget, longSecret: LongSecretWidget };
const keptSecrets = { secret: keptOf(SecretWidget), longSecret: keptOf(LongSecretWidget) };

/** A line of text whose schema says no more than that the service checks it. */
function LineWidget({ value, onChange, id, isReadOnly, examples }: WidgetProps) {
  return (
    <input
      id={id}
      value={textOf(value)}
      readOnly={isReadOnly}
      placeholder={examples[0] ?? ''}
      dir="auto"
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    />
  );
}

function LongWidget({ value, onChange, id, isReadOnly }: WidgetProps) {
  return (
    <textarea
      id={id}
      rows={4}
      value={textOf(value)}
      readOnly={isReadOnly}
      dir="auto"
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    />
  );
}

function ColourWidget({ value, onChange, id, isReadOnly }: WidgetProps) {
  const text = textOf(value);
  return (
    <input
      id={id}
      type="color"
      value={/^#[0-9a-f]{6}$/i.test(text) ? text : '#2563eb'}
      disabled={isReadOnly}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function BotWidget({ value, onChange, id, isReadOnly }: WidgetProps) {
  const { client, companyId } = useStudio();
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const bots = references?.bots ?? [];
  const text = textOf(value);
  return (
    <select id={id} value={text} disabled={isReadOnly} onChange={({ target }) => onChange(target.value)}>
      {bots.every((bot) => bot.id !== text) && <option value={text}>{text === '' ? '—' : text}</option>}
      {bots.map((bot) => (
        <option key={bot.id} value={bot.id}>
          {bot.name}
        </option>
      ))}
    </select>
  );
}
