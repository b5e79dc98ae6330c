import type { AnswerOf } from '@portal/contract';
import { HOUR_MS } from '@portal/contract/days';
import {
  massDeletion,
  type RouteChangeDetails,
  type RouteChangeItem,
  type RouteChangeRow,
  type RouteChanges,
  type SavedRouteChanges,
  type RouteCheck,
  type routes,
  undoHours,
} from '@portal/contract/routes/routes';
import { printAsNumber } from '@portal/number-resources';
import { breathing } from '../../platform/breathing.ts';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseFields, refuseWithCurrent } from '../../platform/failure.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { readApart, senderOf } from '../../platform/reading-apart.ts';
import { changeRoas, printRoa } from '../rpki/index.ts';
import { askForConsent, errorsOf, submitForAccount, withdrawConsent } from '../whois/index.ts';
import { type AccountRoutes, accountRoutes } from './account-routes.ts';
import type { ReadImport } from './import-lines.ts';
import type { read as readLines } from './import-lines-thread.ts';
import { type Intent, isSame, readIntents } from './intents.ts';
import { planRoutes, type RoutePlan, type Writing } from './route-plan.ts';
import { keyOf, lockList, storeRoutes } from './route-rows.ts';
import { changesSince, oppositeOf, readChange, recordChange } from './saved-changes.ts';
import { announceRoutes } from './change-notices.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { PolicyAndSettings } from '../../platform/registry.ts';

const writingOf = ({ profile, config }: PolicyAndSettings): Writing => ({ profile, limits: config });

const textApart = readApart<typeof readLines>(new URL('./import-lines-thread.ts', import.meta.url));

/** Reads the text of a change in the thread for texts. @param sender whose turn it is */
export async function linesApart(sender: string, { text }: Pick<RouteChanges, 'text'>): Promise<ReadImport> {
  if (text.trim() === '') return { lines: [], problems: [] };
  const { portions } = await textApart(sender, text, 'text');
  return {
    lines: portions.flatMap(portion => ('lines' in portion ? portion.lines : [])),
    problems: portions.flatMap(portion => ('problems' in portion ? portion.problems : [])),
  };
}

/** Reads the text of a call. */
export const linesOf = (act: Parameters<typeof senderOf>[0] & { body: Pick<RouteChanges, 'text'> }): Promise<ReadImport> =>
  linesApart(senderOf(act), act.body);

/** Rehearses a change: its effects and its problems. @throws Failure ACCOUNT_SUSPENDED, ACCOUNT_RESTRICTED_IRT, TOO_MANY_OBJECTS */
export async function checkRoutes(
  { change, account, body, registry }: Act<typeof routes.checkRoutes>,
  imported: ReadImport,
): Promise<RouteCheck> {
  const writing = writingOf(registry);
  const now = await accountRoutes(change, account.accountName);
  return (await planRoutes(change, account, now, await readIntents(body, imported, now), writing)).check;
}

/**
 * Saves a change of routes: rows, ROAs, route objects and requests for consent in one transaction.
 * @throws Failure STALE with the changes, INVALID_REQUEST with a problem for each wrong entry, ROUTES_INVALIDATE, ROUTE_COUNT_WRONG, NOTHING_TO_DO,
 * and those of the ROAs and of whois
 */
export async function saveRoutes(
  {
    change,
    account,
    body: { version, invalidating, removing, ...body },
    registry,
  }: { change: Change; account: AdmittedAccount; body: SavedRouteChanges; registry: PolicyAndSettings },
  imported: ReadImport,
): Promise<RouteChangeDetails> {
  const writing = writingOf(registry);
  const { accountName } = account;
  const list = await lockList(change, accountName);
  const now = await accountRoutes(change, accountName);
  if (version !== now.version) throw await staleOf(change, accountName, version, now);
  const plan = await planRoutes(change, account, now, await readIntents(body, imported, now), writing);
  refuseProblems(plan);
  if (plan.intents.length === 0) throw refuse('NOTHING_TO_DO', { why: 'the routes are as they are meant to be' });
  const { counts } = plan.check;
  if (counts.removed >= massDeletion && removing !== counts.removed) throw refuse('ROUTE_COUNT_WRONG', { count: String(counts.removed) });
  const kind = body.text.trim() !== '' ? 'import' : counts.routes > 0 && body.adopt.length === counts.routes ? 'adopt' : 'save';
  return carryOut(change, account, now, plan, { kind, version: list + 1, undoes: null, invalidating }, writing);
}

