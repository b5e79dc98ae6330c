import { printResource, readResource, ResourceSyntaxError } from '@portal/number-resources';
import type { ResourceKind } from '@portal/contract/resources/resource-kinds';

/** A parsed filter: the text to search for, or why it can't be parsed and the probable meaning. */
export type FilterReading = { q: string; problem: null } | { q: null; problem: string; suggestion: string | null };

/**
 * Parses text typed or pasted into a filter of number resources. A complete prefix, range, address or AS number is normalised to its canonical form
 * (full-width digits, long dashes, quotes, spaces, a final dot); one that is nearly right is refused with the correction. Anything else is part of a
 * name and searched unchanged.
 */
export function readFilter(text: string, kind: ResourceKind): FilterReading {
  const plain = text.trim();
  if (plain === '') return { q: '', problem: null };
  const folded = plain.normalize('NFKC').replace(/[\u2010-\u2015\u2212]/g, '-');
  if (!claimsToBeWhole(folded, kind)) return { q: folded, problem: null };
  try {
    return { q: printResource(readResource(plain, { accept: [kind] })), problem: null };
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    // The probable meaning is offered separately, as a button.
    return { q: null, problem: error.reason, suggestion: error.suggestion ?? null };
  }
}

/** Returns whether a text means a single resource: it has a slash, a range or all four numbers; `198.18.` or `2001:db8` may be the beginning of many. */
function claimsToBeWhole(text: string, kind: ResourceKind): boolean {
  if (!/\d/.test(text)) return false;
  if (kind === 'asn') return /^(as)?\s*[\d.]+\s*-/i.test(text) || /^(as)?\d+\.\d+$/i.test(text);
  if (!/^['"([<{\u2018\u201c]*[0-9a-f]*[.:]/i.test(text)) return false;
  return /[/-]/.test(text) || /^\D*\d+(\.\d+){3}\D*$/.test(text) || /::/.test(text) || (text.match(/:/g)?.length ?? 0) === 7;
}
