// What a user can choose in a message, and how a reply is read as a choice.
import type { Channel } from '@hilo/engine/contract';
import { channelFacts } from './channel.ts';
import { readCorrected } from './corrections.ts';
import { latinDigits, leadingNumber, readLineNumber, readNamedLine } from './digits.ts';
import { foldLetters, foldText, lookedAt } from './folded-text.ts';
import { findHalfTitle } from './half-title.ts';
import type { InboundMessage } from './inbound-message.ts';
import type { StrictMessage } from './message.ts';
import { writeNumberWords } from './number-words.ts';
import { ofTitle } from './of-title.ts';
import { findWorth } from './worth-of-title.ts';
import { greeting, readYesOrNo, withoutCourtesies } from './yes-or-no.ts';

/** Something a user can choose from a message. */
export interface MessageOption {
  /** The port of an `ask` node for this choice. */
  readonly port: string;
  readonly title: string;
  readonly payload: string;
}

/** The options of a message, in order: its quick replies or buttons. A missing payload is the title (MSG-18). */
export function optionsOf(message: StrictMessage): readonly MessageOption[] {
  if (message.type === 'quick_reply') return message.quick_replies.map(({ title }) => ({ port: title, title, payload: title }));
  if (message.type !== 'text') return [];
  return (message.buttons?.options ?? []).map(({ title, payload }) => ({ port: payload, title, payload }));
}

/**
 * What a reply chooses: the option with its payload, else the one with its text as title, see {@link findTitle}. Where the channel shows
 * options as numbered lines, a number that is no title chooses by place, from 1; elsewhere by the number that a title begins with.
 */
export function chosenOption(
  message: StrictMessage,
  reply: Pick<InboundMessage, 'text' | 'payload'>,
  channel?: Channel,
): MessageOption | undefined {
  const options = optionsOf(message);
  const { text, payload } = reply;
  const byPayload = options.find((option) => option.payload === payload);
  if (byPayload !== undefined || text === undefined) return byPayload;
  return findTitle(options, text) ?? findNumber(options, text, channel !== undefined && channelFacts[channel].numbersOptions === true);
}

/**
 * The option that a reply is, and no more than that: its payload, its title but for case and accents, or its number where the channel shows
 * options as numbered lines. What only means it, such as "claro" for "Sí", is none: for an answer after which there is no way back.
 */
export function pressedOption(
  message: StrictMessage,
  { text, payload }: Pick<InboundMessage, 'text' | 'payload'>,
  channel?: Channel,
): MessageOption | undefined {
  const options = optionsOf(message);
  const byPayload = options.find((option) => option.payload === payload);
  if (byPayload !== undefined || text === undefined || text.length > lookedAt) return byPayload;
  const letters = foldLetters(text);
  const isNumbered = channel !== undefined && channelFacts[channel].numbersOptions === true;
  const byTitle = letters === '' ? undefined : findOnly(options, ({ title }) => foldLetters(title) === letters);
  return byTitle ?? (isNumbered ? findNumber(options, text, true) : undefined);
}

/**
 * The option whose title a text is: letter by letter or, failing that, case, accents and what is not displayed aside or, failing that, also
 * signs, emoji, courtesies and what introduces a choice aside ("quiero el azul"), where that is one option only. Of a yes and a no, also the
 * one that the text means; else the one whose place it names ("the second one"), of whose title it is a part, or that it keeps ("rojo no, azul").
 *
 * @param isShown - whether people saw the titles: of what they did not see nobody says a part
 */
export function findTitle<Option extends Pick<MessageOption, 'title'>>(
  options: readonly Option[],
  text: string,
  isShown = true,
): Option | undefined {
  if (options.length === 0 || text.length > lookedAt) return undefined;
  const same = options.find(({ title }) => title === text);
  if (same !== undefined) return same;
  const [letters, folded] = [foldLetters(text), foldText(text)];
  if (folded === '') return undefined;
  const [meant, another] = options.filter((option) => foldedOf(option) === folded);
  const written = options.find((option) => lettersOf(option) === letters);
  if (written !== undefined || meant !== undefined) return written ?? (another === undefined ? meant : undefined);
  const findSaid = (part: string) =>
    findIntroduced(options, part) ??
    findYesOrNo(options, part) ??
    findByPlace(options, part) ??
    (isShown
      ? (findNumbered(options, part) ?? findByPicture(options, part) ?? findGlued(options, part) ?? findHalfTitle(options, part))
      : undefined);
  return text.length > longestChoice ? undefined : (findSaid(text) ?? readCorrected(text, findSaid));
}

const lettersOf = ofTitle(foldLetters);
const foldedOf = ofTitle(foldText);
/** With its words of numbers in digits. */
const inDigitsOf = ofTitle((title) => writeNumberWords(foldText(title)));
const wordsOf = ofTitle((title) => foldText(title).split(/[^\p{L}\p{N}]/u));
const numbersOf = ofTitle((title) => (latinDigits(foldText(title)).match(/\d{1,4}/g) ?? []).map(Number));
/** Whether it says yes or no. */
const answerOf = ofTitle(meaningOf);
/** The number that it begins with. */
const numberOf = ofTitle(leadingNumber);

