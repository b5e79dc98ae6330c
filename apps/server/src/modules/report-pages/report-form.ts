import * as z from 'zod';
import { beginningOf } from '../../platform/beginning-of.ts';
import { emailAddressProblem, isReadable } from '../identity/index.ts';
import { wrongData } from '../whois-pages/index.ts';

/** Faults that data can have, as people say them: those that the pages of whois lead to, and any other. */
export const faults = { ...wrongData, other: 'Something else' } as const;
export type Fault = keyof typeof faults;
const isFault = (text: string): text is Fault => Object.hasOwn(faults, text);

const MAX_ABOUT = 255;
const MAX_TEXT = 4_000;
const MAX_NAME = 100;

const faultNames = Object.keys(faults) as Fault[];

/** A report of wrong data, as it is kept until its link is opened. */
export const Report = z.object({
  about: z.string(),
  fault: z.enum(faultNames),
  text: z.string(),
  name: z.string(),
});
export type Report = z.infer<typeof Report>;

/** The fields as they were typed. */
export type ReportFields = { about: string; fault: string; text: string; name: string; email: string };
/** For each field what is wrong with it, in a sentence that says what would be right; null where nothing is. */
export type ReportWrong = Partial<Record<keyof ReportFields, string | null>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : '');
/** More than any line may have, so that what is too long is still refused: to compose a long run of marks takes the square of its length. */
const MAX_LINE = 1_000;
const oneLine = (value: unknown): string => beginningOf(textOf(value), MAX_LINE).normalize('NFC').replaceAll(/\s+/gu, ' ').trim();

/** Reads the fields of a form, or of an address that fills some of them in. What is too long is not made shorter in silence: it is refused. */
export const fieldsIn = (given: Record<string, unknown>): ReportFields => ({
  about: oneLine(given['about']),
  fault: oneLine(given['fault']),
  text: textOf(given['text']).replaceAll(/\r\n?/g, '\n').trim(),
  name: oneLine(given['name']),
  email: oneLine(given['email']),
});

/** Returns what is wrong with the fields of a report; no field where it can be sent. */
export function wrongIn({ about, fault, text, name, email }: ReportFields): ReportWrong {
  const wrong: ReportWrong = {
    about:
      about === ''
        ? 'Enter what the data is about, such as 198.18.0.0/19, AS64500 or a handle.'
        : about.length > MAX_ABOUT || !isReadable(about)
          ? `Enter one address, network, AS number or name of at most ${MAX_ABOUT} characters.`
          : null,
    fault: isFault(fault) ? null : 'Choose what is wrong.',
    text:
      text.length < 10
        ? 'Say what is wrong and, if you know it, what would be right: ten characters or more.'
        : text.length > MAX_TEXT
          ? 'Shorten it to 4,000 characters.'
          : /[^\P{Cc}\n\t]/u.test(text)
            ? 'Write plain text, without control characters.'
            : null,
    name:
      name === ''
        ? 'Enter your name.'
        : name.length > MAX_NAME || !isReadable(name)
          ? `Enter a name of at most ${MAX_NAME} characters.`
          : null,
    email: emailAddressProblem(email),
  };
  return Object.fromEntries(Object.entries(wrong).filter(([, words]) => words !== null));
}
