import { fillWith, namesNewAddress, problemsOfText, type TextProblem, wordsInBraces } from '@portal/contract/mail/mail-text-words';
import type { TopicKey } from '@portal/contract/notifications/topics';
import { LINK_BLANK } from './mail-template.ts';
import { mailWords, type MailWord } from './mail-words.ts';

/** The place of a mail's one-time link; the template puts the link there, and never stores it. */
const LINK = 'link';

/** Words that the sender of a whole group adds to each of its texts, such as the reference of the case. */
type FrameWord = 'author' | 'caseReference' | 'eventTitle' | 'ticketSubject' | 'ticketTag' | 'zoneList' | 'zoneNames';

type WordsOfLine<Line extends string> = Line extends `${string}{${infer Word}}${infer Rest}` ? Word | WordsOfLine<Rest> : never;
type Definition = {
  topic: TopicKey;
  subject: string;
  /** Paragraphs. One that is left empty by its words is left out. */
  body: readonly string[];
  /** Sentences that the program adds in some cases only, each with an example. */
  says?: Readonly<Record<string, string>>;
  /** Examples of words that mean something else here than in most mails. */
  samples?: Readonly<Record<string, string>>;
};
type WordsOf<D extends Definition> = Exclude<WordsOfLine<D['subject'] | D['body'][number]>, typeof LINK>;

/** A kind of mail: what its text is unless registry staff change it. */
export type MailKind = { key: string; topic: TopicKey; subject: string; body: string; words: Readonly<Record<string, MailWord>> };

type Value = string | number | bigint;

/** The text of one mail: its kind with the values of its words. `Missing` are words that the sender of the group still adds. */
export type MailText<Missing extends string = never> = {
  readonly kind: MailKind;
  readonly values: Readonly<Record<string, Value>>;
  /** Longest subject, where titles of people are in it. */
  readonly longest?: number;
  readonly missing?: Missing;
};

/** The texts of a module's mails. */
export type MailTexts<Definitions extends Readonly<Record<string, Definition>>> = {
  kinds: readonly MailKind[];
  /** Writes a mail of a kind: TypeScript asks for exactly the words of its text. */
  written<Key extends keyof Definitions & string>(
    key: Key,
    values: Readonly<Record<Exclude<WordsOf<Definitions[Key]>, FrameWord>, Value>>,
  ): MailText<Extract<WordsOf<Definitions[Key]>, FrameWord>>;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** The kinds of mail that the module sends. A mail without a kind can't be sent. */
    mailTexts?: { kinds: readonly MailKind[] };
  }
}

/**
 * Declares the texts of a module's mails.
 * @param group the module's name, with which the keys of its kinds begin
 * @throws for a word that neither `mailWords` nor the text's own `says` explain
 */
export function mailTexts<const Definitions extends Readonly<Record<string, Definition>>>(
  group: string,
  definitions: Definitions,
): MailTexts<Definitions> {
  const kinds = new Map<string, MailKind>(
    Object.entries(definitions).map(([key, { topic, subject, body, says = {}, samples = {} }]) => {
      const text = body.join('\n\n');
      const words = Object.fromEntries(
        wordsInBraces(`${subject}\n${text}`).map(word => [word, wordOf(`${group}.${key}`, word, { says, samples, body })] as const),
      );
      return [key, { key: `${group}.${key}`, topic, subject, body: text, words }];
    }),
  );
  return {
    kinds: [...kinds.values()],
    written: (key, values) => ({ kind: kinds.get(key)!, values }),
  };
}

function wordOf(
  kind: string,
  word: string,
  { says, samples, body }: { says: Readonly<Record<string, string>>; samples: Readonly<Record<string, string>>; body: readonly string[] },
): MailWord {
  if (word === LINK)
    return {
      about: 'The link or code of this one mail. It is filled in when the mail is sent, and never shown or stored.',
      sample: '',
      required: true,
    };
  const shared: Readonly<Record<string, MailWord>> = mailWords;
  const known = shared[word];
  if (!known && !(word in says)) throw new Error(`The mail ${kind} has the word {${word}}, which neither mailWords nor its says explain.`);
  return {
    about: word in says ? 'The program writes this where it applies, and nothing otherwise.' : known!.about,
    sample: says[word] ?? samples[word] ?? known!.sample,
    // A whole paragraph of the program or of a person is not to be left out because its example looks dispensable.
    ...((known?.required || body.includes(`{${word}}`)) && { required: true }),
  };
}

/** Adds words that all texts of a group have. `longest`: subjects are cut to that many characters. */
export const withWords = <Word extends FrameWord>(
  { kind, values, longest: own }: MailText<Word>,
  more: Readonly<Record<Word, Value>>,
  longest?: number,
): MailText => ({ kind, values: { ...values, ...more }, ...((longest ?? own) !== undefined && { longest: longest ?? own! }) });

/** The same text with a subject of at most 250 characters, as titles in it can be long. */
export const withShortSubject = (text: MailText): MailText => ({ ...text, longest: 250 });

/** A template filled: `{link}` stays, because the link is filled in when the mail is delivered. */
export type FilledText = { subject: string; body: string };

/**
 * Fills a template with values, in one pass: the values are never read as templates, and what someone wrote as `{link}` doesn't become the link when the
 * mail is delivered. A paragraph whose words are all empty is left out.
 */
export function fillText(text: { subject: string; body: string }, values: Readonly<Record<string, Value>>, longest?: number): FilledText {
  const { subject, body } = fillWith(text, word => {
    if (word === LINK) return LINK_BLANK;
    if (!Object.hasOwn(values, word)) throw new Error(`No value for the word {${word}} of a mail.`);
    return String(values[word]).replaceAll(LINK_BLANK, `{ ${LINK} }`);
  });
  return { subject: subject.slice(0, longest), body };
}

/** The samples of a kind's words. */
export const samplesOf = ({ words }: MailKind): Record<string, string> =>
  Object.fromEntries(Object.entries(words).flatMap(([word, { sample }]) => (word === LINK ? [] : [[word, sample]])));

/** Returns the problems of a text that keep it from being one of this kind. */
export const problemsOf = (kind: MailKind, text: FilledText): TextProblem[] =>
  problemsOfText(text, {
    program: kind,
    words: Object.entries(kind.words).map(([word, { required = false }]) => ({ word, required })),
  });

/** Topics whose texts one person alone doesn't change: what protects a login, an account or a vote. */
const guardedTopics: readonly TopicKey[] = ['login.links', 'login.security', 'account.security', 'contacts.access', 'elections.votes'];

/** Returns whether each change of the text needs a second person: also of what says to whom money is paid, and what carries a link or a code. */
export const isGuarded = ({ topic, words }: Pick<MailKind, 'topic' | 'words'>): boolean =>
  guardedTopics.includes(topic) || topic.startsWith('billing.') || LINK in words;

/** Returns whether this change of the text needs a second person: also an address that neither the program's text nor the one in use has. */
export const needsSecondPerson = (kind: MailKind, { before, after }: { before: FilledText | null; after: FilledText | null }): boolean =>
  isGuarded(kind) || (after !== null && namesNewAddress(after, before === null ? [kind] : [kind, before]));
