import type { WidgetProps } from '@hilo/studio';

/** The field for our own hint `score`: the form adds its label, its help, and its problems. */
export function ScoreField({ id, value, onChange, isReadOnly }: WidgetProps) {
  const score = typeof value === 'number' ? value : 60;
  return (
    <span className="score-field">
      <input
        id={id}
        type="range"
        min={1}
        max={100}
        value={score}
        disabled={isReadOnly}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
      <output htmlFor={id}>{score} points</output>
    </span>
  );
}
