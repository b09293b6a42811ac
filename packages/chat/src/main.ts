// Shows the chat in the page that loads this script: <script src="https://YOUR-HOST/chat.js" data-bot="BOT-ID" defer></script>
import { connect } from './connection.ts';
import { createKeep } from './keep.ts';
import { readSettings } from './settings.ts';
import { createView } from './view.ts';

const script = document.currentScript;
const settings = script instanceof HTMLScriptElement ? readSettings(script) : undefined;

function begin(): void {
  if (settings === undefined) return console.error('Hilo chat: name the bot by the attribute data-bot of the script');
  const keep = createKeep(`hilo-chat ${settings.base} ${settings.botId} `);
  const view = createView(settings, keep);
  view.attach(connect(settings, keep, view));
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
else begin();
