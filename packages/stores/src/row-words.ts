/**
 * Texts that stand in rows as their place in this list, from 0: scopes, types of nodes, ports, kinds of waits. Rows of every store ever
 * written name these places, so none changes, and another word needs the next format. A text that the list lacks stands in rows as it is.
 */
export const words: readonly string[] = [
  // Scopes of variables.
  '$webhook $context $memory $user $message $messages $input $output $item $error $bot $company',
  // Statuses of executions.
  'running waiting completed failed cancelled expired quarantined',
  // Types of nodes.
  'ai-task api ask business-hours catch code collect condition database delay end for-each',
  'function handoff jump log message note object payment random respond send-event set soap',
  'start switch tags template text wait-event wait-external wait-until webhook workflow',
  // Ports.
  'new next sent resumed received invalid elapsed else error done item other',
  // Waits.
  'timeout expire reply external timer event child retry',
  // Effects.
  'message.send webhook.respond http.request',
  // Channels and routes.
  'production test whatsapp web instagram facebook slack teams twitter custom',
].flatMap((line) => line.split(' '));

const places = new Map(words.map((word, place) => [word, place]));

/** A text as it stands in a row. */
export const shorten = (text: string): string | number => places.get(text) ?? text;
