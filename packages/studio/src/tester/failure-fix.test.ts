import { applyPatch } from '@hilo/engine/authoring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { fixFailure, withDefault } from './failure-fix.ts';

const path = '$context.answer.body.status';
const message = `${path} is missing; give a default with "??" if it may be`;
const canvas: CanvasJson = {
  id: 'a',
  name: 'A',
  nodes: [
    { id: 'other', type: 'message', data: { message: { type: 'text', text: `{{${path}}}` } } },
    {
      id: 'tell',
      type: 'message',
      data: { message: { type: 'text', text: `It is {{ ${path} }}.`, quick_replies: [{ title: `{{${path}}}` }] } },
    },
  ],
  edges: [],
};

describe('the fix of a failed test', () => {
  it('reads with a default what was missing, at every place of the node that failed, and nowhere else', () => {
    const fix = fixFailure(canvas, { nodeId: 'tell', message: `The expression: ${message}` });
    expect(applyPatch(canvas, fix?.patch ?? [])).toEqual({
      ...canvas,
      nodes: [
        canvas.nodes[0],
        {
          id: 'tell',
          type: 'message',
          data: { message: { type: 'text', text: `It is {{${path} ?? ""}}.`, quick_replies: [{ title: `{{${path} ?? ""}}` }] } },
        },
      ],
    });
  });

  it.each([
    ['another failure', { nodeId: 'tell', message: 'The window is closed' }],
    ['a node that is gone', { nodeId: 'gone', message }],
    ['no node', { message }],
    ['a variable that no text reads', { nodeId: 'tell', message: '$context.other is missing' }],
  ])('is none for %s', (_what, failure) => expect(fixFailure(canvas, failure)).toBeUndefined());

  it.each([
    [`{{size(${path}) + 1}}`, `{{size((${path} ?? "")) + 1}}`],
    [`{{${path}}} and {{${path} + "!"}}`, `{{${path} ?? ""}} and {{(${path} ?? "") + "!"}}`],
    [`{{${path} ?? "none"}}`, `{{${path} ?? "none"}}`],
    [`{{"${path}" + ${path}}}`, `{{"${path}" + (${path} ?? "")}}`],
    [`{{${path}es + ${path}.code}}`, `{{${path}es + ${path}.code}}`],
    [`${path} outside of braces`, `${path} outside of braces`],
  ])('%s becomes %s', (before, after) => expect(withDefault(before, path)).toBe(after));

  it('done twice is done once, and a text without the variable stays', () => {
    const part = fc.constantFrom(
      `{{${path}}}`,
      `{{ ${path} }}`,
      `{{a + ${path}}}`,
      `{{"${path}"}}`,
      path,
      '{{',
      '}}',
      ' ',
      'text',
      '$context.x',
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join(' ');
        const once = withDefault(text, path);
        expect(withDefault(once, path)).toBe(once);
        expect(withDefault(text, '$context.unread')).toBe(text);
      }),
    );
  });
});
