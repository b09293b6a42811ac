/**
 * Yes and no as people write them, and the courtesies around an answer: `Sí, por favor`, `no gracias`, `claro que sí`, `yep`, 👍. English,
 * Spanish and Portuguese. An answer with any other word is neither: "sí, pero mañana" is for a person to read.
 */
import { readCorrected } from './corrections.ts';
import { foldLetters, foldText } from './folded-text.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const yes = wordsOf(
  'yes y yeah yea yep yup yessir sep certainly indeed confirmed agreed sure ok okay okey oka oki okis okie alright correct true absolutely definitely si s sip sipi claro dale vale correcto ' +
    'exacto afirmativo efectivamente obvio chevere bacan bacano chido totally yh yass simon yap ofc seguro segura segurisimo mhm mmhm aja ajam affirmative hagale sim isso fechou bele certo correto exato positivo aham uhum',
);
const no = wordsOf(
  'no n nope nop noup nah not cannot negativo false nao naum never nops negative nunca jamas jamais tampoco nel nones disagree decline declined reject',
);
/** They say that something is not right: alone a no, beside a no neither. */
const wrong = wordsOf('mal incorrecto incorrecta equivocado wrong incorrect errado errada');
/** They agree where nothing else says no: `acepto`, `está bien`, `ya`; "no acepto" and "ya no" refuse. */
const agreeing = wordsOf(
  'acepto confirmo confirmado quiero deseo ya va venga listo interesa interesado interesada parece perfecto excelente genial bueno bien bem beleza blz adelante hecho sale orale ' +
    'gustaria soy sou tengo puedo podre confirmar vamos aceito posso can perfeito otimo quero pode bom ta bora fechado do want accept confirm agree interested right fine good perfect great works ahead',
);
/** They change nothing: `claro que sí`, `yes of course`, `ahora no`. */
const fillers = wordsOf(
  'please pls plz thanks thank you por favor porfavor porfa gracias muchas obrigado obrigada of course que it is s es eso asi supuesto esta este ta ' +
    'i we me yo eu ca lo la le q precisa preciso necesario necessario hace falta pues pe nomas mejor ahora ahorita hoy todavia aun agora ainda mesmo now yet today that sounds looks just to go lets let in am all thing ' +
    'todo tudo ser ai perdon disculpa disculpe sorry desculpa desculpe digo estoy estou de acuerdo el momento enquanto nada senor senora senorita amigo amiga joven ah ahh oh valeu porfis porfiss obg obgd vlw thx ty tks mmm mm hmm uhm umm eh um uh er well sir maam would d be ay uy pues then entonces lol lmao xd',
);
/** "Ya te dije que sí": who is asked twice. */
const saidAgain = (answer: string): readonly string[] =>
  [
    'ya dije',
    'ya te dije',
    'ya le dije',
    'te dije',
    'le dije',
    'he dicho',
    'ya he dicho',
    'ja falei',
    'ja disse',
    'falei',
    'disse',
  ].flatMap((said) => [`${said} que ${answer}`, `${said} ${answer}`]);
/** Phrases whose words say something else one by one. */
const phrases: ReadonlyMap<string, boolean> = new Map([
  ...[
    'of course',
    'por supuesto',
    'de acuerdo',
    'estoy de acuerdo',
    'estou de acordo',
    'i agree',
    'concordo',
    'de una',
    'si o si',
    'asi es',
    'com certeza',
    'e isso',
    'desde luego',
    'en efecto',
    'como no',
    'por que no',
    'por que nao',
    'sure why not',
    'hell yeah',
    'hell yes',
    'i said yes',
    'dije que si',
    'eu disse que sim',
    'com certeza sim',
    'why not',
    'let is do it',
    'let is go',
    'lets go',
    'you bet',
    'sin duda',
    'sin dudas',
    'sem duvida',
    'con gusto',
    'con mucho gusto',
    'com prazer',
    'me late',
    'eso es',
    'yo si',
    'eu sim',
    'that is me',
    'it is me',
    'a huevo',
    'uh huh',
    're si',
    'joya',
    'barbaro',
    'andale',
    'andale pues',
    'sisas',
    'e sim',
    'works for me',
    'that works for me',
    'mm hmm',
    'mm hm',
    'sin problema',
    'sin problemas',
    'sem problema',
    'sem problemas',
    'con todo gusto',
    'asi mero',
    'eso mismo',
    'oki doki',
    'okey dokey',
    'okie dokie',
    'go for it',
    'for sure',
    'no doubt',
    'seguro que si',
    'que si hombre',
    'que si pues',
    ...saidAgain('si'),
    ...saidAgain('sim'),
  ].map((phrase) => [phrase, true] as const),
  ...[
    'of course not',
    'i said no',
    'dije que no',
    'eu disse que nao',
    'com certeza nao',
    'obvio no',
    'num quero',
    'not really',
    'claro que no',
    'claro que nao',
    'para nada',
    'de ninguna manera',
    'de jeito nenhum',
    'ni loco',
    'ni loca',
    'ni hablar',
    'nem pensar',
    'no way',
    'definitely not',
    'absolutely not',
    'desde luego que no',
    'por supuesto que no',
    'que va',
    'ni de broma',
    'ni en broma',
    'ni de chiste',
    'ni en suenos',
    'not at all',
    'no chance',
    'obvio que no',
    'obviamente no',
    'nuh uh',
    'nah i m good',
    'no i m good',
    'no thanks i m good',
    'nah i m fine',
    'no i m fine',
    'nel pastel',
    'ni en pedo',
    'ni ahi',
    'hell no',
    'uh uh',
    'i would rather not',
    'i d rather not',
    'rather not',
    'no i m not',
    'seguro que no',
    'que no hombre',
    'que no pues',
    'no tengo interes',
    'nao tenho interesse',
    'ja nao',
    ...saidAgain('no'),
    ...saidAgain('nao'),
  ].map((phrase) => [phrase, false] as const),
]);

