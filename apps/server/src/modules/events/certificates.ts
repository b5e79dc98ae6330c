import type { AnswerOf, Download } from '@portal/contract';
import { utcDay } from '@portal/contract/days';
import type { AccountCertificate, eventCertificates } from '@portal/contract/events/certificates';
import type { AttendedEvent } from '@portal/contract/events/event-shapes';
import type { events } from '@portal/contract/events/events';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import { printerIn } from '../../platform/pdf/printing.ts';
import { accountNamed, activeContacts, actorOf } from '../accounts/index.ts';
import { type CheckedCertificate, fileAddress, newCode, spelled } from '../documents/index.ts';
import { loginById, notifyPeople } from '../identity/index.ts';
import { memberOf } from '../tickets/index.ts';
import { type AttendanceText, daysInWords } from './attendance-certificate-pdf.ts';
import { attendedEvent } from './attended.ts';
import type { CertificateRow } from './cases.ts';
import { withShortSubject } from '../mail/index.ts';
import { eventsTexts } from './mail-texts.ts';

const noCertificate = () => refuse('NOT_FOUND', { what: 'The certificate' });
const printAttendance = printerIn<AttendanceText>(new URL('./attendance-certificate-thread.ts', import.meta.url));

/**
 * Requests a certificate of attendance. A personal one is issued immediately; one that names an account waits for a contact with
 * `certificates-approve`, unless the person has that permission. A repetition returns the existing one.
 * @throws Failure NOT_FOUND, NOT_ATTENDED, ACCOUNT_NOT_FOUND, SECOND_FACTOR_DEMANDED
 */
