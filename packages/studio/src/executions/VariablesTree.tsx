// Values as a tree: the variables of an execution, a request, a result.
import { isRecord } from '../canvas/canvas-json.ts';

const nothing: ReadonlySet<string> = new Set();

/** Variables as a tree; what the step wrote is marked. */
export function VariablesTree({
  value,
  written = nothing,
  path = '',
}: {
  readonly value: unknown;
  readonly written?: ReadonlySet<string>;
  readonly path?: string;
}) {
  if (!isRecord(value)) return <code dir="auto">{JSON.stringify(value)}</code>;
  return (
    <ul className="tree">
      {Object.entries(value).map(([name, item]) => {
        const at = path === '' ? name : `${path}.${name}`;
        return (
          <li key={name} className={written.has(at) ? 'written' : ''}>
            <b>{name}</b>
            {written.has(at) && ' ●'}{' '}
            {isRecord(item) || Array.isArray(item) ? (
              <details open={path === ''}>
                <summary>{Array.isArray(item) ? `[${item.length}]` : '{ }'}</summary>
                {Array.isArray(item) ? (
                  <pre className="json" tabIndex={0}>
                    {JSON.stringify(item, null, 2)}
                  </pre>
                ) : (
                  <VariablesTree value={item} written={written} path={at} />
                )}
              </details>
            ) : (
              <code dir="auto">{JSON.stringify(item)}</code>
            )}
          </li>
        );
      })}
    </ul>
  );
}
