import {
  defineNode,
  Duration,
  formatPath,
  isJsonObject,
  type JsonObject,
  type Leave,
  leave,
  type Outcome,
  perform,
  reply,
  VariablePath,
} from '@hilo/engine/contract';
import { z } from 'zod';

const second = 1_000;

/** How long the user must be silent for the burst to be over (GRP-03). */
const Window = Duration.refine((windowMs) => windowMs >= second && windowMs <= 20 * second, {
  error: 'The window is 1 to 20 seconds: PT1S to PT20S',
});

const Config = z
  .strictObject({
    window: Window.prefault('PT5S'),
    maxMessages: z.int().min(1).max(100).default(20),
    /** Where a burst begins: with the message that led here, or, where that was an answer already, with the next. */
    begins: z.enum(['withLast', 'withNext']).default('withLast'),
    /** The longest that a burst may take, however the user goes on. */
    maxWait: Duration.prefault('PT1M'),
    saveAs: VariablePath.optional(),
  })
  .refine(({ window, maxWait }) => window <= maxWait, {
    path: ['maxWait'],
    error: 'The longest burst is shorter than one window: lengthen it',
  });
type Config = z.output<typeof Config>;

/** Groups the messages that a user sends one right after the other, and goes on once with all of them. */
export const collect = defineNode({
  type: 'collect',
  config: Config,
  visual: {
    label: 'Collect',
    category: 'message',
    icon: 'messages-square',
    colour: '#2563eb',
    description: 'Waits until the user has stopped writing, and gathers all their messages of that moment in $messages.',
    summary: ({ window = 'PT5S', maxMessages = 20 }) => `${window} of silence, at most ${maxMessages} messages`,
    formHints: { window: 'duration', maxWait: 'duration', saveAs: 'variable' },
  },
  facts: { limits: 'a window of 1 to 20 s, 100 messages' },
  ports: ['collected'],
  supports: { kinds: ['skill'] },
  run(visit) {
    const last = visit.variables.get(['$message']);
    // What an earlier visit has collected begins no second burst.
    const isNew = isJsonObject(last) && (last['id'] === undefined || last['id'] !== visit.memo);
    return gather(visit.config, isNew && visit.config.begins === 'withLast' ? [last] : []);
  },
  waitsBefore: () => ['collected'],
  writes: ({ saveAs }) => ({ collected: ['$messages', ...(saveAs === undefined ? [] : [formatPath(saveAs)])] }),
});

/** Waits for the next message of a burst; for the first one, as long as it takes. */
function gather(config: Config, messages: readonly JsonObject[]): Outcome<'collected'> {
  if (messages.length >= longestBurst(config)) return collected(config, messages);
  return perform(reply({ ...(messages.length > 0 && { dueInMs: config.window }) }), (result) =>
    result.kind === 'timeout' ? collected(config, messages) : gather(config, [...messages, result.message]),
  );
}

/** In messages. No wait is longer than the window, so that as many waits as fit into `maxWait` never last longer than it. */
const longestBurst = ({ window, maxWait, maxMessages }: Config): number => Math.min(maxMessages, Math.floor(maxWait / window) + 1);

function collected({ saveAs }: Config, messages: readonly JsonObject[]): Leave<'collected'> {
  const places = [['$messages'], ...(saveAs === undefined ? [] : [saveAs])];
  return leave(
    'collected',
    places.map((path) => ({ path, value: messages })),
    { memo: messages.at(-1)?.['id'] ?? null },
  );
}
