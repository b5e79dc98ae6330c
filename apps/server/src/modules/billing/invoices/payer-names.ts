/** Words that say the legal form of an organisation, or nothing. */
const forms = new Set(
  'pty ltd limited inc incorporated llc llp plc the and of co company corp corporation gmbh ag sa sarl srl spa bv nv oy ab as kk pte sdn bhd pvt private public'.split(
    ' ',
  ),
);
/** Words that many organisations of this field have in their names. */
const common = new Set([...forms, ...'group holdings service services network networks telecom internet'.split(' ')]);

const plainWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    // `S.A.` is `SA`.
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns whether a payer's name may belong to an organisation: they share an uncommon word. */
export function namesMatch(payer: string, orgName: string): boolean {
  const of = new Set(plainWords(orgName).filter(word => word.length > 2 && !common.has(word)));
  return plainWords(payer).some(word => of.has(word));
}

const nameOf = (text: string): string =>
  plainWords(text)
    .filter(word => !forms.has(word))
    .join(' ');

/** The shortest field of a payer's name in bank statements: a name of this length may be cut off. */
const SHORTEST_FIELD = 18;

/** Returns whether a payer's name is that of an organisation, in any case and whatever its legal form, or the beginning of it that a bank's field holds. */
export function isNameOf(payer: string, orgName: string): boolean {
  const [one, other] = [nameOf(payer), nameOf(orgName)];
  return one !== '' && (one === other || (payer.trim().length >= SHORTEST_FIELD && other.startsWith(one)));
}
