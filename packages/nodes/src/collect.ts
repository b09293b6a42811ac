// The node `collect`: waits until a user has written all that they write at once.
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
    window: Window.prefault('PT5S').meta({
      description: 'How long the user must pause until the messages count as complete: 1 to 20 seconds',
    }),
    maxMessages: z.int().min(1).max(100).default(20).meta({ description: 'With this many messages the node continues at once' }),
    begins: z.enum(['withLast', 'withNext']).default('withLast').meta({
      description:
        'Where a burst begins: with the message that led here (withLast), or with the next one, if that message was an answer already (withNext)',
    }),
    maxWait: Duration.prefault('PT1M').meta({ description: 'The maximum duration, even if the user keeps writing' }),
    saveAs: VariablePath.optional().meta({ description: 'Where the list of messages is kept, beside $messages' }),
  })
  .refine(({ window, maxWait }) => window <= maxWait, {
    path: ['maxWait'],
    error: 'The longest burst is shorter than one window: lengthen it',
  });
type Config = z.output<typeof Config>;

/** Groups the messages that a user sends one right after the other, and continues once with all of them. */
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
    return isNew && visit.config.begins === 'withLast' ? beginBurst(visit.config, last, visit.nowMs) : awaitFirst(visit.config);
  },
  heardBefore: () => ['collected'],
  writingFields: ['saveAs'],
  waitsBefore: () => ['collected'],
  writes: ({ saveAs }) => ({ collected: ['$messages', ...(saveAs === undefined ? [] : [formatPath(saveAs)])] }),
});

/** Waits for the first message of a burst, without a limit. */
const awaitFirst = (config: Config): Outcome<'collected'> =>
  perform(reply({}), (result) => (result.kind === 'timeout' ? leaveWith(config, []) : beginBurst(config, result.message, result.atMs)));

const beginBurst = (config: Config, message: JsonObject, atMs: number): Outcome<'collected'> =>
  gather(config, { messages: [message], lastAtMs: atMs, endsAtMs: atMs + config.maxWait });

/** A burst that has begun. */
interface Burst {
  readonly messages: readonly JsonObject[];
  /** The instant of its last message, in milliseconds since the Unix epoch. */
  readonly lastAtMs: number;
  /** When it is over, even if messages still come. */
  readonly endsAtMs: number;
}

/** Waits for the next message of a burst until the user has been silent for the window, or the burst is full or over. */
function gather(config: Config, burst: Burst): Outcome<'collected'> {
  const { messages, lastAtMs, endsAtMs } = burst;
  if (messages.length >= config.maxMessages || lastAtMs >= endsAtMs) return leaveWith(config, messages);
  return perform(reply({ dueInMs: Math.min(config.window, endsAtMs - lastAtMs) }), (result) =>
    result.kind === 'timeout'
      ? leaveWith(config, messages)
      : gather(config, { messages: [...messages, result.message], lastAtMs: result.atMs, endsAtMs }),
  );
}

function leaveWith({ saveAs }: Config, messages: readonly JsonObject[]): Leave<'collected'> {
  const places = [['$messages'], ...(saveAs === undefined ? [] : [saveAs])];
  return leave(
    'collected',
    places.map((path) => ({ path, value: messages })),
    { memo: messages.at(-1)?.['id'] ?? null },
  );
}
