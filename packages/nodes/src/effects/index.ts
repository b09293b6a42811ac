export { HttpBodyKind, HttpMethod, HttpResponseType, httpRequest } from './http-request.ts';
export { LogLevel, logEvent } from './log-event.ts';
export { respondWebhook } from './respond-webhook.ts';
export { sendMessage } from './send-message.ts';
export { sendTemplate } from './send-template.ts';
export type { SessionWindowOptions, TemplateReopensWindow } from './session-window.ts';
export { reopeningWindow, windowIsOpen, withSessionWindow } from './session-window.ts';
