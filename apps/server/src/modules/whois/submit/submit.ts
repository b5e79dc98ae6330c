import { firstProblems, isBeyondLimits, type RpslObject } from '@portal/rpsl';
import { breathing } from '../../../platform/breathing.ts';
import type { Change } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { checkAuthorisation } from './authorisation.ts';
import { MAILS_A_DAY, type ObjectNotice, notifyAboutChanges } from './change-notices.ts';
import { notifyOrigins } from './origin-notices.ts';
import { assignHandles } from '../store/handles.ts';
import { lockWhois } from '../store/lock.ts';
import { findLocked } from './locked-space.ts';
import { findRestricted } from './restricted-space.ts';
import { maintainersIn, objectOfRow, objectOfRowInTurns } from '../store/object-facts.ts';
import { checkReferences } from './references.ts';
import { findRegisteredOtherwise } from './register-findings.ts';
import { checkRules, sameObject } from './rules.ts';
import { shownText, textForOthers } from '../store/shown-text.ts';
import { storeObjects, textToStore } from '../store/store.ts';
import { identityOf, isBare, mayCreate, type Read, readUpdate, readUpdates } from '../store/syntax.ts';
import { judgeSyntax, wordsOf } from './large-objects.ts';
import {
  type Credentials,
  isError,
  type Item,
  problem,
  type StoredObject,
  type WhoisOutcome,
  type WhoisProblem,
  type WhoisUpdate,
} from '../store/update.ts';
import { findObjects } from '../store/stored-objects.ts';
import { openSubmissionView } from '../store/submission-view.ts';
import { newBeyond } from './write-limits.ts';

export type SubmitOptions = {
  credentials: Credentials;
  /** `atomic`: all or nothing; `best-effort`: whatever is valid. */
  mode: 'atomic' | 'best-effort';
  /** Everything is done and rolled back. */
  dryRun?: boolean;
  profile: Profile;
  /** True if the addresses that objects name are notified; the parts of a task notify at its end. */
  sendNotices?: boolean;
  /** The account whose register of assignments follows (`ledger-of-outcomes.ts`): its networks have to fit there too. */
  register?: string;
  /** Maximum number of objects of an account; new ones beyond it fail. */
  most?: { accountName: string; objects: number };
};

class RolledBack extends Error {
  outcomes: WhoisOutcome[];
  constructor(outcomes: WhoisOutcome[]) {
    super('undone');
    this.outcomes = outcomes;
  }
}

/**
 * Changes whois objects: syntax → references → authorisation → rules → store. The updates see each other: in any order, children with their parents,
 * a person with the maintainer that maintains it. Every update gets its outcome with all findings, not only the first. An object
 * that occurs twice is changed twice, in the order given.
 */
