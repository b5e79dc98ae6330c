import { withoutAuthSecrets } from '@portal/contract/whois/auth-secrets';
import {
  attributeOf,
  checkObject,
  firstProblems,
  lengthProblem,
  normalise,
  objectsOfText,
  ordersOfText,
  parseObjectInTurns,
  primaryKey,
  type RpslObject,
  type RpslProblem,
  valueOf,
  withoutMark,
} from '@portal/rpsl';
import { breathing, inTurns } from '../../../platform/breathing.ts';
import type { Profile } from '../../../profile.ts';
import { refuseField } from '../../../platform/failure.ts';
import { certificateOf } from './key-certificate.ts';
import type { WhoisProblem, WhoisUpdate } from './update.ts';

/** A text after the first step. */
export type Read = {
  object: RpslObject | null;
  /** `delete: <reason>` in the text asks for a deletion and says why. */
  deletes: string | null;
  problems: WhoisProblem[];
};

/** Parses one text: the object, without pseudo-attributes such as `delete:`. */
export function readText(text: string): Read {
  const reading = readingText(text);
  for (;;) {
    const turn = reading.next();
    if (turn.done) return turn.value;
  }
}

/** The same, stopping where others may have their turn. */
function* readingText(text: string): Generator<void, Read, void> {
  const tooLong = lengthProblem(text);
  if (tooLong) return { object: null, deletes: null, problems: [tooLong] };
  const { object, problems } = yield* parseObjectInTurns(withoutMark(text));
  if (!object) return { object: null, deletes: null, problems: problems.length > 0 ? [...problems] : [noObject] };
  const orders = object.attributes.filter(({ name }) => name === 'delete');
  const attributes = object.attributes.filter(({ name }) => !pseudo.has(name));
  const secrets = object.attributes.some(({ name }) => name === 'password' || name === 'override');
  const first = attributes[0];
  return {
    object: first ? { ...object, class: first.name, attributes } : null,
    deletes: orders[0]?.value ?? null,
    problems: [
      ...firstProblems(problems),
      ...(first ? [] : [noObject]),
      ...(orders.length > 1 ? [deletedTwice] : []),
      ...(secrets ? [passwordIgnored] : []),
    ],
  };
}

const known = new WeakMap<WhoisUpdate, Read>();

/** The same of an update, read once however many steps ask. */
export function readUpdate(update: WhoisUpdate): Read {
  let read = known.get(update);
  if (!read) {
    read = readText(update.text);
    known.set(update, read);
  }
  return read;
}

/** The same for one step alone. It isn't kept: thousands that are would have to be looked after each time that memory is collected. */
export const readUpdateOnce = (update: WhoisUpdate): Read => known.get(update) ?? readText(update.text);

/** Reads updates, while others have their turn: they may be thousands, or as long as an object may be. */
export async function readUpdates(updates: readonly WhoisUpdate[]): Promise<void> {
  const breathe = breathing();
  for (const update of updates) {
    if (!known.has(update)) known.set(update, await inTurns(readingText(update.text), breathe));
    await breathe();
  }
}

const pseudo = new Set(['delete', 'password', 'override', 'dry-run']);
const whole = { attribute: null, line: null } as const;
const noObject: RpslProblem = {
  ...whole,
  severity: 'error',
  code: 'no-object',
  message: 'This text has no object. An object starts with its type, such as person:',
};
const deletedTwice: RpslProblem = {
  ...whole,
  severity: 'error',
  code: 'delete-twice',
  message: 'This text has several delete: lines. Leave one, with the reason',
};
const passwordIgnored: RpslProblem = {
  ...whole,
  severity: 'warning',
  code: 'password-ignored',
  message: 'Passwords are ignored. Authorisation uses the maintainers linked to your account',
};

/** First step: normalises spellings, and checks the template and the syntax of every value. */
export function checkSyntax(
  given: RpslObject,
  mode: 'create' | 'modify',
  profile: Pick<Profile, 'hostmasterMaintainer'>,
): { object: RpslObject; problems: WhoisProblem[] } {
  const completed = complete(given, profile);
  const { object, problems } = normalise(completed.object);
  return { object, problems: [...completed.problems, ...problems, ...checkObject(object, mode)] };
}

/** Adds the attributes the server writes: a maintainer's referral, and the description of a certificate. */
function complete(object: RpslObject, profile: Pick<Profile, 'hostmasterMaintainer'>): { object: RpslObject; problems: WhoisProblem[] } {
  if (object.class === 'mntner' && valueOf(object, 'referral-by') === undefined)
    return { object: withLine(object, 'referral-by', profile.hostmasterMaintainer), problems: [] };
  if (object.class === 'key-cert') return certificateOf(object);
  return { object, problems: [] };
}

const withLine = (object: RpslObject, name: string, value: string): RpslObject => {
  const place = object.attributes.findIndex(attribute => attribute.name === 'source');
  const attributes = [...object.attributes];
  attributes.splice(place < 0 ? attributes.length : place, 0, attributeOf(name, value));
  return { ...object, attributes };
};

/** Class and key of an object, valid or not, as far as they can be read. */
export function identityOf(object: RpslObject): { class: string; key: string; shown: string } | null {
  const found = primaryKey(object);
  return found && { class: found.class, key: found.key.toLowerCase(), shown: found.shown };
}

/** Returns whether the text of an operation only names an object. */
export const isBare = (object: RpslObject): boolean => object.attributes.length <= (object.class.startsWith('route') ? 3 : 2);

export const mayCreate = ({ operation }: WhoisUpdate): boolean => operation === 'create' || operation === 'auto';

/**
 * Returns the objects of a text, each to be created, changed or deleted as requested. A password between objects is reported at the first of them,
 * like one inside an object: the line stays, the secret is removed. The same goes for `auth`: stored, returned and mailed text never contains a secret.
 */
export function updatesOfText(given: string): WhoisUpdate[] {
  const text = withoutAuthSecrets(given);
  const [first, ...rest] = objectsOfText(text).map(
    (paragraph): WhoisUpdate => ({ operation: 'auto', text: paragraph.text, line: paragraph.line }),
  );
  if (!first) return [];
  const hasSecret = ordersOfText(text).some(({ order }) => order !== 'dry-run');
  const hasOrder = ordersOfText(first.text).some(({ order }) => order !== 'dry-run');
  return [hasSecret && !hasOrder ? { ...first, text: `${first.text.trimEnd()}\npassword:\n` } : first, ...rest];
}

/** Refuses a text that asks for a dry run where its change would be made. @throws Failure INVALID_REQUEST at the field */
export function refuseDryRunText(text: string, field: string): void {
  const asked = ordersOfText(text).find(({ order }) => order === 'dry-run');
  if (asked)
    throw refuseField(
      field,
      `Line ${asked.line} has dry-run:, but this call makes the change. No changes were made. Send it as a dry run or remove the line`,
    );
}

/** The words of an object in one spelling: case, blanks, what the server writes, what it does not show, and whatever may be spelled in several ways are no difference. */
export const wordsIn = (object: RpslObject): string =>
  normalise(object)
    .object.attributes.filter(({ name }) => name !== 'last-modified' && name !== 'auth')
    .map(({ name, value }) => `${name}:${value.replace(/\s+/g, '').toLowerCase()}`)
    .join('\n');
