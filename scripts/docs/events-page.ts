import { describeEvents } from '../../packages/server/src/platform/events/event-types.ts';
import { cell } from './schema-fields.ts';

/** The first part of the page, which people write. */
const marker = '<!-- npm run generate writes the rest -->';

interface Field {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
}

const formatType = ({ enum: choices, type }: Field): string =>
  choices !== undefined
    ? choices.map((choice) => `\`${choice}\``).join(', ')
    : type === undefined
      ? 'text or number'
      : [type].flat().join(' or ');

/** The page of events: what people wrote of it, and a table for each event. @param before - the page as it is */
export function eventsPage(before: string): string {
  const written = before.split(marker)[0] ?? '';
  const sections = describeEvents().map(({ name, says, schema }) => {
    const { properties = {}, required = [] } = schema as { properties?: { [field: string]: Field }; required?: readonly string[] };
    const rows = Object.entries(properties).map(
      ([field, schema]) =>
        `| \`${field}\` | ${formatType(schema)}${required.includes(field) ? '' : ', may be absent'} | ${cell(schema.description ?? '')} |`,
    );
    return `### \`${name}\`\n\n${says}\n\n| field of data | | |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return `${written}${marker}\n\n## The events\n\n${sections.join('\n')}`;
}
