import { hash } from 'node:crypto';
import { type Breathe, breathing } from './breathing.ts';

/*
 * The tree of certificate transparency (RFC 9162, section 2.1) over leaves that are hashed already: a leaf is SHA-256 of 0x00 and its text, a node of 0x01 and
 * both nodes below it; the last node of an odd row goes up as it is.
 */

const leafMark = Buffer.from([0]);
const nodeMark = Buffer.from([1]);
const sha256 = (...parts: Buffer[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');

/** The hash of a leaf with this text. */
export const leafHash = (text: string): Buffer => sha256(leafMark, Buffer.from(text, 'utf8'));

/** The rows of a tree, from the leaves to the root. */
export type Tree = readonly (readonly Buffer[])[];

/** Builds the tree over leaves, at least one, while others have their turn. */
export async function treeOver(leaves: readonly Buffer[], breathe: Breathe = breathing()): Promise<Tree> {
  const rows: (readonly Buffer[])[] = [leaves];
  for (let below = leaves; below.length > 1; ) {
    const row: Buffer[] = [];
    for (let at = 0; at < below.length; at += 2) {
      const [left, right] = [below[at]!, below[at + 1]];
      row.push(right ? sha256(nodeMark, left, right) : left);
      if (row.length % 128 === 0) await breathe();
    }
    rows.push(row);
    below = row;
  }
  return rows;
}

/** The root of a tree. */
export const rootOf = (tree: Tree): Buffer => tree.at(-1)![0]!;

/** The nodes that prove a leaf, from the bottom (RFC 9162, 2.1.3.1). @param index of the leaf, from 0 */
export function pathOf(tree: Tree, index: number): Buffer[] {
  const path: Buffer[] = [];
  for (const [height, row] of tree.slice(0, -1).entries()) {
    const sibling = row[(index >> height) ^ 1];
    if (sibling) path.push(sibling);
  }
  return path;
}