/** Refuses a change with problems, naming each place: `add.3.prefix`, `text.17`. */
function refuseProblems({ check: { problems } }: RoutePlan): void {
  if (problems.length > 0)
    throw refuseFields(
      problems.map(({ list, index, field, route, problem }) => ({
        field: [list, index, ...(field === null ? [] : [field])].join('.'),
        message: list === 'text' ? `Line ${index}${route === '' ? '' : ` (${route})`}: ${problem}` : problem,
      })),
    );
}

/** The refusal of an outdated page: the present version, and the changes since, newest first. */
async function staleOf(change: Change, accountName: string, seen: string, now: AccountRoutes) {
  const list = Number(seen.split('-')[0]);
  const changes = Number.isInteger(list) ? await changesSince(change, accountName, list) : [];
  return refuseWithCurrent({ version: now.version, changes }, 'STALE', {
    what: changes.length > 0 ? `the routes (${changes[0]!.madeBy}: ${changes[0]!.summary})` : 'the ROAs of this account',
  });
}

/** Carries out a plan, and announces it. */
async function carryOut(
  change: Change,
  account: AdmittedAccount,
  now: AccountRoutes,
  plan: RoutePlan,
  { invalidating, ...of }: { kind: RouteChangeRow['kind']; version: number; undoes: string | null; invalidating: number | undefined },
  { profile, limits }: Writing,
): Promise<RouteChangeDetails> {
  const { accountName, contactId } = account;
  const { intents, roas, updates, waiting, withdrawn, credentials } = plan;
  const breathe = breathing();
  const results = new Map<Intent, RouteChangeItem['results']>(intents.map(intent => [intent, []]));
  const note = (intent: Intent, object: string, done: RouteChangeItem['results'][number]['done'], consentId: number | null = null) =>
    results.get(intent)!.push({ object, done, consentId });

  if (roas.add.length + roas.remove.length > 0)
    await changeRoas(
      change,
      account,
      {
        add: roas.add,
        remove: roas.remove,
        version: now.authorityVersion!,
        // The number of removed ROAs follows from the removed routes, whose number was typed.
        removing: roas.remove.length,
      },
      { invalidating },
    );
  for (const [intent, done] of roas.added) {
    const facts = (intent.after ?? intent.before)!;
    if (done !== 'keep') note(intent, `ROA ${printRoa(facts)}`, done === 'add' ? 'added' : done === 'replace' ? 'changed' : 'removed');
    else if (intent.action === 'adopt') note(intent, `ROA ${printRoa(facts)}`, 'adopted');
    await breathe();
  }

  await breathe();
  await storeRoutes(change, accountName, {
    added: intents.flatMap(({ before, after }) => (after && !before ? [after] : [])),
    changed: intents.flatMap(({ before, after }) => (before && after ? [{ ...after, routeId: before.routeId }] : [])),
    removed: intents.flatMap(({ before, after }) => (before && !after ? [before.routeId] : [])),
  });

  for (const consentId of withdrawn) await withdrawConsent({ change, account, params: { consentId: String(consentId) } });
  if (updates.length > 0) {
    const outcomes = await submitForAccount(
      change,
      account,
      updates.map(({ update }) => update),
      { credentials, mode: 'atomic', profile, limits },
    );
    const failed = outcomes.findIndex(({ state }) => state === 'failed');
    if (failed >= 0)
      throw refuseFields([{ field: 'whois', message: `Whois refuses ${updates[failed]!.shown}: ${errorsOf(outcomes[failed]!)}` }]);
    for (const { intent, shown, done } of updates)
      note(intent, shown, done === 'create' ? 'added' : done === 'modify' ? 'changed' : 'removed');
  }
  for (const { maintainers, updates: some } of waiting) {
    const text = some.map(({ update }) => update.text).join('\n');
    const { consent } = await askForConsent({ change, account, body: { text }, registry: { profile, config: limits } });
    if (!consent)
      throw refuseFields([
        { field: 'whois', message: `${some[0]!.shown} needs the consent of ${maintainers.join(' or ')}, and can’t wait for it` },
      ]);
    for (const { intent, shown } of some) note(intent, shown, 'waits', consent.consentId);
  }
  for (const intent of intents)
    if (intent.action === 'adopt' && intent.after?.whois)
      note(intent, `route object ${intent.after.prefix} ${printAsNumber(intent.after.asn)}`, 'adopted');

  const items: RouteChangeItem[] = [];
  for (const intent of intents) {
    const facts = intent.before && (({ routeId: _id, changedAt: _at, ...rest }) => rest)(intent.before);
    items.push({ action: intent.action, before: facts, after: intent.after, results: results.get(intent)! });
    await breathe();
  }
  const saved = await recordChange(change, { accountName, contactId, madeBy: credentials.who.replace(/ of \S+$/, ''), ...of }, items);
  await announceRoutes(change, account, saved, items);
  return saved;
}

