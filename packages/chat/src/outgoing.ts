import type { FormValues } from './form.ts';

/** A message of the visitor; files have their own route. */
export type Outgoing = { readonly id: string } & (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'button'; readonly text: string; readonly payload?: string }
  | { readonly type: 'location'; readonly coordinates: { readonly lat: number; readonly long: number } }
  | { readonly type: 'form'; readonly of: string; readonly values: FormValues }
  | { readonly type: 'file'; readonly file: File }
);
