import type { StatementPattern } from "./statement-pattern.ts";

/** What somebody asks to be remembered. */
const ASKED = { topic: "asked to remember", value: "any", confidence: 0.95 } as const;
const LIKES = { topic: "preferences", type: "preference" } as const;
const NAME = { key: "name", value: "name" } as const;
const HOME = { key: "home", value: "place" } as const;
/** Persons and animals that are told by their names. */
const CALLED = { value: "name", type: "relationship" } as const;

const of =
  (language: string) =>
  (expression: RegExp, rest: Omit<StatementPattern, "language" | "expression"> = {}): StatementPattern => ({
    language,
    expression,
    ...rest,
  });

const en = of("en");
const de = of("de");
const fr = of("fr");
const es = of("es");
const pt = of("pt");
const it = of("it");
const nl = of("nl");
const pl = of("pl");
const ru = of("ru");
const tr = of("tr");
const zh = of("zh");
const ja = of("ja");
const ko = of("ko");
const ar = of("ar");
const he = of("he");
const hi = of("hi");
const th = of("th");

const KIN_EN =
  "(?<key>dog|cat|horse|rabbit|pet|wife|husband|partner|girlfriend|boyfriend|fiancée?|sister|brother|mother|father|mum|mom|dad|son|daughter|child|baby|grandmother|grandfather|grandma|grandpa|uncle|aunt|cousin|niece|nephew|boss|manager|colleague|flatmate|roommate|neighbou?r|teacher|doctor|company|team|boat|car|band)";
const KIN_DE =
  "(?<key>Hund|Hündin|Katze|Kater|Pferd|Frau|Mann|Partner|Partnerin|Freund|Freundin|Schwester|Bruder|Mutter|Vater|Mama|Papa|Sohn|Tochter|Kind|Oma|Opa|Onkel|Tante|Chef|Chefin|Firma|Team)";

