import * as z from 'zod/mini';
import { endpoint, group, staff, unrecordedEndpoint } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { largestWhole } from '../whole-numbers.ts';

const Text = z.object({ subject: z.string(), body: z.string() });

/** A kind of mail in the list of all. */
export const MailTextLine = z.object({
  kind: z.string(),
  /** The subject in force, with its words in braces. */
  subject: z.string(),
  /** The first paragraph in force: some mails have the same subject. */
  begins: z.string(),
  /** The topic of the mail as people know it from their notification settings, and who gets it. */
  topic: z.string(),
  receivers: z.string(),
  isChanged: z.boolean(),
  /** The program’s text changed in a release after registry staff had changed theirs. */
  programChanged: z.boolean(),
  /** Its changed text has a word that this release doesn’t fill in any more, or lacks one that it requires, so the text of the program is sent. */
  isUnfit: z.boolean(),
  /** Each change needs a second person: it is about a login, an account, a vote or money, or has a link. */
  needsSecondPerson: z.boolean(),
  lastSentAt: z.nullable(z.iso.datetime()),
  /** How often it was sent in 30 days. */
  sent: z.int(),
});
export type MailTextLine = z.infer<typeof MailTextLine>;

const MailTextWord = z.object({
  word: z.string(),
  /** A sentence about what it stands for. */
  about: z.string(),
  /** An invented value; empty for the link. */
  sample: z.string(),
  required: z.boolean(),
});

const MailTextVersion = z.object({
  version: z.int(),
  /** Null: the text of the program was used again. */
  text: z.nullable(Text),
  reason: z.string(),
  savedBy: z.string(),
  approvedBy: z.nullable(z.string()),
  savedAt: z.iso.datetime(),
});

export const MailTextDetails = z.object({
  ...MailTextLine.shape,
  /** The text in force. */
  text: Text,
  /** The text of the program. */
  program: Text,
  /** The text of the program when registry staff changed theirs, if it is another one now. */
  programThen: z.nullable(Text),
  words: z.array(MailTextWord),
  /** The number of the newest version; 0 before the first change. */
  version: z.int(),
  /** The latest 50, newest first. */
  versions: z.array(MailTextVersion),
});
export type MailTextDetails = z.infer<typeof MailTextDetails>;

const subject = oneLine(200, 1, 'Enter a subject, such as Invoice {invoice}');
const body = severalLines(8000, 1);
const saving = { reason: severalLines(500, 3), version: z.int().check(z.minimum(0), z.maximum(largestWhole)) };
const refusals = ['NOT_FOUND', 'STALE', 'NOTHING_TO_DO'] as const;
const path = '/api/staff/mail-texts/:kind';

export const mailTexts = group('mail.mailTexts', {
  listMailTexts: endpoint({
    method: 'GET',
    path: '/api/staff/mail-texts',
    summary:
      'Every kind of mail that the portal sends: whether registry staff changed its text, when it was last sent, and how often in 30 days.',
    access: staff('policy'),
    answer: z.object({ texts: z.array(MailTextLine) }),
  }),
  getMailText: endpoint({
    method: 'GET',
    path,
    summary: 'The text of a kind of mail: the one in force, that of the program, the words that it may fill in, and its versions.',
    access: staff('policy'),
    answer: MailTextDetails,
    errors: ['NOT_FOUND'],
  }),
  previewMailText: unrecordedEndpoint({
    path: `${path}/preview`,
    summary: 'Show a text as people would get it, with invented values or the name of an account. A link is never shown.',
    access: staff(['policy', 'audit']),
    effect: 'reading',
    unrecorded: 'It writes nothing. A text is too long for an address, which a read would need.',
    body: z.object({ subject, body, accountName: z.optional(oneLine(60)) }),
    answer: z.object({ subject: z.string(), text: z.string() }),
    errors: ['NOT_FOUND'],
  }),
  saveMailText: endpoint({
    method: 'PUT',
    path,
    summary: 'Change the text of a kind of mail from now on. Its versions are kept.',
    access: staff('policy'),
    effect: 'statements',
    body: z.object({ subject, body, ...saving }),
    answer: MailTextDetails,
    errors: [...refusals],
    activity: 'Changed the text of a mail',
    secondPersonWhen: 'the text of a mail about a login, an account, a vote or money, of one with a link, or a text with a new address',
  }),
  useProgramText: endpoint({
    method: 'POST',
    path: `${path}/program`,
    summary: 'Use the text of the program again for a kind of mail, also that of later releases. The versions before are kept.',
    access: staff('policy'),
    effect: 'statements',
    body: z.object(saving),
    answer: MailTextDetails,
    errors: [...refusals],
    activity: 'Undid the change of the text of a mail',
    secondPersonWhen: 'the text of a mail about a login, an account, a vote or money, of one with a link, or a text with a new address',
  }),
  sendTestMail: endpoint({
    method: 'POST',
    path: `${path}/test`,
    summary: 'Send a text with invented values to your own confirmed address, to see it in your mail program. Its link leads nowhere.',
    access: staff('policy'),
    effect: 'own settings',
    body: z.object({ subject, body }),
    answer: z.object({ address: z.string() }),
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS', 'NOTHING_TO_DO'],
    activity: 'Sent a test of a mail to oneself',
  }),
});
