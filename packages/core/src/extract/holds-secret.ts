/** What keys and tokens of services look like, and what somebody says in front of a password. */
const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)[-_][\w-]{16,}|\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeoprs]-[\w-]{10,}|\bA(?:KIA|SIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bnpm_\w{30,}|\bhf_\w{20,}/,
  /\beyJ[\w-]{8,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/i,
  /(?<![\p{L}])(?:password|passcode|passphrase|pin(?: code)?|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|пароль|parola)\s*(?:is|ist|est|es|é|:|=|—|-)\s*\S/iu,
  /(?:密码|密碼|パスワード|비밀번호)\s*(?:是|は|는|은|:|：|=)\s*\S/u,
];

const CARD = /(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])/g;

/** The check digit that payment cards have. */
function isCard(written: string): boolean {
  const digits = [...written.replace(/\D/g, "")].map(Number).reverse();
  const sum = digits.reduce((total, digit, place) => {
    const weighed = place % 2 === 0 ? digit : digit * 2;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return sum % 10 === 0;
}

/** True for a text with a password, a key of a service or the number of a payment card in it. Pure. */
export const holdsSecret = (text: string): boolean =>
  SECRETS.some((pattern) => pattern.test(text)) || [...text.matchAll(CARD)].some(([written]) => isCard(written));
