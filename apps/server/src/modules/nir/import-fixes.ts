import type { RowFix } from '@portal/contract/nir/delegations';
import {
  type AddressFamily,
  bestFitPrefix,
  containsResource,
  type NumberResource,
  parseResource,
  prefixOfRange,
  printResource,
  type ResourceSet,
  ResourceSyntaxError,
  resourceSetOf,
  subtractSets,
  unionSets,
} from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { resourceOf } from '../resources/index.ts';
import type { DelegationLine } from './delegation-line.ts';
import { gapsQuery } from './free-space.ts';
import { nearestNames } from './similar-names.ts';

/** Rows of a file that a right value is looked for; more are rather a mistake of the whole file. */
const MAX_ROWS = 100;
/** The smallest blocks that are delegated. */
const smallest = { ipv4: 24, ipv6: 64 } as const;

type Reader = Pick<Read, 'rows'>;

/**
 * Returns a value that would be right for each wrong row of a file that has one, by line: the open sub-account with nearly this name, the prefix around an address that is none, or
 * where the block itself isn't free, another free block of its size. No two rows are given the same block.
 */
export async function fixesOf(read: Reader, accountName: string, lines: readonly DelegationLine[]): Promise<ReadonlyMap<number, RowFix>> {
  const fixes = new Map<number, RowFix>();
  const wrong = lines.filter(({ problem }) => problem !== null).slice(0, MAX_ROWS);
  if (wrong.length === 0) return fixes;
  const names = await similarNames(
    read,
    accountName,
    wrong.filter(({ facts }) => facts === null).map(({ given }) => (given['subaccount'] ?? '').toUpperCase()),
  );
  const nameFor = ({ given }: DelegationLine): string | undefined => names.get((given['subaccount'] ?? '').toUpperCase());
  const isKept = (line: DelegationLine): boolean => line.problem === null || nameFor(line) !== undefined;
  const blocks = await freeBlocks(read, accountName, { kept: lines.filter(isKept), wrong: wrong.filter(line => !isKept(line)) });
  for (const line of wrong) {
    const [name, block] = [nameFor(line), blocks.get(line.line)];
    if (name !== undefined) fixes.set(line.line, { column: 'subaccount', value: name });
    else if (block !== undefined) fixes.set(line.line, { column: 'resource', value: block });
  }
  return fixes;
}

/** Returns for each name without a sub-account the open one that differs in a letter or two; a name with two such is left out. */
async function similarNames(read: Reader, accountName: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(names)].filter(name => name.length >= 4);
  if (wanted.length === 0) return new Map();
  // One letter less, more or other leaves one half of the name as it is.
  const starts = wanted.map(name => containsPattern(name.slice(0, name.length >> 1)).slice(1));
  const ends = wanted.map(name => containsPattern(name.slice(-(name.length >> 1))).slice(0, -1));
  const rows = await read.rows<{ name: string }>(sql`select name from subaccount where account_name = ${accountName}
    and (status = 'open' and (name like any (${starts}::text[]) or name like any (${ends}::text[])) or name = any (${wanted}::text[])) order by name limit 5000`);
  return nearestNames(
    wanted,
    rows.map(({ name }) => name),
  );
}

/**
 * Returns for each wrong row, by line, the block to delegate in place of its own: the one that was probably meant, or a free one of its size. Rows whose block is free have none: something else
 * is wrong with them. @param kept rows that keep their blocks
 */
async function freeBlocks(
  read: Reader,
  accountName: string,
  { kept, wrong }: Readonly<Record<'kept' | 'wrong', readonly DelegationLine[]>>,
): Promise<ReadonlyMap<number, string>> {
  const spaceOf = freeSpaceOf(read, accountName);
  const blocks = new Map<number, string>();
  let taken = resourceSetOf(kept.flatMap(({ given }) => resourceIn(given['resource'] ?? '').resource ?? []));
  const take = (resource: NumberResource): void => {
    taken = unionSets(taken, resourceSetOf([resource]));
  };
  const sought: { line: number; family: AddressFamily; length: number }[] = [];
  for (const { line, given } of wrong) {
    const { resource, meant } = resourceIn(given['resource'] ?? '');
    if (meant !== undefined) blocks.set(line, meant);
    const prefix = resource && resource.family !== 'asn' ? prefixOfRange(resource) : undefined;
    if (!resource || !prefix) continue;
    const length = Math.min(prefix.length, smallest[prefix.family]);
    const isFree = length === prefix.length && containsResource(subtractSets(await spaceOf(prefix.family, length), taken), resource);
    if (isFree || meant !== undefined) take(resource);
    else sought.push({ line, family: prefix.family, length });
  }
  for (const { line, family, length } of sought) {
    const block = bestFitPrefix(subtractSets(await spaceOf(family, length), taken), family, length);
    if (!block) continue;
    take(block);
    blocks.set(line, printResource(block));
  }
  return blocks;
}

/** Returns a function that reads the gaps of the pool that hold a block of a length, once. */
function freeSpaceOf(read: Reader, accountName: string): (kind: AddressFamily, length: number) => Promise<ResourceSet> {
  const spaces = new Map<string, ResourceSet>();
  return async (kind, length) => {
    const key = `${kind}/${length}`;
    const known = spaces.get(key);
    if (known) return known;
    const gaps = await read.rows<{ first: string | null; last: string | null }>(gapsQuery(accountName, kind, length));
    const space = resourceSetOf(gaps.map(gap => resourceOf({ kind, ...gap, firstAs: null, lastAs: null })));
    spaces.set(key, space);
    return space;
  };
}

/** The resource of a cell; of a text that is none, the one that was probably `meant`, with its text. */
function resourceIn(text: string): { resource?: NumberResource; meant?: string } {
  try {
    return { resource: parseResource(text.trim()) };
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    return error.suggestion === undefined ? {} : { ...resourceIn(error.suggestion), meant: error.suggestion };
  }
}