/** Who writes more tells something else as well. */
const longestChoice = 200;

/** The option whose title is what is left of a text without one introduction or courtesy after the other. */
function findIntroduced<Option extends Pick<MessageOption, 'title'>>(options: readonly Option[], text: string): Option | undefined {
  let rest = foldLetters(text).replace(greeting, '');
  for (let round = 0; round < 8; round += 1) {
    const plain = writeNumberWords(foldText(rest));
    const found = plain === '' ? undefined : findOnly(options, (option) => inDigitsOf(option) === plain);
    const shorter = withoutCourtesies(rest.replace(round === 0 ? '' : introduction, '').replace(agreement, ''));
    // "Ok no" and "sí, no" are read as a yes or a no, or as neither.
    if (found !== undefined) return round > 1 && readYesOrNo(found.title) !== undefined ? undefined : found;
    if (round > 0 && shorter === rest) return undefined;
    rest = shorter;
  }
  return undefined;
}

/** What people say before a choice. A "no" or "sí" there is said to something else only before a comma. */
const introduction =
  /^(?:(?:no|si|yes|sim|nao|ok|okay|no (?:lo )?se|perdon|disculpa|sorry|desculpa|digo)[,.;:] ?|(?:ok|okay|perdon|disculpa|sorry|desculpa|digo|bueno|pues|entonces|mmm|ah|creo que|yo creo que|pienso que|mejor|melhor|para mi|pra mim|a mi|for me|i think|quiero|quisiera|queria|necesito|me interesa|i need to|i want to|i'd like to|i would like to|preciso|gostaria de|quero|prefiero|elijo|escojo|selecciono|me gusta|me gustaria|me quedo con|me (?:da|das|pones?|pone)|dame|deme|seria|es|son|somos|soy|sou|i am|i'm|voy con|va|prefiro|escolho|gosto d[oa]|fico com|vou de|i want|i would like|i'd like|i'll (?:take|have)|i prefer|i choose|give me|let's go with|i'll go with|i'd go with|(?:(?:quiero|quisiera|necesito|quero|preciso) )?(?:hablar con|falar com)|(?:i (?:want|need) to |i'd like to )?(?:talk|speak) (?:to|with)|it's|the|el|la|los|las|lo|un|una|o|a|os|as|um|uma|an|con|de|color) )(?=\S)/u;
/** And behind it. */
const agreement =
  /[ ,.]{1,3}(?:urgente(?:mente)?|urgent(?:ly)?|asap|ya|ya mismo|cuanto antes|lo antes posible|mejor|melhor|instead|esta bien|ta bien|me parece bien|is fine|is good|entonces|pues|x ?fa|x favor|por fa|pf?v|xd|jaja|jeje)[ .!]{0,3}$/u;

/** The option whose place a text says: "la segunda", "the second one", "2do", "opción 2", "la 2", "el último", "el de abajo". A title that begins with the word is meant itself. */
function findByPlace<Option extends Pick<MessageOption, 'title'>>(options: readonly Option[], text: string): Option | undefined {
  const said = withoutCourtesies(text);
  const side = sides.exec(said)?.groups ?? {};
  if (side['top'] !== undefined) return options[0];
  if (side['bottom'] !== undefined) return options.at(-1);
  if (side['middle'] !== undefined) return options.length % 2 === 1 && options.length > 1 ? options[(options.length - 1) / 2] : undefined;
  const number = readNamedLine(said);
  // "El 10" beside "Lunes 10:00" is that one, or a part of its title.
  if (number !== undefined) return options.some((option) => numbersOf(option).includes(number)) ? undefined : options[number - 1];
  const [, name] = place.exec(said) ?? [];
  const word = name !== undefined && (places.flat().includes(name) || lastPlace.includes(name)) ? name : undefined;
  if (word === undefined) return undefined;
  const names = options.filter((option) => wordsOf(option).includes(word));
  if (names.length > 0) return findOnly(names, (option) => wordsOf(option)[0] === word);
  return lastPlace.includes(word) ? options.at(-1) : options[places.findIndex((words) => words.includes(word))];
}

/** "2. Soporte", "2 - soporte": the number of a line and its title. Where they are of two options, neither is chosen. */
function findNumbered<Option extends Pick<MessageOption, 'title'>>(options: readonly Option[], text: string): Option | undefined {
  const [, digits, title = ''] = numbered.exec(latinDigits(foldText(text))) ?? [];
  const option = digits === undefined ? undefined : options[Number(digits) - 1];
  return option !== undefined && foldedOf(option) === title ? option : undefined;
}

const numbered = /^#?(\d{1,2}) ?[.):-]? ?(?=[^\d\s])(.{1,100})$/u;

/** The option with the pictures that a text is: "🍕" for "🍕 Pizza". */
function findByPicture<Option extends Pick<MessageOption, 'title'>>(options: readonly Option[], text: string): Option | undefined {
  const pictures = picturesIn(text);
  if (pictures.size === 0 || /[\p{L}\p{N}]/u.test(text)) return undefined;
  return findOnly(options, (option) => [...pictures].every((picture) => picturesOf(option).has(picture)));
}

const picturesIn = (text: string): ReadonlySet<string> =>
  new Set(foldLetters(text).match(/\p{Extended_Pictographic}|\p{RI}\p{RI}/gu) ?? []);
const picturesOf = ofTitle(picturesIn);

/** "Limasur", "s/50": a title without its blanks, where the text has none. */
function findGlued<Option extends Pick<MessageOption, 'title'>>(options: readonly Option[], text: string): Option | undefined {
  const folded = foldText(text);
  return folded.length < 4 || folded.includes(' ') ? undefined : findOnly(options, (option) => gluedOf(option) === folded);
}

const gluedOf = ofTitle((title) => foldText(title).replaceAll(' ', ''));

/** Of options below each other. */
const sides =
  /^(?:(?:quiero|quero|prefiero|prefiro|elijo|escolho|dame|i want|i'll take) )?(?:el|la|o|a|the) (?:(?:opcion|opcao) )?(?:(?<top>de arriba(?: del todo)?|de cima|top (?:one|option))|(?<bottom>de abajo(?: del todo)?|de baixo|bottom (?:one|option))|(?<middle>del? (?:en )?medio|de enmedio|do meio|middle (?:one|option)))$/u;

/** The words of each place, from the first on. */
const places: readonly (readonly string[])[] = (
  'primero primera primer primeiro primeira first|segundo segunda second|tercero tercera tercer terceiro terceira third|' +
  'cuarto cuarta quarto quarta fourth|quinto quinta fifth|sexto sexta sixth|septimo septima setimo setima seventh|octavo octava oitavo oitava eighth|' +
  'noveno novena nono nona ninth|decimo decima tenth'
)
  .split('|')
  .map((words) => words.split(' '));
const lastPlace: readonly string[] = ['ultimo', 'ultima', 'last'];

const place =
  /^(?:(?:quiero|quero|prefiero|prefiro|elijo|escolho|dame|i want|i'll take) )?(?:el|la|o|a|the)? ?(?:opcion |opcao |option )?(\p{L}{4,8})(?: (?:opcion|opcao|option|one|choice|de la lista|da lista|on the list))?$/u;

function findOnly<Item>(items: readonly Item[], isMeant: (item: Item) => boolean): Item | undefined {
  const [meant, another] = items.filter(isMeant);
  return another === undefined ? meant : undefined;
}

/** Among options of which one says yes and one says no, the one that a text means: "claro" chooses "Sí", and "Sí, enviar" beside "No, volver". */
function findYesOrNo<Option extends Pick<MessageOption, 'title'>>(options: readonly Option[], text: string): Option | undefined {
  const answer = readYesOrNo(text);
  if (answer === undefined) return undefined;
  const [same, opposite] = [answer, !answer].map((wanted) => findOnly(options, (option) => answerOf(option) === wanted));
  // "Yes" beside "Another time" and "A person": what means yes is that option, where its title says nothing else.
  if (opposite !== undefined || (same !== undefined && plainAnswers.has(foldText(same.title)))) return same;
  // "No" beside "No, gracias" and "Ver menú", where no option says yes.
  return foldText(text) === firstWord(text) && same !== undefined && firstWord(same.title) === foldText(text) ? same : undefined;
}

/** Titles that are a yes or a no and nothing else: not "Listo" beside "Agregar más", where a yes is the other one. */
const plainAnswers: ReadonlySet<string> = new Set(['si', 'yes', 'sim', 'oui', 'ja', 'no', 'nao', 'non', 'nein']);

/** Whether a title says yes or no: as a whole, else by its first word. */
function meaningOf(title: string): boolean | undefined {
  const word = firstWord(title);
  return (
    readYesOrNo(title) ??
    (word === 'si' || word === 'yes' || word === 'sim' || word === 'ja' ? true : word === 'no' || word === 'nao' ? false : undefined)
  );
}

function firstWord(text: string): string {
  return foldText(text).split(/[^\p{L}\p{N}]/u)[0] ?? '';
}

/** The option whose number a text is: by its place where the lines were shown with numbers, else by the number its title begins with, else by what its title comes to. */
export function findNumber<Option extends Pick<MessageOption, 'title'>>(
  options: readonly Option[],
  text: string,
  isNumbered: boolean,
): Option | undefined {
  const number = text.length > lookedAt ? undefined : readLineNumber(text);
  const shown = isNumbered && number !== undefined ? options[number - 1] : undefined;
  return shown ?? options.find((option) => number !== undefined && numberOf(option) === number) ?? findWorth(options, text);
}
