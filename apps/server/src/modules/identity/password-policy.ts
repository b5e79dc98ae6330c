import type { Profile } from '../../profile.ts';

/** What an attacker knows of a person without having to look for it. */
export type PasswordContext = { username?: string; email?: string; fullName?: string; accountNames?: readonly string[] };

/** Which passwords people may choose (identity.md section 7, S1). The same rules everywhere a password is chosen. */
export type PasswordPolicy = {
  /** The rules in one sentence, shown before somebody chooses. */
  words(secondFactor: boolean): string;
  /**
   * Why a password is not accepted, as a sentence for the person; null when it is.
   * @param secondFactor whether the person has one, which allows a shorter password.
   */
  judge(password: string, about: { secondFactor: boolean; context: PasswordContext }): Promise<string | null>;
};

/** NIST SP 800-63B rev. 4: 15 where the password is all there is; with a second factor we ask for 12 where it allows 8. */
const SHORTEST = 15;
const SHORTEST_WITH_SECOND_FACTOR = 12;
const LONGEST = 256;
/** What must be left of a password without sequences. */
const LEFT_WITHOUT_SEQUENCES = 8;
/** Letters that must be left of one that holds a name or a common word, without these and digits and punctuation. */
const LEFT_WITHOUT_NAMES = 8;

/** Characters of passwords are code points of the composed form (NFC), as in the hash. */
const charactersOf = (password: string): string[] => [...password.normalize('NFC')];

/** @param breached says whether a password is in the operator's list of stolen ones. */
export function openPasswordPolicy({
  profile,
  common,
  breached,
}: {
  profile: Profile;
  common: CommonPasswords;
  breached: (password: string) => Promise<boolean>;
}): PasswordPolicy {
  const { product, registryName, source, statisticsRegistry, hostmasterMaintainer } = profile;
  const ours = [...common.words, ...namesIn(product, registryName, source, statisticsRegistry, hostmasterMaintainer)];
  return {
    words: secondFactor =>
      `At least ${secondFactor ? SHORTEST_WITH_SECOND_FACTOR : SHORTEST} characters of any kind. Several words with spaces are good; your name or ${registryName} with digits behind is not.`,
    judge: async (password, { secondFactor, context }) => {
      const characters = charactersOf(password);
      const shortest = secondFactor ? SHORTEST_WITH_SECOND_FACTOR : SHORTEST;
      if (characters.length < shortest)
        return `This password has ${characters.length} ${characters.length === 1 ? 'character' : 'characters'}. Choose one of at least ${shortest}.`;
      if (characters.length > LONGEST) return `This password has more than ${LONGEST} characters. Choose a shorter one.`;
      if (period(characters) < shortest) return 'This password says the same thing over and over. Choose one that does not repeat itself.';
      if (withoutSequences(characters) < LEFT_WITHOUT_SEQUENCES)
        return 'This password follows the alphabet, the digits or the keyboard. Choose one without such rows.';
      if (common.has(password)) return 'This password is one of those tried first. Choose one nobody else would.';
      const { username = '', email = '', fullName = '', accountNames = [] } = context;
      const names = namesIn(
        username,
        ...email.split('@').map((part, i) => (i === 0 ? part : part.replace(/\.[^.]+$/, ''))),
        fullName,
        ...accountNames,
      );
      const left = withoutNames(characters, [...ours, ...names]);
      if (left.found && left.letters < LEFT_WITHOUT_NAMES)
        return 'This password is a name or a common word with little else. Names of people, accounts and the registry are guessed first.';
      if (await breached(password)) return 'This password was stolen somewhere and is known to attackers. Choose another one.';
      return null;
    },
  };
}

/** Passwords everybody tries. */
export type CommonPasswords = {
  has(password: string): boolean;
  /** Words that add little to a password, lower case. */
  words: readonly string[];
};

/** How many characters are said before they are said again: 3 of "abcabcabcab", all of what does not repeat. */
function period(characters: readonly string[]): number {
  for (let step = 1; step < characters.length; step++) if (characters.every((c, i) => i < step || c === characters[i - step])) return step;
  return characters.length;
}

const rows = ['1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./', 'qwertzuiopü', 'azertyuiop', 'qsdfghjklm', '!@#$%^&*()_+'];
/** Columns of the keyboard, slanted. */
const columns = ['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '8ik,', '9ol.', '0p;/'];
const neighbours = new Set(
  [...rows, ...columns].flatMap(row => [...row].slice(1).flatMap((c, i) => [row[i]! + c, c + row[i]!])).concat('90', '09', 'za', 'az'),
);

const follows = (a: string, b: string): boolean => {
  const step = b.codePointAt(0)! - a.codePointAt(0)!;
  return Math.abs(step) <= 1 || neighbours.has(a + b);
};

/** The length when rows of four and more ("4321", "aaaa", "qwert") count as two. */
function withoutSequences(characters: readonly string[]): number {
  const lower = characters.map(c => c.toLowerCase());
  let length = 0;
  for (let start = 0; start < lower.length; ) {
    let end = start + 1;
    while (end < lower.length && follows(lower[end - 1]!, lower[end]!)) end++;
    length += end - start >= 4 ? 2 : end - start;
    start = end;
  }
  return length;
}

/** The names in some texts: each as a whole and in its parts, from three letters on. */
function namesIn(...texts: readonly string[]): string[] {
  return texts.flatMap(text => [text.replaceAll(/[\s._+-]+/g, ''), ...text.split(/[\s._+-]+/)].map(plain)).filter(name => name.length >= 3);
}

const plain = (text: string): string => [...text].map(plainCharacter).join('');
/** Lower case without accents; one character for one character. */
const plainCharacter = (c: string): string => [...c.toLowerCase().normalize('NFD')][0] ?? c;

const disguises: readonly Record<string, string>[] = [
  {},
  { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g', '@': 'a', $: 's', '!': 'i', '+': 't' },
  { 0: 'o', 1: 'l', 2: 'z', 3: 'e', 4: 'a', 5: 's', 6: 'g', 7: 't', 8: 'b', '@': 'a', $: 's', '|': 'l', '!': 'l' },
];

/** Whether a password holds one of the names, also in disguise ("R1p3"), and how many letters stand outside of them. */
function withoutNames(characters: readonly string[], names: readonly string[]): { found: boolean; letters: number } {
  const inside = characters.map(() => false);
  const undressed = characters.map(plainCharacter);
  for (const disguise of disguises) {
    const text = undressed.map(c => disguise[c] ?? c);
    const whole = text.join('');
    // Positions of a joined text are those of its characters only while each is one code unit.
    const at = text.flatMap((c, i) => ([...c].length === c.length ? [i] : Array<number>(c.length).fill(i)));
    for (const name of names) {
      for (let from = whole.indexOf(name); from >= 0; from = whole.indexOf(name, from + 1))
        inside.fill(true, at[from]!, at[from + name.length - 1]! + 1);
    }
  }
  const letters = characters.filter((c, i) => !inside[i] && /\p{L}/u.test(c)).length;
  return { found: inside.includes(true), letters };
}
