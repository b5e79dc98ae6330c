import fc from 'fast-check';
import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { leafHash, pathOf, rootOf, treeOver } from './merkle-tree.ts';

/** Leaves and roots that the authors of certificate transparency published with their log's source (merkletree/testonly). */
const published = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(leaf =>
  hash('sha256', Buffer.from(`00${leaf}`, 'hex'), 'buffer'),
);

test.each([
  [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  [2, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  [7, 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
  [8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
])('the root of the first %i published leaves', async (leaves, root) =>
  expect(rootOf(await treeOver(published.slice(0, leaves))).toString('hex')).toBe(root),
);

/** RFC 9162, 2.1.3.2, word by word. */
function rootFrom(leaf: Buffer, path: readonly Buffer[], { index, size }: { index: number; size: number }): string | null {
  const node = (left: Buffer, right: Buffer) => hash('sha256', Buffer.concat([Buffer.from([1]), left, right]), 'buffer');
  let [fn, sn, r] = [index, size - 1, leaf];
  for (const p of path) {
    if (sn === 0) return null;
    if (fn % 2 === 1 || fn === sn) {
      r = node(p, r);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else r = node(r, p);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 ? r.toString('hex') : null;
}

test('each path leads to the root, and to no other leaf', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.nat(), async (size, chosen) => {
      const leaves = Array.from({ length: size }, (_, n) => leafHash(String(n)));
      const tree = await treeOver(leaves);
      const index = chosen % size;
      const root = rootOf(tree).toString('hex');
      expect(rootFrom(leaves[index]!, pathOf(tree, index), { index, size })).toBe(root);
      expect(rootFrom(leafHash('another'), pathOf(tree, index), { index, size })).not.toBe(root);
    }),
    { numRuns: 60 },
  ));
