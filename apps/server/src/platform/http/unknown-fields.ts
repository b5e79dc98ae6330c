import { nearest } from '@portal/rpsl';
import * as z from 'zod/mini';
import type { Problem } from '../failure.ts';

type Schema = z.core.$ZodType;
/** The parts of a schema that lead to fields. */
type Def = {
  type: string;
  shape?: Record<string, Schema>;
  catchall?: Schema;
  element?: Schema;
  items?: readonly Schema[];
  rest?: Schema | null;
  valueType?: Schema;
  options?: readonly Schema[];
  discriminator?: string;
  left?: Schema;
  right?: Schema;
  innerType?: Schema;
  in?: Schema;
  getter?: () => Schema;
};

/** A field that no schema knows: where it is, its name, and the names known there. */
type Stranger = { path: string; name: string; known: readonly string[] };
/** Walks a value; null for a schema that can't contain fields. */
type Walk = (value: unknown, path: string) => Iterable<Stranger>;

/** Maximum length of a name repeated in an answer: shorter than any secret in the settings. */
const LONGEST_NAME = 30;
/** The same for a name without a capital inside: shorter than a recovery code. */
const LONGEST_PLAIN_NAME = 20;
/** Maximum number of known fields named where none is similar. */
const MAX_NAMED = 12;

/**
 * Returns a problem for each field of a value that its schema doesn't know, up to a maximum: a misspelt field would otherwise count as missing.
 * Objects are checked at any depth; for a union, against the matching member. An object with a catchall, a record, `any` and `unknown` accept every
 * field; no schema accepts none.
 */
export function unknownFields(
  schema: Schema | undefined,
  given: unknown,
  { most, noun = 'field' }: { most: number; noun?: 'field' | 'parameter' },
): Required<Problem>[] {
  const problems: Required<Problem>[] = [];
  if (given === undefined || given === null) return problems;
  for (const { path, name, known } of schema ? (walkOf(schema)?.(given, '') ?? []) : strangersIn(given, '', [])) {
    problems.push({ field: at(path, shown(name)), message: wordsAbout(name, known, noun) });
    if (problems.length >= most) break;
  }
  return problems;
}

/** Says what is wrong, and what would be right. */
function wordsAbout(name: string, known: readonly string[], noun: string): string {
  const wrong = isWordy(name) ? `${name} isn’t a ${noun} here` : `A ${noun} has a name that isn’t known here`;
  if (known.length === 0) return `${wrong}; there are none`;
  // The cost of the similarity search grows with the name's length, which the caller controls.
  const meant = isWordy(name) && (known.find(each => plainly(each) === plainly(name)) ?? nearest(name, known));
  if (meant) return `${wrong}; did you mean ${meant}?`;
  const named = known.slice(0, MAX_NAMED).join(', ');
  return `${wrong}; there is ${named}${known.length > MAX_NAMED ? ', …' : ''}`;
}

/** A name as far as it means something: `dry_run`, `dry-run` and `DryRun` are alike. */
const plainly = (name: string): string => name.replace(/[-_ ]/g, '').toLowerCase();
/**
 * Words that look like identifiers. Anything else may be a value in the wrong place, even a secret, and is not repeated in an answer: recovery codes are long
 * runs of small letters, or have many hyphens, and some of them have hardly a digit.
 */
const isWordy = (name: string): boolean =>
  name.length <= (/[a-z][A-Z]/.test(name) ? LONGEST_NAME : LONGEST_PLAIN_NAME) &&
  /^[A-Za-z][A-Za-z\d_-]*$/.test(name) &&
  !/[A-Z]{4}/.test(name) &&
  name.replace(/\D/g, '').length <= 2 &&
  name.replace(/[^_-]/g, '').length <= 2;
const shown = (name: string): string => (isWordy(name) ? name : '…');

/** Cached walkers by schema, which also end the recursion of a schema that contains itself. */
const walks = new WeakMap<Schema, Walk | null>();

function walkOf(schema: Schema): Walk | null {
  const made = walks.get(schema);
  if (made !== undefined) return made;
  const walk = walkThrough(schema);
  walks.set(schema, walk);
  return walk;
}

