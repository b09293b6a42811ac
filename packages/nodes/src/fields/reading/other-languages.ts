/**
 * Words beside a value in languages whose sentences are not read otherwise: Hindi, Arabic, Indonesian, and the commonest of French, German,
 * Italian, Russian, Chinese, Japanese, Korean, Thai and Vietnamese. What scales a number is read (`5 लाख`, `50rb`, `٣ آلاف`), and so are parts
 * of the day (`शाम 5 बजे`, `7.30 malam`, `٥:٣٠ مساء`). What refuses a value, halves it or names only a side of it makes it none.
 */
import { foldLetters } from '../../messages/folded-text.ts';

/** A text as these words are compared: also without the dot of Hindi, and with one form of the letters that Arabic writes in two ways. */
const foldWords = (text: string): string =>
  foldLetters(text).replaceAll('\u093c', '').replaceAll('ة', 'ه').replaceAll('ى', 'ي').replaceAll('ی', 'ي').replaceAll('ک', 'ك');

/** What a word behind a number multiplies it with. Each has one meaning in all languages that use it. */
const scales: ReadonlyMap<string, number> = new Map(
  Object.entries({
    10: 'puluh 十',
    100: 'सौ ratus مئه مائه ميه 百',
    1_000:
      'हजार hazaar hazar ribu rb الف الاف mille tausend tsd тысяча тысячи тысяч тыс nghin ngan พัน 千 천 tysiac tysiace tysiecy duizend',
    10_000: 'หมื่น 万 萬 만',
    100_000: 'लाख lakh lakhs lac lacs แสน',
    1_000_000: 'juta jt مليون ملايين milione milioni millionen миллион миллиона миллионов млн trieu ล้าน milyon mln miljoen 百万',
    10_000_000: 'करोड crore crores',
    100_000_000: '億 亿 억',
    1_000_000_000:
      'miliar milyar مليار مليارات milliard milliards milliarde milliarden mrd mld miliardo miliardi миллиард миллиарда миллиардов млрд अरब',
  }).flatMap(([factor, words]) => words.split(' ').map((word) => [word, Number(factor)] as const)),
);

/** What is written without blanks between words. */
const unspaced = /^(?:百万|[百千万萬億亿十천만억]|หมื่น|พัน|แสน|ล้าน)/u;
const word = /[\p{L}\p{M}]{1,40}/gu;

/** The scales in a text, in their order. */
const scalesIn = (text: string): readonly number[] =>
  (foldWords(text).match(word) ?? []).flatMap((one) => scales.get(unspaced.exec(one)?.[0] ?? one) ?? []);

/** Whether a text has a word that scales a number. */
export const hasScale = (text: string): boolean => scalesIn(text).length > 0;

/** What the word at once behind a number multiplies it with: 1 where it is no scale; none where another one follows, as in `5 हजार करोड़`. */
export function readScale(behind: string): number | undefined {
  const [first = '', ...others] = foldWords(behind).match(word) ?? [];
  const scale = /^ ?[\p{L}\p{M}]/u.test(behind) ? scales.get(unspaced.exec(first)?.[0] ?? first) : undefined;
  if (scale === undefined) return hasScale(behind) ? undefined : 1;
  const rest = first.slice(unspaced.exec(first)?.[0].length ?? first.length);
  return hasScale(`${rest} ${others.join(' ')}`) ? undefined : scale;
}

