import { enclosingPrefix, parentPrefix, parseRange, printPrefix } from '@portal/number-resources';

/** The prefix two lengths shorter than the smallest around the numbers, if it still lies in the delegation. */
export function nearOf(resource: string, holding: string): string | null {
  const inner = enclosingPrefix(parseRange(resource));
  const outer = enclosingPrefix(parseRange(holding));
  const length = Math.max(outer.length, inner.length - 2, 0);
  return length >= inner.length ? null : printPrefix(parentPrefix(inner, length));
}
