/** Digits as people write them: of any script, and the numbers by which they choose from lists. */
import { foldText } from './folded-text.ts';
import { writeNumberWords } from './number-words.ts';
import { withoutCourtesies } from './yes-or-no.ts';

/** A text with the decimal digits of every script as 0 to 9, and 🔟 as 10. */
export const latinDigits = (text: string): string =>
  text.replaceAll('🔟', '10').replace(foreignDigit, (digit) => String(digitValue(digit)));

const foreignDigit = /[\p{Nd}--[0-9]]/gv;
const anyDigit = /\p{Nd}/u;

/** Digits of a script stand in order, 0 to 9; where several sets follow each other, each has ten. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (before < longestRun && anyDigit.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}

/** The digits of mathematics: five sets. */
const longestRun = 50;

/** The number that a reply consists of, as one chooses a line: `2`, `2.`, `2)`, `(2)`, `#2`, `2️⃣`, `No. 2`, `opción 2`, `la dos`, `٢`. */
export function readLineNumber(text: string): number | undefined {
  const [, digits] = lineNumber.exec(writeNumberWords(latinDigits(withoutCourtesies(text)))) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

const lineNumber =
  /^(?:# ?|no\.? ?|num\.? ?|numero |number |(?:(?:el|la|the|a|o) )?(?:numero |number )|(?:la |el |a )?(?:opcion |option |opcao |opc\.? |op\. ?)(?:# ?|no?\.? ?|num\.? ?|numero |number )?|la |el |a |o |the )?(\d{1,2})$/u;

/** The number of a line that is called one, also where lines were shown without numbers: `opción 2`, `la dos`, `dame la 3`, `2do`, `the 2nd`, not `2`. */
export function readNamedLine(text: string): number | undefined {
  const [, digits] =
    namedLine.exec(
      writeNumberWords(
        latinDigits(withoutCourtesies(text))
          .replace(choosing, '')
          .replace(/^(el|la) un[oa]$/u, '$1 1'),
      ),
    ) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

const choosing =
  /^(?:quiero|quisiera|quero|prefiero|prefiro|elijo|escojo|escolho|dame|deme|i want|i'll take|i choose|i pick|i'd go with|i'll go with|voy con|me voy con|vou com|vou de|me quedo con|fico com) /u;
const namedLine =
  /^(?:(?:(?:el|la|the) )?(?:numero |number |(?:opcion|option|opcao|opc\.?|op\.) (?:# ?|no?\.? ?|num\.? ?|numero |number )?)|el |la |the |(?=\d{1,2}[a-z]))(\d{1,2})(?:st|nd|rd|th|ro|do|er|e?ra|ero|da|to|ta|[oa])?(?: (?:opcion|opcao|option|one|choice|de la lista|da lista|on the list))?$/u;

/** The number that a title begins with: 3 for `3. Lima`, `3) Lima`, `3️⃣ Lima`. */
export function leadingNumber(title: string): number | undefined {
  const [, digits] = leading.exec(latinDigits(foldText(title))) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

const leading = /^#?(\d{1,2})(?:[.):-]|\s)\s?[^\s\d]/u;