export async function submit(change: Change, updates: readonly WhoisUpdate[], options: SubmitOptions): Promise<WhoisOutcome[]> {
  const { mode, dryRun = false, sendNotices = true, profile } = options;
  if (!dryRun) await lockWhois(change);
  let outcomes: WhoisOutcome[];
  try {
    outcomes = await change.attempt(async () => {
      const done = await perform(change, updates, options);
      if (dryRun || (mode === 'atomic' && done.some(({ state }) => state === 'failed'))) throw new RolledBack(done);
      return done;
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    outcomes = error.outcomes;
    if (mode === 'atomic' && outcomes.some(({ state }) => state === 'failed'))
      for (const outcome of outcomes)
        if (outcome.state === 'ok') Object.assign(outcome, { state: 'skipped', done: null, afterVersion: null });
  }
  if (sendNotices && !dryRun) {
    const leftOut = await notifyAboutChanges(change, notificationsOf(outcomes), { who: options.credentials.who, profile });
    if (leftOut > 0) outcomes.find(({ done }) => done !== null)?.problems.push(notAllNotified(leftOut));
    if (profile.routeConsent === 'notify') await notifyOrigins(change, outcomes, options);
  }
  return outcomes;
}

/** The remark on addresses of changed objects that no mail goes to. */
const notAllNotified = (addresses: number): WhoisProblem => ({
  severity: 'info',
  code: 'notices-left-out',
  attribute: null,
  line: null,
  message: `${addresses} of the addresses to notify get no mail: the account has caused ${MAILS_A_DAY} of these mails today`,
});

/** Returns the notices for the people named in objects. */
const notificationsOf = (outcomes: readonly WhoisOutcome[]): ObjectNotice[] =>
  outcomes.flatMap(({ state, done, class: objectClass, shown, before, after, problems }): ObjectNotice[] => {
    if (state === 'ok' && done !== null) return [{ done, class: objectClass, shown, before, after, refusals: [] }];
    const refusals = problems.filter(each => isError(each) && each.maintainers !== undefined);
    return state === 'failed' && refusals.length > 0 ? [{ done: null, class: objectClass, shown, before, after, refusals }] : [];
  });

const none = { done: null, beforeVersion: null, afterVersion: null, before: null } as const;

async function perform(
  change: Change,
  updates: readonly WhoisUpdate[],
  { credentials, profile, dryRun, register, most }: SubmitOptions,
): Promise<WhoisOutcome[]> {
  const outcomes: WhoisOutcome[] = [];
  const reads: Read[] = [];
  const breathe = breathing();
  await readUpdates(updates);
  for (const update of updates) {
    const read = readUpdate(update);
    reads.push({ ...read, problems: [...read.problems] });
    await breathe();
  }
  const objects = reads.map(({ object }) => object);
  const ambiguous = await assignHandles(
    change,
    objects,
    updates.map((update, index) => mayCreate(update) && reads[index]!.deletes === null),
    profile,
  );
  for (const [index, handle] of ambiguous) {
    const message = `${handle} is used more than once. Give each its own number, such as AUTO-2`;
    reads[index]!.problems.push(problem(objects[index]!, 'handle-twice', message));
  }

  // First occurrences of objects, second occurrences, and so on: each wave is stored before the next is checked.
  const waves: number[][] = [];
  const seen = new Map<string, number>();
  for (const [index, object] of objects.entries()) {
    await breathe();
    const identity = object && identityOf(object);
    if (!object || !identity) {
      outcomes[index] = await unreadable(object, updates[index]!, reads[index]!, { profile, sender: credentials.who });
      continue;
    }
    const id = `${identity.class} ${identity.key}`;
    const wave = seen.get(id) ?? 0;
    seen.set(id, wave + 1);
    (waves[wave] ??= []).push(index);
  }
  // A rehearsal of one wave writes nothing, so it blocks nothing.
  const stores = !dryRun || waves.length > 1;
  if (dryRun && stores) await lockWhois(change);
  for (const wave of waves) {
    const identities: { class: string; key: string; shown: string }[] = [];
    for (const index of wave) {
      identities.push(identityOf(objects[index]!)!);
      await breathe();
    }
    const stored = new Map((await findObjects(change, identities)).map(row => [`${row.class} ${row.key}`, row]));
    const items: Item[] = [];
    for (const [place, index] of wave.entries()) {
      const identity = identities[place]!;
      const row = stored.get(`${identity.class} ${identity.key}`) ?? null;
      const sent: Sent = { index, update: updates[index]!, read: reads[index]!, object: objects[index]!, identity };
      items.push(await itemOf(sent, row, { profile, sender: credentials.who, breathe }));
      await breathe();
    }
    const right = items.filter(({ alive }) => alive);
    const beyond = most && (await newBeyond(change, most, credentials));
    const ofAll: ChecksOfAll = [
      () => findLocked(change, right, credentials),
      () => findRestricted(change, right, credentials, profile),
      ...(register === undefined ? [] : [() => findRegisteredOtherwise(change, right, register)]),
      ...(beyond ? [() => beyond(items)] : []),
    ];
    await resolveReferences(change, items, { credentials, profile, ofAll });
    const writes = items.filter(({ alive, unchanged }) => alive && !unchanged);
    const rows = writes.map(({ operation, class: objectClass, key, shown, object, stored: row, update }) => ({
      operation,
      class: objectClass,
      key,
      shown,
      object,
      stored: row,
      reason: update.reason ?? '',
    }));
    const written = stores ? await storeObjects(change, rows, profile) : [];
    if (!stores)
      for (const row of rows) {
        written.push({ version: (row.stored?.version ?? 0) + 1, text: textToStore(row.object, change.now) });
        await breathe();
      }
    const writtenOf = new Map(writes.map((item, place) => [item, written[place]]));
    for (const item of items) {
      outcomes[item.index] = outcomeOf(item, writtenOf.get(item), credentials);
      await breathe();
    }
  }
  return outcomes;
}

async function unreadable(
  object: RpslObject | null,
  update: WhoisUpdate,
  { problems }: Read,
  judge: { profile: Profile; sender: string },
): Promise<WhoisOutcome> {
  const found = object ? [...problems, ...(await judgeSyntax(object, 'create', judge)).problems] : problems;
  const all = found.some(isError) || !object ? found : [...found, problem(object, 'no-key', 'This object has no primary key')];
  return {
    ...none,
    state: 'failed',
    class: object?.class ?? '',
    key: '',
    shown: object?.attributes[0]?.value ?? '',
    after: update.text,
    problems: firstProblems(all),
  };
}

/** An update with what was read of its text, its handles given. */
type Sent = { index: number; update: WhoisUpdate; read: Read; object: RpslObject; identity: { class: string; key: string; shown: string } };

/** An update with what its text and the stored object say of it. */
async function itemOf(
  { index, update, read: { deletes, problems }, object, identity }: Sent,
  stored: StoredObject | null,
  { profile, sender, breathe }: { profile: Profile; sender: string; breathe: () => Promise<void> },
): Promise<Item> {
  const isDelete = update.operation === 'delete' || deletes !== null;
  const operation = isDelete ? 'delete' : stored ? 'modify' : 'create';
  const found: WhoisProblem[] = [...problems];
  const refuse = (code: string, message: string): void => {
    found.push(problem(object, code, message));
  };
  if (update.refused) refuse(update.refused.code, update.refused.message);
  const before = stored && (await objectOfRowInTurns(stored, breathe));
  let result = object;
  if (operation === 'delete') {
    if (!before) refuse('not-there', `There is no ${identity.class} ${identity.shown}`);
    else {
      if (!isBare(object) && (await wordsOf(object, sender)) !== (await wordsOf(before, sender)))
        refuse('delete-differs', `This isn’t the current text of ${identity.shown}. Use the current text to delete it`);
      result = before;
    }
  } else {
    if (update.operation === 'create' && stored) refuse('exists', `${identity.shown} already exists. Change it instead`);
    if (update.operation === 'modify' && !stored) refuse('not-there', `There is no ${identity.class} ${identity.shown}. Create it instead`);
    const checked = await judgeSyntax(object, stored ? 'modify' : 'create', { profile, sender });
    result = checked.object;
    found.push(...checked.problems);
  }
  if (update.of && (update.of.class !== identity.class || update.of.key !== identity.key))
    refuse('key-changed', 'A primary key can’t be changed. Create an object with the new key, then delete this one');
  if (update.expectedVersion != null && stored && stored.version !== update.expectedVersion)
    refuse(
      'changed-meanwhile',
      `Someone else changed ${identity.shown}: it’s now version ${stored.version}, and you started with ${update.expectedVersion}`,
    );
  const reason = update.reason || deletes || '';
  const failed = found.some(isError);
  await breathe();
  const unchanged = !failed && operation === 'modify' && sameObject(before!, result);
  await breathe();
  return {
    ...identity,
    index,
    update: { ...update, reason },
    object: result,
    operation,
    stored,
    alive: !failed,
    isBeyondLimits: isBeyondLimits(found),
    unchanged,
    problems: found,
  };
}

/** Checks that look at all items together; asked again, with who is left, after each that finds something. */
type ChecksOfAll = readonly (() => Finding[] | Promise<Finding[]>)[];
type Finding = { item: Item; problem: WhoisProblem };

/**
 * Checks every update as if all others succeeded, deletions first; those that relied on a failed one are checked again, until nothing
 * more fails. So neither the order nor the direction of references matters.
 */
async function resolveReferences(
  change: Change,
  items: readonly Item[],
  { credentials, profile, ofAll }: { credentials: Credentials; profile: Profile; ofAll: ChecksOfAll },
): Promise<void> {
  const judged = items.filter(item => !item.isBeyondLimits);
  const view = await openSubmissionView(change, judged, { byRegistry: credentials.registry });
  const own = new Map(items.map(item => [item, item.problems]));
  const breathe = breathing();
  let waiting = new Set([...judged].sort((a, b) => Number(b.operation === 'delete') - Number(a.operation === 'delete')));
  const dependentOn = (failed: readonly Item[]): Item[] =>
    failed.flatMap(item => [...view.dependentsOf(item)].filter(({ alive }) => alive));
  for (;;) {
    while (waiting.size > 0) {
      const failed: Item[] = [];
      for (const item of waiting) {
        if (item.unchanged || (item.operation === 'delete' && !item.stored)) continue;
        const wasAlive = item.alive;
        const found = [...own.get(item)!, ...checkReferences(item, view)];
        await breathe();
        found.push(...checkAuthorisation(item, view, credentials, profile));
        await breathe();
        item.problems = [...found, ...checkRules(item, { view, credentials, profile })];
        item.alive = wasAlive && !item.problems.some(isError);
        if (wasAlive && !item.alive) failed.push(item);
        await breathe();
      }
      waiting = new Set(dependentOn(failed));
    }
    const failed = await failTogether(ofAll, own);
    if (failed.length === 0) return;
    waiting = new Set(dependentOn(failed));
  }
}

/** Runs each check over all items until one makes valid items fail, and returns those. */
async function failTogether(checks: ChecksOfAll, own: Map<Item, WhoisProblem[]>): Promise<Item[]> {
  for (const check of checks) {
    const failed: Item[] = [];
    for (const { item, problem: found } of await check()) {
      if (own.get(item)!.some(({ code }) => code === found.code)) continue;
      own.set(item, [...own.get(item)!, found]);
      item.problems = [...item.problems, found];
      if (item.alive) failed.push(item);
      item.alive = false;
    }
    if (failed.length > 0) return failed;
  }
  return [];
}

/** Whether who sends an update reads all of the object that is stored: it passed, or it is the registry's or a maintainer's own. */
const readsAll = ({ alive, stored }: Item, { registry, maintainers }: Credentials): boolean =>
  alive || registry || maintainersIn(objectOfRow(stored!), 'mnt-by').some(each => maintainers.has(each));

function outcomeOf(item: Item, written: { version: number; text: string } | undefined, credentials: Credentials): WhoisOutcome {
  const { class: objectClass, key, shown, stored, operation, unchanged, alive, update } = item;
  const problems = firstProblems(item.problems);
  // An update that was refused shows of another's object what anyone may read.
  const before = stored && (readsAll(item, credentials) ? shownText : textForOthers)(stored.text);
  const same = { class: objectClass, key, shown, beforeVersion: stored?.version ?? null, before, problems };
  if (unchanged) return { ...same, state: 'unchanged', done: null, afterVersion: stored!.version, after: before };
  if (!alive) return { ...same, state: 'failed', done: null, afterVersion: null, after: operation === 'delete' ? null : update.text };
  return {
    ...same,
    state: 'ok',
    done: operation,
    afterVersion: written!.version,
    after: operation === 'delete' ? null : shownText(written!.text),
  };
}
