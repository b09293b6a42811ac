import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { template } from './template.ts';

const config = { templateId: 'tpl1', parameters: { name: "{{$user.names ?? 'customer'}}", total: '{{$context.total}}' } };
const variables = { $user: { names: null }, $context: { total: 7 } };

describe('template', () => {
  it('sends the template with its parameters as texts (TPL-05)', () => {
    expect(visit(template, { config, variables }).effects).toEqual([
      { type: 'template.send', request: { templateId: 'tpl1', parameters: { name: 'customer', total: '7' } } },
    ]);
  });

  it('opens the window again when its driver reports so (WIN-02)', () => {
    const sent = { kind: 'sent', messageId: 'm' };
    expect(visit(template, { config, variables, results: [sent] })).toMatchObject({ by: 'sent' });
    expect(visit(template, { config, variables, results: [sent] }).writes).toEqual({});
    expect(visit(template, { config, variables, results: [{ ...sent, windowUntilMs: 9 }] })).toMatchObject({
      by: 'sent',
      writes: { '$user.windowUntilMs': 9 },
    });
  });

  it('leaves by error with the cause of a refusal', () => {
    const results = [{ kind: 'refused', cause: 'INVALID_PARAMETERS', message: '"code" is missing' }];
    expect(visit(template, { config, variables, results })).toMatchObject({
      by: 'error',
      failure: { cause: 'INVALID_PARAMETERS', message: '"code" is missing' },
    });
  });

  it('may choose the template by an expression, which then needs none that the check could know', () => {
    const chosen = { ...config, templateId: 'reminder_{{$context.total}}' };
    expect(visit(template, { config: chosen, variables }).effects).toMatchObject([{ request: { templateId: 'reminder_7' } }]);
    expect(template.references(template.config.parse(chosen))).toEqual([]);
    expect(() => visit(template, { config: { ...config, templateId: '{{$context.none}}' }, variables })).toThrow(
      '$context.none is missing',
    );
    for (const templateId of ['', '{{$context.}}', 'x'.repeat(513)]) expect(template.config.safeParse({ templateId }).success).toBe(false);
  });

  it('names the template it needs', () => {
    expect(template.references(template.config.parse(config))).toEqual([{ kind: 'template', id: 'tpl1', at: ['templateId'] }]);
  });
});
