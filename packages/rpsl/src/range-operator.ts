import { addressBits, containsRange, type Prefix, parsePrefix, printPrefix } from '@portal/number-resources';

/** Prefixes inside `prefix` with lengths `from` to `to` (RFC 2622 section 2, address prefix range). `192.0.2.0/24` alone is 24 to 24. */
export interface PrefixRange {
  readonly prefix: Prefix;
  readonly from: number;
  readonly to: number;
}

/** `^-` more specific only, `^+` also itself, `^n` exactly, `^n-m` between. */
export type RangeOperator =
  | { readonly kind: 'minus' }
  | { readonly kind: 'plus' }
  | { readonly kind: 'lengths'; readonly from: number; readonly to: number };

/** Reads `^-`, `^+`, `^n` or `^n-m`; null for every other text. */
export function parseRangeOperator(text: string): RangeOperator | null {
  if (text === '^-') return { kind: 'minus' };
  if (text === '^+') return { kind: 'plus' };
  const match = /^\^(0|[1-9]\d{0,2})(?:-(0|[1-9]\d{0,2}))?$/.exec(text);
  if (!match) return null;
  const from = Number(match[1]);
  const to = match[2] === undefined ? from : Number(match[2]);
  return from <= to && to <= 128 ? { kind: 'lengths', from, to } : null;
}

/**
 * The operator applied to a prefix range, as RFC 2622 section 2 distributes it over sets: `^n-m` on lengths k to l gives max(n,k) to m.
 * Null when no prefix is left.
 */
export function applyRangeOperator(range: PrefixRange, operator: RangeOperator): PrefixRange | null {
  const most = addressBits(range.prefix.family);
  const from = operator.kind === 'plus' ? range.from : operator.kind === 'minus' ? range.from + 1 : Math.max(operator.from, range.from);
  const to = operator.kind === 'lengths' ? Math.min(operator.to, most) : most;
  return from > to ? null : { prefix: range.prefix, from, to };
}

/**
 * Reads a prefix with or without a range operator: `192.0.2.0/24^+`.
 * @throws {ResourceSyntaxError} for what is no prefix.
 * @throws {RangeError} for an operator that is none, or names lengths the prefix cannot have.
 */
export function parsePrefixRange(text: string): PrefixRange {
  const caret = text.indexOf('^');
  const prefix = parsePrefix((caret < 0 ? text : text.slice(0, caret)).trim());
  const own = { prefix, from: prefix.length, to: prefix.length };
  if (caret < 0) return own;
  const written = text.slice(caret).trim();
  const operator = parseRangeOperator(written);
  const most = addressBits(prefix.family);
  if (operator === null)
    throw new RangeError(`${written.slice(0, 20)} isn’t a range operator. Enter ^-, ^+, ^${most} or ^${prefix.length}-${most}`);
  if (operator.kind === 'lengths' && (operator.from < prefix.length || operator.to > most))
    throw new RangeError(`${written} does not fit ${printPrefix(prefix)}; its lengths go from ${prefix.length} to ${most}`);
  const applied = applyRangeOperator(own, operator);
  if (applied === null) throw new RangeError(`${printPrefix(prefix)} has nothing more specific, so ${written} leaves nothing`);
  return applied;
}

/** Prints a prefix range in its shortest form: `/24`, `/24^+`, `/24^-`, `/24^26`, `/24^26-28`. */
export function printPrefixRange({ prefix, from, to }: PrefixRange): string {
  const text = printPrefix(prefix);
  if (from === to) return from === prefix.length ? text : `${text}^${from}`;
  if (to === addressBits(prefix.family) && from <= prefix.length + 1) return `${text}^${from === prefix.length ? '+' : '-'}`;
  return `${text}^${from}-${to}`;
}

/** True if the prefix is one of the range. */
export function matchesPrefixRange(range: PrefixRange, prefix: Prefix): boolean {
  return range.from <= prefix.length && prefix.length <= range.to && containsRange(range.prefix, prefix);
}
