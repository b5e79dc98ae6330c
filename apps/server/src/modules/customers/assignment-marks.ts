import type { RecordMark } from '@portal/contract/records/records';
import { printResource } from '@portal/number-resources';
import { rangeOf, type RpslObject, valueOf } from '@portal/rpsl';
import type { Module } from '../../platform/module.ts';
import { maintainersIn } from '../whois/index.ts';

const networks = ['inetnum', 'inet6num'];
const customersPage = (query: Readonly<Record<string, string>>): string =>
  `/resources/customers/customer_management?${new URLSearchParams(query).toString().replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
const list = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;

function textOf(object: RpslObject): string {
  const range = rangeOf(object);
  return range === null ? '' : printResource(range);
}

/** Marks on the page of a prefix whether the register of customers and whois agree, for its holder. */
export const assignmentMarks: NonNullable<Module['records']>[number] = {
  id: 'assignments',
  describe: async ({ resource, on, own, assignments, moreAssignments, objects, moreObjects }) => {
    if (!own || on !== null || resource.family === 'asn' || moreObjects || moreAssignments) return {};
    const marks: RecordMark[] = [];
    const warn = (code: string, message: string, fix: RecordMark['fix']): void => {
      marks.push({ about: 'registration', mark: 'warning', code, message, fix });
    };
    const found = objects.filter(each => networks.includes(each.class));
    const inWhois = new Set(found.map(each => textOf(each.object)));
    const registered = new Set(assignments.map(each => each.resource));
    const missing = assignments.filter(each => each.visibility === 'public' && !inWhois.has(each.resource)).map(each => each.resource);
    if (missing.length > 0)
      warn('assignment-without-object', `Registered as public, but not in whois: ${list(missing)}`, {
        label: 'Add them to whois',
        link: customersPage({ q: missing[0]! }),
      });
    const shown = assignments.filter(each => each.visibility === 'private' && inWhois.has(each.resource)).map(each => each.resource);
    if (shown.length > 0)
      warn('private-in-whois', `Registered as private, yet in whois: ${list(shown)}`, {
        label: 'Remove them from whois',
        link: customersPage({ q: shown[0]! }),
      });
    const alone = found
      .filter(({ object }) => (valueOf(object, 'status') ?? '').endsWith('NON-PORTABLE') && !registered.has(textOf(object)))
      .filter(({ keptFor, object }) => keptFor === null && maintainersIn(object, 'mnt-by').length > 0)
      .map(({ object }) => textOf(object));
    if (alone.length > 0)
      warn('object-without-assignment', `In whois, but not registered as assignments: ${list(alone)}`, {
        label: 'Register',
        link: customersPage({ add: 'yes', range: alone[0]! }),
      });
    if (assignments.length > 0 && marks.length === 0)
      marks.push({ about: 'registration', mark: 'valid', code: 'assignments', message: 'Customer assignments and whois match', fix: null });
    return { marks };
  },
};