/** A yes and a no in other languages, where they are the whole answer; those that are other words in the three are left out, such as "ja". */
const inOtherLanguages: ReadonlyMap<string, boolean> = new Map([
  ...[
    'हाँ,हां,हा,जी,जी हाँ,जी हां,हाँ जी,हां जी,हाँ ठीक है,हां ठीक है,ठीक है,बिलकुल,बिल्कुल,सही है,haan,haanji,haan ji,ji haan,theek hai,thik hai,bilkul',
    'نعم,ايوه,ايوا,اجل,اكيد,تمام,موافق,موافقه,طبعا,نعم من فضلك,نعم شكرا,اي نعم',
    'iya,iyaa,yaa,ya boleh,boleh,betul,benar,setuju,ya benar,ya betul,iya benar,iya boleh,ya saya setuju,oke,ya tentu,tentu,iya dong,ya dong,siap,oke siap,ok siap,iya betul',
    "oui,ouais,oui merci,d'accord,bien sur,jawohl,ja bitte,genau,ja gerne,ja klar,klar,na klar,natürlich,ja natürlich,gerne,jep,va bene,si grazie,certamente,volontiers,oui volontiers,oui svp,oui s'il vous plait,oui s'il te plait,oui bien sur,ca marche,ok ca marche,avec plaisir,entendu,bien entendu,absolument,einverstanden,passt,ja passt,in ordnung,ja in ordnung,auf jeden fall,d'accordo,esatto,certo che sì,sì certo,sì per favore,tout à fait,carrément,да,конечно,согласен,согласна,да конечно",
    'はい,はいお願いします,ええ,是,是的,好,好的,对,對,可以,네,예,넵,evet,tamam',
  ].flatMap((row) => row.split(',').map((text) => [foldText(text), true] as const)),
  ...[
    'नहीं,नही,ना,जी नहीं,नहीं जी,नहीं धन्यवाद,nahi,nahin,nahi ji,ji nahi,nahi chahiye',
    'لا,كلا,لا شكرا,لا اريد,غير موافق,مش موافق',
    'tidak,tdk,enggak,engga,nggak,ngga,gak,tidak mau,tidak terima kasih,tidak setuju,bukan,belum,jangan,gak mau,nggak mau,tidak perlu,nggak usah,gak usah,tidak usah,ga,ga mau,ga usah,nggak dulu,tidak dulu',
    'non,non merci,nan,pas du tout,pas vraiment,nein,nein danke,nee danke,nee,nö,auf keinen fall,auf gar keinen fall,bestimmt nicht,surtout pas,hors de question,per niente,niente affatto,lieber nicht,no grazie,assolutamente no,нет,не согласен,не согласна,нет спасибо',
    'いいえ,いや,不,不是,不要,不用,否,아니요,아니오,아뇨,hayir,hayır',
  ].flatMap((row) => row.split(',').map((text) => [foldText(text), false] as const)),
]);

const longestAnswer = 200;

/** @returns `undefined` for what is neither, or both; of "sí, perdón, no" what it keeps */
export const readYesOrNo = (text: string): boolean | undefined =>
  text.length > longestAnswer || deniedTwice.test(foldLetters(text).replaceAll('’', "'").replaceAll("n't", ' not'))
    ? undefined
    : (readPlain(text) ?? readReasoned(text) ?? (isQuestion(text) ? undefined : readCorrected(text, readPlain)));

/** "¿Y si digo que no?" takes nothing back. */
const isQuestion = (text: string): boolean => /[?？]/.test(text);

/** "No, porque estoy ocupado", "yes because I need it": the reason changes nothing, unless it has a "but". */
function readReasoned(text: string): boolean | undefined {
  const [, answer, reason] = reasoned.exec(foldLetters(text)) ?? [];
  return answer === undefined || reason === undefined || isQuestion(text) || condition.test(reason) ? undefined : readPlain(answer);
}

const reasoned = /^(.{1,40}?),? (?:porque|pq|xq|because|bc|cuz|pois)(?!\p{L})(.{1,160})$/u;
const condition = /(?<!\p{L})(?:pero|aunque|sino|salvo|excepto|but|unless|except|though|mas|embora|exceto|si|if|se)(?!\p{L})/u;

