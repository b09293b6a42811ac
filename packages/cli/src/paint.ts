import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Colours a text where the reader wants colours: on a terminal, unless `NO_COLOR` is set; `FORCE_COLOR` insists. */
export type Paint = (format: Format, text: string) => string;

export const painter =
  (stream: NodeJS.WriteStream): Paint =>
  (format, text) =>
    styleText(format, text, { stream });

/** How many characters fit on a line of a terminal; 100 where there is none. */
export const columnsOf = (stream: NodeJS.WriteStream): number => Math.max(40, Math.min(stream.columns ?? 100, 140));
