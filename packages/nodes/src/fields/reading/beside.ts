/**
 * Words beside a value that say another one than it: `no el lunes`, `mañana no puedo`, `antes del 5 de mayo`, `after 5pm`, `más de 10`. What
 * an answer says then is for a person to read. English, Spanish and Portuguese.
 */

/** How days and times begin, with the articles before: by name, or with a digit. */
const moments =
  /(?<!\p{L})(?:(?:el|la|las|los|on|at|the|o|a|as|en|no dia|na|para|for|este|esta|this|next|proximo|dia) ){0,3}(?:\d|(?:hoy|hoje|today|tonight|manana|amanha|tomorrow|pasado manana|ayer|ontem|yesterday|(?:lun|mart|miercol|juev|viern)es|sabado|domingo|segunda|terca|quarta|quinta|sexta|(?:mon|tues|wednes|thurs|fri|satur|sun)day|medio ?dia|noon|midnight)(?!\p{L}))/gu;
/** They have a word for one of the sides, and are a day themselves. */
const namedDays = /\b(?:day (?:after tomorrow|before yesterday)|depois de amanha|antes de ayer)\b/g;

const negated = /(?<!\b(?:que|why) )\b(?:no|not|nao|excepto|salvo|except|menos) §/;
const negatedBehind =
  /\b(?:no|nao) (?:puedo|podria|podre|podemos|voy|vamos|estoy|estare|me (?:sirve|queda|va|conviene|viene)|trabajo|posso|consigo|quero|quiero)\b|\b(?:can't|cannot|can not|won't|not available)\b|[^,;.:] no[.!]{0,3}$/;
const sides = /\b(?:after|before|(?:despues|antes|depois) d(?:e|el|as?|os?)) §/;

/**
 * Whether an answer says of a day or a time that it is not the one, or names only a side of it.
 *
 * @param text - folded, with digits for number words
 */
export function saysAnotherMoment(text: string): boolean {
  const marked = text.replace(namedDays, 'hoy').replace(moments, '§');
  return negated.test(marked) || sides.test(marked) || negatedBehind.test(text);
}

/** Whether an answer says more or less than its number. "Al menos 5" is a number that suffices. */
export const saysAnotherNumber = (text: string): boolean =>
  /[≥≤<>] ?[\d$]|\b(?:ningun[oa]?|none|nenhuma?) (?:de|d[oa]s|of)\b|\d ?\+$|\b(?:ma[sy]|mais|mayor(?:es)?|menor(?:es)?|menos|superior|inferior) (?:de|a|que|do que) [^\d]{0,8}\d|\b(?:more|less|fewer|greater|other) than [^\d]{0,8}\d|\d[^\d]{0,12} (?:o|ou|or|y|e) (?:mas|mais|more|menos|less|pico)\b/.test(
    text,
  );
