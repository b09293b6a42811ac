import { compileAddress, defineNode, fail, isTemplate, leave, perform, Template, type TextTemplate } from '@hilo/engine/contract';
import { z } from 'zod';
import { sendTemplate } from './effects/send-message.ts';
import { renderFields } from './render-fields.ts';

/** The link of a header is an address, behind whose host values are percent-encoded. */
const readParameter = (name: string, value: TextTemplate): TextTemplate => (name === 'header.link' ? compileAddress(value.source) : value);

/**
 * Sends an approved template, also outside the 24-hour window, which it may open again (WIN-02, TPL-10). A user who has stopped such
 * messages leaves by `optedOut`, where it is drawn, else by `error`.
 */
export const template = defineNode({
  type: 'template',
  config: z.strictObject({
    templateId: z
      .string()
      .min(1)
      .max(512)
      .meta({
        description:
          'The template: its id, or the element name that the provider knows it by, of which the language nearest to the user is sent; {{expressions}} are replaced',
        examples: ['order_shipped', '{{$context.reminder}}'],
      })
      .pipe(Template),
    parameters: z
      .record(z.string(), Template)
      .default({})
      .meta({
        description:
          'A value for each placeholder of the template, by its name; in the address of a button (button.0.1), what no address may hold is percent-encoded',
      })
      .transform((parameters) => Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, readParameter(name, value)]))),
  }),
  visual: {
    label: 'Template',
    category: 'message',
    icon: 'file-text',
    colour: '#2563eb',
    description: 'Sends a template that the channel has approved. Unlike a message, it may go out at any time.',
    summary: ({ templateId }) => templateId ?? '',
    formHints: { templateId: 'template', parameters: 'expression' },
  },
  facts: { needs: 'an approved template' },
  ports: ['sent'],
  optionalPorts: ['optedOut', 'error'],
  supports: { kinds: ['skill'] },
  sends: () => 'template',
  effects: [sendTemplate],
  run({ config: { templateId, parameters }, variables }) {
    return perform(sendTemplate({ templateId: templateId(variables), parameters: renderFields(parameters, variables) }), (result) => {
      if (result.kind === 'refused' && result.cause === 'NO_CONSENT')
        return leave('optedOut', [], { failure: { cause: result.cause, message: result.message } });
      if (result.kind === 'refused') return fail(result.cause, result.message);
      const { windowUntilMs } = result;
      return leave('sent', windowUntilMs === undefined ? [] : [{ path: ['$user', 'windowUntilMs'], value: windowUntilMs }]);
    });
  },
  // What an expression names is known when it is sent.
  references: ({ templateId: { source } }) => (isTemplate(source) ? [] : [{ kind: 'template', id: source, at: ['templateId'] }]),
});
