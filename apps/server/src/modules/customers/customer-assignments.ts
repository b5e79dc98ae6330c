import type { AnswerOf, BodyOf, QueryOf } from '@portal/contract';
import {
  assignmentColumns,
  type AssignmentPreview,
  type ChangedCustomerAssignment,
  type CustomerAssignment,
  maxImportedAssignments,
  NewCustomerAssignment,
  type whoisCustomers,
} from '@portal/contract/customers/customers';
import { coverRange, parseRange, printPrefix } from '@portal/number-resources';
import { formatObject, isCountryCode, objectOf, parseObject, type RpslObject, valueOf, valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import { cellsOf } from '../../platform/csv-cells.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { Failure, refuse } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';
import {
  assign,
  type Assignment,
  changeAssignments,
  listRegistrations,
  listRestingSpace,
  readAssignment,
  releaseAssignment,
  type RestingSpace,
} from '../resources/index.ts';
import {
  type Credentials,
  errorsOf,
  lockWhois,
  objectOfRow,
  shownText,
  type StoredObject,
  submitForAccount,
  type Submission,
  type WhoisOutcome,
  type WhoisUpdate,
  writingRights,
} from '../whois/index.ts';

/** Number of free prefixes offered together. */
const OFFERED = 30;
/** Rows of the register looked through for them. */
const MAX_ROWS_SEARCHED = 5_000;

type Facts = ChangedCustomerAssignment;
export type Writing = Pick<Submission, 'profile' | 'limits' | 'isFresh'> & {
  /** Registered for a member of a national registry: portable, as its whois object says. */
  portable?: boolean;
};
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
const classOf = (kind: 'ipv4' | 'ipv6'): 'inetnum' | 'inet6num' => (kind === 'ipv4' ? 'inetnum' : 'inet6num');

/** One assignment with its whois object. @throws Failure NOT_FOUND */
export async function getAssignment(
  read: Pick<Read, 'rows'>,
  { accountName }: AdmittedAccount,
  assignmentId: string,
): Promise<CustomerAssignment> {
  const { first, last, fromWhois: _fromWhois, portable: _portable, ...row } = await readAssignment(read, accountName, assignmentId);
  const object = await objectAt(read, { kind: row.kind, first, last });
  return {
    ...row,
    customer: row.customer ?? '',
    description: row.description ?? '',
    economy: row.economy ?? '',
    whois: object && { class: object.class, key: object.key, version: object.version, text: shownText(object.text) },
  };
}

/** Free prefixes of one length in the account's allocations, at most one for each gap's start and as many as fit the list. */
export async function listFreeSpace(
  read: Read,
  account: AdmittedAccount,
  { kind, length, within }: QueryOf<typeof whoisCustomers.listFreeSpace>,
): Promise<AnswerOf<typeof whoisCustomers.listFreeSpace>> {
  const rows: AnswerOf<typeof whoisCustomers.listFreeSpace>['rows'] = [];
  const resting = (await listRestingSpace(read, account.accountName)).filter(each => each.kind === kind);
  const rested = resting.map(({ first, last }) => parseRange(`${first} - ${last}`));
  const isFresh = (first: bigint, last: bigint): boolean => rested.every(each => each.last < first || each.first > last);
  for (let offset = 0; offset < MAX_ROWS_SEARCHED && rows.length < OFFERED; offset += 500) {
    const page = await listRegistrations(read, account, {
      kind,
      ...(within && { parent: within }),
      q: '',
      free: 'yes',
      offset,
      limit: 500,
    });
    for (const gap of page.rows.filter(({ row }) => row === 'free')) {
      for (const prefix of coverRange(parseRange(gap.resource))) {
        if (prefix.length > length) continue;
        const step = 1n << BigInt((kind === 'ipv4' ? 32 : 128) - length);
        for (let first = prefix.first, told = 0; first <= prefix.last && told < 4 && rows.length < OFFERED; first += step) {
          if (!isFresh(first, first + step - 1n)) continue;
          told++;
          rows.push({
            resource: printPrefix({ family: kind, first, last: first + step - 1n, length }),
            gap: gap.resource,
            parent: gap.parent,
          });
        }
      }
    }
    if (offset + 500 >= page.total) break;
  }
  return { rows, resting: resting.map(({ resource, customer, returnedOn, until }) => ({ resource, customer, returnedOn, until })) };
}

/** Registers an assignment; a public one gets its object in the same change, or the one that is there is made like it. @throws Failure as the contract lists */
export async function addAssignment(
  change: Change,
  account: AdmittedAccount,
  body: NewCustomerAssignment,
  writing: Writing,
): Promise<CustomerAssignment> {
  if (body.visibility === 'public') await lockWhois(change);
  const assignmentId = await register(change, account, body, await listRestingSpace(change, account.accountName), writing.portable);
  const assignment = await readAssignment(change, account.accountName, assignmentId);
  const object = await objectAt(change, assignment);
  if (body.visibility === 'public') {
    const credentials = await writingRights(change, account);
    const update: WhoisUpdate = object
      ? { operation: 'modify', text: changedText(object, null, body), expectedVersion: object.version }
      : { operation: 'create', text: await textOf(change, account, assignment, body, credentials, writing.profile) };
    await store(change, account, [update], { ...writing, credentials });
  } else if (object) throw refuseShown(object.shown);
  await change.note({ resource: assignment.resource, visibility: body.visibility });
  return getAssignment(change, account, assignmentId);
}

class Undone extends Error {
  preview: AssignmentPreview;
  constructor(preview: AssignmentPreview) {
    super('undone');
    this.preview = preview;
  }
}

/** Returns what `addAssignment` would write: it is carried out, looked at and undone. @throws Failure as `addAssignment` */
export async function previewAssignment(
  change: Change,
  account: AdmittedAccount,
  body: NewCustomerAssignment,
  writing: Writing,
): Promise<AssignmentPreview> {
  const { accountName } = account;
  try {
    return await change.attempt(async () => {
      if (body.visibility === 'public') await lockWhois(change);
      const assignmentId = await register(change, account, body, await listRestingSpace(change, accountName), writing.portable);
      const assignment = await readAssignment(change, accountName, assignmentId);
      const { kind, first, last, resource, type, netname } = assignment;
      const [place] = await change.rows<{ delegation: string; size: string; around: string | null }>(sql`
        select d.resource as delegation, a.size::text, (select o.resource from assignment o
          where o.delegation_id = a.delegation_id and o.level = a.level - 1 and o.first <= a.first and o.last >= a.last) as around
        from assignment a join delegation d using (delegation_id) where a.assignment_id = ${assignmentId}::bigint`);
      const object = await objectAt(change, { kind, first, last });
      let whois: AssignmentPreview['whois'] = null;
      if (body.visibility === 'public') {
        const credentials = await writingRights(change, account);
        const update: WhoisUpdate = object
          ? { operation: 'modify', text: changedText(object, null, body), expectedVersion: object.version }
          : { operation: 'create', text: await textOf(change, account, assignment, body, credentials, writing.profile) };
        const [outcome] = await store(change, account, [update], { ...writing, credentials, dryRun: true });
        whois = {
          class: classOf(kind),
          shown: outcome?.shown ?? resource,
          before: object && shownText(object.text),
          after: outcome?.after ?? update.text,
        };
      } else if (object) throw refuseShown(object.shown);
      throw new Undone({ resource, size: place!.size, type, netname, delegation: place!.delegation, around: place!.around, whois });
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    await change.note({ resource: error.preview.resource, visibility: body.visibility });
    return error.preview;
  }
}

const refuseShown = (shown: string) =>
  refuse('INVALID_REQUEST', {
    detail: `whois already shows ${shown}. Register it as public, or delete that object first`,
  });

/** @throws Failure ASSIGNMENT_RESTS for space another customer gave back lately, and those of `assign` */
async function register(
  change: Change,
  { accountName }: AdmittedAccount,
  given: NewCustomerAssignment,
  resting: readonly RestingSpace[],
  portable = false,
): Promise<string> {
  const assignmentId = await assign(change, {
    accountName,
    resource: given.resource,
    type: given.type,
    netname: given.netname,
    description: orNull(given.description),
    customer: orNull(given.customer),
    visibility: given.visibility,
    economy: orNull(given.economy),
    portable,
  });
  const assignment = await readAssignment(change, accountName, assignmentId);
  const rests = given.reuse ? undefined : resting.find(each => overlaps(each, assignment) && !isSame(each.customer, given.customer));
  if (rests)
    throw refuse('ASSIGNMENT_RESTS', {
      resource: rests.resource,
      customer: rests.customer ?? 'a customer',
      when: rests.returnedOn,
      until: rests.until,
    });
  return assignmentId;
}

const isSame = (before: string | null, now: string): boolean => before !== null && before.trim().toLowerCase() === now.trim().toLowerCase();

function overlaps(a: RestingSpace, b: Assignment): boolean {
  if (a.kind !== b.kind) return false;
  const [one, other] = [parseRange(`${a.first} - ${a.last}`), parseRange(`${b.first} - ${b.last}`)];
  return one.first <= other.last && one.last >= other.first;
}

/** Changes what is registered, and its object with it: made when it becomes public, deleted when private. */
export async function editAssignment(
  change: Change,
  account: AdmittedAccount,
  assignmentId: string,
  facts: Facts,
  writing: Writing,
): Promise<CustomerAssignment> {
  const before = await readAssignment(change, account.accountName, assignmentId);
  const { netname, visibility } = facts;
  if (visibility === 'public' || before.visibility === 'public') await lockWhois(change);
  const after = {
    ...before,
    netname,
    visibility,
    fromWhois: false,
    customer: orNull(facts.customer),
    description: orNull(facts.description),
    economy: orNull(facts.economy),
  };
  await changeAssignments(change, [after]);
  const object = await objectAt(change, before);
  if (visibility === 'public' || object) {
    const credentials = await writingRights(change, account);
    const updates: WhoisUpdate[] =
      visibility === 'private'
        ? [{ operation: 'delete', text: object!.text, reason: 'Already registered as private' }]
        : object
          ? [{ operation: 'modify', text: changedText(object, before, facts), expectedVersion: object.version }]
          : [{ operation: 'create', text: await textOf(change, account, after, facts, credentials, writing.profile) }];
    await store(change, account, updates, { ...writing, credentials });
  }
  await change.note({ resource: before.resource, visibility, was: before.visibility });
  return getAssignment(change, account, assignmentId);
}

/** Takes an assignment back, and its object with it. */
export async function returnAssignment(change: Change, account: AdmittedAccount, assignmentId: string, writing: Writing): Promise<void> {
  const assignment = await readAssignment(change, account.accountName, assignmentId);
  if (assignment.visibility === 'public') await lockWhois(change);
  await releaseAssignment(change, assignment);
  const object = await objectAt(change, assignment);
  if (object)
    await store(change, account, [{ operation: 'delete', text: object.text, reason: 'Returned by the customer' }], {
      ...writing,
      credentials: await writingRights(change, account),
    });
  await change.note({ resource: assignment.resource });
}

class Trial extends Error {}

/** One row of a file as it was read: its facts, or why it can't be read. */
export type FileRow = { line: number; read: NewCustomerAssignment | null; problem: string | null };

/** Registers the rows of a CSV file, all or none; every row is checked as if those before it were done, and its errors are reported. */
export async function importAssignments(
  change: Change,
  account: AdmittedAccount,
  { csv, dryRun, reuse }: BodyOf<typeof whoisCustomers.importAssignments>,
  writing: Writing,
): Promise<AnswerOf<typeof whoisCustomers.importAssignments>> {
  const rows = readRows(csv);
  const { stored, problems } = await registerRows(change, account, rows, { ...writing, dryRun, reuse });
  await change.note({ rows: rows.length, stored });
  return {
    stored,
    rows: rows.map(({ line, given }, place) => ({
      line,
      resource: given['range'] ?? '',
      netname: given['netname'] ?? '',
      visibility: given['visibility'] || 'private',
      problem: problems[place]!,
    })),
  };
}

/**
 * Registers assignments, all or none. Answers what stands against each.
 * @param onRegistered what else belongs to a registration, by its place among the rows; a Failure of it is a problem of the row
 */
export async function registerRows(
  change: Change,
  account: AdmittedAccount,
  rows: readonly FileRow[],
  { dryRun, reuse, ...writing }: Writing & { dryRun: boolean; reuse: boolean },
  onRegistered: (place: number, assignmentId: string) => Promise<void> = async () => {},
): Promise<{ stored: boolean; problems: (string | null)[] }> {
  const problems = rows.map(({ problem }) => problem);
  if (rows.some(({ read: facts }) => facts?.visibility === 'public')) await lockWhois(change);
  const resting = reuse ? [] : await listRestingSpace(change, account.accountName);
  const attempt = async (): Promise<boolean> => {
    const publics: { place: number; assignment: Assignment; facts: Facts }[] = [];
    for (const [place, { read: facts }] of rows.entries()) {
      if (facts === null) continue;
      try {
        const id = await change.attempt(async () => {
          const assignmentId = await register(change, account, facts, resting, writing.portable);
          await onRegistered(place, assignmentId);
          return assignmentId;
        });
        if (facts.visibility === 'public')
          publics.push({ place, assignment: await readAssignment(change, account.accountName, id), facts });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        problems[place] = error.message;
      }
    }
    if (publics.length > 0) {
      const credentials = await writingRights(change, account);
      const updates: WhoisUpdate[] = [];
      for (const { assignment, facts } of publics)
        updates.push({ operation: 'create', text: await textOf(change, account, assignment, facts, credentials, writing.profile) });
      const outcomes = await submitForAccount(change, account, updates, {
        ...writing,
        credentials,
        mode: 'best-effort',
        dryRun,
        exception: 'registered',
      });
      for (const [index, outcome] of outcomes.entries())
        if (outcome.state === 'failed') problems[publics[index]!.place] ??= errorsOf(outcome);
    }
    if (dryRun || problems.some(problem => problem !== null)) throw new Trial();
    return true;
  };
  const stored = await change.attempt(attempt).catch((error: unknown) => {
    if (error instanceof Trial) return false;
    throw error;
  });
  return { stored, problems };
}

type CsvRow = { line: number; given: Record<string, string>; read: NewCustomerAssignment | null; problem: string | null };

/** @throws Failure INVALID_REQUEST when the file has no rows, too many, or a head that is not ours. */
function readRows(csv: string): CsvRow[] {
  const { rows, problem } = cellsOf(csv);
  if (problem !== null) throw refuse('INVALID_REQUEST', { detail: problem });
  const [head, ...lines] = rows;
  const names = (head?.cells ?? []).map(cell => cell.trim().toLowerCase());
  const missing = ['range', 'netname'].filter(name => !names.includes(name));
  const unknown = names.filter(name => !(assignmentColumns as readonly string[]).includes(name));
  if (missing.length > 0 || unknown.length > 0)
    throw refuse('INVALID_REQUEST', {
      detail: `the first line must list the columns ${assignmentColumns.join(', ')}${unknown.length > 0 ? `. Found: ${unknown.join(', ')}` : `; ${missing.join(' and ')} is missing`}`,
    });
  if (lines.length === 0) throw refuse('INVALID_REQUEST', { detail: 'there are no rows below the header' });
  if (lines.length > maxImportedAssignments)
    throw refuse('INVALID_REQUEST', { detail: `there are ${lines.length} rows. Send at most ${maxImportedAssignments} at a time` });
  return lines.map(({ cells, line }): CsvRow => {
    const given = Object.fromEntries(names.map((name, place) => [name, (cells[place] ?? '').trim().replace(/^'(?=[=+@-])/, '')]));
    const { range: resource, kind, visibility, ...rest } = given;
    const parsed = NewCustomerAssignment.safeParse({
      ...rest,
      resource,
      type: (kind || 'assigned').toLowerCase(),
      visibility: (visibility || 'private').toLowerCase(),
    });
    if (parsed.success) return { line, given, read: parsed.data, problem: null };
    return { line, given, read: null, problem: parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
  });
}

async function objectAt(
  read: Pick<Read, 'rows'>,
  { kind, first, last }: Pick<Assignment, 'kind' | 'first' | 'last'>,
): Promise<StoredObject | null> {
  const [row] =
    await read.rows<StoredObject>(sql`select * from whois_object where class in ('inetnum', 'inet6num') and class = ${classOf(kind)}
    and first = ${first}::inet and last = ${last}::inet`);
  return row ?? null;
}

/** The object of a public assignment: what was asked for, else what the smallest network around it names. */
async function textOf(
  read: Pick<Read, 'rows'>,
  account: AdmittedAccount,
  assignment: Assignment,
  facts: Facts,
  credentials: Credentials,
  profile: Profile,
): Promise<string> {
  const { kind, first, last, resource, type, netname } = assignment;
  const [around] = await read.rows<StoredObject & { principal: string | null; economy: string | null }>(sql`
    select o.*, (select maintainer from maintainer_link where account_name = ${account.accountName} and principal) as principal,
      (select economy from account where account_name = ${account.accountName}) as economy
    from (select * from whois_object where class in ('inetnum', 'inet6num') and inet_merge(first, last) >>= ${first}::inet offset 0) o
    where o.first <= ${first}::inet and o.last >= ${last}::inet order by o.first desc, o.last limit 1`);
  if (!around) throw refuse('INVALID_REQUEST', { detail: `the parent whois object of ${resource} isn’t there yet. Try again in a minute` });
  const parent = objectOfRow(around);
  const maintainer =
    facts.maintainer ||
    (around.principal !== null && credentials.maintainers.has(around.principal) ? around.principal : [...credentials.maintainers][0]);
  if (!maintainer)
    throw refuse('INVALID_REQUEST', {
      detail: `${account.accountName} has no maintainer you can use, so assignments can’t be public. Create a maintainer first`,
    });
  const named = (attribute: string, given: string | undefined): [string, string][] =>
    (given ? [given] : valuesOf(parent, attribute).slice(0, 1)).map(value => [attribute, value]);
  const description = orNull(facts.description) ?? orNull(facts.customer) ?? netname;
  return formatObject(
    objectOf([
      [classOf(kind), kind === 'ipv4' ? `${first} - ${last}` : resource],
      ['netname', netname],
      ['descr', description],
      ['country', orNull(facts.economy) ?? [valueOf(parent, 'country'), around.economy].find(code => code && isCountryCode(code)) ?? 'ZZ'],
      ...named('admin-c', facts.adminC),
      ...named('tech-c', facts.techC),
      ['status', `${type.toUpperCase()} ${assignment.portable ? 'PORTABLE' : 'NON-PORTABLE'}`],
      ['mnt-by', maintainer.toUpperCase()],
      ...named('mnt-irt', facts.irt),
      ['source', profile.source],
    ]),
  );
}

/** Its netname, description, economy and contacts as they are now; what else its maintainers wrote stays. */
function changedText(row: StoredObject, before: Assignment | null, facts: Facts): string {
  const set = (object: RpslObject, name: string, value: string): RpslObject => {
    let done = false;
    return {
      ...object,
      attributes: object.attributes.map(each => {
        if (each.name !== name || done) return each;
        done = true;
        return objectOf([[name, value]]).attributes[0]!;
      }),
    };
  };
  let object = parseObject(row.text).object ?? objectOfRow(row);
  object = set(object, 'netname', facts.netname);
  const words = orNull(facts.description) ?? orNull(facts.customer);
  const had = before && (before.description ?? before.customer);
  if (words !== had && words !== null) object = set(object, 'descr', words);
  if (facts.economy !== '') object = set(object, 'country', facts.economy);
  if (facts.adminC) object = set(object, 'admin-c', facts.adminC);
  if (facts.techC) object = set(object, 'tech-c', facts.techC);
  if (facts.irt) object = set(object, 'mnt-irt', facts.irt);
  return formatObject(object);
}

/** @throws Failure INVALID_REQUEST with all that whois has against it; nothing of the change stays. */
async function store(
  change: Change,
  account: AdmittedAccount,
  updates: readonly WhoisUpdate[],
  writing: Writing & { credentials: Credentials; dryRun?: boolean },
): Promise<WhoisOutcome[]> {
  const outcomes = await submitForAccount(change, account, updates, { ...writing, mode: 'atomic', exception: 'registered' });
  const failed = outcomes.find(({ state }) => state === 'failed');
  if (failed) throw refuse('INVALID_REQUEST', { detail: `whois refuses ${failed.shown}: ${errorsOf(failed)}` });
  return outcomes;
}