/**
 * Undoes a change within a day: additions are removed, deletions restored, and changes reverted. Refused if one of its routes was changed since.
 * @throws Failure NOT_FOUND, ALREADY_RESOLVED, UNDO_TOO_LATE, ROUTES_CHANGED_SINCE and those of `saveRoutes`
 */
export async function undoChange({
  change,
  account,
  params: { changeId },
  body: { invalidating },
  registry,
}: Act<typeof routes.undoChange>): Promise<AnswerOf<typeof routes.undoChange>> {
  const writing = writingOf(registry);
  const { accountName } = account;
  const list = await lockList(change, accountName);
  const undone = await readChange(change, { accountName, changeId, now: new Date(change.now) });
  if (undone.undoneBy !== null) throw refuse('ALREADY_RESOLVED', { what: 'This change' });
  if (Date.parse(change.now) - Date.parse(undone.madeAt) > undoHours * HOUR_MS) throw refuse('UNDO_TOO_LATE', { hours: String(undoHours) });
  const now = await accountRoutes(change, accountName);
  const byKey = new Map(now.kept.map(route => [keyOf(route), route]));
  const intents: Intent[] = [];
  const breathe = breathing();
  for (const [index, { was, becomes, isAdoption }] of (await oppositeOf(change, changeId)).entries()) {
    const { prefix, asn } = (was ?? becomes)!;
    const before = byKey.get(keyOf({ prefix, asn })) ?? null;
    const isAsLeft = was === null ? before === null : before !== null && isSame(before, was);
    if (!isAsLeft) throw refuse('ROUTES_CHANGED_SINCE', { route: `${prefix} ${printAsNumber(asn)}` });
    intents.push({
      list: 'change',
      index,
      action: becomes === null ? 'remove' : before === null ? 'add' : 'change',
      before,
      after: becomes,
      // Adopted objects are released, and stay.
      ...(isAdoption && { keepRoa: true, keepObjects: true }),
      rewrites: true,
    });
    await breathe();
  }
  const plan = await planRoutes(change, account, now, { intents, problems: [], unchanged: 0 }, writing);
  refuseProblems(plan);
  return carryOut(change, account, now, plan, { kind: 'undo', version: list + 1, undoes: changeId, invalidating }, writing);
}
