/** Words by which people of one language ask what there was or will be, and nothing else: beside its small words, as terms have them. */
export interface AskingWords {
  /** Of what was: "did", "said". Parts with `+` between them must all be there. */
  past: readonly string[];
  /** Of now and of what is to come, if none of what was is there: "do", "have". */
  now: readonly string[];
  /** Of what is to come: "will", "should". */
  ahead: readonly string[];
  /** Of neither: "about", "anything". */
  other: readonly string[];
}

/** The same where words aren't written apart: what is taken out, piece by piece. */
export interface AskingPieces {
  past: RegExp;
  now: RegExp;
  ahead: RegExp;
  pieces: RegExp;
}

const asking = (past: string, now: string, ahead: string, other: string): AskingWords => ({
  past: past.split(" "),
  now: now.split(" "),
  ahead: ahead.split(" "),
  other: other.split(" "),
});

/** By language tag. */
export const ASKING_WORDS: Readonly<Record<string, AskingWords>> = {
  en: asking(
    "did didn was were had happened said told talked spoke spoken discussed mentioned covered chatted done been went wrote asked",
    "do does doing remind is are am+i isn aren have has having s say tell talk speak discuss mention happen happens happening go going discussing talking saying telling ask write writing",
    "will won ll shall should would could can may might must",
    "about anything something everything thing things all us let up between with day conversation conversations chat " +
      "chats message messages show list find search recall remember summarize summarise summary recap please since till ever there thing give topic topics cover up earlier morning afternoon evening night last",
  ),
  de: asking(
    "war waren hatte hatten gab ging wurde wurden passierte passiert+ist geschah geschehen gemacht getan gesagt erzahlt geredet " +
      "gesprochen besprochen gewesen machte machten sagte sagten sprachen redeten erwahnt geschrieben gefragt unternommen",
    "ist sind bin bist hat habe haben hast habt machen mache macht tun sage sagen gibt passieren passiert",
    "wird werden werde wirst soll sollen sollte muss mussen musst kann konnen will wollen mochte",
    "los woruber wovon womit worum alles etwas irgendwas uns daruber davon gesprach gesprache unterhaltung unterhaltungen nachricht nachrichten zeig " +
      "zeige nochmal mal denn alle zwischen zusammen erinnerst suche finde fasse zusammenfassung seit ab bis je erzahl erzahle sag morgen vormittag nachmittag abend nacht mittag fruh letzten vergangenen",
  ),
  fr: asking(
    "etait etaient avait avaient fait+a fait+ai fait+as fait+avons fait+avez fait+ont fit passe+est dit discute parle+a parle+ai " +
      "parle+as parle+avons parle+avez raconte mentionne ecrit demande eu fut",
    "est rappelle sont suis es a ai as avons avez ont y fais fait faisons faites faire passe parle parler dire dis",
    "va vais vas allons allez vont dois doit devons devez faut sera serons ferai ferons fera peux peut pouvons devrais",
    "tout quelque chose rien ensemble se conversation conversations message messages montre entre ca cela cherche trouve " +
      "resume resumer depuis partir des apres avant jusqu jour quoi matin soir apres midi nuit dernier passe",
  ),
  es: asking(
    "hice hiciste hizo hicimos hicisteis hicieron paso dije dijiste dijo dijimos dijeron hable hablaste hablo hablamos " +
      "hablaron conte contaste fue fueron era eran hubo habia hecho dicho hablado pasado sucedio ocurrio discutimos " +
      "comentamos comente mencione escribi",
    "es son hay hago haces hace hacemos hacen hacer tengo tienes tiene tenemos he has ha hemos han pasa digo dice decir estoy estas esta estamos estan",
    "va voy vas vamos van debo debes debemos debe sera haremos hare puedo podemos",
    "todo algo nada cosa cosas conversacion conversaciones mensaje mensajes muestra muestrame entre sobre acerca busca " +
      "encuentra recuerda recuerdas resume resumen desde despues antes hasta dia manana tarde noche pasado",
  ),
  pt: asking(
    "fiz fizeste fez fizemos fizeram disse disseste dissemos disseram falei falaste falou falamos falaram aconteceu contei " +
      "foi foram era eram houve havia tinha feito dito conversei conversamos discutimos mencionei passou escrevi",
    "e sao ha faco fazes faz fazemos fazem fazer lembra lembras tenho tens tem temos acontece digo diz dizer estou estas esta estamos estao",
    "vai vou vais vamos vao devo deve devemos sera farei faremos posso podemos preciso precisamos",
    "tudo algo nada coisa coisas gente conversa conversas mensagem mensagens mostra mostre entre busca procura encontra " +
      "resumo resume desde depois apos antes ate dia manha tarde noite passado",
  ),
  it: asking(
    "fatto detto parlato successo accaduto feci fece facemmo dissi disse dicemmo raccontato discusso menzionato era erano " +
      "stato stati fu scritto chiesto",
    "e sono ho hai ha abbiamo avete hanno c ce faccio fai fa facciamo fate fanno fare succede dico dice dire di",
    "devo devi deve dobbiamo faro faremo sara posso possiamo",
    "tutto qualcosa niente nulla cose cosa insieme conversazione conversazioni messaggio messaggi mostra mostrami tra cerca " +
      "trova ricorda ricordi riassumi riassunto dopo prima fino l negli nei nelle mattina pomeriggio sera notte nell dell scorso",
  ),
  nl: asking(
    "was waren had hadden deed deden gebeurde gebeurd gedaan gezegd zei zeiden verteld vertelde gesproken gepraat besproken " +
      "geweest geschreven gevraagd",
    "is zijn ben bent herinner heb hebt heeft hebben doe doet doen gebeurt zeg zeggen staat",
    "zal zullen ga gaat gaan moet moeten kan kunnen wil willen wordt",
    "alles iets over elkaar er samen gesprek gesprekken bericht berichten toon laat zien tussen aan allemaal zoek vind sinds vanaf tot gehad waarover ochtend middag avond nacht vorige afgelopen",
  ),
  sv: asking(
    "var hade gjorde gjort hande hant sa sade sagt pratade pratat berattade berattat diskuterade diskuterat skrev skrivit blev",
    "ar har gor gora hander saga sager prata",
    "ska skall kommer maste bor kan vill blir",
    "allt nagot nagonting vi oss tillsammans samtal meddelande meddelanden visa mellan pa med om dag sok hitta minns sedan sen efter fore innan fran under dagen morgon kvall natt eftermiddag",
  ),
  pl: asking(
    "był była było byli były robiłem robiłam robił robiła robilismy robiłysmy zrobiłem zrobiłam zrobilismy mowiłem mowiłam " +
      "mowilismy powiedziałem powiedziałam powiedział powiedziała rozmawialismy rozmawiałem rozmawiałam stało działo " +
      "zdarzyło wydarzyło omawialismy pisałem pisałam opowiadałem opowiadałam",
    "jest sa robie robimy robisz robic mam mamy masz dzieje mowie",
    "bede bedzie bedziemy musze musimy powinienem powinnam powinnismy moge zrobic",
    "wszystko cos sie nic rozmowa rozmowy wiadomosc wiadomosci pokaz miedzy a dnia nas nami przed ciagu czym rano wieczorem",
  ),
  tr: asking(
    "yaptık yaptım yaptın yaptınız yaptı oldu olmustu olan dedim dedin dedi dedik konustuk konustum konustun soyledim soyledin " +
      "soyledi soyledik anlattım anlattın vardı bahsettim bahsettik tartıstık yazdım gecti",
    "var yapıyorum yapıyoruz yapıyorsun oluyor",
    "yapacagım yapacagız yapacaksın olacak lazım gerek yapmalıyım",
    "neler ne ler hakkında her sey seyler bir hepsi konusma mesaj mesajlar goster arasında gun gunu kadar beri ayında yılında ayı itibaren sonra once ta te sabah aksam gece",
  ),
  ru: asking(
    "был была было были делал делала делали делалось сделал сделала сделали говорил говорила говорили сказал сказала сказали " +
      "случилось произошло происходило обсуждали обсудил обсуждал рассказал рассказала рассказывал рассказывала писал писала " +
      "упоминал упоминала спросил спросила",
    "есть делаю делаем делать делаешь говорю происходит говорить у",
    "будет буду будем будут нужно надо должен должна должны предстоит сделать могу",
    "все чем нибудь вместе разговор разговоры разговора сообщение сообщения покажи между года году год про " +
      "мы с со по наиди вспомни помнишь начиная после перед между за последнее время утром вечером днем ночью прошлом",
  ),
  uk: asking(
    "був була було були робив робила робили зробили сталося відбулося казав казала сказав сказала говорили говорив говорила " +
      "розповідав розповідала обговорювали писав писала",
    "є роблю робимо робити",
    "буде буду будемо треба потрібно повинен повинна маю зробити",
    "що про чим о у в на за з із до після перед між усе все разом я ми ти мені тобі тебе нас нами року рік вранці ввечері починаючи",
  ),
  el: asking(
    "ειπα ειπεσ ειπαμε εκανα εκανεσ εκαναμε καναμε εγινε συνεβη μιλησαμε συζητησαμε ηταν ειχα ειχαμε εγραψα",
    "ειναι κανω κανουμε εχω εχουμε γινεται",
    "θα πρεπει",
    "ολα κατι τιποτα μαζι μασ μετα πριν μεχρι αναμεσα τελευταιεσ τελευταια τελευταιουσ τισ στισ συνομιλια μηνυματα",
  ),
  hi: asking(
    "किया कहा हुआ हुई हुए था थी थे की बताया बोला लिखा",
    "है हैं करता करती करते",
    "करना करूँगा करेंगे होगा चाहिए",
    "हमने मैंने तुमने आपने बात बातें बारे सब कुछ ने साथ बीच बाद पहले तक",
  ),
  ar: asking(
    "حدث حصل فعلنا فعلت قلت قلنا تحدثنا تحدثت كان كانت جرى ناقشنا ذكرت اخبرتك",
    "يحدث افعل نفعل لدي عندي لدينا",
    "سوف سيحدث سافعل سنفعل يجب ساقول علي",
    "كل شيء شييا عنه بيننا في يوم عام سنة رسالة رسايل محادثة منذ بعد قبل حتى الى بين",
  ),
  he: asking(
    "קרה עשינו עשיתי עשית אמרתי אמרנו אמרת דיברנו דיברתי היה הייתה היו סיפרתי הזכרתי",
    "עושה עושים קורה יש",
    "אעשה נעשה יקרה יהיה צריך צריכה צריכים לעשות",
    "הכל משהו על ב ביום בשנת בינינו שיחה שיחות הודעה הודעות מאז אחרי לפני עד בין",
  ),
};

