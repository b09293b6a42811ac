// The work of every server here: take an order, greet its customer, look whether it is large, say that it ships free, answer.

/** So many customers order again and again. */
const customers = 1_000;

/** What a caller sends. */
export const orderOf = (number: number) => ({
  id: `A-${number}`,
  total: 120,
  customer: { id: String(51_999_100_000 + (number % customers)), name: 'Ana' },
});
export type Order = ReturnType<typeof orderOf>;

/** What it must be answered, to the letter. */
export const answerTo = (number: number): string => `{"id":"A-${number}","text":"Hello Ana, order A-${number} ships free"}`;
