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

/** The shortest field of a payer's name in bank statements: a name of this length may be cut off. */
const SHORTEST_FIELD = 18;

/** A name of a payer or an organisation, read once to be compared with many. */
export type ReadName = {
  /** All its words, of which those that few organisations have. */
  words: readonly string[];
  uncommon: ReadonlySet<string>;
  /** Its words without legal forms. */
  plain: string;
  /** Long enough to have been cut off by a bank's field. */
  isCut: boolean;
};

export function readName(text: string): ReadName {
  const words = plainWords(text);
  return {
    words,
    uncommon: new Set(words.filter(word => word.length > 2 && !common.has(word))),
    plain: words.filter(word => !forms.has(word)).join(' '),
    isCut: text.trim().length >= SHORTEST_FIELD,
  };
}

/** Returns whether a payer's name may belong to an organisation: they share an uncommon word. */
export const namesMatch = (payer: ReadName, organisation: ReadName): boolean => payer.words.some(word => organisation.uncommon.has(word));

/** Returns whether a payer's name is that of an organisation, in any case and whatever its legal form, or the beginning of it that a bank's field holds. */
export const isNameOf = (payer: ReadName, organisation: ReadName): boolean =>
  payer.plain !== '' && (payer.plain === organisation.plain || (payer.isCut && organisation.plain.startsWith(payer.plain)));
