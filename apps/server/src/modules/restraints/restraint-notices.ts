import { restraintKinds, restraintReasons, type RestraintKind } from '@portal/contract/restraints/restraints';
import type { Change } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { notifyCorporateContacts } from '../contacts/index.ts';
import { restraintsTexts } from './mail-texts.ts';
import { instantInWords, type RestraintRow } from './restraint-row.ts';

/** Effects of a restraint, for the member. */
export const stopsInWords: Record<RestraintKind, string> = {
  hold: 'Requests, transfers, returns, mergers and closing the account wait. Signing in, whois, routes, reverse DNS, tickets and invoices work as usual.',
  restrict:
    'Requests, transfers, returns, mergers and closing the account wait. Routes, ROAs, reverse DNS and whois objects stay as they are and can’t be changed. Signing in, tickets, votes and invoices work as usual.',
};

export const untilInWords = (endsAt: string | null): string =>
  endsAt === null ? 'until the registry lifts it' : `until ${instantInWords(endsAt)}`;

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

type Told = Pick<RestraintRow, 'accountName' | 'kind' | 'reason' | 'memberText' | 'beginsAt' | 'endsAt'>;

/** Notifies the corporate contacts that their account is restrained, or will be. */
export function notifyRestrained(
  change: Change,
  { accountName, kind, reason, memberText, beginsAt, endsAt }: Told,
  as: 'restraintInForce' | 'restraintAnnounced',
  { supportEmail }: Pick<Profile, 'supportEmail'>,
): Promise<void> {
  return notifyCorporateContacts(change, {
    topic: 'organisation.changes',
    accountName,
    text: restraintsTexts.written(as, {
      accountName,
      restraint: restraintKinds[kind],
      restraintReason: restraintReasons[reason],
      restraintText: memberText,
      restraintFrom: instantInWords(beginsAt),
      restraintUntil: untilInWords(endsAt),
      restraintStops: stopsInWords[kind],
      writeTo: supportEmail,
    }),
    path: '/',
    act: 'View account',
  });
}

/** Notifies the corporate contacts that a restraint ended. @param words what registry staff wrote when they lifted it; empty where it was over */
export const notifyEnded = (
  change: Change,
  { accountName, kind }: Pick<RestraintRow, 'accountName' | 'kind'>,
  words: string,
): Promise<void> =>
  notifyCorporateContacts(change, {
    topic: 'organisation.changes',
    accountName,
    text: restraintsTexts.written('restraintEnded', {
      accountName,
      restraintEnds: capital(restraintKinds[kind]),
      note: words === '' ? '' : `Registry staff write:\n\n${words}`,
    }),
    path: '/',
    act: 'View account',
  });
