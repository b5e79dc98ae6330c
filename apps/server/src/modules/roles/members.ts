import { portalNameOf } from '../../brand.ts';
import { caseHandlers } from '@portal/contract';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { roles, Staff } from '@portal/contract/roles/roles';
import { dayInWords } from '../../platform/day-words.ts';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import {
  createLogin,
  disableLogin,
  endSessions,
  endStaffLogin,
  findLogin,
  isReadable,
  type Login,
  loginById,
  makeLink,
} from '../identity/index.ts';
import { accountNamesOf } from '../accounts/index.ts';
import { sendMail } from '../mail/index.ts';
import {
  assignRole,
  checkRole,
  colleague,
  notifyMember,
  notifyOverseers,
  otherGivers,
  permissionLine,
  refuseLastAdministrator,
  refuseLeft,
  withdraw,
} from './giving.ts';
import { heldBy, type HeldRow, holdersOf, lockRoles } from './held-roles.ts';
import { INVITATION_DAYS, sendStaffInvitation } from './invitations.ts';
import { handOverCases, openCasesOf } from './staff-cases.ts';
import { staffList } from './staff-list.ts';
import { rolesTexts } from './mail-texts.ts';

/** A user name that is free: the beginning of the address, with a number if it is taken. */
async function freeUsername(change: Change, email: string): Promise<string> {
  const wanted =
    email
      .split('@')[0]!
      .toLowerCase()
      .replaceAll(/[^a-z0-9._-]/g, '')
      .replace(/^[._-]+/, '')
      .slice(0, 58) || 'staff';
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}${number}`;
    if (!(await findLogin(change, name))) return name;
  }
}

/** Mails a new person the link with which they choose a password. A second factor follows at their first sign-in. */
async function mailInvitation(
  change: Change,
  { loginId, email, fullName }: Pick<Login, 'loginId' | 'email' | 'fullName'>,
  {
    by,
    role,
    lines,
    registry,
  }: { by: string; role: string; lines: readonly string[]; registry: Pick<Registry, 'config' | 'box' | 'profile'> },
): Promise<void> {
  const { registryName } = registry.profile;
  const product = portalNameOf(registry.profile);
  const asked = { from: { address: '', userAgent: null } };
  const { token } = await makeLink(change, { purpose: 'reset-password', loginId, email, asked, minutes: INVITATION_DAYS * 24 * 60 });
  await sendMail(
    change,
    {
      topic: 'login.links',
      recipient: email,
      recipientName: fullName,
      loginId,
      act: 'Choose a password',
      answerBy: instantAfter(change.now, INVITATION_DAYS * DAY_MS),
      text: rolesTexts.written('newColleagueInvitation', { registryName, actor: by, product, role, lines: lines.join('\n') }),
      link: `${registry.config.appUrl}/account/new-password?token=${token}`,
    },
    registry.box,
  );
}

/**
 * Invites a person to registry staff. A person without a login gets one, whose password they choose by a link. Who has a login, or signs in at another provider, accepts first
 * (`acceptStaffInvitation`). @throws Failure ALREADY_STAFF, LEFT_STAFF, INVALID_REQUEST, and those of `assignRole`
 */
export async function inviteStaff({ change, caller, body, registry }: Act<typeof roles.inviteStaff>): Promise<Staff> {
  await lockRoles(change);
  const { fullName, email } = body;
  if (!isReadable(fullName)) throw refuseField('fullName', 'Enter the name on one line, without invisible characters');
  const known = await findLogin(change, email);
  if (known?.loginId === caller.loginId) throw refuse('OWN_ROLE', { who: await otherGivers(change, caller.loginId) });
  if (known) refuseLeft(known);
  if (known?.staff) throw refuse('ALREADY_STAFF', { who: known.fullName });
  if (known && known.disabledAt !== null)
    throw refuse('INVALID_REQUEST', { detail: `the login of ${email} is disabled; invite another address` });
  const given = { by: caller.loginId, profile: registry.profile };
  const accepts = known !== null || !registry.config.embeddedProvider;
  const { role, lines, person } = accepts
    ? await offerRole(change, { known, body, by: caller }, registry)
    : await addColleague(change, { body, by: caller.name, given }, registry);
  await change.note({ person, email, role, reason: body.reason });
  await notifyOverseers(
    change,
    rolesTexts.written(accepts ? 'colleagueInvited' : 'colleagueAdded', {
      fullName: person,
      role,
      actor: caller.name,
      email,
      roleFacts: lines.join('\n\n'),
      reason: body.reason,
    }),
    [caller.loginId, known?.loginId ?? null],
  );
  return staffList(change, caller, registry);
}

type Invited = { role: string; lines: readonly string[]; person: string };
type Asked = Act<typeof roles.inviteStaff>['body'];

/** Mails an invitation that its person accepts with their login. */
async function offerRole(
  change: Change,
  { known, body, by }: { known: Login | null; body: Asked; by: Pick<Caller, 'loginId' | 'name'> },
  registry: Pick<Registry, 'config' | 'box' | 'profile'>,
): Promise<Invited> {
  const { email, role: key, reason, startsAt = null, until = null } = body;
  const person = known?.fullName ?? body.fullName;
  const { words: role, lines } = await checkRole(change, known, body, { by: by.loginId, profile: registry.profile });
  const offer = { fullName: person, role: key, reason, startsAt, until, by: by.loginId };
  await sendStaffInvitation(change, { email, to: known, offer, role, lines }, { registry, by: by.name });
  return { role, lines, person };
}

/** Adds a person without a login, and mails them the link with which they choose a password: no one else can use it before. */
async function addColleague(
  change: Change,
  { body, by, given }: { body: Asked; by: string; given: Parameters<typeof assignRole>[3] },
  registry: Pick<Registry, 'config' | 'box' | 'profile'>,
): Promise<Invited> {
  const { email, fullName } = body;
  const username = await freeUsername(change, email);
  const loginId = await createLogin(change, { username, email, fullName, staff: true, emailVerified: true });
  const { words: role, lines } = await assignRole(change, { loginId, fullName }, body, given);
  await mailInvitation(change, { loginId, email, fullName }, { by, role, lines, registry });
  return { role, lines, person: fullName };
}

/** Ends all sessions of a colleague. @throws Failure NOT_FOUND */
export async function endStaffSessions({ change, caller, params, registry }: Act<typeof roles.endStaffSessions>): Promise<Staff> {
  const person = await loginById(change, params.loginId);
  if (!person?.staff) throw refuse('NOT_FOUND', { what: 'This person of registry staff' });
  await endSessions(change, person.loginId, 'ended by an administrator');
  await change.note({ person: person.fullName });
  return staffList(change, caller, registry);
}

/** The colleague who takes over the cases of a person who leaves. @throws Failure INVALID_REQUEST for anyone who can't decide cases */
async function takesCases(change: Change, loginId: string, leaver: Pick<Login, 'loginId' | 'fullName'>): Promise<Login> {
  const to = await loginById(change, loginId);
  if (!to) throw refuseField('casesTo', 'No login has this id. Choose a colleague');
  if (to.loginId === leaver.loginId) throw refuseField('casesTo', `${to.fullName} is the one who leaves. Choose a colleague`);
  if (!to.staff) throw refuseField('casesTo', `${to.fullName} is not registry staff. Choose a colleague`);
  const able = await holdersOf(change, caseHandlers, change.now);
  if (!able.some(each => each.loginId === to.loginId))
    throw refuseField('casesTo', `${to.fullName} can’t decide cases now. Choose a colleague with another role, such as Hostmaster`);
  return to;
}

/** Ends the access of a colleague who leaves. The login of a contact of an account stays; any other is disabled. @throws Failure NOT_FOUND, NOT_STAFF, OWN_ROLE, LAST_ADMINISTRATOR, CASES_LEFT, and those of `takesCases` and `handOverCases` */
export async function endStaff({
  change,
  caller,
  params,
  body: { reason, casesTo = null },
  registry,
}: Act<typeof roles.endStaff>): Promise<Staff> {
  await lockRoles(change);
  const person = await colleague(change, params.loginId, caller);
  await refuseLastAdministrator(change, person, () => true);
  const cases = (await openCasesOf(change, registry.modules)).get(person.loginId) ?? 0;
  const to = casesTo === null ? null : await takesCases(change, casesTo, person);
  if (cases > 0 && to === null) throw refuse('CASES_LEFT', { who: person.fullName, cases: String(cases) }).at('casesTo');
  if (to && cases > 0) {
    const given = await handOverCases({ change, caller, registry }, { from: person, to });
    if (given > 0)
      await notifyMember(
        change,
        to,
        given === 1
          ? rolesTexts.written('caseOfLeaverYours', { fullName: person.fullName, actor: caller.name })
          : rolesTexts.written('casesOfLeaverYours', { fullName: person.fullName, actor: caller.name, count: given }),
      );
  }
  const held = await heldBy(change, person.loginId, change.now);
  if (held.length > 0)
    await withdraw(
      change,
      held.map(({ assignmentId }) => assignmentId),
      caller.loginId,
      reason,
    );
  await forgetStaff(change, person.loginId, registry);
  // A contact of an account keeps the login, which may be the account's only one.
  if ((await accountNamesOf(change, person.loginId)).length > 0) await endStaffLogin(change, person.loginId);
  else await disableLogin(change, person.loginId);
  const lines = [...endedLines(held), `Reason: ${reason}`];
  await notifyMember(change, person, rolesTexts.written('accessEnded', { actor: caller.name, roleFacts: lines.join('\n\n') }));
  await notifyOverseers(
    change,
    rolesTexts.written('colleagueLeft', {
      fullName: person.fullName,
      actor: caller.name,
      email: person.email,
      roleFacts: lines.join('\n\n'),
    }),
    [caller.loginId, person.loginId],
  );
  await change.note({
    person: person.fullName,
    roles: held.map(({ name }) => name),
    cases,
    ...(to && cases > 0 && { casesTo: to.fullName }),
    reason,
  });
  return staffList(change, caller, registry);
}

/** Deletes what the modules keep for a person as registry staff, such as their reminders. */
async function forgetStaff(change: Change, loginId: string, { modules }: Pick<Registry, 'modules'>): Promise<void> {
  for (const { staffLeft } of modules) await staffLeft?.(change, loginId);
}

/** The roles that ended, with their days and permissions, as lines of a notice. */
const endedLines = (held: readonly HeldRow[]): string[] =>
  held.map(({ name, startsAt, permissions }) => `${name}, from ${dayInWords(startsAt)}. ${permissionLine(permissions)}`);

/**
 * Withdraws the roles of a person whose login an operator disables, who can stop anyone: also the last administrator, where they say so. Administrators and auditors get a notice.
 * @param evenLast the operator takes the last administrator away, and makes another one by `registry staff add`
 * @throws Failure LAST_ADMINISTRATOR unless `evenLast`
 */
export async function withdrawByOperator(change: Change, loginId: string, { evenLast }: { evenLast: boolean }): Promise<readonly string[]> {
  await lockRoles(change);
  const person = await loginById(change, loginId);
  if (!person?.staff) return [];
  if (!evenLast) await refuseLastAdministrator(change, person, () => true);
  const held = await heldBy(change, loginId, change.now);
  const names = held.map(({ name }) => name);
  if (held.length > 0)
    await withdraw(
      change,
      held.map(({ assignmentId }) => assignmentId),
      null,
      'The operator disabled the login',
    );
  await notifyOverseers(
    change,
    rolesTexts.written('operatorDisabledLogin', {
      fullName: person.fullName,
      email: person.email,
      roleFacts: endedLines(held).join('\n\n'),
    }),
    [loginId],
  );
  return names;
}
