// Reads of a canvas what can be drawn, whatever is wrong with the rest.
import { z } from 'zod';

const Position = z.object({ x: z.number(), y: z.number() });

const SketchNode = z.object({
  id: z.string(),
  type: z.string().catch(''),
  position: Position.optional().catch(undefined),
  data: z.record(z.string(), z.unknown()).catch({}),
});
const SketchEdge = z.object({ source: z.string(), sourceHandle: z.string().nullish().catch(null), target: z.string() });

/** Keeps the items that can be drawn. */
const drawable = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.flatMap((input): z.output<Item>[] => {
        const { data, success } = item.safeParse(input);
        return success ? [data] : [];
      }),
    );

/** What a picture needs of a canvas. A canvas with mistakes has one as well: what cannot be drawn is left out. */
export const Sketch = z.object({
  id: z.string().catch(''),
  name: z.string().catch(''),
  kind: z.string().catch('skill'),
  description: z.string().catch(''),
  nodes: drawable(SketchNode),
  edges: drawable(SketchEdge),
});
export type Sketch = z.output<typeof Sketch>;
export type SketchNode = z.output<typeof SketchNode>;
