// Shows the chat in the page that loads this script: <script src="https://YOUR-HOST/chat.js" data-bot="BOT-ID" defer></script>
import { connect } from './connection.ts';
import { createKeep } from './keep.ts';
import { readSettings, readSubject } from './settings.ts';
import { createView } from './view.ts';

const script = document.currentScript;
const settings = script instanceof HTMLScriptElement ? readSettings(script) : undefined;

function begin(): void {
  if (settings === undefined) return console.error('Hilo chat: name the bot by the attribute data-bot of the script');
  if (document.querySelector(`hilo-chat[data-bot="${CSS.escape(settings.botId)}"]`) !== null)
    return console.warn(`Hilo chat: the page shows the chat of ${settings.botId} already; load the script once`);
  const user = settings.identity === undefined ? '' : `${readSubject(settings.identity)} `; // what one user left unsent is not the next one's
  const tried = settings.draft === undefined ? '' : `${settings.draft} `; // who tries a draft is not the visitor of this browser
  const keep = createKeep(`hilo-chat ${settings.base} ${settings.botId} ${user}${tried}`);
  const view = createView(settings, keep);
  view.attach(connect(settings, keep, view));
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
else begin();