/** Statements of seventeen languages. Questions, suppositions and reported words are out before these are tried. */
export const LANGUAGE_PATTERNS: readonly StatementPattern[] = [
  en(/^(?:please,? )?(?:remember|note|keep in mind|don't forget): (?<value>.+)$/i, ASKED),
  // "Remember that film we saw" asks nothing; "note that it returns null" is a way to speak.
  en(
    /^(?:[Pp]lease,? )?(?:[Rr]emember|[Dd]on't forget) that (?<value>(?:I|I['’]m|my|we|our|he|she|they|the|an?|there|every|on|in|at|from|\p{Lu}[\p{L}'’-]*|\p{N}+)(?![\p{L}\p{N}]).+)$/u,
    ASKED,
  ),
  en(/^(?:please,? )?(?:note|keep in mind) that (?<value>(?:I|I['’]m|I['’]ve|my|we|our)(?!\p{L}).+)$/iu, ASKED),
  en(/^(?:hi|hello|hey)?[,!]? ?(?:my name is|call me) (?<value>.+)$/i, NAME),
  // "Hi, I'm Portuguese" is no introduction.
  en(
    /^(?:[Hh]i|[Hh]ello|[Hh]ey)[,!]? I(?:'m| am) (?<value>(?!\p{L}*(?:ese|ish|ican|alian|ussian|ndian|erman|adian|gian|nian)$)\p{Lu}[\p{L}'-]+)$/u,
    NAME,
  ),
  // "My wife is German" names nobody.
  en(new RegExp(`^my ${KIN_EN}(?:'s name is| is (?:called|named)) (?<value>.+)$`, "iu"), CALLED),
  en(/^my favou?rite (?<key>[\p{L} -]{2,30}?) (?:is|are) (?<value>.+)$/iu, { type: "preference" }),
  en(
    /^my (?<key>birthday|e-?mail(?: address)?|time ?zone|nickname|pronouns|shoe size|t-?shirt size) (?:is|are) (?<value>.+)$/i,
  ),
  en(/^my (?<key>job|profession) is (?:being )?an? (?<value>.+)$/i),
  en(/^my (?<key>home ?town|native language) is (?<value>.+)$/i, { value: "name" }),
  en(/^I (?:live in|moved to|have moved to) (?<value>[\p{Lu}\p{N}].*)$/u, HOME),
  en(/^I work as an? (?<value>.+)$/i, { key: "job" }),
  en(/^I(?:'m| am) (?:an? )?(?<value>vegetarian|vegan|pescatarian)$/i, { key: "diet", type: "preference" }),
  en(/^I (?:always |usually |generally |strongly )?prefer (?<value>.+)$/i, LIKES),
  en(/^I (?:really )?(?:like|love|enjoy) (?<value>.+)$/i, { topic: "likes", type: "preference" }),
  en(/^I (?:really )?(?:hate|dislike|can't stand|don't like) (?<value>.+)$/i, {
    topic: "dislikes",
    type: "preference",
  }),
  en(
    /^(?<value>from now on,? (?!(?:I|I['’]\p{L}+|it|it['’]s|we|my|our|he|she|they|the|this|that|there|things|everything)(?!\p{L})).+)$/iu,
    { topic: "wishes", type: "instruction", value: "any" },
  ),

  de(
    /^(?:bitte )?(?:merk(?:e)? dir|behalte|vergiss nicht|denk(?:e)? daran)(?: bitte)?(?:, dass|:) (?<value>.+)$/i,
    ASKED,
  ),
  de(/^(?:hallo|hi)?[,!]? ?(?:ich heiße|mein Name ist|nenn mich) (?<value>.+)$/i, NAME),
  de(new RegExp(`^meine? ${KIN_DE} heißt (?<value>.+)$`, "iu"), CALLED),
  de(/^mein(?:e|s)? (?<key>Lieblings\p{L}+) (?:ist|sind) (?<value>.+)$/iu, { type: "preference" }),
  de(/^mein(?:e)? (?<key>Geburtstag|E-?Mail-?Adresse|Zeitzone|Beruf|Heimatstadt|Muttersprache) ist (?<value>.+)$/i),
  de(/^ich (?:wohne|lebe) in (?<value>\p{Lu}.*)$/iu, HOME),
  de(/^ich bin (?<value>Vegetarier(?:in)?|Veganer(?:in)?|vegetarisch|vegan)$/i, { key: "diet", type: "preference" }),
  de(/^ich bevorzuge (?<value>.+)$/i, LIKES),
  de(
    /^(?<value>(?:ab jetzt|von nun an),? (?!(?:bin|habe|werde|ist|wird|gehe|mache|wohne|es|ich|wir|mein\p{L}*)(?!\p{L})).+)$/iu,
    { topic: "wishes", type: "instruction", value: "any" },
  ),

  fr(
    /^(?:s'il (?:te|vous) plaît,? )?(?:souviens-toi|souvenez-vous|retiens|retenez|n'oublie pas|n'oubliez pas|note|notez) qu(?:e |')(?<value>.+)$/i,
    ASKED,
  ),
  fr(/^(?:bonjour|salut)?[,!]? ?(?:je m'appelle|appelle-moi|appelez-moi|mon nom est) (?<value>.+)$/i, NAME),
  fr(
    /^m(?:on|a) (?<key>chien(?:ne)?|chat(?:te)?|cheval|femme|mari|compagnon|compagne|sœur|frère|mère|père|maman|papa|fils|fille|patron(?:ne)?) s'appelle (?<value>.+)$/i,
    CALLED,
  ),
  fr(/^m(?:on|a) (?<key>[\p{L} ]{2,20}?) préférée?s? est (?<value>.+)$/iu, { type: "preference" }),
  fr(/^j'habite (?:à|en|au|aux) (?<value>.+)$/i, HOME),
  fr(/^je suis (?<value>végétarien(?:ne)?|végane?|vegan)$/i, { key: "diet", type: "preference" }),
  fr(/^je préfère (?<value>.+)$/i, LIKES),

  es(/^(?:por favor,? )?(?:recuerda|recuerde|acuérdate de|no olvides|anota) que (?<value>.+)$/i, ASKED),
  es(/^(?:hola)?[,!]? ?(?:me llamo|mi nombre es|llámame) (?<value>.+)$/i, NAME),
  es(
    /^mi (?<key>perr[oa]|gat[oa]|caballo|mujer|esposa|marido|esposo|pareja|novi[oa]|herman[oa]|madre|padre|mamá|papá|hij[oa]|jef[ea]) se llama (?<value>.+)$/i,
    CALLED,
  ),
  es(/^mi (?<key>[\p{L} ]{2,20}?) favorit[oa]s? es (?<value>.+)$/iu, { type: "preference" }),
  es(/^vivo en (?<value>.+)$/i, HOME),
  es(/^soy (?<value>vegetarian[oa]|vegan[oa])$/i, { key: "diet", type: "preference" }),
  es(/^(?:yo )?prefiero (?<value>.+)$/i, LIKES),

  pt(
    /^(?:por favor,? )?(?:lembra(?:-te)?|lembre(?:-se)?|não (?:te )?esqueças|não (?:se )?esqueça|anota|anote)(?: de)? que (?<value>.+)$/i,
    ASKED,
  ),
  pt(/^(?:olá|oi)?[,!]? ?(?:(?:eu )?me chamo|chamo-me|(?:o )?meu nome é) (?<value>.+)$/i, NAME),
  pt(
    /^(?:a |o )?(?:meu|minha) (?<key>cão|cadela|cachorr[oa]|gat[oa]|mulher|marido|namorad[oa]|irmã|irmão|mãe|pai|filh[oa]|chefe) (?:se chama|chama-se) (?<value>.+)$/i,
    CALLED,
  ),
  pt(/^(?:eu )?(?:moro|vivo) em (?<value>.+)$/i, HOME),
  pt(/^(?:eu )?prefiro (?<value>.+)$/i, LIKES),

  it(/^(?:per favore,? )?(?:ricorda(?:ti)?|ricordi|non dimenticare|annota) che (?<value>.+)$/i, ASKED),
  it(/^(?:ciao)?[,!]? ?(?:mi chiamo|il mio nome è|chiamami) (?<value>.+)$/i, NAME),
  it(
    /^(?:il mio|la mia|mio|mia) (?<key>cane|gatt[oa]|cavallo|moglie|marito|compagn[oa]|sorella|fratello|madre|padre|mamma|papà|figli[oa]|capo) si chiama (?<value>.+)$/i,
    CALLED,
  ),
  it(/^(?:vivo|abito) a (?<value>.+)$/i, HOME),
  it(/^(?:io )?preferisco (?<value>.+)$/i, LIKES),

  nl(/^(?:alsjeblieft )?(?:onthoud|vergeet niet) dat (?<value>.+)$/i, ASKED),
  nl(/^(?:hoi|hallo)?[,!]? ?(?:ik heet|mijn naam is|noem me) (?<value>.+)$/i, NAME),
  nl(
    /^mijn (?<key>hond|kat|paard|vrouw|man|partner|vriend|vriendin|zus|broer|moeder|vader|zoon|dochter|baas) heet (?<value>.+)$/i,
    CALLED,
  ),
  nl(/^ik woon in (?<value>.+)$/i, HOME),
  nl(/^ik geef de voorkeur aan (?<value>.+)$/i, LIKES),

  pl(/^(?:proszę,? )?(?:zapamiętaj|pamiętaj),? że (?<value>.+)$/i, ASKED),
  pl(/^(?:cześć)?[,!]? ?(?:mam na imię|nazywam się) (?<value>.+)$/i, NAME),
  pl(
    /^m(?:ój|oja) (?<key>pies|kot|żona|mąż|siostra|brat|matka|ojciec|mama|tata|syn|córka|szef) ma na imię (?<value>.+)$/i,
    CALLED,
  ),
  pl(/^mieszkam w (?<value>.+)$/i, HOME),
  pl(/^wolę (?<value>.+)$/i, LIKES),

  ru(/^(?:пожалуйста,? )?(?:запомни(?:те)?|помни(?:те)?|не забудь(?:те)?),? что (?<value>.+)$/iu, ASKED),
  ru(/^(?:привет)?[,!]? ?меня зовут (?<value>.+)$/iu, NAME),
  ru(
    /^(?:мою|моего) (?<key>собаку|кошку|кота|пса|жену|мужа|сестру|брата|сына|дочь|дочку) зовут (?<value>.+)$/iu,
    CALLED,
  ),
  ru(/^я живу в (?<value>.+)$/iu, HOME),
  ru(/^я предпочитаю (?<value>.+)$/iu, LIKES),

  tr(/^(?:lütfen )?(?:unutma|aklında tut):? (?<value>.+)$/iu, ASKED),
  tr(/^(?:merhaba)?[,!]? ?(?:benim )?adım (?<value>.+)$/iu, NAME),
  tr(/^(?:ben )?(?<value>.+) tercih ederim$/iu, LIKES),

  zh(/^(?:请|請)?(?:你)?(?:记住|記住|记得|記得|别忘了|別忘了)[，,：:\s]*(?<value>.+)$/u, ASKED),
  zh(/^(?:你好)?[，,]?(?:我叫|我的名字(?:是|叫)|叫我)(?<value>.+)$/u, NAME),
  zh(
    /^我(?:的)?(?<key>狗|猫|貓|妻子|丈夫|太太|老公|老婆|姐姐|妹妹|哥哥|弟弟|妈妈|媽媽|爸爸|儿子|兒子|女儿|女兒|老板|老闆)(?:的名字)?叫(?<value>.+)$/u,
    CALLED,
  ),
  zh(/^我最喜欢的(?<key>.{1,8})是(?<value>.+)$/u, { type: "preference" }),
  zh(/^我(?:现在|現在)?住在(?<value>.+)$/u, HOME),
  zh(/^我是(?<value>素食者|素食主义者|素食主義者)$/u, { key: "diet", type: "preference" }),
  zh(/^我(?:更喜欢|更喜歡|比较喜欢|比較喜歡|偏好)(?<value>.+)$/u, LIKES),

  ja(/^(?<value>.+?)(?:と|を|って|ことを)覚えて(?:おいて)?(?:ね|ください|下さい)?$/u, ASKED),
  ja(/^(?:こんにちは)?[、,]?(?:私|僕|俺)の名前は(?<value>.+?)(?:です|だ|といいます)$/u, NAME),
  ja(
    /^(?:私|僕|うち)の(?<key>犬|猫|妻|夫|姉|妹|兄|弟|母|父|息子|娘|上司)(?:の名前)?は(?<value>.+?)(?:です|だ|といいます|という名前です)$/u,
    CALLED,
  ),
  ja(/^(?:私|僕|俺)?は?(?<value>[^、。は]+?)に住んでいます$/u, HOME),
  ja(/^(?:私|僕|俺)?は?(?<value>[^、。は]+?)の(?:方|ほう)が好きです$/u, LIKES),

  ko(/^(?<value>.+?)(?:다는 것을|라는 것을|다고|라고|을|를) 기억해(?: ?줘| ?주세요)?$/u, ASKED),
  ko(/^(?:안녕하세요)?[,!]? ?(?:제|내) 이름은 (?<value>.+?)(?:입니다|이에요|예요|야|이야)$/u, NAME),
  ko(
    /^(?:제|우리|내) (?<key>강아지|개|고양이|아내|남편|언니|누나|오빠|형|동생|엄마|아빠|아들|딸) 이름은 (?<value>.+?)(?:입니다|이에요|예요|야|이야)$/u,
    CALLED,
  ),
  ko(/^(?:저는|나는) (?<value>.+?)에 살(?:아요|고 있어요|아|고 있습니다)$/u, HOME),
  ko(/^(?:저는|나는) (?<value>.+?)(?:을|를) (?:더 좋아해요|선호해요|선호합니다)$/u, LIKES),

  ar(/^(?:من فضلك[،,]? )?(?:تذكر|تذكري|لا تنس|لا تنسَ) أن(?:ّ)? ?(?<value>.+)$/u, ASKED),
  ar(/^(?:مرحبا)?[،,]? ?(?:اسمي|نادني) (?<value>.+)$/u, NAME),
  ar(/^(?:أنا )?(?:أسكن|أعيش) في (?<value>.+)$/u, HOME),
  ar(/^(?:أنا )?أفضّ?ل (?<value>.+)$/u, LIKES),

  he(/^(?:בבקשה )?(?:תזכור|תזכרי|זכור|זכרי|אל תשכח|אל תשכחי) ש(?<value>.+)$/u, ASKED),
  he(/^(?:שלום)?[,!]? ?(?:קוראים לי|השם שלי הוא|שמי) (?<value>.+)$/u, NAME),
  he(/^ל(?<key>כלב|כלבה|חתול|חתולה|אישה|אחות|אח|בן|בת) שלי קוראים (?<value>.+)$/u, CALLED),
  he(/^אני גרה? ב(?<value>.+)$/u, HOME),
  he(/^אני מעדיפה? (?<value>.+)$/u, LIKES),

  hi(/^(?:कृपया )?(?:याद रखना|याद रखो|याद रखिए|मत भूलना) कि (?<value>.+)$/u, ASKED),
  hi(/^(?:नमस्ते)?[,!]? ?मेरा नाम (?<value>.+?) (?:है|हैं)$/u, NAME),
  hi(/^मेर[ेीा] (?<key>कुत्ते|बिल्ली|पत्नी|पति|बहन|भाई|माँ|पिता|बेटे|बेटी) का नाम (?<value>.+?) है$/u, CALLED),
  hi(/^मैं (?<value>.+?) में रहत(?:ा|ी) हूँ$/u, HOME),

  th(/^(?:ช่วย)?จำไว้(?:ด้วย)?(?:นะ)?ว่า ?(?<value>.+)$/u, ASKED),
  th(/^(?:สวัสดี)?(?:ครับ|ค่ะ)? ?(?:ฉัน|ผม|ดิฉัน)ชื่อ ?(?<value>.+)$/u, NAME),
  th(/^(?:ฉัน|ผม|ดิฉัน)(?:อยู่|อาศัยอยู่)ที่ ?(?<value>.+)$/u, HOME),
];
