import type { Settings } from './settings.ts';

/** Black or white, whichever has the higher WCAG contrast on a colour such as `#0b5fff`. */
function chooseTextColour(color: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#fff' : '#000';
}

/** The style of the chat, as an adopted style sheet: a Content-Security-Policy that forbids inline styles allows it. */
export function styleSheet({ color, theme, position }: Pick<Settings, 'color' | 'theme' | 'position'>): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
/* Reset once more inside, where no style of the page reaches: "* { letter-spacing: … }" counts more than :host. */
:host, .button, .page { all: initial; }
.button, .page { color-scheme: ${theme === 'auto' ? 'light dark' : theme}; --accent: ${color}; --on-accent: ${chooseTextColour(color)};
  --back: light-dark(#fff, #16181d); --text: light-dark(#1b1c20, #eceef2); --soft: light-dark(#eef0f4, #262a33); --quiet: light-dark(#565b66, #a9b0bd);
  --line: light-dark(#c9cdd6, #424855); font: 15px/1.45 system-ui, sans-serif; }
* { box-sizing: border-box; font: inherit; color: inherit; margin: 0; }
[hidden] { display: none !important; }
button { cursor: pointer; border: 0; background: none; padding: 0; }
:focus-visible { outline: 3px solid light-dark(#1b1c20, #fff); outline-offset: 2px; box-shadow: 0 0 0 2px light-dark(#fff, #16181d); }
.launcher { position: fixed; inset-block-end: 20px; inset-inline-${position === 'left' ? 'start' : 'end'}: calc(20px + var(--shift)); z-index: 2147483000; inline-size: 56px;
  block-size: 56px; border-radius: 50%; display: grid; place-items: center; background: var(--accent); color: var(--on-accent); box-shadow: 0 4px 16px #0005; }
.badge { position: absolute; inset-block-start: -4px; inset-inline-end: -4px; min-inline-size: 22px; padding: 0 6px; border-radius: 11px; background: #b00020;
  color: #fff; font-size: 13px; font-weight: 600; line-height: 22px; text-align: center; }
.panel { position: fixed; inset-block-end: 88px; inset-inline-${position === 'left' ? 'start' : 'end'}: 20px; z-index: 2147483001; inline-size: min(380px, calc(100vw - 40px));
  block-size: min(600px, calc(100vh - 120px)); display: flex; flex-direction: column; background: var(--back); color: var(--text); border: 1px solid var(--line);
  border-radius: 14px; overflow: hidden; box-shadow: 0 8px 40px #0004; }
.page .panel { inset: 0; inline-size: 100%; block-size: 100%; border: 0; border-radius: 0; }
.page .log, .page form, .page .choices, .page .status { padding-inline: max(14px, calc(50% - 22rem)); }
.head { display: flex; align-items: center; gap: 10px; padding: 12px 14px; background: var(--accent); color: var(--on-accent); }
.head .name { flex: 1; font-weight: 600; overflow-wrap: anywhere; }
.head button { padding: 5px; border-radius: 6px; display: grid; }
.log { flex: 1; overflow-y: auto; padding: 14px; display: flex; flex-direction: column; gap: 8px; overscroll-behavior: contain; }
.log ol { list-style: none; padding: 0; display: flex; flex-direction: column; gap: 8px; }
.message { max-inline-size: 84%; padding: 8px 12px; border-radius: 14px; background: var(--soft); align-self: flex-start; overflow-wrap: anywhere; }
.greeting { max-inline-size: 84%; padding: 8px 12px; border-radius: 14px; background: var(--soft); align-self: flex-start; overflow-wrap: anywhere; white-space: pre-wrap; }
.message { position: relative; }
.message p { white-space: pre-wrap; }
.message p + p { margin-block-start: 6px; }
.message a { color: inherit; text-decoration: underline; }
.mine { align-self: flex-end; background: var(--accent); color: var(--on-accent); }
.author { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.title { font-weight: 600; }
.caption { font-size: 13px; }
.action a { display: inline-block; padding: 6px 12px; border: 1px solid currentColor; border-radius: 8px; }
.foot { display: block; margin-block-start: 2px; font-size: 12px; text-align: end; }
.message img, .message video { display: block; max-inline-size: 100%; max-block-size: 260px; border-radius: 8px; }
.message audio { inline-size: 240px; max-inline-size: 100%; }
.cards { display: flex; gap: 8px; overflow-x: auto; margin-block-start: 6px; }
.card { flex: 0 0 200px; padding: 8px; border: 1px solid var(--line); border-radius: 10px; }
.fields { display: flex; flex-direction: column; align-items: stretch; gap: 8px; margin-block-start: 8px; }
.message .fields { padding: 0; border: 0; }
.fields label, .fields fieldset { display: flex; flex-direction: column; gap: 2px; border: 0; padding: 0; }
.fields .tick { display: block; }
.fields small { font-size: 12px; color: var(--quiet); }
.fields input:not([type=checkbox]), .fields select { padding: 6px 8px; border: 1px solid var(--line); border-radius: 8px; background: var(--back); }
.fields [aria-invalid] { border-color: light-dark(#b00020, #ff8a9a); }
.fields .fault { font-size: 13px; color: light-dark(#b00020, #ff8a9a); }
.fields .submit { padding: 7px 13px; border-radius: 18px; background: var(--accent); color: var(--on-accent); align-self: flex-start; }
.fields [disabled] { opacity: 0.6; cursor: default; }
.failed button { text-decoration: underline; }
.choices { display: flex; flex-wrap: wrap; gap: 6px; padding: 0 14px 10px; max-block-size: 40%; overflow-y: auto; }
.choices button { padding: 7px 13px; border: 1px solid var(--line); border-radius: 18px; background: var(--back); text-align: start; }
.choices.list { flex-direction: column; }
.choices.list button { border-radius: 10px; }
.choices button:hover { background: var(--soft); }
.choices small { display: block; font-size: 13px; color: var(--quiet); }
.status { min-block-size: 22px; padding: 0 14px 4px; font-size: 13px; color: var(--quiet); }
form { display: flex; align-items: flex-end; gap: 6px; padding: 10px 14px; border-block-start: 1px solid var(--line); }
textarea { flex: 1; min-inline-size: 0; max-block-size: 120px; padding: 8px 10px; border: 1px solid light-dark(#7c828e, #7c828e); border-radius: 10px; background: var(--back); resize: none; field-sizing: content; }
textarea::placeholder { color: var(--quiet); opacity: 1; }
form button { inline-size: 40px; block-size: 40px; border-radius: 10px; display: grid; place-items: center; }
form .send { background: var(--accent); color: var(--on-accent); }
@media (max-width: 480px) { .panel { inset: 0; inline-size: 100%; block-size: 100%; border-radius: 0; } }
@media (forced-colors: active) { .message, .launcher, .badge, form .send { border: 1px solid; } }
`);
  return sheet;
}
