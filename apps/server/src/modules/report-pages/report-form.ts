import * as z from 'zod';
import { beginningOf } from '../../platform/beginning-of.ts';
import { emailAddressProblem, isReadable } from '../identity/index.ts';

/** Faults that data can have, as people say them. */
export const faults = {
  bounces: 'Mail about abuse bounces or isn’t answered',
  details: 'Organisation or address is wrong',
  mine: 'This is my network',
  other: 'Something else',
} as const;
export type Fault = keyof typeof faults;
const isFault = (text: string): text is Fault => Object.hasOwn(faults, text);

const MAX_ABOUT = 255;
const MAX_TEXT = 4_000;
const MAX_NAME = 100;

/** A report of wrong data, as it is kept until its link is opened. */
export const Report = z.object({
  about: z.string(),
  fault: z.enum(['bounces', 'details', 'mine', 'other']),
  text: z.string(),
  name: z.string(),
});
export type Report = z.infer<typeof Report>;

/** The fields as they were typed. */
export type ReportFields = { about: string; fault: string; text: string; name: string; email: string };
/** For each field what is wrong with it, in a sentence that says what would be right; null where nothing is. */
export type ReportWrong = Partial<Record<keyof ReportFields, string | null>>;

const oneLine = (value: unknown, longest: number): string =>
  beginningOf(typeof value === 'string' ? value : '', longest + 1)
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .trim();

/** Reads the fields of a form, or of an address that fills some of them in. */
export const fieldsIn = (given: Record<string, unknown>): ReportFields => ({
  about: oneLine(given['about'], MAX_ABOUT),
  fault: oneLine(given['fault'], 20),
  text: beginningOf(typeof given['text'] === 'string' ? given['text'] : '', MAX_TEXT + 1)
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .trim(),
  name: oneLine(given['name'], MAX_NAME),
  email: oneLine(given['email'], 254),
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
