/** Orders: the carts that users send from the catalogue of a business. */
import { isJsonObject, type Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import type { InboundMessage } from '../messages/inbound-message.ts';

/** The most lines of an order that are read: WhatsApp's carts have fewer. */
const maxItems = 1_000;

/** A number as providers write it: as one, or as its text. */
const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}(?:\.\d{1,10})?$/)
      .transform(Number),
  ])
  .pipe(z.number().min(0).max(1e12));

/** An order as WhatsApp sends it. */
const SentOrder = z.object({
  text: z.string().catch(''),
  product_items: z
    .array(
      z.object({
        product_retailer_id: z.string().min(1),
        quantity: number.pipe(z.number().gt(0)),
        item_price: number,
        currency: z.string().regex(/^[A-Z]{3}$/),
      }),
    )
    .min(1)
    .max(maxItems),
});

/** An order as it is kept. */
export const Order = z.strictObject({
  items: z.array(z.strictObject({ sku: z.string(), quantity: z.number(), price: z.number() })).min(1),
  currency: z.string(),
  total: z.number(),
  note: z.string(),
});

/** Decimal places to which prices are summed: more than any currency has. */
const scale = 10_000;

/** The order in a reply; `undefined` where there is none, or where its prices are in several currencies, which have no sum. */
export function readOrder({ type, order }: Partial<InboundMessage>): Json | undefined {
  const { data } = SentOrder.safeParse(type === 'order' && isJsonObject(order) ? order : undefined);
  const currency = data?.product_items[0]?.currency;
  if (data === undefined || currency === undefined || data.product_items.some((item) => item.currency !== currency)) return undefined;
  const items = data.product_items.map(({ product_retailer_id: sku, quantity, item_price: price }) => ({ sku, quantity, price }));
  // Summed in whole ten-thousandths: 0.1 and 0.2 come to 0.3.
  const total = items.reduce((sum, { quantity, price }) => sum + Math.round(quantity * price * scale), 0) / scale;
  return JsonObject.parse({ items, currency, total, note: data.text });
}
