import type { AnswerOf } from '@portal/contract';
import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import type { MailTextDetails, MailTextLine, mailTexts } from '@portal/contract/mail/mail-texts';
import { topics } from '@portal/contract/notifications/topics';
import { pages } from '@portal/contract/pages';
import { sql } from 'kysely';
import { portalNameOf } from '../../brand.ts';
import { theLast } from '../../platform/clock-watch.ts';
import { refuseBeyond } from '../../platform/counted-limit.ts';
import { type Change, lockByName, type Read } from '../../platform/database/index.ts';
import { refuse, refuseFields, refuseWithCurrent } from '../../platform/failure.ts';
import { type Act, SecondPersonNeeded } from '../../platform/http/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';
import type { Registry } from '../../platform/registry.ts';
import { findAccount } from '../accounts/index.ts';
import { sendMail } from './mail.ts';
import { mailSenderOf } from './mail-sender.ts';
import { LINK_BLANK, renderMail } from './mail-template.ts';
import { fillText, isGuarded, type MailKind, needsSecondPerson, problemsOf, samplesOf } from './mail-text.ts';
import { personOfModules } from './person.ts';
import { kindsOfMail, newestVersions, programThen, type Text, textOf, type Version } from './text-versions.ts';

/** Days over which it is counted how often a mail was sent. */
const COUNTED_DAYS = 30;
/** Versions that are shown of one text. */
const SHOWN_VERSIONS = 50;
/** Tests that a person may send to themselves in an hour. */
const TESTS = 20;
/** The kind of such tests, which is none of the registry's. */
const TEST = 'test';
/** Words in place of a link where none was made. */
const NO_LINK = '(each mail has its own link here)';

/** @throws Failure NOT_FOUND */
function kindNamed(registry: Pick<ModuleContext, 'modules'>, key: string): MailKind {
  const found = kindsOfMail(registry).find(kind => kind.key === key);
  if (!found) throw refuse('NOT_FOUND', { what: 'This kind of mail' });
  return found;
}

const programOf = ({ subject, body }: MailKind): Text => ({ subject, body });
/** A text as the log and the second person read it: the subject is its first paragraph. */
const inOne = ({ subject, body }: Text): string => `${subject}\n\n${body}`;
/** The page of a kind of mail. */
const hrefOf = (kind: string): string => `${pages.deskMailTexts.path}?mail=${encodeURIComponent(kind)}`;
const isSame = (one: Text, other: Text): boolean => one.subject === other.subject && one.body === other.body;

function lineOf(kind: MailKind, newest: Version | undefined, sent: { lastSentAt: string | null; sent: number } | undefined): MailTextLine {
  const changed = textOf(newest);
  return {
    kind: kind.key,
    subject: (changed ?? kind).subject,
    begins: (changed ?? kind).body.split('\n\n')[0]!,
    topic: topics[kind.topic].label,
    receivers: topics[kind.topic].because,
    isChanged: changed !== null,
    programChanged: changed !== null && !isSame(kind, programThen(newest!)),
    isUnfit: changed !== null && problemsOf(kind, changed).length > 0,
    needsSecondPerson: isGuarded(kind),
    lastSentAt: sent?.lastSentAt ?? null,
    sent: sent?.sent ?? 0,
  };
}

/** When mails of these kinds were last sent, and how many of each in 30 days. */
async function sendings(read: Pick<Read, 'rows'>, kinds: readonly string[], now: Date) {
  const { since, until } = theLast(COUNTED_DAYS * DAY_MS, now);
  const rows = await read.rows<{ kind: string; lastSentAt: string | null; sent: number }>(sql`
    select k.kind, (select m.written_at from mail m where m.kind = k.kind order by m.written_at desc limit 1) as last_sent_at,
      (select count(*)::int from mail m where m.kind = k.kind and m.written_at between ${since}::timestamptz and ${until}::timestamptz) as sent
    from unnest(${[...kinds]}::text[]) as k (kind)`);
  return new Map(rows.map(row => [row.kind, row]));
}

/** Lists all kinds of mail. */
export async function listMailTexts({
  read,
  registry,
}: Act<typeof mailTexts.listMailTexts>): Promise<AnswerOf<typeof mailTexts.listMailTexts>> {
  const kinds = kindsOfMail(registry);
  const newest = new Map((await newestVersions(read)).map(version => [version.kind, version]));
  const sent = await sendings(
    read,
    kinds.map(({ key }) => key),
    registry.now,
  );
  return { texts: kinds.map(kind => lineOf(kind, newest.get(kind.key), sent.get(kind.key))) };
}

/** One text with its words and versions. @throws Failure NOT_FOUND */
export const getMailText = ({ read, params, registry }: Act<typeof mailTexts.getMailText>): Promise<MailTextDetails> =>
  detailsOf(read, kindNamed(registry, params.kind), registry);

