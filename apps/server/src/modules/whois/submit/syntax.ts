import {
  attributeOf,
  checkObject,
  normalise,
  objectsOfText,
  parseObject,
  primaryKey,
  type RpslObject,
  type RpslProblem,
  valueOf,
} from '@portal/rpsl';
import type { Profile } from '../../../profile.ts';
import { certificateOf } from './key-certificate.ts';
import type { WhoisProblem, WhoisUpdate } from './update.ts';

/** A text as the first step leaves it. */
export type Read = {
  object: RpslObject | null;
  /** `delete: <reason>` in the text asks for a deletion and says why (domain/whois.md f). */
  deletes: string | null;
  problems: WhoisProblem[];
};

/** Reads one text: the object in it, without the lines that are orders and no attributes. */
export function readText(text: string): Read {
  // No text of the database can hold it, not even one that is refused.
  if (text.includes('\u0000')) return { object: null, deletes: null, problems: [nothing] };
  const { object, problems } = parseObject(text);
  if (!object) return { object: null, deletes: null, problems: problems.length > 0 ? [...problems] : [noObject] };
  const orders = object.attributes.filter(({ name }) => name === 'delete');
  const attributes = object.attributes.filter(({ name }) => !pseudo.has(name));
  const secrets = object.attributes.some(({ name }) => name === 'password' || name === 'override');
  const first = attributes[0];
  return {
    object: first ? { ...object, class: first.name, attributes } : null,
    deletes: orders[0]?.value ?? null,
    problems: [...problems, ...(first ? [] : [noObject]), ...(secrets ? [passwordIgnored] : [])],
  };
}

const pseudo = new Set(['delete', 'password', 'override', 'dry-run']);
const whole = { attribute: null, line: null } as const;
const noObject: RpslProblem = {
  ...whole,
  severity: 'error',
  code: 'no-object',
  message: 'There is no object in this text. An object begins with its class, such as person:',
};
const nothing: RpslProblem = {
  ...whole,
  severity: 'error',
  code: 'control-character',
  message: 'This text holds zero bytes, so it is no text. Save it in UTF-8 and send it again',
};
const passwordIgnored: RpslProblem = {
  ...whole,
  severity: 'warning',
  code: 'password-ignored',
  message: 'Passwords are not looked at: what counts are the maintainers linked to your account',
};

/** First step: one spelling for what may be spelled in several ways, the template, the syntax of every value. */
export function checkSyntax(
  given: RpslObject,
  mode: 'create' | 'modify',
  profile: Profile,
): { object: RpslObject; problems: WhoisProblem[] } {
  const completed = complete(given, profile);
  const { object, problems } = normalise(completed.object);
  return { object, problems: [...completed.problems, ...problems, ...checkObject(object, mode)] };
}

/** What the server writes itself: a maintainer's referral, and what a certificate says of itself. */
function complete(object: RpslObject, profile: Profile): { object: RpslObject; problems: WhoisProblem[] } {
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

/** Class and key of an object in any state, as far as they can be read. */
export function identityOf(object: RpslObject): { class: string; key: string; shown: string } | null {
  const found = primaryKey(object);
  return found && { class: found.class, key: found.key.toLowerCase(), shown: found.shown };
}

/** The text of an operation that names an object and says no more of it. */
export const isBare = (object: RpslObject): boolean => object.attributes.length <= (object.class.startsWith('route') ? 3 : 2);

export const mayCreate = ({ operation }: WhoisUpdate): boolean => operation === 'create' || operation === 'auto';

/** The objects of a text, each to be created, changed or deleted as it asks for. */
export function updatesOfText(text: string): WhoisUpdate[] {
  return objectsOfText(text).map(paragraph => ({ operation: 'auto', text: paragraph.text }));
}
