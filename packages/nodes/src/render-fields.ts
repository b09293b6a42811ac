import type { Variables } from '@hilo/engine/contract';

/** Renders templates by name: each field has the value that its template has for these variables. */
export const renderFields = <Value>(
  templates: { readonly [name: string]: (variables: Variables) => Value },
  variables: Variables,
): { readonly [name: string]: Value } =>
  Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, template(variables)]));
