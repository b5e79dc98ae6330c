import type { TopicKey } from '@portal/contract/notifications/topics';
import { massRemoval, rolloverHours } from '@portal/contract/rpki/rpki';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { activeContacts, contactById } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { rpkiTexts } from './mail-texts.ts';
import { type MailText, withWords } from '../mail/index.ts';

/** Maximum number of entries listed in one notice. */
const LISTED = 50;
export const rpkiPage = { path: '/resources/rpki/index', act: 'View RPKI' } as const;
export const unexpected = 'If you didn’t expect this, check it now.';

/** A change as described in its notice. */
type Notice = {
  /** `rpki.changes` by default; notices about changes that could make networks unreachable can't be switched off. */
  topic?: TopicKey;
  text: MailText<'author'>;
  path: string;
  act: string;
};
/** Entries that a change added, changed and removed, as people read them: `ROA AS64500 192.0.2.0/24`. */
type ChangedEntries = Readonly<Partial<Record<'Added' | 'Changed' | 'Removed' | 'Waiting for consent', readonly string[]>>>;

/**
 * Notifies corporate contacts, contacts who see the ROAs, the author and the security address of an account about a published change, once per
 * change, with a link that freezes the login that made it (S30).
 */
async function announceChange(
  change: Change,
  { accountName, contactId }: Pick<AdmittedAccount, 'accountName' | 'contactId'>,
  { topic = 'rpki.changes', text, ...notice }: Notice,
): Promise<void> {
  const author = contactId === null ? null : await contactById(change, contactId);
  const corporate = await activeContacts(change, accountName, { types: ['corporate'] });
  const readers = await activeContacts(change, accountName, { permission: 'rescert-view' });
  await notifyPeople(change, { topic, accountName, ...notice, text: withWords(text, { author: author?.fullName ?? 'The registry' }) }, [
    ...(author ? [author] : []),
    ...readers,
    ...corporate,
  ]);
}

/** `Added: ROA AS64500 192.0.2.0/24, ROA AS64500 192.0.3.0/24.`, one paragraph for each kind. */
const paragraphsOf = (entries: ChangedEntries): string[] =>
  Object.entries(entries).flatMap(([kind, list]) =>
    list.length === 0
      ? []
      : [`${kind}: ${list.slice(0, LISTED).join(', ')}${list.length > LISTED ? ` and ${list.length - LISTED} more` : ''}.`],
  );

/** Announces changed ROAs and route objects. From ten removed ROAs on, the notice can't be switched off. Nothing is sent if nothing was written. */
export async function announceEntries(
  change: Change,
  account: Pick<AdmittedAccount, 'accountName' | 'contactId'>,
  entries: ChangedEntries,
  place: { what: 'ROAs' | 'Routes'; path: string; act: string; more: readonly string[] },
): Promise<void> {
  const { what, more, ...leads } = place;
  const { accountName } = account;
  const lines = paragraphsOf(entries);
  if (lines.length === 0) return;
  const removed = (entries.Removed ?? []).filter(entry => entry.startsWith('ROA ')).length;
  const isMass = removed >= massRemoval;
  const counts = Object.entries(entries).flatMap(([kind, list]) => (list.length > 0 ? [`${list.length} ${kind.toLowerCase()}`] : []));
  await announceChange(change, account, {
    ...leads,
    ...(isMass && { topic: 'account.security' }),
    text: isMass
      ? rpkiTexts.written('roasDeleted', {
          removed,
          accountName,
          outcome: what === 'ROAs' ? what : what.toLowerCase(),
          details: lines.join('\n\n'),
          announcementsThatRelied:
            removed > 0
              ? 'Announcements that relied on the removed ROAs change from valid to not found, or to invalid where another ROA covers them.'
              : '',
          details2: more.join('\n\n'),
        })
      : rpkiTexts.written('entriesChanged', {
          what,
          accountName,
          counts: counts.join(', '),
          outcome: what === 'ROAs' ? what : what.toLowerCase(),
          details: lines.join('\n\n'),
          announcementsThatRelied:
            removed > 0
              ? 'Announcements that relied on the removed ROAs change from valid to not found, or to invalid where another ROA covers them.'
              : '',
          details2: more.join('\n\n'),
        }),
  });
}

/** Announces that RPKI of an account was turned off with its ROAs. */
export const announceOff = (change: Change, account: AdmittedAccount, roas: readonly string[]): Promise<void> =>
  announceChange(change, account, {
    ...rpkiPage,
    topic: 'account.security',
    text: rpkiTexts.written('rpkiTurnedOff', {
      accountName: account.accountName,
      noRoaWas: roas.length === 0 ? 'No ROA was published.' : paragraphsOf({ Removed: roas }).join('\n\n'),
    }),
  });

/** Announces that RPKI of an account was turned on. `certified`: the certified resources. */
export const announceEnabled = (change: Change, account: AdmittedAccount, certified: readonly string[]): Promise<void> =>
  announceChange(change, account, {
    ...rpkiPage,
    text: rpkiTexts.written('rpkiTurnedOn', {
      accountName: account.accountName,
      certified: certified.slice(0, LISTED).join(', '),
      howMany: certified.length > LISTED ? ` and ${certified.length - LISTED} more` : '',
    }),
  });