async function detailsOf(read: Read, kind: MailKind, { now, modules }: Pick<Registry, 'now' | 'modules'>): Promise<MailTextDetails> {
  const personOf = personOfModules({ modules });
  const [newest] = await newestVersions(read, kind.key);
  const versions = await read.rows<{
    version: number;
    subject: string | null;
    body: string | null;
    reason: string;
    loginId: string;
    approvedBy: string | null;
    savedAt: string;
  }>(sql`select version, subject, body, reason, login_id, approved_by, saved_at from mail_text_version
    where kind = ${kind.key} order by version desc limit ${SHOWN_VERSIONS}`);
  const names = new Map<string, string>();
  for (const loginId of new Set(versions.flatMap(row => [row.loginId, row.approvedBy ?? []].flat())))
    names.set(loginId, (await personOf(read, loginId))?.fullName ?? loginId);
  const line = lineOf(kind, newest, (await sendings(read, [kind.key], now)).get(kind.key));
  return {
    ...line,
    text: textOf(newest) ?? programOf(kind),
    program: programOf(kind),
    programThen: line.programChanged ? programThen(newest!) : null,
    words: Object.entries(kind.words).map(([word, { about, sample, required = false }]) => ({ word, about, sample, required })),
    version: newest?.version ?? 0,
    versions: versions.map(({ subject, body, loginId, approvedBy, ...version }) => ({
      ...version,
      savedBy: names.get(loginId)!,
      approvedBy: approvedBy === null ? null : names.get(approvedBy)!,
      text: subject === null ? null : { subject, body: body! },
    })),
  };
}

