import * as z from 'zod/mini';
import { contact, endpoint, group, member, largeBody } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { irtStates, whoisClasses, WhoisOutcome } from './whois.ts';

/** A mailbox of an irt and the state of its validation (policy prop-125). */
export const IrtMailbox = z.object({
  irt: z.string(),
  mailbox: z.string(),
  attribute: z.enum(['e-mail', 'abuse-mailbox']),
  /** `undeliverable`: asked, but the mail was refused permanently; its days continue to run. */
  state: z.enum(irtStates),
  validatedAt: z.nullable(z.iso.datetime()),
  /** When a valid mailbox must be validated again. */
  dueAt: z.nullable(z.iso.datetime()),
  /** Start of this round, and when a code was last mailed. */
  askedAt: z.nullable(z.iso.datetime()),
  sentAt: z.nullable(z.iso.datetime()),
  /** Without an answer, when it is marked invalid, and when the accounts behind it are restricted. */
  invalidAt: z.nullable(z.iso.datetime()),
  restrictedAt: z.nullable(z.iso.datetime()),
  /** Mails of this round by the registry, and wrong codes since the last one. */
  mails: z.int(),
  wrongCodes: z.int(),
  /** Resends of the code left today. */
  resendsLeft: z.int(),
});
export type IrtMailbox = z.infer<typeof IrtMailbox>;

const Mailbox = oneLine(200).check(z.trim(), z.toLowerCase(), z.minLength(3));
const Key = oneLine(300).check(z.minLength(1));
const attachTo = ['without', 'all', 'chosen'] as const;

export const whoisIrts = group('whois.irts', {
  listMailboxes: endpoint({
    method: 'GET',
    path: '/api/:account/whois/irt-mailboxes',
    summary: 'The mailboxes of the irts the account maintains: whether they are validated, and what happens when.',
    access: contact,
    answer: z.object({
      rows: z.array(IrtMailbox),
      /** Changes of whois objects wait for these. */
      restrictedBy: z.array(z.object({ irt: z.string(), mailbox: z.string() })),
      /** The caller may have codes sent: a corporate or technical contact, or one who may use a maintainer. */
      mayAsk: z.boolean(),
    }),
  }),
  sendCode: endpoint({
    method: 'POST',
    path: '/api/:account/whois/irt-mailbox-codes',
    summary: 'Mail a new code to a mailbox of an irt; earlier ones count no more.',
    access: contact,
    effect: 'records',
    body: z.object({ mailbox: Mailbox }),
    answer: z.object({ resendsLeft: z.int() }),
    errors: ['NOT_FOUND', 'NO_PERMISSION', 'NOTHING_TO_DO', 'TOO_MANY_CODES'],
    activity: 'Sent a code to an IRT mailbox',
  }),
  enterCode: endpoint({
    method: 'POST',
    path: '/api/:account/whois/irt-mailbox-validations',
    summary: 'Show by its code that a mailbox is read.',
    access: contact,
    effect: 'records',
    body: z.object({ mailbox: Mailbox, code: oneLine(40), readAndAnswered: z.literal(true) }),
    /** `wrong`: not the code, five of them and it takes a quarter of an hour (`wait`). `none`: no code is waited for. */
    answer: z.object({ result: z.enum(['validated', 'wrong', 'wait', 'none']) }),
    errors: ['NOT_FOUND'],
    activity: 'Entered the code of an IRT mailbox',
  }),
  attachIrt: endpoint({
    method: 'POST',
    path: '/api/:account/whois/irt-attachments',
    summary: 'Set an IRT on resources of the account, in place of the irts they name. Many objects become a task.',
    access: member('whois-principal-mntner-access'),
    effect: 'whois',
    largestBody: largeBody,
    body: z.object({
      irt: Key,
      to: z.enum(attachTo),
      keys: z._default(z.array(z.object({ class: z.enum(whoisClasses), key: Key })).check(z.maxLength(5_000)), []),
    }),
    answer: z.object({ objects: z.int(), matched: z.int(), outcomes: z.nullable(z.array(WhoisOutcome)), taskId: z.nullable(z.int()) }),
    errors: [
      'NOT_FOUND',
      'NO_PERMISSION',
      'ACCOUNT_SUSPENDED',
      'TOO_MANY_TASKS',
      'INVALID_REQUEST',
      'ACCOUNT_RESTRICTED_IRT',
      'TOO_MANY_OBJECTS',
    ],
    activity: 'Set an IRT on resources',
  }),
});
