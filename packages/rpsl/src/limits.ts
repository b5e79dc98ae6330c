import { formatCount } from '@portal/number-resources';
import { attributeRule } from './attributes.ts';
import { listValues, type RpslObject } from './object.ts';
import type { RpslProblem } from './problem.ts';

/** The longest object, in characters. Sets and policies of the largest networks are half as long. */
export const longestObject = 200_000;
/** Lines of the longest object: written as `formatObject` does, it has no more. */
export const maxObjectLines = 10_000;
/** Values of one object that name others: each is looked up. Members of sets and policies are none of them. */
export const maxReferences = 1_000;
/** Lines of one object with the same attribute, where each costs a letter or a question to a server. */
export const maxRepeated = 100;

/** Codes of findings about an object that is judged no further. */
const beyond = new Set(['object-too-long', 'too-many-references', 'attribute-too-often']);

/** Returns whether an object is beyond a limit: it isn’t judged any further, as that would take time without end. */
export const isBeyondLimits = (problems: readonly RpslProblem[]): boolean =>
  problems.some(({ code, severity }) => severity === 'error' && beyond.has(code));

/** The refusal of a text that is longer than an object may be, before anything of it is read. Null for all others. */
export function lengthProblem(text: string): RpslProblem | null {
  const refusal = (message: string): RpslProblem => ({ severity: 'error', code: 'object-too-long', attribute: null, line: null, message });
  if (text.length > longestObject)
    return refusal(`This object has ${formatCount(text.length)} characters, the longest may have ${formatCount(longestObject)}`);
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) lines++;
  return lines > maxObjectLines
    ? refusal(`This object has ${formatCount(lines)} lines, the longest may have ${formatCount(maxObjectLines)}`)
    : null;
}

type Report = (code: string, index: number | null, message: string) => void;

/** Finds attributes that are given more often than an object may have them. */
export function checkCounts(object: RpslObject, report: Report): void {
  const counts = new Map<string, number>();
  let named = 0;
  for (const [index, { name, value }] of object.attributes.entries()) {
    const rule = attributeRule(name);
    if (rule === undefined) continue;
    if (rule.refersTo.length > 0) {
      const before = named;
      named += rule.list ? listValues(value).length : 1;
      if (before <= maxReferences && named > maxReferences)
        report('too-many-references', index, `An object names at most ${formatCount(maxReferences)} others. Remove some from this line on`);
    }
    if (rule.type !== 'email' && rule.type !== 'nserver' && rule.type !== 'ds-rdata') continue;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (count === maxRepeated + 1)
      report('attribute-too-often', index, `${name} can be given at most ${maxRepeated} times. Remove some from this line on`);
  }
}
