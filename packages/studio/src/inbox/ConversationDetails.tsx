// What an operator sees beside a conversation.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { type InboxDetails, type InboxPeople, isOfApp } from '../api/inbox-calls.ts';
import { isRecord, shownText } from '../canvas/canvas-json.ts';
import { VariablesTree } from '../executions/VariablesTree.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useNames } from '../words/words.tsx';
import { inboxWords } from './inbox-words.ts';

const nothingWritten: ReadonlySet<string> = new Set();

/** What the conversation with the bot gave, and what it remembers: the rest of the variables is for who builds the bot. */
export function answersIn(variables: JsonObject): JsonObject {
  const { $context: context, $memory: memory } = variables;
  const { executionId: _own, ...answers } = isRecord(context) ? context : {};
  return { ...(isRecord(memory) && memory), ...answers };
}

/** A field of a contact as a line; empty where it is not known. */
export const shownField = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : Array.isArray(value) ? value.join(', ') : shownText(value);

/** What is known of the person, and what the bot knew when it handed them over. */
export function ConversationDetails({
  details: { conversation, execution, tags, contact, fields },
  people,
  onTags,
}: {
  readonly details: InboxDetails;
  readonly people: InboxPeople;
  readonly onTags: (tags: readonly number[]) => void;
}) {
  const { can, go, hasScreens } = useStudio();
  const say = usePartWords(inboxWords);
  const channelWord = useNames('channel');
  const { user, bot, channel, operator, assignationMethod } = conversation;
  const knew = answersIn(execution?.variables ?? {});
  const facts = [
    [say('inbox.person'), user.names],
    [say('inbox.number'), user.id],
    [say('inbox.bot'), channel === null ? bot.name : `${bot.name} (${channelWord(channel)})`],
    [say('inbox.answers'), operator?.names ?? say(isOfApp(conversation) ? 'inbox.inApp' : 'inbox.unassigned')],
    [say('inbox.teamOf'), assignationMethod.teamName ?? ''],
    ...fields.map(({ key, label }) => [label, shownField(contact?.fields[key])] as const),
    [say('inbox.groups'), contact?.groups.join(', ') ?? ''],
    [say('inbox.consent'), contact?.marketing === 'revoked' ? say('inbox.stopped') : ''],
  ] as const;
  return (
    <aside className="inbox-details" aria-label={say('inbox.details')} tabIndex={0}>
      <dl>
        {facts.map(
          ([name, value], place) =>
            value !== '' && (
              // Two fields of a company may have one label.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list has an order of its own
              <div key={place}>
                <dt>{name}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ),
        )}
      </dl>
      <h3>{say('inbox.tags')}</h3>
      {people.tags.length === 0 ? (
        <p className="quiet-text">{say('inbox.noTags')}</p>
      ) : (
        <div className="buttons">
          {people.tags.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              dir="auto"
              aria-pressed={tags.includes(id)}
              onClick={() => onTags(tags.includes(id) ? tags.filter((one) => one !== id) : [...tags, id])}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      {execution !== null && (
        <>
          <h3>{say('inbox.knew')}</h3>
          {Object.keys(knew).length === 0 ? (
            <p className="quiet-text">{say('inbox.knewNothing')}</p>
          ) : (
            <VariablesTree value={knew} written={nothingWritten} />
          )}
          {hasScreens && can('view') && (
            <button type="button" className="link" onClick={() => go({ screen: 'execution', executionId: execution.executionId })}>
              {say('inbox.execution')}
            </button>
          )}
        </>
      )}
    </aside>
  );
}