function readPlain(text: string): boolean | undefined {
  const folded = foldText(foldLetters(text).replace(greeting, '').replace(holdsOn, ''));
  if (/^(?:👍|👌){1,3}$/u.test(folded) || /^[✅✔☑🆗]\ufe0f?$/u.test(folded)) return true;
  if (/^👎{1,3}$/u.test(folded) || /^[❌✖]\ufe0f?$/u.test(folded) || folded.startsWith('🙅')) return false;
  const other = inOtherLanguages.get(folded.replace(/[,،、。]/gu, '').replaceAll('ة', 'ه'));
  if (other !== undefined) return other;
  const words =
    withoutLaughter(folded)
      .replaceAll("n't", ' not')
      .replaceAll("'s", ' is')
      .replaceAll("ma'am", 'maam')
      .match(/[\p{L}\p{N}]{1,40}/gu) ?? [];
  if (words.length > 6) return undefined;
  const [alone = ''] = words.length === 1 ? words : [];
  if (/^(?:si){2,6}$/.test(alone)) return true; // sisisi
  if (/^(?:no){2,6}$/.test(alone)) return false;
  if (denied.test(words.join(' '))) return false;
  if (waits.test(words.join(' '))) return undefined;
  // "No, para nada": a no before a phrase that says no, and the like for yes.
  const [first = '', ...others] = words;
  const opening = yes.has(first) ? true : no.has(first) ? false : undefined;
  const repeated = phrases.get(others.join(' '));
  const known = phrases.get(words.join(' ')) ?? (opening === repeated ? repeated : undefined);
  if (known !== undefined) return known;
  const isOf = (set: ReadonlySet<string>) => (word: string) => set.has(word) || set.has(shorten(word));
  if (!words.every((word) => [yes, no, agreeing, wrong, fillers].some((set) => isOf(set)(word)))) return undefined;
  const says = { yes: words.some(isOf(yes)), no: words.some(isOf(no)), agrees: words.some(isOf(agreeing)) };
  if (words.some(isOf(wrong))) return says.no || says.yes ? undefined : false;
  if (says.no) return says.yes ? undefined : false;
  const asks = /[?？]/.test(text) && (!says.yes || words.length > 1 || alone === 'y'); // "tudo bem?", "sí, ¿qué?"
  return !asks && (says.yes || says.agrees) ? true : undefined;
}

/** "Jajaja sí", "no kkkk", "ok haha": who laughs says nothing more. Of a laugh alone there is nothing left. */
const withoutLaughter = (folded: string): string => folded.replace(laughter, ' ').trim();
const laughter = /(?<![\p{L}\p{N}])(?:a?(?:ja|je|ji|ha|he|hi){2,30}[jh]?|(?:js){2,20}|k{3,60}|(?:rs){1,20})(?![\p{L}\p{N}])/gu;

/** Before an answer: "buenos días, ". Folded. */
export const greeting =
  /^(?:hola|hi|hello|hey|oi|ola|buenas (?:tardes|noches)|buenas|buenos dias|buen dia|bom dia|boa (?:tarde|noite)|good (?:morning|afternoon|evening))[ ,.!]{1,3}(?=\S)/u;
/** "Espera, mejor no", "wait, yes": alone it is neither. */
const holdsOn = /^(?:espera|espere|esperame|wait|hold on|aguarda|aguarde|perai|uy|ups|oops)[ ,.!]{1,5}(?=\S)/u;
/** "I can't not go": who refuses a refusal is read by a person. */
const deniedTwice = /\b(?:not|cannot) (?:\p{L}{1,10} ){0,1}not\b/u;

/** "No es correcto", whose last word alone says yes. */
const denied = /^(?:no|not|nao) (?:es |esta |is |e |ta )?(?:correct[oa]?|corret[oa]|ciert[oa]|true|exact[oa]?|exat[oa]|cert[oa])$/;

/** In Venezuela "ya va" is "wait", elsewhere "it is coming"; "yeah, right" believes nothing. */
const waits = /(?<!\p{L})ya va(?!\p{L})|^(?:yeah|yea|sure|ok) right$/u;

/** A word as it is said when it is drawn out: `siiii`, `nooo`, `yesss`. */
const shorten = (word: string): string => word.replace(/(\p{L})\1{1,39}/gu, '$1');

/** A text without the courtesies at its ends: `el azul por favor` is `el azul`, `hola, el azul` stays. Folded; blank when there is nothing else. */
export const withoutCourtesies = (text: string): string => foldText(foldLetters(text).replace(courtesy, ''));

const courtesy =
  /(?:^(?:por ?favor|porfa|please)\b[ ,]{0,3})|(?:[ ,.]{1,3}(?:por ?favor|por ?fa|porfis|x ?fa|x favor|please|pls|plz|(?:muchas )?gracias|thanks|thank you|obrigad[oa]|por gentileza)[ .!]{0,3})$/gu;
