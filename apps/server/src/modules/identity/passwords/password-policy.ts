import type { Config } from '../../../config.ts';
import type { Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { type BreachedPasswords, openBreachedPasswords } from './breached-passwords.ts';
import { type CommonPasswords, commonPasswords } from './common-passwords.ts';
import type { Login } from '../logins/logins.ts';
import { hasSecondFactor } from '../factors/second-factors.ts';

/** Facts about a person that an attacker knows without research. */
export type PasswordContext = { username?: string; email?: string; fullName?: string; accountNames?: readonly string[] };

/** The person the password is for. */
export type PasswordOwner = {
  /** True if the person has one, which allows a shorter password. */
  secondFactor: boolean;
  context: PasswordContext;
};

/** The rules for passwords (S1), the same everywhere a password is chosen. */
export type PasswordPolicy = {
  /** Returns the rules in one sentence, shown above the field. */
  words(secondFactor: boolean): string;
  /** Why a password is not accepted, as a sentence for the person; null when it is. */
  problemOf(password: string, owner: PasswordOwner): Promise<string | null>;
  /** Returns what the rules need to know about the owner of a login. */
  ownerOf(login: Login): Promise<PasswordOwner>;
};

/** NIST SP 800-63B rev. 4: 15 for a password alone; with a second factor we require 12 where it allows 8. */
const SHORTEST = 15;
const SHORTEST_WITH_SECOND_FACTOR = 12;
const LONGEST = 256;
/** Minimum length of a password once its sequences are removed. */
const LEFT_WITHOUT_SEQUENCES = 8;
/** Letters that must be left of one that holds a name or a common word, without these and digits and punctuation. */
const LEFT_WITHOUT_NAMES = 8;

/** Words of log in pages, and of registries, that are put together with a name. */
const usual =
  'admin administrator password passwort passw login user username root test secret secure welcome hostmaster portal account member internet network server system manager master default guest access letmein changeme qwerty ripe arin apnic lacnic afrinic iana icann hello';

export type PasswordPolicyOptions = {
  read: Read;
  profile: Profile;
  common: CommonPasswords;
  breached: Pick<BreachedPasswords, 'holds'>;
  /** The accounts a person acts for. */
  accountNamesOf: (loginId: string) => Promise<readonly string[]>;
};

export function openPasswordPolicy({ read, profile, common, breached, accountNamesOf }: PasswordPolicyOptions): PasswordPolicy {
  const { product, source, statisticsRegistry, hostmasterMaintainer } = profile;
  /** Words of the registry as it is called when a password is chosen. */
  const ours = (): string[] => [
    ...usual.split(' '),
    ...namesIn(product, profile.portalName, profile.registryName, source, statisticsRegistry, hostmasterMaintainer),
  ];
  const wordsProblem = (characters: readonly string[], context: PasswordContext): string | null => {
    const texts = disguised(characters);
    if (texts.some(text => cores(characters, text).some(core => common.passwords.has(core))))
      return 'This password is too common. Choose another.';
    const littleBut = (names: readonly string[]): boolean => charactersOutside(characters, texts, names) < LEFT_WITHOUT_NAMES;
    if (littleBut([...ours(), ...namesOf(context)]))
      return 'This password is mostly a name or a word of this registry, which is easy to guess.';
    if (common.words.some(word => littleBut([word]))) return 'This password is mostly a common word. Choose several unrelated words.';
    return null;
  };

  return {
    words: secondFactor =>
      `At least ${secondFactor ? SHORTEST_WITH_SECOND_FACTOR : SHORTEST} characters, including spaces. Use a few unrelated words. Avoid a name followed by digits.`,
    problemOf: async (password, { secondFactor, context }) => {
      const characters = Array.from(password.normalize('NFC'));
      const shortest = secondFactor ? SHORTEST_WITH_SECOND_FACTOR : SHORTEST;
      if (characters.length === 0) return `Enter a password. Choose one of at least ${shortest} characters.`;
      if (characters.length < shortest)
        return `This password has ${characters.length} ${characters.length === 1 ? 'character' : 'characters'}. Choose one of at least ${shortest}.`;
      if (characters.length > LONGEST) return `This password has more than ${LONGEST} characters. Choose a shorter one.`;
      if (period(characters) < shortest) return 'This password repeats itself. Choose another.';
      if (withoutSequences(characters) < LEFT_WITHOUT_SEQUENCES)
        return 'This password is a sequence, such as abcdef or qwerty. Choose another.';
      const reason = wordsProblem(characters, context);
      if (reason) return reason;
      if (await breached.holds(password)) return 'This password appeared in a data breach. Choose another.';
      return null;
    },
    ownerOf: async ({ loginId, username, email, fullName }) => {
      const [secondFactor, accountNames] = await Promise.all([hasSecondFactor(read, loginId), accountNamesOf(loginId)]);
      return { secondFactor, context: { username, email, fullName, accountNames } };
    },
  };
}

/** Checks a password that is chosen outside of the pages, such as by an operator. */
export async function newPasswordProblem(
  read: Read,
  { config, profile }: { config: Pick<Config, 'breachedPasswordsFile'>; profile: Profile },
  password: string,
  owner: PasswordOwner,
): Promise<string | null> {
  const breached = await openBreachedPasswords(config.breachedPasswordsFile);
  try {
    const accountNamesOf = (): Promise<string[]> => Promise.resolve([]);
    const policy = openPasswordPolicy({ read, profile, common: await commonPasswords(), breached, accountNamesOf });
    return await policy.problemOf(password, owner);
  } finally {
    await breached.close();
  }
}

/** Returns the length of the repeated part: 3 for "abcabcabcab", the whole length without a repetition. */
function period(characters: readonly string[]): number {
  for (let step = 1; step < characters.length; step++) if (characters.every((c, i) => i < step || c === characters[i - step])) return step;
  return characters.length;
}

const rows = ['1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./', 'qwertzuiopü', 'azertyuiop', 'qsdfghjklm', '!@#$%^&*()_+'];
/** Columns of the keyboard, slanted. */
const columns = ['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '8ik,', '9ol.', '0p;/'];
const neighbours = new Set(
  [...rows, ...columns]
    .flatMap(row =>
      Array.from(row)
        .slice(1)
        .flatMap((c, i) => [row[i]! + c, c + row[i]!]),
    )
    .concat('90', '09', 'za', 'az'),
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

/** The names in some texts: each as a whole and in its parts, from three characters on. */
const namesIn = (...texts: readonly string[]): string[] =>
  texts
    .flatMap(text => [text.replaceAll(/[\s._+-]+/g, ''), ...text.split(/[\s._+-]+/)])
    .map(name => Array.from(name).map(plain).join(''))
    .filter(name => name.length >= 3);

function namesOf({ username = '', email = '', fullName = '', accountNames = [] }: PasswordContext): string[] {
  const [mailbox = '', host = ''] = email.split('@');
  return namesIn(username, mailbox, host.replace(/\.[^.]+$/, ''), fullName, ...accountNames);
}

/** Lower case without accents; one character for one character. */
const plain = (character: string): string => Array.from(character.toLowerCase().normalize('NFD'))[0] ?? character;

/** Usual substitutes of letters ("R1p3"); a character may stand for several letters. */
const disguises: readonly Readonly<Record<string, string>>[] = [
  {},
  { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g', '@': 'a', $: 's', '!': 'i', '+': 't' },
  { 0: 'o', 1: 'l', 2: 'z', 3: 'e', 4: 'a', 5: 's', 6: 'g', 7: 't', 8: 'b', '@': 'a', $: 's', '!': 'l', '|': 'l' },
];
/** Returns the letters a password may stand for, one code unit per character, so that positions match those of the characters. */
const disguised = (characters: readonly string[]): string[] => {
  const plainly = characters.map(character => (character.length === 1 ? plain(character) : '\u{FFFD}'));
  return disguises.map(disguise => plainly.map(character => disguise[character] ?? character).join(''));
};

/** A text of a password, with and without some of the digits and signs before and behind it. */
function cores(characters: readonly string[], text: string): string[] {
  const isLetter = characters.map(character => /\p{L}/u.test(character));
  // In a text of digits and other characters alone, the first alternative counts.
  const first = Math.max(0, isLetter.indexOf(true));
  const last = isLetter.lastIndexOf(true);
  const starts = Array.from({ length: first + 1 }, (_, i) => i);
  const ends = Array.from({ length: text.length - last }, (_, i) => last + 1 + i);
  return starts.flatMap(start => ends.map(end => text.slice(start, end)));
}

/** Returns how many letters lie outside of the names, if the password contains one; infinitely many if it contains none. */
function charactersOutside(characters: readonly string[], texts: readonly string[], names: readonly string[]): number {
  const inside = new Set<number>();
  for (const text of texts) {
    for (const name of names) {
      for (let from = text.indexOf(name); from >= 0; from = text.indexOf(name, from + 1)) {
        for (let i = 0; i < name.length; i++) inside.add(from + i);
      }
    }
  }
  if (inside.size === 0) return Infinity;
  return characters.filter((character, i) => !inside.has(i) && /\p{L}/u.test(character)).length;
}