export async function requestCertificate({
  change,
  caller,
  params: { event },
  body: { account: accountName },
}: Act<typeof events.requestCertificate>): Promise<AttendedEvent> {
  const { loginId } = caller;
  const attended = await attendedEvent(change, loginId, event);
  if (!attended) throw refuse('NOT_FOUND', { what: 'The event' });
  if (!attended.attended) throw refuse('NOT_ATTENDED');
  const member = accountName === null ? null : await memberOf(change, caller, accountName, new Date(change.now));
  if (accountName !== null) await change.concerns(accountName);
  const orgName = accountName === null ? null : (await accountNamed(change, accountName)).orgName;
  const needsApproval = member !== null && !(member.permissions.has('certificates-approve') && caller.mfa);
  const { fullName } = (await loginById(change, loginId))!;
  const added = await change
    .insertInto('eventCertificate')
    .values({
      code: newCode(),
      event,
      loginId,
      fullName,
      accountName,
      orgName,
      state: needsApproval ? 'requested' : 'issued',
      requestedAt: change.now,
      issuedAt: needsApproval ? null : change.now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('code')
    .executeTakeFirst();
  await change.note({ event: attended.title });
  if (added && needsApproval)
    await notifyPeople(
      change,
      {
        topic: 'events.registrations',
        accountName,
        text: eventsTexts.written('asksCertificateAttendanceNames', {
          fullName,
          accountName: accountName!,
          event: attended.title,
          orgName: orgName!,
        }),
        path: '/events/attended-events',
        act: 'Decide',
      },
      await activeContacts(change, accountName!, { permission: 'certificates-approve' }),
    );
  return (await attendedEvent(change, loginId, event))!;
}

/** Returns the address of the person's certificate, valid for a minute. @throws Failure NOT_FOUND */
export async function openEventCertificate({
  change,
  caller: { loginId },
  params: { code },
  registry: { config: secrets },
}: Act<typeof events.openEventCertificate>): Promise<AnswerOf<typeof events.openEventCertificate>> {
  const [row] = await change
    .selectFrom('eventCertificate')
    .select('event')
    .where('code', '=', code)
    .where('loginId', '=', loginId)
    .where('state', '=', 'issued')
    .execute();
  if (!row) throw noCertificate();
  await change.note({ certificate: spelled(code) });
  return { ...fileAddress(secrets, { what: 'attendance', id: code }, loginId, new Date(change.now)), fileName: fileNameOf(row.event) };
}

const fileNameOf = (event: string): string => `attendance-${event}.pdf`;

type Issued = {
  code: string;
  fullName: string;
  orgName: string | null;
  event: string;
  title: string;
  startsOn: string;
  endsOn: string;
  place: string;
  hours: number | null;
  issuedAt: string;
};

const issuedCertificate = async (read: Read, code: string): Promise<Issued | undefined> =>
  (
    await read.rows<Issued>(sql`
    select f.code, f.full_name, f.org_name, f.event, f.issued_at, coalesce(e.title, c.title) as title, coalesce(e.place, '') as place, e.hours::float8 as hours,
      coalesce((e.starts_at at time zone e.time_zone)::date, c.starts_on) as starts_on,
      coalesce((e.ends_at at time zone e.time_zone)::date, c.starts_on) as ends_on
    from event_certificate f join conference c on c.conference = f.event left join event e on e.event = f.event where f.code = ${code} and f.state = 'issued'`)
  )[0];

/** The certificate as a PDF, printed when it is fetched. @throws Failure NOT_FOUND */
export async function attendanceFile(
  read: Read,
  { registryName, appUrl, fonts }: { registryName: string; appUrl: string; fonts: readonly string[] },
  code: string,
): Promise<Download> {
  const issued = await issuedCertificate(read, code);
  if (!issued) throw noCertificate();
  const pdf = await printAttendance({
    ...issued,
    spelledCode: spelled(code),
    registryName,
    checkAt: `${appUrl}/certificates/${spelled(code)}`,
    fonts: [...fonts],
  });
  return {
    fileName: fileNameOf(issued.event),
    contentType: 'application/pdf',
    bytes: pdf.length,
    chunks: (async function* () {
      yield pdf;
    })(),
  };
}

/** Returns the content of a certificate for the page at which anyone checks it; null without one. */
export async function checkAttendance(read: Read, code: string): Promise<CheckedCertificate | null> {
  const issued = await issuedCertificate(read, code);
  if (!issued) return null;
  const { fullName, orgName, title, startsOn, endsOn, place, hours, issuedAt } = issued;
  return {
    title: 'Certificate of attendance',
    issuedOn: utcDay(issuedAt),
    facts: [
      ['Name', fullName],
      ...(orgName === null ? [] : [['Organisation', orgName] as const]),
      ['Event', title],
      ['Held', daysInWords(startsOn, endsOn)],
      ...(place === '' ? [] : [['Place', place] as const]),
      ...(hours === null ? [] : [['Hours', String(hours)] as const]),
    ],
  };
}

const rowsOf = (read: Read, accountName: string, code: string | null): Promise<AccountCertificate[]> =>
  read.rows<AccountCertificate>(sql`
    select f.code, f.event, coalesce(e.title, c.title) as title, f.full_name, l.email, f.state, f.requested_at
    from event_certificate f join conference c on c.conference = f.event left join event e on e.event = f.event join login l using (login_id)
    where f.account_name = ${accountName} and (${code}::text is null or f.code = ${code})
    order by f.state = 'requested' desc, f.requested_at desc limit 200`);

/** Certificates in the name of an account: those to decide on first. */
export const listAccountCertificates = async ({
  read,
  account: { accountName },
}: Act<typeof eventCertificates.listAccountCertificates>): Promise<{ rows: AccountCertificate[] }> => ({
  rows: await rowsOf(read, accountName, null),
});

/** Decides on a certificate in the name of an account, and notifies the requester. */
export async function decideCertificate({
  change,
  account,
  row: { code, loginId },
  body: { approve, reason },
}: CaseAct<typeof eventCertificates.decideCertificate, CertificateRow>): Promise<AccountCertificate> {
  const { accountName } = account;
  await change
    .updateTable('eventCertificate')
    .set({
      state: approve ? 'issued' : 'rejected',
      issuedAt: approve ? change.now : null,
      decidedBy: (await actorOf(change, account)).contactId,
      reason: approve ? '' : reason,
    })
    .where('code', '=', code)
    .execute();
  const [row] = await rowsOf(change, accountName, code);
  await change.note({ event: row!.title, person: row!.fullName, approved: approve });
  await notifyPeople(
    change,
    {
      topic: 'events.registrations',
      accountName: null,
      text: withShortSubject(
        approve
          ? eventsTexts.written('certificateReady', { title: row!.title, accountName })
          : eventsTexts.written('certificateRejected', {
              title: row!.title,
              accountName,
              outcome: reason === '' ? '' : ` Reason: ${reason}`,
            }),
      ),
      path: '/events/attended-events',
      act: 'View past events',
    },
    [{ fullName: row!.fullName, email: row!.email, loginId }],
  );
  return row!;
}
