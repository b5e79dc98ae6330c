import type { TopicKey } from '@portal/contract/notifications/topics';
import { massRemoval, rolloverHours } from '@portal/contract/rpki/rpki';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { activeContacts, contactById } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';

/** Maximum number of entries listed in one notice. */
const LISTED = 50;
export const rpkiPage = { path: '/resources/rpki/index', act: 'View RPKI' } as const;
export const unexpected = 'If you didn’t expect this, check it now.';

/** A change as described in its notice. */
type Notice = {
  /** `rpki.changes` by default; notices about changes that could make networks unreachable can't be switched off. */
  topic?: TopicKey;
  subject: string;
  /** The act of the author: `changed ROAs of EXAMPLE-AU`. */
  did: string;
  body: readonly string[];
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
  { topic = 'rpki.changes', did, body, ...notice }: Notice,
): Promise<void> {
  const author = contactId === null ? null : await contactById(change, contactId);
  const corporate = await activeContacts(change, accountName, { types: ['corporate'] });
  const readers = await activeContacts(change, accountName, { permission: 'rescert-view' });
  await notifyPeople(change, { topic, accountName, ...notice, body: [`${author?.fullName ?? 'The registry'} ${did}.`, ...body] }, [
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
    subject: isMass ? `${removed} ROAs of ${accountName} deleted` : `${what} of ${accountName} changed: ${counts.join(', ')}`,
    did: `changed ${what === 'ROAs' ? what : what.toLowerCase()} of ${accountName}`,
    body: [
      ...lines,
      ...(removed > 0
        ? ['Announcements that relied on the removed ROAs change from valid to not found, or to invalid where another ROA covers them.']
        : []),
      ...more,
    ],
  });
}

/** Announces that RPKI of an account was turned off with its ROAs. */
export const announceOff = (change: Change, account: AdmittedAccount, roas: readonly string[]): Promise<void> =>
  announceChange(change, account, {
    ...rpkiPage,
    topic: 'account.security',
    subject: `RPKI of ${account.accountName} was turned off`,
    did: `revoked the resource certificate of ${account.accountName}`,
    body: [
      'Its keys are destroyed with the next publication.',
      ...(roas.length === 0 ? ['No ROA was published.'] : paragraphsOf({ Removed: roas })),
      'Announcements that relied on them change from valid to not found, or to invalid where another ROA covers them.',
    ],
  });

/** Announces that RPKI of an account was turned on. `certified`: the certified resources. */
export const announceEnabled = (change: Change, account: AdmittedAccount, certified: readonly string[]): Promise<void> =>
  announceChange(change, account, {
    ...rpkiPage,
    subject: `RPKI of ${account.accountName} was turned on`,
    did: `turned on hosted RPKI for ${account.accountName}`,
    body: [
      `The registry certifies ${certified.slice(0, LISTED).join(', ')}${certified.length > LISTED ? ` and ${certified.length - LISTED} more` : ''}.`,
      'No route changes until a ROA is added. To undo this, revoke the certificate on the RPKI page.',
      unexpected,
    ],
  });

/** Announces a step of a key rollover. `activateFrom`: the instant from which the new key can take over; null once it has. */
export const announceRollover = (
  change: Change,
  account: AdmittedAccount,
  { activateFrom }: { activateFrom: string | null },
): Promise<void> =>
  announceChange(change, account, {
    ...rpkiPage,
    subject: `Key rollover of ${account.accountName} ${activateFrom === null ? 'completed: the new key signs' : 'started'}`,
    did: `${activateFrom === null ? 'activated the new RPKI key' : 'started an RPKI key rollover'} of ${account.accountName}`,
    body: [
      activateFrom === null
        ? `Its ROAs are signed again with the new key. The old key is removed automatically after ${rolloverHours} hours; this can’t be undone, but a new rollover can be started.`
        : `The current key signs until someone activates the new one, from ${activateFrom.slice(0, 16).replace('T', ' at ')} UTC on.`,
      'Validators find the same ROAs throughout.',
      unexpected,
    ],
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
    subject: `A certificate authority of ${account.accountName} ${act === 'connected' ? 'was connected' : 'can publish here'}`,
    did:
      act === 'connected'
        ? `connected the certificate authority ${handle} to ${account.accountName}`
        : `let the certificate authority ${handle} publish in the registry’s repository for ${account.accountName}`,
    body: [
      ...(act === 'connected' ? [`It can issue ROAs for everything ${account.accountName} holds.`] : []),
      `The SHA-256 fingerprint of its identity certificate is ${fingerprint}. Compare it with the one that your certificate authority shows.`,
      'To undo this, disconnect it on the RPKI page.',
      unexpected,
    ],
  });

/** Announces that a member’s own certificate authority was disconnected, with the lost ROA payloads. */
export const announceDisconnection = (change: Change, account: AdmittedAccount, payloads: number): Promise<void> =>
  announceChange(change, account, {
    ...rpkiPage,
    topic: 'account.security',
    subject: `The certificate authority of ${account.accountName} was disconnected`,
    did: `disconnected the certificate authority that ${account.accountName} runs`,
    body: [
      payloads === 0
        ? 'Its certificate is revoked. It published no ROA payloads here.'
        : `Its certificate is revoked, and validators lose ${payloads === 1 ? 'the ROA payload' : `the ${payloads} ROA payloads`} that it published here.`,
      unexpected,
    ],
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
      subject: `What the certificate authority of ${accountName} publishes ends on ${at}`,
      body: [
        'Its manifest, its revocation list or a certificate ends then, and it has published nothing newer. Its program may have stopped.',
        `Unless it publishes before, validators drop what depends on that, up to ${payloads === 1 ? 'its ROA payload' : `all of its ${payloads} ROA payloads`}. Announcements that rely on it change from valid to not found, or to invalid where another ROA covers them.`,
        'Look whether the program runs and reaches the registry.',
      ],
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
      subject: `RPKI files of ${accountName} are left out`,
      body: [
        `Validators don’t get ${files.length === 1 ? 'a file' : `${files.length} files`} that ${accountName} publishes, or refuse what is in ${files.length === 1 ? 'it' : 'them'}. All other files count as before.`,
        ...files.slice(0, LEFT_OUT).map(file => (/[.!?]$/.test(file) ? file : `${file}.`)),
        ...(files.length > LEFT_OUT ? [`The RPKI page lists the others.`] : []),
        'Publish them again with what is wrong put right, or withdraw them. This mail comes once; the RPKI page shows what is still left out.',
      ],
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
    subject: `Providers of ${customer} ${after === null ? 'removed' : before === null ? 'stated' : 'changed'}`,
    did: `${after === null ? 'removed' : before === null ? 'stated' : 'changed'} the providers of ${customer} (ASPA) for ${account.accountName}`,
    body: [...(before === null ? [] : [`Before: ${before}.`]), ...(after === null ? [] : [`Now: ${after}.`]), unexpected],
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
    subject: `Checklist of ${account.accountName} ${act}`,
    did: `${act} a checklist of ${account.accountName}`,
    body: [`Resources: ${resources.slice(0, LISTED).join(', ')}.`, `Files: ${files.slice(0, LISTED).join(', ')}.`, unexpected],
  });
