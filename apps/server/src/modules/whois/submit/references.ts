import { references } from '@portal/rpsl';
import { type Item, problem, type WhoisProblem } from '../store/update.ts';
import type { SubmissionView } from '../store/submission-view.ts';

/** Second step: everything an object refers to exists, or is made by the same submission. */
export function checkReferences(item: Item, view: SubmissionView): WhoisProblem[] {
  if (item.operation === 'delete') return [];
  const missing = new Map<string, WhoisProblem>();
  for (const { index, attribute, classes, key, value } of references(item.object)) {
    if (missing.has(`${attribute} ${key}`) || view.find(item, classes, key.toLowerCase())) continue;
    const words = classes.length > 2 ? 'object' : classes.join(' or ');
    const refused = view.findRefused(classes, key.toLowerCase());
    const message = refused
      ? `There is no ${refused.class} ${value}, because ${placeOf(refused)} was refused`
      : `There is no ${words} ${value}. Create it first or in the same submission`;
    missing.set(`${attribute} ${key}`, problem(item.object, 'reference-missing', message, { index }));
  }
  return [...missing.values()];
}

/** Returns the place of an item in the text it was sent in; the object's name if unknown. */
const placeOf = ({ update, class: objectClass, object }: Item): string =>
  update.line === undefined ? `the ${objectClass} ${object.attributes[0]!.value} of the same submission` : `line ${update.line}`;
