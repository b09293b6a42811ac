import { problemCodes } from '@hilo/engine/authoring';
import type { Channel } from '@hilo/engine/contract';
import { channelNames, problemsAtProvider } from '@hilo/nodes/effects';
import { expect, it } from 'vitest';
import { fixInSpanish, inSpanish, spanish } from './problem-words-es.ts';

it('every problem has a Spanish text, and none is left in English', () => {
  expect(Object.keys(spanish).toSorted()).toEqual(Object.keys(problemCodes).toSorted());
  for (const code of Object.keys(problemCodes)) {
    const { message, hint } = inSpanish({ code, message: 'detail', hint: 'hint', subject: '$context.a' });
    expect({ code, message, hint }).not.toMatchObject({ hint: 'hint' });
    expect(message).not.toMatch(/[{}]/);
    expect(message.endsWith('.')).toBe(false);
  }
});

it('what the engine says most of a field is said in Spanish, and the rest as it is', () => {
  const of = (message: string) => inSpanish({ code: 'INVALID_CONFIG', message, hint: '' }).message;
  expect(of('"title" is blank: write at least one visible character')).toContain('"title" está en blanco');
  expect(of('"text" is missing')).toContain('falta "text"');
  const missing = (name: string) => inSpanish({ code: 'UNRESOLVED_REFERENCE', message: `There is no ${name}`, hint: '' }).message;
  expect(missing('credential "model-key"')).toContain('no hay ninguna credencial "model-key"');
  expect(missing('segment "quiet", so that nothing begins for it')).toContain('no hay ningún segmento "quiet", así');
  expect(missing('workflow "a" with version 3')).toContain('no hay ningún flujo "a" con la versión 3');
  expect(of('$& is odd')).toContain('$& is odd');
  expect(inSpanish({ code: 'OF_A_HOST', message: 'a', hint: 'b' })).toEqual({ message: 'a', hint: 'b' });
});

it('what a channel does not take is said in Spanish, with its name as people call it', () => {
  const text = { type: 'text', text: 'x'.repeat(70_000), previewUrl: false } as const;
  for (const channel of Object.keys(channelNames) as readonly Channel[]) {
    const sticker = { type: 'sticker', mediaUrl: 'https://example.com/a.webp' } as const;
    const captioned = { type: 'image', mediaUrl: 'https://example.com/a.png', text: 'a' } as const;
    const problems = [text, sticker, captioned].flatMap((message) => problemsAtProvider(message, channel));
    expect(problems.length).toBeGreaterThan(0);
    for (const { message } of problems) {
      expect(message).toContain(channelNames[channel]);
      const { message: said } = inSpanish({ code: 'CHANNEL_LIMIT', message, hint: '' });
      expect(said).not.toMatch(/ (?:has|and|takes|on|the|a channel|shorten|choose|leave) /);
    }
  }
});

it('what a fix does is said in Spanish, with its names as they are', () => {
  const said = [
    ['Rename it to "$&"', 'Cambiar el nombre a "$&"'],
    ['Remove the edge', 'Quitar la conexión'],
    ['Remove "ask-2"', 'Quitar "ask-2"'],
    ['Write to $context.a', 'Escribir en $context.a'],
    ['Write 5', 'Escribir 5'],
    ['Make it a message node', 'Convertirlo en un paso de tipo message'],
    ['Read $context.a ?? ""', 'Leer $context.a ?? ""'],
    ['Declare the input a', 'Declarar la entrada a'],
    ['Declare $context.a with an empty default', 'Declarar $context.a con un valor vacío'],
    ['Add a start node that leads to "a"', 'Agregar un paso de tipo start que lleve a "a"'],
    ['Leave by "next"', 'Salir por "next"'],
    ['Make it a list', 'Convertirlo en una lista'],
    ['Put "path", "value" into "assignments"', 'Poner "path", "value" dentro de "assignments"'],
    ['Insert a template at "windowClosed"', 'Poner una plantilla en «Ventana cerrada»'],
    ['Lead "a" to a new end', 'Llevar "a" a un fin nuevo'],
    ['Lead "a" to "end"', 'Llevar "a" a "end"'],
    ['Take the inputs of the workflow', 'Tomar las entradas del flujo'],
    ['Compare with "5"', 'Comparar con "5"'],
    ['$context.a ?? ""', '$context.a ?? ""'],
  ] as const;
  for (const [label, spanishLabel] of said) expect(fixInSpanish(label)).toBe(spanishLabel);
});
