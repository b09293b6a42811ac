/**
 * A part of a title as a choice: `tarjeta` for `Tarjeta de crédito`, `asesor` for `Hablar con un asesor`, `martes a las 10` for `Martes 10:00`. Every word
 * of the reply is one of the title, or one that people say around a choice, and no other option has them all. What the title refuses or undoes
 * must be said: `enviar` is not `No enviar`, and `pedido` not `Cancelar pedido`. English, Spanish and Portuguese.
 */
import { foldLetters } from './folded-text.ts';
import { mayBeSlip, mendSlips } from './near-title.ts';
import { ofTitle } from './of-title.ts';
import { greeting, withoutCourtesies } from './yes-or-no.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** They name nothing. The "o" of Portuguese is an "or" in Spanish: it is one only at the beginning. */
const articles = wordsOf(
  'el la los las lo un una unos unas de del al a con en por para que es um uma os as da do das dos em com pra the an of on in with by for to is my mi mis',
);
/** What people say around a choice. It chooses nothing by itself. */
const around = wordsOf(
  'quiero quisiera queria quero queremos prefiero prefiro elijo escojo escolho selecciono dame deme me da das pone pones quedo fico gusta gustaria gostaria interesa interessa ' +
    'mejor melhor seria va voy vou a i want would like take choose prefer need lets go one please pls porfa porfis porfavor favor gracias thanks obrigado obrigada ' +
    'pues nomas nada mas solo ya ok okay bueno entonces yo eu creo mmm ese esa este esta aquel aquella that this it only just pode podem puede puedes instead size talla tamano tamanho opcion option opcao ' +
    "area departamento depto seccion setor department necesito necesitaria preciso comunicar comunicarme comunicame comuniqueme pasar pasarme pasame paseme hablar i'll deseo ser tengo tenho",
);
/** They say which one of a kind, and change nothing where the titles tell no kinds: "tarjeta de crédito" is "Tarjeta", and not "Tarjeta de débito". */
const describing = wordsOf('credito debito credit debit bancaria tecnico tecnica vivo live');
/** They say what to do with a choice, and choose where a title has them. */
const verbs = wordsOf('pagar pago pay hacer fazer ver see ir comprar buy pedir order talk falar');
/** They turn a title round, or undo something. */
const weighty =
  /^(?:no|not|nao|sin|without|sem|ni|nem|never|nunca|don't|cancel\p{L}*|elimin\p{L}*|borr(?:ar|a|o)|delete|remove|anul\p{L}*|unsubscribe|baja|exclui\p{L}*|apagar|rechaz\p{L}*|reject|decline|recus\p{L}*|salir|exit|sair)$/u;
/** A yes or a no chooses by what it means, not as a word of a title. */
const answers = wordsOf('si s sim yes y no n nao claro');

const none: ReadonlySet<string> = new Set();

const token = /\d{1,2}:\d\d|[\p{L}\p{M}\p{N}']{1,40}/gu;
const longestTitle = 80;

/** The words of a text, folded; a full hour as the hour alone. */
const split = (text: string): readonly string[] =>
  (foldLetters(text).match(token) ?? []).map((word) => word.replace(/^0?(\d{1,2}):00$/, '$1'));

const listedIn = ofTitle((title) => split(title.slice(0, longestTitle)));
const wordsIn = ofTitle((title): ReadonlySet<string> => new Set(split(title.slice(0, longestTitle))));

/** The only option of which a text says a part, also by another form of its verb: `confirmo`, `cancélalo`, `reservado`. */
export function findHalfTitle<Option extends { readonly title: string }>(options: readonly Option[], text: string): Option | undefined {
  const words = split(
    foldLetters(withoutCourtesies(text)).replace(greeting, '').replace(/^o /, '').replace(/ ?\+$/, ' plus').replace(speaking, 'talk'),
  );
  const find = (said: readonly string[]) => findPart(options, text, said);
  return (
    find(words) ??
    find(writeInfinitives(options, words)) ??
    findAgreed(options, words, find) ??
    (words.length <= 12 && words.some(mayBeSlip) ? find(writeMeant(options, words)) : undefined)
  );
}

/** "Sí confirmo", "sí, cancelar": a verb of a title behind a yes, where no title says yes or no. "Si azul" may be "if blue". */
function findAgreed<Option extends { readonly title: string }>(
  options: readonly Option[],
  [first = '', ...others]: readonly string[],
  find: (said: readonly string[]) => Option | undefined,
): Option | undefined {
  if (!agreeing.has(first) || options.some((option) => answers.has(listedIn(option)[0] ?? ''))) return undefined;
  const written = writeInfinitives(options, others);
  return /^\p{L}{2,20}[aei]r$/u.test(written[0] ?? '') ? find(written) : undefined;
}
const agreeing = wordsOf('si s sim yes claro dale');

/** "Speak to an agent"; who speaks Spanish says so. */
const speaking = /(?<!\p{L})(?:speak|chat)(?= (?:to|with) )/u;

/** The words of a reply with those of titles for what was mistyped. */
const writeMeant = (options: readonly { readonly title: string }[], words: readonly string[]): readonly string[] =>
  mendSlips(new Set(options.flatMap(listedIn)), words, (word) => [articles, around, verbs, answers].some((known) => known.has(word)));

/**
 * The words of a reply with the infinitives of titles for their forms: what one does, asks for or has done. "Ya cancelado" tells of the past, and "cancele",
 * without its accent, may.
 */
function writeInfinitives(options: readonly { readonly title: string }[], words: readonly string[]): readonly string[] {
  if (words.some((word) => past.has(word))) return words;
  const titled = options.flatMap(listedIn);
  const infinitives = titled.filter((word) => /^\p{L}{2,20}[aei]r$/u.test(word));
  const isForm = (word: string) => (verb: string) => {
    const [stem, vowel] = [verb.slice(0, -2), verb.at(-2)];
    const ending = word.startsWith(stem) ? word.slice(stem.length) : '';
    return (vowel === 'a' ? formsInA : vowel === 'e' ? formsInE : formsInI).test(ending);
  };
  return words.map((word) => (titled.includes(word) ? word : (infinitives.find(isForm(word)) ?? word)));
}

const past = wordsOf('ya ja already hace ayer ontem yesterday');
const formsInA = /^(?:[oa]|ad[oa]s?|(?:ar?|e)-?(?:l[oa]s?|me|melo|mela))$/;
const formsInE = /^(?:[oe]|id[oa]s?|(?:er?|a)-?(?:l[oa]s?|me|melo|mela))$/;
const formsInI = /^(?:[oe]|id[oa]s?|(?:ir|e|a)-?(?:l[oa]s?|me|melo|mela))$/;

function findPart<Option extends { readonly title: string }>(
  options: readonly Option[],
  text: string,
  said: readonly string[],
): Option | undefined {
  if (said.length === 0 || said.length > 12 || /[?¿？]/u.test(text) || late.test(said.join(' '))) return undefined;
  const labelled = findByEnding(options, said) ?? findByLabel(options, said);
  if (labelled !== undefined) return labelled;
  const titled = options.map((option) => ({ option, words: wordsIn(option) }));
  if (morning.test(said.join(' ')) && !titled.some(({ words }) => words.has('tarde'))) return undefined;
  const telling = titled.some(({ words }) => [...describing].some((word) => words.has(word))) ? none : describing;
  const isBeside = (word: string): boolean => [articles, around, verbs, telling].some((known) => known.has(word));
  const fitting = titled.filter(({ words }) => {
    const isSaid = (word: string) => words.has(word) || isBeside(word);
    const names = (word: string) => words.has(word) && !articles.has(word) && !around.has(word) && !answers.has(word) && isName(word);
    return said.every(isSaid) && said.some(names);
  });
  // "Con leche" is in "Café con leche" as a whole, and in "Café sin leche" but for a word that names nothing.
  const whole = fitting.filter(({ words }) => said.every((word) => words.has(word)));
  const [meant, another] = onlyWhole(titled, fitting, said) ?? (whole.length > 0 ? whole : fitting);
  if (meant === undefined || another !== undefined) return undefined;
  if (thisPeriod.test(said.join(' ')) && listedIn(meant.option).some((word) => comingUp.has(word))) return undefined;
  return split(meant.option.title.replace(leadingNo, '')).every((word) => !weighty.test(word) || said.includes(word))
    ? meant.option
    : undefined;
}

/** "Premium" beside "Plan Premium", "Plan Premium Plus" and "Plan Básico": the option that says nothing more but for what all of them say. */
function onlyWhole<Titled extends { readonly words: ReadonlySet<string> }>(
  titled: readonly Titled[],
  fitting: readonly Titled[],
  said: readonly string[],
): readonly Titled[] | undefined {
  const isOfAll = (word: string): boolean => titled.every(({ words }) => words.has(word));
  if (fitting.length < 2 || said.every((word) => articles.has(word) || around.has(word) || isOfAll(word))) return undefined;
  const isSaid = (word: string): boolean => said.includes(word) || articles.has(word) || isOfAll(word);
  const alone = fitting.filter(({ words }) => [...words].every(isSaid));
  return alone.length === 1 ? alone : undefined;
}

/** "No, cancelar" is chosen by "cancelar": its "no" answers the question. */
const leadingNo = /^[^\p{L}]{0,8}(?:no|n[aã]o|nope)[,.:;!] /iu;

/** The option whose title ends with a letter or a size that the others do not end with: `b` for "Opción B", `xl` for "Talla XL". */
function findByEnding<Option extends { readonly title: string }>(options: readonly Option[], said: readonly string[]): Option | undefined {
  const plain = said.length === 1 ? said : said.filter((one) => !around.has(one));
  const [word = '', further] = plain.filter((one, at) => at === plain.length - 1 || !articles.has(one));
  const endings = options.map(listedIn);
  const isLabelled =
    endings.length > 1 &&
    endings.every((words) => words.length > 1 && /^\p{L}{1,3}$/u.test(words.at(-1) ?? '') && !words.some((one) => weighty.test(one)));
  return further === undefined && isLabelled && new Set(endings.map((words) => words.at(-1))).size === endings.length
    ? options[endings.findIndex((words) => words.at(-1) === word)]
    : undefined;
}

/** The option before whose words stands a label: `m` for "M (mediana)", `b` for "B) Cusco". */
function findByLabel<Option extends { readonly title: string }>(options: readonly Option[], said: readonly string[]): Option | undefined {
  const [only = '', ...others] = said.length === 1 ? said : said.filter((one) => !around.has(one) && !articles.has(one));
  if (others.length > 0 || !/^\p{L}{1,3}$/u.test(only)) return undefined;
  const labels = options.map(({ title }) => label.exec(foldLetters(title.slice(0, longestTitle)))?.[1]);
  const isLabelled = labels.length > 1 && labels.every((one) => one !== undefined) && new Set(labels).size === labels.length;
  return isLabelled ? options[labels.indexOf(only)] : undefined;
}
const label = /^(\p{L}{1,3}) ?[(:.)-] ?\p{L}/u;

/** "Ya es tarde", "más tarde", "te aviso mañana" name no time of day, and "by friday" no day. */
const late =
  /\b(?:es|mas|muy|mais|muito|demasiado|hasta|ate) (?:tarde|manana|amanha)\b|\bby (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|noon|\d)/;
/** "This week" is not "Next week", nor "este mes" "El próximo mes": what runs now, which elsewhere only points at a choice. */
const thisPeriod =
  /\b(?:this|est[ea]|nest[ea]) (?:week(?:end)?|month|year|quarter|semana|mes|ano|finde|fin de semana|quincena|trimestre|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:lun|mart|miercol|juev|viern)es|sabado|domingo)\b/;
const comingUp = wordsOf('next coming following proximo proxima siguiente entrante seguinte viene vem otro otra outro outra');
/** "Por la mañana" is tomorrow nowhere. */
const morning = /\b(?:por|en|de|a) la manana\b/;

/** Whether a word tells a title from others: one letter does not, nor does a number alone. */
const isName = (word: string): boolean => /\p{L}.{0,39}\p{L}|:/u.test(word) || /^(?!\p{Script=Latin})\p{L}/u.test(word);
