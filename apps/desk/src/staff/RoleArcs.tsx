import { staffPermissionKeys } from '@portal/contract';
import { conflictInWords, staffPermissionGroup, staffPermissionGroups } from '@portal/contract/staff-permission-words';
import type { Staff } from '@portal/contract/roles/roles';
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

/** A cell beside the matrix: an arc between two permissions, or space. */
export function ArcCell({ part }: { part: ArcPart | undefined }) {
  if (!part) return null;
  return (
    <td rowSpan={part.to - part.from + 1} className={styles.arc}>
      {part.conflict && (
        <>
          <i aria-hidden="true" title={`${conflictInWords(part.conflict)} are never held by one person`} />
          <span className="vh">{conflictInWords(part.conflict)} are never held by one person</span>
        </>
      )}
    </td>
  );
}
