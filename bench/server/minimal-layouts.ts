// The rows of the durable server by hand: those that Hilo writes today, and lean ones.

/** A row that Hilo's own store wrote for the order, its table and its indexes: what `minimal-template.ts` prints. */
export interface Template {
  readonly schema: readonly string[];
  readonly row: { readonly [column: string]: string | number | null };
  readonly executionId: string;
  readonly order: { readonly id: string; readonly customer: { readonly id: string } };
}

/** How a server by hand keeps an order. */
export interface Layout {
  readonly schema: readonly string[];
  readonly insert: string;
  /** The kind of each value of a row. */
  readonly kinds: readonly ('text' | 'number')[];
}

/** What differs from row to row. */
export interface Kept {
  readonly executionId: string;
  readonly orderId: string;
  readonly userId: string;
  readonly atMs: number;
}

export type LayoutName = 'same' | 'lean';

/** The values of a row, in the order of its kinds. */
type Values = (kept: Kept) => readonly (string | number)[];

/** @returns the layout, and what makes the values of a row */
export function layoutOf(name: LayoutName, template: Template): { readonly layout: Layout; readonly values: Values } {
  return name === 'same' ? todays(template) : lean(template);
}

/** Each column that Hilo's row has, with the same texts but for their ids and instants. */
function todays(template: Template): { readonly layout: Layout; readonly values: Values } {
  const columns = Object.entries(template.row).flatMap(([name, value]) => (name === 'id' || value === null ? [] : [{ name, value }]));
  const fills = columns.map(({ name, value }) => {
    if (typeof value === 'string') return filling(value, template);
    return name.endsWith('_at_ms') ? ({ atMs }: Kept) => atMs : () => value;
  });
  const names = columns.map((column) => column.name);
  const layout: Layout = {
    schema: template.schema,
    insert: `insert into executions (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
    kinds: columns.map(({ value }) => (typeof value === 'string' ? 'text' : 'number')),
  };
  return { layout, values: (kept) => fills.map((fill) => fill(kept)) };
}

/** Numbers in place of names, indexes that grow at their end, and the texts of Hilo's row as one body. */
function lean(template: Template): { readonly layout: Layout; readonly values: Values } {
  const fillBody = filling(`${template.row['begun'] ?? ''}${template.row['state'] ?? ''}`, template);
  let number = 0;
  const layout: Layout = {
    schema: [
      `create table executions (id integer primary key, name text not null, company integer not null, workflow integer not null,
        user integer not null, status integer not null, revision integer not null, due integer, ended integer, body text not null) strict`,
      'create index executions_by_workflow on executions (company, workflow, id)',
      'create index executions_by_status on executions (company, status, id)',
      'create index executions_due on executions (due) where due is not null',
      'create index executions_ended on executions (status, ended) where ended is not null',
    ],
    insert: 'insert into executions (id, name, company, workflow, user, status, revision, ended, body) values (?, ?, 1, 1, ?, 2, 1, ?, ?)',
    kinds: ['number', 'text', 'number', 'number', 'text'],
  };
  const values = (kept: Kept) => [(number += 1), kept.executionId.slice(0, 16), Number(kept.userId), kept.atMs, fillBody(kept)];
  return { layout, values };
}

/** Puts other ids into a text that has those of the template. */
function filling(text: string, { executionId, order }: Template): (kept: Kept) => string {
  const parts = text.split(new RegExp(`(${[executionId, order.id, order.customer.id].join('|')})`));
  const names = parts.map((part): keyof Kept | undefined =>
    part === executionId ? 'executionId' : part === order.id ? 'orderId' : part === order.customer.id ? 'userId' : undefined,
  );
  return (kept) => {
    let filled = '';
    for (const [index, part] of parts.entries()) {
      const name = names[index];
      filled += name === undefined ? part : kept[name];
    }
    return filled;
  };
}