/** By language tag. */
export const ASKING_PIECES: Readonly<Record<string, AskingPieces>> = {
  ja: {
    past: /た(?:$|[かのこよっねんで?？。、\s])|だった/u,
    now: /する|します|ある|あります|です|何が/u,
    ahead: /予定|つもり|すべき|しよう|ましょう|なければ|ないと/u,
    pieces:
      /何|なに|なん|どんな|どういう|出来事|会話|メッセージ|話題|話|言|私|僕|俺|我々|たち|達|あなた|君|一緒|について|関して|こと|事|もの|全部|すべて|起こ|起き|教え|見せ|覚え|朝|夜|晩|午前|午後|くださ|から|まで|以来|以降|以前|間|後|前|して|あり|ある|あっ|けど|かった|ってい|[かをがはにのでともへねよてしたまっいん]/gu,
  },
  zh: {
    past: /[了过過曾]|发生|發生/u,
    now: /有什么|有什麼|做什么|做什麼/u,
    ahead: /[要会會将將该該]|打算|计划|計劃|可以|准备/u,
    pieces:
      /早上|上午|下午|晚上|以来|以來|之后|之後|以后|以後|之前|以前|直到|自从|自從|[从從自到至起]|什么|什麼|哪些|怎么|怎麼|发生|發生|事情|我们|我們|咱们|你们|一起|关于|關於|东西|消息|对话|對話|聊天|告诉|告訴|讨论|討論|提到|[我你您他她它做干幹说說谈談聊讲講过過了的吗嗎呢吧啊有是在和跟与與都些事哪里裡之间間日天那这這让給给找一个下]/gu,
  },
  ko: {
    past: /[했었았였됐났눴봤갔렸]/u,
    now: /하나|하지|해\s*[?？]?$|있어|있나|있지|있습니까|뭐가|합니까|하는/u,
    ahead: /해야|할까|할\s|예정|될까|하려고|하게\s*될|있을까/u,
    pieces:
      /부터|까지|이후|사이|전에|동안|무엇|무슨|뭘|뭐|어떤|일어났|일이|일을|일|있었|우리|나는|내가|나|제가|저는|저|너는|네가|너|당신|함께|같이|대화|이야기|얘기|메시지|대해서?|대한|관해|말했|말|했|나눴|라고|이라고|아침|저녁|오전|오후|밤|논의|하|모두|다|것|는|은|이|가|을|를|에게|에서|에는|에|도|의|들|었|았|어요|나요|습니까|습니다|니까|는지|던|지|요|어|니|죠|까|다/gu,
  },
};
