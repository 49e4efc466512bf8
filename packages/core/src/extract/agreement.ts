const WORDS = new Set(
  (
    "yes yeah yep yup sure ok okay correct right exactly absolutely definitely certainly indeed true agreed " +
    "ja jawohl genau stimmt richtig klar gerne oui ouais exact exactement bien d'accord volontiers sí si claro correcto " +
    "exacto vale sim certo exato isso esatto giusto certo klopt juist graag zeker tak dokładnie jasne da да конечно " +
    "верно точно ага так 是 是的 对 對 對的 对的 好 好的 没错 沒錯 はい ええ うん そうです そうだ 네 예 응 맞아요 맞아 نعم أجل صحيح כן נכון हाँ हां जी ใช่ ครับ ค่ะ evet doğru"
  ).split(" "),
);

/** Words of politeness and emphasis that an agreement may have beside it. */
const BESIDE = new Set(
  (
    "please thanks thank you that's thats that is it this do so very much would be great perfect good idea " +
    "bitte danke merci s'il vous plaît te por favor gracias obrigado obrigada per favore grazie graag dank je proszę " +
    "пожалуйста спасибо 谢谢 請 请 ありがとう お願いします 감사합니다 부탁해요 شكرا תודה בבקשה"
  ).split(" "),
);

/** True for a text that does nothing but agree: "Yes, please.", "Ja, genau", "はい". Pure. */
export function isAgreement(text: string): boolean {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("’", "'")
    .split(/[^\p{L}\p{M}']+/u)
    .filter((word) => word !== "");
  const [first] = words;
  if (first === undefined || words.length > 8 || !WORDS.has(first)) return false;
  return words.every((word) => WORDS.has(word) || BESIDE.has(word));
}
