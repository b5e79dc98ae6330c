import { valuesOf } from '@portal/rpsl';
import type { Change } from '../../../platform/database/index.ts';
import { FreshFactorNeeded } from '../../../platform/http/endpoints.ts';
import { objectOfRow } from '../objects/object-facts.ts';
import { shownText } from '../objects/shown-text.ts';
import { identityOf, readText } from '../submit/syntax.ts';
import type { WhoisUpdate } from '../submit/update.ts';
import { findObjects } from '../submit/submission-view.ts';

const hasCredentials = /^\s*(?:mntner|irt|\*mt|\*it)\s*:/im;
const authOf = (object: Parameters<typeof valuesOf>[0]): string =>
  valuesOf(object, 'auth')
    .map(value => value.toUpperCase())
    .toSorted()
    .join('\n');

/**
 * Requires a fresh second factor to create a maintainer or change the credentials of one or of an irt, and refuses it while a login cools down (S24, S27).
 * @throws {FreshFactorNeeded}
 */
export async function admitCredentialChange(change: Change, updates: readonly WhoisUpdate[], isFresh: boolean): Promise<void> {
  if (isFresh) return;
  const given = updates.flatMap(({ operation, text }) => {
    const { object, deletes } = operation === 'delete' || !hasCredentials.test(text) ? { object: null, deletes: null } : readText(text);
    const identity = object && identityOf(object);
    return object && identity && deletes === null && ['mntner', 'irt'].includes(object.class) ? [{ object, identity }] : [];
  });
  if (given.length === 0) return;
  const rows = await findObjects(
    change,
    given.map(({ identity }) => identity),
  );
  const stored = new Map(rows.map(row => [`${row.class} ${row.key}`, authOf(objectOfRow({ ...row, text: shownText(row.text) }))]));
  for (const { object, identity } of given) {
    const before = stored.get(`${identity.class} ${identity.key}`);
    if (before === undefined ? object.class === 'mntner' : before !== authOf(object)) throw new FreshFactorNeeded();
  }
}
