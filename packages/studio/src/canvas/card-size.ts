/** How large a card will be, before anything is drawn: the same numbers as in the style sheet. */
export function cardSize(card: {
  readonly summary: string;
  readonly bubble: string | undefined;
  readonly isNote: boolean;
  readonly frame?: { readonly width: number; readonly height: number };
  readonly ports: readonly { readonly isRequired: boolean; readonly target?: string; readonly isUnknown: boolean }[];
}): { readonly width: number; readonly height: number } {
  if (card.frame !== undefined) return card.frame;
  const width = 240;
  const perLine = 34; // characters of 13 px on a line of 240 px
  const lines = (text: string, most: number) =>
    Math.min(
      most,
      text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0),
    );
  const text = card.bubble === undefined ? (card.summary === '' ? 0 : lines(card.summary, 2) * 18 + 12) : lines(card.bubble, 4) * 18 + 28;
  const required = card.ports.filter(({ isRequired }) => isRequired).length;
  const optional = card.ports.filter(({ isRequired, target }) => !isRequired && target !== undefined).length;
  const rows = (required > 1 ? required * 34 : 0) + optional * 26;
  return { width, height: 56 + text + rows + (text + rows > 0 ? 10 : 0) };
}