/** Announces a step of a key rollover. `activateFrom`: the instant from which the new key can take over; null once it has. */
export const announceRollover = (
  change: Change,
  account: AdmittedAccount,
  { activateFrom }: { activateFrom: string | null },
): Promise<void> =>
  announceChange(change, account, {
    ...rpkiPage,
    text:
      activateFrom === null
        ? rpkiTexts.written('keyRolloverCompletedNewKey', { accountName: account.accountName, rolloverHours })
        : rpkiTexts.written('keyRolloverStarted', {
            accountName: account.accountName,
            activateFrom: activateFrom.slice(0, 16).replace('T', ' at '),
          }),
  });

/**
 * Announces a certificate authority that may now issue ROAs for the account’s resources, or publish for it here. Its key can authorise the account’s
 * routes, so this notice can't be switched off. `fingerprint`: SHA-256 of its identity certificate.
 */
export const announceConnection = (
  change: Change,
  account: AdmittedAccount,
  { act, handle, fingerprint }: { act: 'connected' | 'publishes here'; handle: string; fingerprint: string },
): Promise<void> =>
  announceChange(change, account, {
    ...rpkiPage,
    topic: 'account.security',
    text:
      act === 'connected'
        ? rpkiTexts.written('certificateAuthorityConnected', { accountName: account.accountName, handle, fingerprint })
        : rpkiTexts.written('certificateAuthorityCanPublishHere', { accountName: account.accountName, handle, fingerprint }),
  });

/** Announces that a member’s own certificate authority was disconnected, with the lost ROA payloads. */
export const announceDisconnection = (change: Change, account: AdmittedAccount, payloads: number): Promise<void> =>
  announceChange(change, account, {
    ...rpkiPage,
    topic: 'account.security',
    text: rpkiTexts.written('certificateAuthorityDisconnected', {
      accountName: account.accountName,
      itsCertificateIs:
        payloads === 0
          ? 'Its certificate is revoked. It published no ROA payloads here.'
          : `Its certificate is revoked, and validators lose ${payloads === 1 ? 'the ROA payload' : `the ${payloads} ROA payloads`} that it published here.`,
    }),
  });

/** Warns that the publication of the member’s own authority expires soon for validators. */
export async function announceEndingFiles(
  change: Change,
  accountName: string,
  { endsAt, payloads }: { endsAt: string; payloads: number },
): Promise<void> {
  const corporate = await activeContacts(change, accountName, { types: ['corporate'] });
  const readers = await activeContacts(change, accountName, { permission: 'rescert-view' });
  const at = `${endsAt.slice(0, 16).replace('T', ' at ')} UTC`;
  await notifyPeople(
    change,
    {
      ...rpkiPage,
      topic: 'account.security',
      accountName,
      text: rpkiTexts.written('whatCertificateAuthorityPublishesEnds', {
        accountName,
        at,
        howMany: payloads === 1 ? 'its ROA payload' : `all of its ${payloads} ROA payloads`,
      }),
    },
    [...readers, ...corporate],
  );
}

/** Files named in a notice of those that are left out. */
const LEFT_OUT = 10;

/** Announces that RPKI files of an account begin to be left out. @param files each with why, the first as many as a letter takes */
export async function announceLeftOutFiles(change: Change, accountName: string, files: readonly string[]): Promise<void> {
  const corporate = await activeContacts(change, accountName, { types: ['corporate'] });
  const readers = await activeContacts(change, accountName, { permission: 'rescert-view' });
  await notifyPeople(
    change,
    {
      ...rpkiPage,
      topic: 'account.security',
      accountName,
      text: rpkiTexts.written('rpkiFilesLeftOut', {
        accountName,
        howMany: files.length === 1 ? 'a file' : `${files.length} files`,
        howMany2: files.length === 1 ? 'it' : 'them',
        details: files
          .slice(0, LEFT_OUT)
          .map(file => (/[.!?]$/.test(file) ? file : `${file}.`))
          .join('\n\n'),
        theRpkiPage: files.length > LEFT_OUT ? `The RPKI page lists the others.` : '',
      }),
    },
    [...readers, ...corporate],
  );
}

/** Announces changed providers of an AS. `before` and `after`: `AS64500: AS64501, AS64502`; null if there was or is none. */
export const announceAspa = (
  change: Change,
  account: AdmittedAccount,
  { customer, before, after }: { customer: string; before: string | null; after: string | null },
): Promise<void> =>
  announceChange(change, account, {
    ...rpkiPage,
    text:
      after === null
        ? before === null
          ? rpkiTexts.written('providersGone', { customer, accountName: account.accountName })
          : rpkiTexts.written('providersRemoved', { customer, accountName: account.accountName, before })
        : before === null
          ? rpkiTexts.written('providersStated', { customer, accountName: account.accountName, after })
          : rpkiTexts.written('providersChanged', { customer, accountName: account.accountName, before, after }),
  });

/** Announces a checklist that was signed with resources of the account, or revoked. */
export const announceChecklist = (
  change: Change,
  account: AdmittedAccount,
  { act, resources, files }: { act: 'signed' | 'revoked'; resources: readonly string[]; files: readonly string[] },
): Promise<void> =>
  announceChange(change, account, {
    path: '/resources/rpki/rscs',
    act: 'View checklists',
    text: rpkiTexts.written('checklist', {
      accountName: account.accountName,
      act,
      resources: resources.slice(0, LISTED).join(', '),
      files: files.slice(0, LISTED).join(', '),
    }),
  });
