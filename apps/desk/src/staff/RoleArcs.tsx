import { type StaffPermission, staffPermissionKeys } from '@portal/contract';
import {
  conflictInWords,
  staffPermissionGroup,
  staffPermissionGroups,
  staffPermissionWords,
} from '@portal/contract/staff-permission-words';
import type { Staff } from '@portal/contract/roles/roles';
import { StateMark } from '@portal/ui';
import styles from './Staff.module.css';

/** The name of the row of a group: a permission can have the word of a group. */
export const groupRow = (group: string): string => `group ${group}`;
/** Rows of the matrix from its first group on: names of groups, and the permissions of each. */
export const matrixRows: readonly string[] = staffPermissionGroups.flatMap(group => [
  groupRow(group),
  ...staffPermissionKeys.filter(key => staffPermissionGroup[key] === group),
]);

/** A part of a column beside the matrix: an arc between two permissions, or the space between arcs. Rows count from 0; `to` is the last one. */
type ArcPart = { from: number; to: number; conflict: Staff['conflicts'][number] | null };

/** Returns who holds both permissions of a conflict by the roles they have, such as by roles that were given before policy kept them apart. */
const holdersOfBoth = ({ one, other }: Staff['conflicts'][number], { members, roles }: Pick<Staff, 'members' | 'roles'>): string[] =>
  members
    .filter(({ disabled, roles: held }) => {
      const permissions = held.flatMap(({ role }) => roles.find(({ key }) => key === role)?.permissions ?? []);
      return !disabled && permissions.includes(one) && permissions.includes(other);
    })
    .map(({ fullName }) => fullName);

/** Returns columns of arcs between permissions that policy keeps apart: in each, no arc meets another one. */
export function arcLanes(conflicts: Staff['conflicts']): ArcPart[][] {
  const lanes: ArcPart[][] = [];
  const arcs = conflicts
    .map(conflict => {
      const ends = [matrixRows.indexOf(conflict.one), matrixRows.indexOf(conflict.other)];
      return { from: Math.min(...ends), to: Math.max(...ends), conflict };
    })
    .sort((a, b) => a.from - b.from);
  for (const arc of arcs) {
    const lane = lanes.find(each => each.at(-1)!.to < arc.from);
    if (lane) lane.push(arc);
    else lanes.push([arc]);
  }
  return lanes.map(lane => {
    const parts: ArcPart[] = [];
    for (const arc of [...lane, { from: matrixRows.length, to: matrixRows.length, conflict: null }]) {
      const next = (parts.at(-1)?.to ?? -1) + 1;
      if (arc.from > next) parts.push({ from: next, to: arc.from - 1, conflict: null });
      if (arc.conflict) parts.push(arc);
    }
    return parts;
  });
}

/** A cell beside the matrix: an arc between two permissions with its number in the list of rules, or space. */
export function ArcCell({ part, staff }: { part: ArcPart | undefined; staff: Staff }) {
  if (!part) return null;
  const { conflict } = part;
  const both = conflict ? holdersOfBoth(conflict, staff) : [];
  return (
    <td rowSpan={part.to - part.from + 1} className={styles.arc} data-broken={both.length > 0 || undefined}>
      {conflict && (
        <>
          <i aria-hidden="true" title={`${conflictInWords(conflict)} are never held by one person`} />
          <b aria-hidden="true">{staff.conflicts.indexOf(conflict) + 1}</b>
          <span className="vh">{conflictInWords(conflict)} are never held by one person</span>
        </>
      )}
    </td>
  );
}

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** The rules behind the arcs: which permissions are kept apart, which roles have each, and who holds both today. */
export function ConflictList({ staff }: { staff: Staff }) {
  const rolesWith = (permission: StaffPermission): string => {
    const names = staff.roles.filter(({ permissions }) => permissions.includes(permission)).map(({ name }) => name);
    return names.length === 0 ? 'in no role' : list.format(names);
  };
  return (
    <div className={styles.apart}>
      <b>Never one person</b> <span className="quiet">A role, or roles together, with both of a pair are refused by this rule.</span>
      <ol className={styles.pairs}>
        {staff.conflicts.map(conflict => {
          const both = holdersOfBoth(conflict, staff);
          return (
            <li key={`${conflict.one} ${conflict.other}`}>
              {staffPermissionWords[conflict.one]} <span className="quiet">({rolesWith(conflict.one)})</span> and{' '}
              {staffPermissionWords[conflict.other].toLowerCase()} <span className="quiet">({rolesWith(conflict.other)})</span>
              <StateMark plain state={both.length > 0 ? 'invalid' : 'valid'}>
                {both.length > 0 ? `Broken today: ${list.format(both)}` : 'No one holds both'}
              </StateMark>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
