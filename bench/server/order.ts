// The work of every server here: accept an order, greet its customer, check whether it is large, offer free shipping, answer.

/** Orders come from this many customers. */
const customers = 1_000;

/** What a caller sends. */
export const orderOf = (number: number) => ({
  id: `A-${number}`,
  total: 120,
  customer: { id: String(51_999_100_000 + (number % customers)), name: 'Ana' },
});
export type Order = ReturnType<typeof orderOf>;

// The work by hand, node by node, for servers without canvases.
export const greet = ({ customer }: Order): string => `Hello ${customer.name}`;
export const isLarge = ({ total }: Order): boolean => total > 100;
export const ship = (greeting: string, { id }: Order): string => `${greeting}, order ${id} ships free`;
export const answerOf = ({ id }: Order, text: string) => ({ id, text });

/** All of it at once. */
export function answer(order: Order): ReturnType<typeof answerOf> {
  const greeting = greet(order);
  return answerOf(order, isLarge(order) ? ship(greeting, order) : greeting);
}

/** What it must be answered, to the letter. */
export const answerTo = (number: number): string => `{"id":"A-${number}","text":"Hello Ana, order A-${number} ships free"}`;