function walkThrough(schema: Schema): Walk | null {
  const def = schema._zod.def as unknown as Def;
  switch (def.type) {
    case 'object':
      return throughObject(def);
    case 'array':
      return throughItems([], def.element!);
    case 'tuple':
      return throughItems(def.items!, def.rest ?? null);
    case 'record':
      return throughRecord(def.valueType!);
    case 'union':
      return throughUnion(def);
    case 'intersection':
      return throughBoth(def.left!, def.right!);
    case 'lazy':
      return (value, path) => walkOf(def.getter!())?.(value, path) ?? [];
    default: {
      // Whatever wraps another schema: optional, nullable, default, prefault, catch, readonly, pipe.
      const inner = def.innerType ?? def.in;
      return inner ? walkOf(inner) : null;
    }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const at = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);

function* strangersIn(value: unknown, path: string, known: readonly string[]): Generator<Stranger> {
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) if (!known.includes(name)) yield { path, name, known };
}

function throughObject({ shape = {}, catchall }: Def): Walk {
  const known = Object.keys(shape);
  const takesMore = catchall !== undefined && (catchall._zod.def as unknown as Def).type !== 'never';
  let fields: [string, Walk][] | undefined;
  return function* walk(value, path) {
    if (!isObject(value)) return;
    if (!takesMore) yield* strangersIn(value, path, known);
    fields ??= known.flatMap(name => {
      const inner = walkOf(shape[name]!);
      return inner ? [[name, inner]] : [];
    });
    for (const [name, inner] of fields) if (Object.hasOwn(value, name)) yield* inner(value[name], at(path, name));
  };
}

function throughItems(first: readonly Schema[], rest: Schema | null): Walk | null {
  const walksOfFirst = first.map(walkOf);
  const walkOfRest = rest && walkOf(rest);
  if (!walkOfRest && !walksOfFirst.some(Boolean)) return null;
  return function* walk(value, path) {
    if (!Array.isArray(value)) return;
    for (const [i, each] of value.entries()) yield* (i < first.length ? walksOfFirst[i] : walkOfRest)?.(each, at(path, i)) ?? [];
  };
}

function throughRecord(valueType: Schema): Walk | null {
  const inner = walkOf(valueType);
  if (!inner) return null;
  return function* walk(value, path) {
    if (!isObject(value)) return;
    for (const [name, each] of Object.entries(value)) yield* inner(each, at(path, shown(name)));
  };
}

/** Walks the matching member: the one that the discriminator names, or the first that matches. If none matches, a field is unknown if no member knows it. */
function throughUnion({ options = [], discriminator }: Def): Walk | null {
  const inner = options.map(walkOf);
  if (!inner.some(Boolean)) return null;
  return (value, path) => {
    const taken = options.findIndex(option =>
      discriminator === undefined ? z.safeParse(option, value).success : isNamed(option, discriminator, value),
    );
    return taken >= 0 ? (inner[taken]?.(value, path) ?? []) : unknownToAll(inner, value, path);
  };
}

/** Whether the value of the discriminator is the one of a member of a union. */
function isNamed(option: Schema, discriminator: string, value: unknown): boolean {
  const { shape } = option._zod.def as unknown as Def;
  const named = shape?.[discriminator];
  return named !== undefined && isObject(value) && z.safeParse(named, value[discriminator]).success;
}

const throughBoth =
  (left: Schema, right: Schema): Walk =>
  (value, path) =>
    unknownToAll([walkOf(left), walkOf(right)], value, path);

function* unknownToAll(inner: readonly (Walk | null)[], value: unknown, path: string): Generator<Stranger> {
  const [first, ...others] = inner.flatMap(walk => (walk ? [walk(value, path)] : []));
  const unknown = others.map(other => new Set([...other].map(placeOf)));
  for (const one of first ?? []) if (unknown.every(places => places.has(placeOf(one)))) yield one;
}
const placeOf = ({ path, name }: Stranger): string => JSON.stringify([path, name]);
