/**
 * Words beside a value that say another one than it: `no el lunes`, `mañana no puedo`, `antes del 5 de mayo`, `after 5pm`, `más de 10`. What
 * an answer says then is for a person to read. English, Spanish and Portuguese.
 */

/** How days and times begin, with the articles before: by name, or with a digit. */
const moments =
  /(?<!\p{L})(?:(?:el|la|las|los|on|at|the|o|a|as|en|no dia|na|para|for|este|esta|this|next|proximo|dia) ){0,3}(?:\d|(?:hoy|hoje|today|tonight|manana|amanha|tomorrow|pasado manana|ayer|ontem|yesterday|(?:lun|mart|miercol|juev|viern)es|sabado|domingo|segunda|terca|quarta|quinta|sexta|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:medio ?|meio[ -]?)dia|noon|midnight|(?:jan|febr?|mar|apr|ma[yi]|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ch|il|ust|t?ember|ober)?|(?:ener|febrer|marz|may|juni|juli|agost)o|abril|(?:sep?t?i|novi|dici)embre|octubre|(?:jan|fever)eiro|marco|maio|jun?ho|julho|(?:set|nov|dez)embro|outubro)(?!\p{L}))/gu;
/** They have a word for one of the sides, and are a day themselves. */
const namedDays = /\b(?:day (?:after tomorrow|before yesterday)|depois de amanha|antes de ayer)\b/g;

const negated =
  /\b(?:any(?:thing| ?time| ?day)|everything|all) but §|(?<!\b(?:que|why) )\b(?:no|not|nao|excepto|exceto|salvo|except|menos|ni|nem|nunca|jamas|never) §|\bno (?:sea|fuera|es|era|se puede|hay) §/;
/** Several days in one: "los martes", "every monday", "cualquier viernes". */
const recurring =
  /\b(?<!\b(?:la|at|a|as) )(?:los|todos|todas|cada|every|each|toda|todo|aos|as|un|una?|uma?|any|some|algun|alguma?|cualquier|qualquer) (?:los |as |os |el )?§/;
const negatedBehind =
  /\b(?:no|nao) (?:puedo|podria|podre|podemos|puede|pode|rola|voy|vamos|estoy|estare|me (?:sirve|queda|va|conviene|viene)|trabajo|posso|consigo|quero|quiero|se puede|hay(?! (?:problema|prisa|apuro|de que))|da|vai dar|va a poder|llego|atienden?|abren?)\b|\b(?:(?:is|are) not|isn'?t|aren'?t|is no|no (?:es|sea|seria|esta)|nao (?:e|esta|seria)) (?:(?:very|really|so|a|an|muy|tan|muito|una?|uma?) )?(?:good|great|ok|okay|fine|possible|convenient|ideal|option|buen[oa]?|bien|posible|conveniente|opcion|boa|bom|possivel|opcao)\b|\b(?:can't|cannot|can not|won't|doesn't|don't work|not available|jamas|nunca|never|tampoco|neither|imposible|impossivel)\b|[^,;.:] (?:no|nao|nope)(?:[.!]{0,3}$|[,;:] )/;
const sides =
  /\b(?:after|before|past|pasad[oa]s|(?:despues|antes|depois)(?: d(?:e|el|as?|os?))?) §|(?<!§)§[^§,;]{0,16} (?:o|ou|or) (?:mas tarde|mais tarde|later|earlier|antes|despues|depois|after|before)\b/;

/**
 * Whether an answer says of a day or a time that it is not the one, or names only a side of it.
 *
 * @param text - folded, with digits for number words
 */
export function saysAnotherMoment(text: string): boolean {
  const whole = text.replace(/\b(?:dsps?|desp|dps|ants|aftr|aft|b4|bfore?)\b/g, (word) => shortened.get(word) ?? word);
  if (breaksOff.test(whole)) return true;
  const marked = whole.replace(namedDays, 'hoy').replace(sincePast, '').replace(moments, '§');
  return [negated, sides, boundBefore].some((pattern) => pattern.test(marked)) || momentsBeside.some((pattern) => pattern.test(whole));
}

/** Words for a side of a moment as they are shortened. */
const shortened: ReadonlyMap<string, string> = new Map(
  Object.entries({ despues: 'dsp dsps desp', depois: 'dps', antes: 'ants', after: 'aftr aft', before: 'b4 bfore bfor' }).flatMap(
    ([word, short]) => short.split(' ').map((one) => [one, word] as const),
  ),
);

/**
 * "By friday", "a partir del lunes", "até sexta", "no later than 5pm": the value may be on either side, so that a bound is none itself. Who was
 * asked when something began means the day: "desde ayer", "since yesterday".
 */