const others: readonly RegExp[] = [
  // Hindi, and as it is written in Latin letters
  /(?<![\p{L}\p{M}])(?:नही|नहीं|मत|दर्जन|साढे|सवा|पौने|आधा|आधे|आधी|डेढ|ढाई|या|तक|बाद|पहले|(?:से|के) (?:कम|ज्यादा|अधिक|ऊपर|नीचे)|पिछले|पिछली)(?![\p{L}\p{M}])/u,
  /(?<!\p{L})(?:nahi{1,2}n?|saa?dhe|darjan|[ks]e (?:kam|zyada|jyada|zada|baad|pehle|pahle|upar|neeche))(?!\p{L})/u,
  // Arabic
  /(?<![\p{L}\p{M}])(?:لا|ليس|ليست|مش|مو|موش|مهو|غير|علي الا(?:قل|كثر)|و?اكثر|و?اقل|بعد(?! ?ال?ظهر| (?:ال)?غد(?!\p{L}))|قبل(?! ?ال?ظهر| ?از)|حتي|و?نص(?:ف|و)?|و?ربع|الا|دزينه|او|الماضي|الماضيه)(?!\p{L})/u,
  // Indonesian and Malay
  /(?<!\p{L})(?:bukan|tidak|tak (?:bisa|mau|ada)|ngg?ak|jangan|(?<!kurang )lebih(?! kurang)|kurang(?! lebih)|minimal|maksimal|setidaknya|sedikitnya|paling (?:banyak|sedikit|tidak|lambat|cepat|lama)|di ?(?:atas|bawah)|setengah|lusin|(?<=\d ?)belas(?! \p{L})|sebelum|setelah|sesudah|sampai|hingga|mulai|antara|atau|lalu|minggu (?:depan|ini))(?!\p{L})/u,
  // French, German, Italian
  /(?<!\p{L})(?:(?:plus|moins) de|pas (?=\d|le |avant|apres)|(?:au|du) (?:moins|plus)|et demie?|demie?|jusqu'?(?:a|au)|apres(?![- ](?:demain|midi))|avant(?!-hier)|douzaines?)(?!\p{L})/u,
  /(?<!\p{L})(?:(?:mehr|weniger) als|mindestens|hochstens|maximal|nicht|kein|keine|halb|(?:ein)?einhalb|nach|vor(?! (?:\d{1,3}|\p{L}{2,12}) (?:tag|woche|monat|jahr)e?n?(?!\p{L}))|bis|dutzend|(?<=\d ?)mio)(?!\p{L})/u,
  /(?<!\p{L})(?:(?:piu|meno) d(?:i|el|elle)|almeno|al massimo|al minimo|non (?=\d|il |la |l'|piu |meno |prima |dopo )|e mezz[ao]|dopo|prima d(?:i|elle)|fino a(?:l|lle)? (?=\d)|(?<=\d ?)mila|dozzin[ae])(?!\p{L})/u,
  /(?<!\p{L})pas (?!de (?:souci|probleme)|grave|mal(?!\p{L}))[\p{L}\d]|(?<!\p{L})moins (?:le |un )?(?:\d|quart|cinq|dix|vingt)|(?<!\p{L})(?:a partir d[eu]|des|jusqu'(?:a|au)) (?=\d{1,2} ?h|demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|(?<!\p{L})(?:je|on|nous) (?:vous |te |t'|le )?(?:dis|dirai|dira|confirme|rappelle|appelle|repond|tiens au courant)|(?<!\p{L})(?:impossible|(?:peux|peut|pouvons|va|vont|marche|convient|suis|serai) pas|(?:etes|ouvrez|fermez|avez)[- ]vous|vous (?:etes|ouvrez|fermez|avez)[^?]{0,60}\?)|[^,;.: ] non[.!]{0,3}$/u,
  /(?<!\p{L}|\d )(?:ab|von) (?=\d|morgen|heute|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|(?<!\p{L})ich (?:sage|sag|gebe|geb|melde|meld|rufe|ruf|schreibe|schaue|schau|uberlege) |(?<!\p{L})(?:oder|bescheid)(?!\p{L})|(?<!\p{L})(?:haben|habt|hat|sind|seid|ist) [^?]{0,40}(?:offen|geoffnet|auf) ?\?/u,
  /(?<!\p{L})non (?!smok|fum|veg|alco|stop|ac(?!\p{L}))[\p{L}\d]|(?<!\p{L})(?:da|entro) (?=(?:lune|marte|mercole|giove|vener)di|sabato|domenica|domani|oggi)|(?<!\p{L})entro (?:le|il|l') ?\d|(?<!\p{L})(?:ti|vi) (?:dico|diro|faccio|confermo|chiamo|scrivo|rispondo)(?!\p{L})|(?<!\p{L})siete apert[ie]/u,
  /(?<!\p{L})(?:apakah|(?:saya|aku|nanti) (?:kabari|kabarin|beritahu|konfirmasi|hubungi))(?!\p{L})|(?<!\p{L})bata(?:un|oon)g[ai]|बताऊ|बताउ|(?<![\p{L}])(?:هل|س?اخبرك|س?ابلغك)(?!\p{L})/u,
  /\d[^\d,;.]{0,24} (?:et|und|dan) (?:une?|ein|eine|moi|ich|saya)(?!\p{L})/u,
  // What lies between two, on one side of one, or comes again and again, in German, French, Italian and Indonesian
  /(?<!\p{L})(?:zwischen|spatestens|fruhestens|jede[nrs]?|(?:uber|unter) (?=\d))(?!\p{L})|(?<!\p{L})(?:uber|unter) \d/u,
  /\d ?h\d{0,2} ?- ?\d{1,2} ?h|(?<!\p{L})(?:chaque|tous les|toutes les|ou plus (?:tard|tot))(?!\p{L})/u,
  /(?<!\p{L})dalle? \d{1,2}(?:[:.]\d\d)? alle? \d|(?<!\p{L})(?:al piu (?:tardi|presto)|o piu tardi|ogni|tutti i|tutte le)(?!\p{L})|(?<!\p{L})(?:oltre|massimo|minimo) \d|\d in su(?!\p{L})|(?<!\p{L})(?:il|fino a) (?:lune|marte|mercole|giove|vener)di(?!\p{L}| prossimo| \d)/u,
  /(?<!\p{L})(?:ke atas|ke bawah|(?:se)?tiap)(?!\p{L})|(?<!\p{L})dari (?=jam |pukul |\d)/u,
  // Russian
  /(?<!\p{L})(?:не|нет|больше|более|меньше|менее|до|после|минимум|максимум|с половинои|пол|половина)(?!\p{L})/u,
  // Chinese, Japanese, Korean: without blanks between words
  /以上|以下|以内|未[満满]|至少|最少|最多|不是|沒有|没有|ではな|じゃな|まで|から|より|以[前后後降]|[之][前后後]|\d ?.?[半반](?!\p{L})|이상|이하|미만|초과|부터|까지|아니|이전|이후/u,
];

/** Whether an answer says in another language that its value is not the one, or only a side or a half of it. @param text - cleaned */
export const saysOtherwise = (text: string): boolean => {
  const folded = foldWords(text);
  return others.some((pattern) => pattern.test(folded));
};

const phrases: readonly (readonly [RegExp, string])[] = [
  [/(?<!\p{L})(?:du matin|di mattina|del mattino|am morgen|am vormittag|dini hari)(?!\p{L})/gu, 'morgens'],
  [
    /(?<!\p{L})(?:de l'apres-midi|du soir|di sera|della sera|di pomeriggio|del pomeriggio|am abend|am nachmittag|بعد ال?ظهرا?)(?!\p{L})/gu,
    'abends',
  ],
  [/(?<!\p{L})(?:de la nuit|di notte|in der nacht)(?!\p{L})/gu, 'nachts'],
];

/** Parts of the day by the hours that they have: of "noon" those from 10 to 5, of "night" those from 6 to midnight. Some languages write them without blanks. */
const named =
  /(?<![\p{L}\p{M}])(?:(?<am>सुबह|सवेरे|subah|pagi|subuh|صباحا|الصباح|الصبح|فجرا|الفجر|morgens|vormittags|утра|утром)|(?<pm>शाम|shaam|(?<=\d )(?:sham|sore)|(?:sham|sore)(?= \d)|petang|مساءا?|المساء|بالمساء|عصرا|العصر|abends|nachmittags|вечера|вечером)|(?<noon>दोपहर|dopahar|dopaher|siang|ظهرا|الظهر|дня|mittags)|(?<night>रात|raat|malam|ليلا|الليل|بالليل|nachts))(?![\p{L}\p{M}])|(?<amSign>上午|早上|凌晨|午前|朝|오전|새벽|아침)|(?<pmSign>下午|午後|夕方|오후|저녁)|(?<noonSign>中午)|(?<nightSign>晚上|夜|밤)/u;
/** Whether a text names a part of the day in one of these languages. */
export const hasPartOfDay = (text: string): boolean => {
  const folded = foldWords(text);
  return named.test(folded) || phrases.some(([phrase]) => folded.search(phrase) >= 0);
};

/** A time with the words around it that only introduce it. */
const clock =
  /(?:(?<=^|[^\p{L}\p{M}])(?:jam|pukul|الساعه) ?)?(?<![\d:./-])(?<hour>\d{1,2})(?:[:.h](?<minute>[0-5]\d)|[時时点點시](?: ?(?<signed>[0-5]?\d) ?[分분])?)?(?![\d:]|[.]\d)(?: ?(?:बजे|baje|wib|wita|wit)(?![\p{L}\p{M}]))?/u;

/**
 * An answer with its time as English writes it, where another language says which part of the day it is: `शाम 5:30 बजे` as `5:30 pm`. None where the part of
 * the day does not go with the hour, or the answer has two of either.
 *
 * @param text - folded
 */
export function writePartOfDay(text: string): string | undefined {
  const folded = phrases.reduce((written, [phrase, name]) => written.replace(phrase, name), foldWords(text));
  const introduced = folded
    .replace(/(?<!\p{L})(?:jam|pukul|الساعه) ?(?=\d)/gu, 'at ')
    .replace(/([時时点點시]) ?[半반]/gu, (_, sign: string) => `${sign}30分`);
  const found = named.exec(introduced);
  if (found === null) return introduced;
  const [part] = found;
  const rest = `${introduced.slice(0, found.index)} ${introduced.slice(found.index + part.length)}`.replace(/(?<!\p{L})at (?=\d)/gu, '');
  const time = clock.exec(rest);
  if (time === null || named.test(rest)) return undefined;
  const { hour = '', minute, signed } = time.groups ?? {};
  const [name = ''] = Object.entries(found.groups ?? {}).find(([, one]) => one !== undefined) ?? [];
  const half = halfOf(name.replace('Sign', ''), Number(hour));
  const behind = rest.slice(time.index + time[0].length);
  if (half === undefined || /\d/.test(behind) || /\d/.test(rest.slice(0, time.index))) return undefined;
  return `${rest.slice(0, time.index)}${hour}:${minute ?? signed?.padStart(2, '0') ?? '00'} ${half} ${behind}`;
}

function halfOf(part: string, hour: number): string | undefined {
  if (hour > 12) return part === 'am' ? undefined : 'pm';
  switch (part) {
    case 'am':
    case 'pm':
      return part;
    case 'noon':
      return hour === 10 || hour === 11 ? 'am' : hour === 12 || hour <= 5 ? 'pm' : undefined;
    default:
      return hour === 12 || hour === 0 ? 'am' : hour >= 6 ? 'pm' : undefined;
  }
}