/** @throws Failure INVALID_REQUEST that names the words in braces that can’t be used, and those that are missing */
function checkText(kind: MailKind, { subject, body }: Text): Text {
  // Paragraphs are separated by one empty line, however they were typed.
  const text = {
    subject,
    body: body
      .replace(/\r\n?/g, '\n')
      .replace(/[^\S\n]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n'),
  };
  const problems = problemsOf(kind, text);
  if (problems.length > 0) throw refuseFields(problems);
  return text;
}

type Tools = Pick<Registry, 'profile' | 'config'>;

/** The invented values of a kind, with what the registry is called here. */
const valuesOf = (kind: MailKind, { profile, config }: Tools): Record<string, string> => ({
  ...samplesOf(kind),
  ...('registryName' in kind.words && { registryName: profile.registryName }),
  ...('product' in kind.words && { product: portalNameOf(profile) }),
  ...('appUrl' in kind.words && { appUrl: config.appUrl }),
});

/** Returns a mail with invented values as a registry of this profile sends it now. @throws Failure NOT_FOUND */
export function exampleMail(registry: Pick<Registry, 'profile' | 'config' | 'modules'>, key: string, recipientName: string): Text {
  const kind = kindNamed(registry, key);
  const { subject, body } = fillText(programOf(kind), valuesOf(kind, registry));
  const shown = renderMail(
    {
      subject,
      body,
      topic: kind.topic,
      recipientName,
      username: null,
      account: null,
      link: 'link' in kind.words ? NO_LINK : null,
      act: null,
      answerBy: null,
      freeze: null,
      unsubscribe: null,
    },
    mailSenderOf(registry.config, registry.profile),
  );
  return { subject, body: shown.text };
}

/** Shows a text as people would get it. An account gives its names, which are in public registers too, and nothing else. @throws Failure NOT_FOUND, INVALID_REQUEST */
export async function previewMailText({
  read,
  caller,
  params,
  body: { accountName, ...text },
  registry,
}: Act<typeof mailTexts.previewMailText>): Promise<AnswerOf<typeof mailTexts.previewMailText>> {
  const kind = kindNamed(registry, params.kind);
  const given = checkText(kind, text);
  const account = accountName === undefined ? null : await findAccount(read, accountName.toUpperCase());
  if (accountName !== undefined && account === null) throw refuse('NOT_FOUND', { what: 'The account' }).at('accountName');
  const values = valuesOf(kind, registry);
  if (account && 'accountName' in values) values.accountName = account.accountName;
  if (account && 'orgName' in values) values.orgName = account.orgName;
  const filled = fillText(given, values);
  const sender = mailSenderOf(registry.config, registry.profile);
  const { locked } = topics[kind.topic];
  const shown = renderMail(
    {
      ...filled,
      topic: kind.topic,
      recipientName: caller.name,
      username: null,
      account,
      link: 'link' in kind.words ? NO_LINK : null,
      act: null,
      answerBy: null,
      freeze: null,
      unsubscribe: locked === null ? NO_LINK : null,
    },
    sender,
  );
  return { subject: filled.subject, text: shown.text };
}

type Saving = Pick<Act<typeof mailTexts.saveMailText>, 'change' | 'caller' | 'hasSecondPerson' | 'registry'>;

/** Writes a version. @throws Failure STALE with the present text, NOTHING_TO_DO @throws SecondPersonNeeded */
async function save(
  { change, caller, hasSecondPerson, registry }: Saving,
  kind: MailKind,
  { text, version, reason }: { text: Text | null; version: number; reason: string },
): Promise<MailTextDetails> {
  await lockByName(change, `mail.texts-${kind.key}`);
  const [newest] = await newestVersions(change, kind.key);
  if ((newest?.version ?? 0) !== version) throw refuseWithCurrent(await detailsOf(change, kind, registry), 'STALE', { what: 'this text' });
  const before = textOf(newest);
  const program = programOf(kind);
  // Written out word for word, the text of the program is the text of the program.
  const after = text !== null && isSame(text, program) ? null : text;
  const isKept = after === null ? before === null : before !== null && isSame(before, after);
  // To save a text again after the program's changed says that it was compared, and still counts.
  if (isKept && (newest === undefined || after === null || isSame(program, programThen(newest))))
    throw refuse('NOTHING_TO_DO', { why: after === null ? 'The standard text is in use' : 'This is the text already' });
  await change.note({ mail: kind.key, reason, before: inOne(before ?? program), after: inOne(after ?? program) });
  const guarded = needsSecondPerson(kind, { before, after });
  if (guarded && !hasSecondPerson)
    throw new SecondPersonNeeded({
      title: `${after === null ? 'Use the standard text again' : 'Change the text'} of the mail “${program.subject}”`,
      link: hrefOf(kind.key),
    });
  // The rehearsal of what is proposed: who approves it isn't known yet, and no version is without that.
  if (guarded && caller.approvedBy === undefined) return detailsOf(change, kind, registry);
  await change
    .insertInto('mailTextVersion')
    .values({
      kind: kind.key,
      version: version + 1,
      subject: after?.subject ?? null,
      body: after?.body ?? null,
      programSubject: program.subject,
      programBody: program.body,
      reason,
      loginId: caller.loginId,
      guarded,
      approvedBy: caller.approvedBy ?? null,
      savedAt: change.now,
    })
    .execute();
  return detailsOf(change, kind, registry);
}

/** Changes the text of a kind of mail. @throws Failure NOT_FOUND, INVALID_REQUEST, STALE with the present text, NOTHING_TO_DO @throws SecondPersonNeeded */
export async function saveMailText(act: Act<typeof mailTexts.saveMailText>): Promise<MailTextDetails> {
  const kind = kindNamed(act.registry, act.params.kind);
  const { reason, version, ...text } = act.body;
  return save(act, kind, { text: checkText(kind, text), version, reason });
}

/** Uses the text of the program again. @throws Failure NOT_FOUND, STALE with the present text, NOTHING_TO_DO @throws SecondPersonNeeded */
export const useProgramText = (act: Act<typeof mailTexts.useProgramText>): Promise<MailTextDetails> =>
  save(act, kindNamed(act.registry, act.params.kind), { text: null, ...act.body });

/** Sends a text to the caller’s own address. @throws Failure NOT_FOUND, INVALID_REQUEST, TOO_MANY_REQUESTS, NOTHING_TO_DO */
export async function sendTestMail({
  change,
  caller,
  params,
  body,
  registry,
}: Act<typeof mailTexts.sendTestMail>): Promise<AnswerOf<typeof mailTexts.sendTestMail>> {
  const kind = kindNamed(registry, params.kind);
  const { subject, body: text } = fillText(checkText(kind, body), valuesOf(kind, registry));
  const person = await personOfModules(registry)(change, caller.loginId);
  if (!person?.emailVerified)
    throw refuse('NOTHING_TO_DO', { why: 'Your e-mail address isn’t confirmed. Confirm it in your settings first' });
  await refuseTooMany(change, caller.loginId);
  await sendMail(change, {
    topic: kind.topic,
    kind: TEST,
    recipient: person.email,
    recipientName: person.fullName,
    loginId: caller.loginId,
    subject: `Test: ${subject}`.slice(0, 250),
    body: text.replaceAll(LINK_BLANK, NO_LINK),
  });
  await change.note({ mail: kind.key });
  return { address: person.email };
}

function refuseTooMany(change: Change, loginId: string): Promise<void> {
  const { since, until } = theLast(HOUR_MS, change.now);
  return refuseBeyond(change, {
    of: `mail.tests-${loginId}`,
    limit: TESTS,
    counted: sql`select count(*)::int as count from mail where kind = ${TEST} and login_id = ${loginId} and written_at between ${since}::timestamptz and ${until}::timestamptz`,
    seconds: HOUR_MS / 1000,
  });
}