const boundBefore =
  /\b(?:(?<!\b(?:come|coming|stop|drop|swing|pass|be|go|close|walk) )by|until{1,2}|till?|(?<!(?:day|week|month|year)s? )from|since|starting|beginning|effective|as of|as (?:early|late|soon)(?: as)?|up ?to|thr(?:ough|u)|within|prior to|no (?:later|sooner|earlier) than|latest(?: by)?|earliest|deadline(?: is)?|hasta|desde|a ?partir|a contar|luego(?= d)|previo|tope|maximo|minimo|max|a (?:mas|lo mas|mais) tardar|(?:lo )?mas (?:tarde|tardar|temprano)|como (?:muy )?(?:tarde|pronto|temprano)|(?:fecha )?limite|ate|apos|o mais tardar|posterior|anterior)(?: d(?:e|el|as?|os?)| al?| em| es| is| it's)?,? §/;
const boundBehind =
  /\b(?:at the (?:very )?(?:latest|earliest)|(?:and|or|y|o|ou|e) (?:sooner|later|mas tarde|mais tarde|onwards?)|on-?wards|(?:day|\d|[ap]m) on[.!]{0,3}$|en adelante|em diante|a mas tardar|o mais tardar|(?:como|no) (?:maximo|minimo)|como muy (?:tarde|pronto))\b|(?:\d|[ap]\.?m\.?|h|hrs|horas?|day|noon) (?:latest|earliest|tops|max|maximo|minimo)\b|\bpasado el (?:\d|lun|mart|mier|juev|viern|sab|dom)/;
const sincePast =
  /\b(?:since|desde|from)(?: el| the)?(?= (?:ayer|ante ?ayer|antier|ontem|anteontem|yesterday|(?:day before|hace|ha|faz) |\d{1,3} (?:dias?|days?|semanas?|weeks?|mes(?:es)?|months?) (?:ago|atras)))/;

/** Hours that bound a part of a day: "el viernes después de las 5", "this friday from 10 to 12". The day of such an answer is sure. */
const hoursOfDay =
  /(?<=\p{L}{3,10}|\d),? (?:(?:before|after|until|till?|by|from|past|antes d[ea]s?|despues de|depois d[ea]s?|luego de|pasadas|hasta|desde|a partir d[ea]s?|ate|apos)(?: (?:las?|as?))? (?:\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m\b\.?|h(?:rs?|oras?)?\b)|(?<=(?: las?| as|d?as) )\d{1,2}(?:[:.]\d\d)?(?![\d:./-]| de [a-z]{3,4}(?!\b| tarde| manana))|\d{1,2}:\d\d|noon|midday|medio ?dia|meio[ -]?dia)|(?:from|de|das|entre|between) (?:las )?\d{1,2} (?:to|a|as|y|e|and|until|till?)(?: las?| as)? \d{1,2}(?!\d| (?:de|of|\p{L}{3})))/u;

/** What an answer says of its day, without the hours that it bounds. @param text - as for {@link saysAnotherMoment} */
export const withoutHours = (text: string): string => text.replace(hoursOfDay, ' ').trim();

/** "Te aviso mañana", "I'll let you know on Monday": the day of an answer that is still to come. */
const promised =
  /\b(?:te|le|les|lhe|vos) (?:aviso|avisare|digo|dire|confirmo|confirmare|cuento|llamo|llamare|escribo|escribire|contesto|respondo|mando|falo|ligo|retorno|conto)\b|\b(?:i'?ll|i will|we'll|we will|let me|i can|i'd) (?:let you|tell|confirm|call|check|text|get back|know|think|see|ask)\b|\blo (?:pienso|consulto|checo|reviso|veo)\b|\bvou (?:ver|pensar|confirmar|avisar)\b|\b(?:eu|yo) (?:te |les? )?(?:confirmo|aviso|falo|vejo|respondo|ligo|llamo)\b|\b(?:manana|amanha) (?:confirmo|aviso|respondo|digo)\b/;
/** "¿Abren mañana?", "cierran a las 4pm?": asked of the company, and no answer to it. */
const asked =
  /(?:^|[¿,.;] ?)(?:(?:hola|hi|oi|y|e|pero|a que hora|hasta que hora|ustedes|uds|voces|vcs|vosotros),? ){0,2}(?:abren|abre|cierran|cierra|atienden|trabajan|tienen|hay|abrem|fecham|atendem|tem|are you open|do you|is there|are there)\b[^?]{0,60}\?/;

/** "El martes trabajo", "3pm es muy tarde", "busy on tuesday", "terça é ruim": why the day or the hour does not suit. */
const unsuitable =
  /\b(?<!(?:not|no|nao|no estoy|nao estou) )(?:ocupad[oa]s?|busy|se (?:me |nos )?complica|complicad[oa]|dificil|tough|difficult|unavailable|out of (?:town|office)|(?:i'm|i am) out)\b|\b(?:queda|va|viene|cae|e|es|is|esta|fica|seria) (?:muy |tan |so |really |pretty |demasiado |muito )?(?:mal[oa]?|bad|ruim|hard)\b|\b(?:queda|e|es|is|that's|esta|fica|seria|would be|ya es) (?:muy|demasiado|too|way too|muito|tan|a bit|un poco|um pouco) (?:tarde|temprano|pronto|late|early|cedo|soon)\b|\b(?:tengo|tenho|i have|i've got) (?:un |una |uma |um |a |an )?(?:reunion|reuniao|meeting|compromiso|compromisso|planes|planos|plans)\b|(?<!\b(?:del?|do|al|el|mi|meu|con|com|en|em|no)) (?:ya )?(?:trabajo|trabalho|viajo|tengo (?:medico|doctor|cita|examen|clases?|turno)|tenho (?:medico|prova|aula|consulta)|i (?:work|have (?:work|class)))[.!]{0,3}$/;

const momentsBeside: readonly RegExp[] = [negatedBehind, promised, asked, boundBehind, unsuitable];

/** Whether an answer names a weekday as one of several. @param text - as for {@link saysAnotherMoment} */
export const saysEachWeek = (text: string): boolean => recurring.test(text.replace(weekdays, '§'));

const weekdays =
  /\b(?:(?:lun|mart|miercol|juev|viern)es|sabados?|domingos?|(?:segunda|terca|quarta|quinta|sexta)s?(?:[- ]feiras?)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b/g;

/** "El lunes o", "16:00 y": the rest of it is still to come. */
const breaksOff = /(?:\p{L}{2}|\d) (?:y|e|and|o|u|ou|or)[ .…]{0,4}$/u;
/** "Treinta y", "5 a", "20 con": of a number that is not said to its end. */
const breaksOffNumber = /\d(?: \p{L}{2,14})? (?:y|e|and|a|to|hasta|ate|con|com)[ .…]{0,4}$/u;

/** Whether an answer says more or less than its number, only a bound of it, or that it is not the one. "20 más o menos" is a number that suffices. */
export const saysAnotherNumber = (text: string): boolean => {
  const sure = text.replace(/\b(?:mas o menos|mais ou menos|more or less)\b/g, '');
  return [
    breaksOffNumber,
    otherNumber,
    boundNumber,
    boundOfNumber,
    withAnother,
    withOthers,
    severalOrMore,
    refusedNumber,
    partOfNumber,
    answersLater,
    otherKind,
    notYetOfAge,
    numberOfName,
  ].some((pattern) => pattern.test(sure));
};

const otherNumber =
  /[≥≤<>]=? ?[\d$]|\b(?:ningun[oa]?|none|nenhuma?) (?:de|d[oa]s|of)\b|\d ?(?:\+|plus[.!]{0,3})$|\b(?:ma[sy]|mais|mayor(?:es)?|menor(?:es)?|menos|superior|inferior) (?:de|a|que|do que) [^\d]{0,8}\d|\b(?:more|less|fewer|greater|other) than [^\d]{0,8}\d|\b(?:over|under|above|below) \p{Sc}?\d|\d[^\d]{0,12} (?:o|ou|or|y|e|et) (?:mas|mais|more|menos|less|pico|cacho|algo|tant[oa]s|pouc[oa]s?|quelques?|quebrados)\b/u;
/** "Mínimo 3", "hasta S/ 500", "a partir de 20", "4 max": the number may be any on one side. "Hasta ahora 4" and "5 min" are numbers. */
const boundNumber =
  /\b(?:(?<!\b(?:i|we|he|she|they|you|just) )ate|hasta|desde|a ?partir|from|until|till|within|up ?to|upwards of|north of|south of|starting(?: at| from)?|as (?:many|much|few|little) as|not exceeding|tope|(?:no|nao) (?:pass?[ae]|exced[ae]|super[ae]|excede)(?: de)?|por (?:encima|debajo) de|arriba|debajo|acima|abaixo|ma[iy]or que|menor que|(?:later|earlier|sooner) than|min(?:im(?:o|um))?|max(?:im(?:o|um))?|limite)\.?(?: (?:d[eo]s?|of|a|is|es|son|sao|e|is|l[oa]s|el|unos|unas|uns|umas|about|around|os|as)){0,2} (?:\p{L}{0,2}[\p{Sc}/.]{1,2} ?|(?:usd|pen|mxn|brl|eur) )?\d/u;
const boundOfNumber =
  /\b(?:at (?:the )?(?:very )?(?:least|most)|al menos|por lo menos|cuando (?:menos|mucho)|como (?:minimo|maximo|mucho)|a lo (?:mucho|mas|sumo|menos)|pelo menos|ao menos|(?:no|ao|el|o) (?:minimo|maximo))\b|\d[^\d,;]{0,16} (?:(?:and|or) (?:up|above|over|under|below)|up ?wards?|onwards?|tops|max|(?:max|min)im(?:o|um)|p(?:ar)?a arriba|p(?:ar)?a abajo|p(?:a)?ra (?:cima|baixo)|hacia (?:arriba|abajo)|en adelante|em diante|a mas)\b/;
/** "4 personas y un bebé", "2 and another": there is more than the number. */
const withAnother =
  /\d[^\d,;.]{0,24} (?:(?:y|e|mas|mais) (?:un[oa]?|uma?|otr[oa]s?|outr[oa]s?)|(?:and|plus) (?:an?|one|another))\b(?! (?:half|medi[oa]|mei[oa]|cuarto|quarter))/;
/** "Mis 2 hijos y yo", "2 más mi esposa", "4 sin contarme": the number is a part of what is said, or all but a part. */
const withOthers =
  /\d[^\d,;.]{0,24} (?:(?:y|e|mas|mais) (?:yo|eu|mi|mis|minha|meu|meus|minhas)|(?:and|plus) (?:me|i|my|myself))\b|\d[^\d]{0,24} (?:sin|sem|aparte de|fuera de|fora) (?:contar|incluir|mi\b|eu\b)|\d[^\d]{0,24} (?:not|without|excluding) (?:counting|including|me|myself)\b|(?:^|[\s,])(?:yo|eu|me|myself) (?:(?:y|e|and|plus|mas|mais) ){1,2}\d/;
/** "Uno o dos", "5 más" of what there is already. */
const severalOrMore =
  /\b(?:un[oa]?|one|uma?) (?:o|u|or|ou|a|to|y|e|and) \d|\d (?:o|u|or|ou) (?:un[oa]?|one|uma?)\b|\d(?: \p{L}{2,14}s)? (?:a )?(?:mas|mais|more|menos|less)[.!]{0,3}$|(?:^|[,;] )(?:mas|mais|plus) \d|(?:^| )(?:yo|eu|me|myself) \+ ?\d|\b(?:otr[oa]s|outr[oa]s|another) \d/u;
/** "El doble de 5", "la mitad de 10", "somos 3, llega otro más": another number than the one that is said. */
const partOfNumber =
  /\b(?:doble|triple|mitad|dobro|triplo|metade|half|double|twice|triple|third|quarter) (?:de |del |of |do |da )?\p{Sc}?\d|\d[^\d]{0,40}\b(?:otr[oa](?: mas)?|outr[oa](?: mais)?|another(?: one)?|one more|(?<!\bni )un[oa] mas|(?<!\bnem )uma? mais)[.!]{0,3}$|\d ?¢/u;
/** "Dame 5 minutos", "1 segundo", "te respondo en 10", "be back in 5 min": when the answer will come, and not the answer. */
const answersLater =
  /^(?:\p{L}{2,5},? ){0,2}(?:[dm]ame|deme|denme|me (?:da|das|de|des|regala)|regalame|espera(?:me|n|nme)?|espere(?:me|nme)?|aguant[ae](?:me)?|aguard[ae](?:me)?|permitame|so|perai?|give me|gimme|wait|hold on|just)(?: (?:ai|un|unos|unas|uns|como|about|like|just|for|solo|so|ya va)){0,2},? \d{1,4} ?(?:m|min|mins|minut(?:o|os|ito|itos|inho|inhos|e|es)|seg|segs|segund(?:o|os|ito|itos|inho)|secs?|seconds?|hrs?|horas?|horitas?|hours?|rat(?:o|ito)s?|moment(?:o|ito|inho)?s?|dias?|days?)(?!\p{L})|^1 ?(?:seg|sec|second|segund(?:o|ito|inho)|min|minut(?:o|ito|inho|e)|moment(?:o|ito|inho)?|instante|rat(?:o|ito))(?![\p{L}\d])(?:,? (?:por ?favor|porfa|please|pls))?[.!…]{0,3}$|\b(?:(?:te|le|les|lo|lhe|ja) (?:respond[oa]|contest[oa]|dig[oa]|avis[oa]|confirm[oa]|llam[oa]|escrib[oa]|marc[oa]|lig[oa]|fal[oa])|(?:re)?vuelvo|regreso|volto|retorno|(?:(?:be|am|i'm|^) ?back|(?:call|text|llama|marca|liga|escribe|habla)(?: ?me)(?: back| de vuelta)?)|i(?:'ll| will) (?:answer|call|text|reply|tell you|let you know|get back to you)|let you know|get back to you|call you|text you)(?: \p{L}{1,12}){0,2} (?:en|in|em|dentro de|daqui a|a las?|as|at) (?:unos |unas |uns |about |like )?\d|(?:^|[,;] ?)(?:en|in|em|dentro de|daqui a) (?:unos |unas |uns |about )?\d{1,4} ?(?:m|mins?|minutos?|minutes?|segundos?|seconds?|hrs?|horas?|hours?|dias?|days?) (?:te|le|les|lo|lhe|i|we|eu|vuelvo|regreso|volto|estoy|llego|contesto|respondo)(?!\p{L})/u;
/** "iPhone 15", "Galaxy S24", "calle 10": the number is a part of a name, and counts nothing. */
const numberOfName =
  /(?<!\p{L})(?:iphone|ipad|galaxy|samsung|redmi|xiaomi|huawei|motorola|pixel|playstation|xbox|windows|android|covid|calle|cll|jiron|jr|avenida|avda|av|pasaje|psje|carretera|autopista|ruta|rua|travessa|rodovia|street|avenue|ave|highway|hwy|route|rue|jalan|jln)\.?[ -]?(?:n(?:o|ro|um(?:ero)?)?[.°]? ?|# ?)?[a-z]?\d/u;
/** "A las 4", "hoy 4", "+51 999 888 777": an hour, a day and a phone number count nothing. */
const otherKind =
  /(?:^|[ ,])(?:a las?|as|at) \d{1,2}[.!]{0,3}$|^(?:hoy|manana|hoje|amanha|today|tomorrow),? (?:el )?\d{1,2}[.!]{0,3}$|\+\d{1,3}[ -]\(?\d{2,4}\)?[ -]\d{3}/u;
/** "Voy a cumplir 35", "turning 35": whoever says so is 34. */
const notYetOfAge =
  /\b(?:(?:voy|va|vamos|estoy|ando) (?:a|por) cumplir|(?:vou|vai) (?:fazer|completar)|(?:turning|about to (?:be|turn)|i'll be turning)|por cumplir) (?:los |os )?\d|\b(?:cumpl[eo]|faco|i turn|i'll be) (?:los |os )?\d{1,3}(?: anos| years)? (?:en|el|em|no|dia|mes que|semana que|pronto|manana|amanha|in|on|next|soon|tomorrow)(?!\p{L})/u;
const refusedNumber =
  /\b(?:anything|everything|all|any|any number) (?:but|except) \d|\b(?:ni|nem|not|nunca|never) \d|\b(?:no|nao|don't|do not|isn't|aren't) (?:quiero|tengo|son|es|hay|somos|necesito|deseo|quero|tenho|sao|preciso|want|have|need) (?:\p{L}{1,10} )?\d|\d (?:no|nao|tampoco)(?:[.!]{0,3}$|[,;:] )/u;

/**
 * Whether an answer says of its phone number or address that it is not the one: "no es 5512345678", "ya no uso ana@x.pe", "that one no longer
 * works". The corrections of an answer are read before.
 *
 * @param before - what is said before the value, folded
 * @param behind - and behind it
 */
export const saysNotThis = (before: string, behind: string): boolean =>
  refusedBefore.test(before.replace(/\b(?:my|mobile|mob|phone|ph|cell|contact|whatsapp) no\.? /g, '')) || refusedBehind.test(behind);

const refusedBefore =
  /(?<![\p{L}\d])(?:no(?! (?:hay problema|problem|se preocupe))|not|nao|don't|do not|isn't|nunca|never|tampoco|ni|nem) (?:[\p{L}']{1,14} ){1,5}$|(?<![\p{L}\d])(?:not|nao|ni|nem|ya no) $/u;
const refusedBehind =
  /^[ ,.]{0,3}(?:(?:ya|ja) )?(?:no|nao|nope)(?:[.! ]{0,3}$| (?:es|era|sirve|funciona|existe|uso|lo uso|e|serve|uso mais)\b)|^[ ,.]{0,3}(?:is not|isn't|is wrong|no longer|doesn't work|esta mal|esta equivocado|esta errado|ya lo cambie)\b/;
