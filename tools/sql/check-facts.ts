import { listOf, treeOf, type TreeNode, wordOf } from './node-tree.ts';

/** Facts about the columns of one row, by their numbers, before its checks are asked. */
export type Facts = {
  /** The words that a column can be, null where they aren't known; only of columns that aren't null. */
  wordsOf: (column: string) => { only: readonly string[] | null; never: readonly string[] } | undefined;
  isNotNull: (column: string) => boolean;
  /** Whether an expression answers yes or no for every row. */
  isCertain: (node: TreeNode) => boolean;
  comparisonOf: (node: TreeNode) => { column: string; words: readonly string[]; isEqual: boolean } | undefined;
  isBooleanEquality: (node: TreeNode) => boolean;
};

const flipped = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value);

/** Returns whether a condition is true, or false, of every row that the facts describe; undefined where neither is certain. */
function judge(node: TreeNode, facts: Facts): boolean | undefined {
  const args = listOf(node, 'args');
  if (node.type === 'BOOLEXPR') {
    const all = args.map(each => judge(each, facts));
    const kind = wordOf(node, 'boolop');
    if (kind === 'not') return flipped(all[0]);
    const decisive = kind === 'or';
    return all.includes(decisive) ? decisive : all.every(each => each === !decisive) ? !decisive : undefined;
  }
  if (node.type === 'NULLTEST') {
    const arg = treeOf(node, 'arg')!;
    if (arg.type !== 'VAR' || !facts.isNotNull(wordOf(arg, 'varattno'))) return undefined;
    return wordOf(node, 'nulltesttype') === '1';
  }
  const comparison = facts.comparisonOf(node);
  const known = comparison && facts.wordsOf(comparison.column);
  if (!comparison || !known) return undefined;
  const possible = known.only?.filter(word => !known.never.includes(word));
  const isNone = possible
    ? possible.every(word => !comparison.words.includes(word))
    : comparison.words.every(word => known.never.includes(word));
  const isAll = possible?.every(word => comparison.words.includes(word)) ?? false;
  return isNone ? !comparison.isEqual : isAll ? comparison.isEqual : undefined;
}

const union = (all: readonly ReadonlySet<string>[]): ReadonlySet<string> => new Set(all.flatMap(each => [...each]));
const intersection = (all: readonly ReadonlySet<string>[]): ReadonlySet<string> =>
  new Set([...(all[0] ?? [])].filter(column => all.every(each => each.has(column))));

/** The columns that can't be null where a condition that answers yes or no is this. */
function notNullWhere(node: TreeNode, wanted: boolean, facts: Facts): ReadonlySet<string> {
  const args = listOf(node, 'args');
  if (node.type === 'BOOLEXPR') {
    const kind = wordOf(node, 'boolop');
    if (kind === 'not') return notNullWhere(args[0]!, !wanted, facts);
    const isAll = (kind === 'and') === wanted;
    const open = isAll ? args : args.filter(each => judge(each, facts) !== !wanted);
    return (isAll ? union : intersection)(open.map(each => notNullWhere(each, wanted, facts)));
  }
  if (node.type === 'NULLTEST') {
    const arg = treeOf(node, 'arg')!;
    return arg.type === 'VAR' && (wordOf(node, 'nulltesttype') === '1') === wanted ? new Set([wordOf(arg, 'varattno')]) : new Set();
  }
  return new Set();
}

/** Returns the columns that a check of a table keeps from being null, given the facts. A check holds unless it is false, so null passes. */
export function notNullByCheck(node: TreeNode, facts: Facts): ReadonlySet<string> {
  const args = listOf(node, 'args');
  if (node.type === 'BOOLEXPR' && wordOf(node, 'boolop') === 'and') return union(args.map(each => notNullByCheck(each, facts)));
  if (node.type === 'BOOLEXPR' && wordOf(node, 'boolop') === 'or')
    return intersection(args.filter(each => judge(each, facts) !== false).map(each => notNullByCheck(each, facts)));
  if (node.type === 'NULLTEST') return notNullWhere(node, true, facts);
  if (node.type === 'OPEXPR' && facts.isBooleanEquality(node)) {
    const [left, right] = args as [TreeNode, TreeNode];
    const byLeft = judge(left, facts);
    if (byLeft !== undefined && facts.isCertain(right)) return notNullWhere(right, byLeft, facts);
    const byRight = judge(right, facts);
    return byRight !== undefined && facts.isCertain(left) ? notNullWhere(left, byRight, facts) : new Set();
  }
  if (node.type === 'CASEEXPR') {
    const open: ReadonlySet<string>[] = [];
    for (const when of args) {
      const judged = judgeCase(treeOf(when, 'expr')!, treeOf(node, 'arg'), facts);
      if (judged !== false) open.push(notNullByCheck(treeOf(when, 'result')!, facts));
      if (judged === true) return intersection(open);
    }
    const otherwise = treeOf(node, 'defresult');
    if (!otherwise) return new Set();
    return intersection([...open, notNullByCheck(otherwise, facts)]);
  }
  return new Set();
}

/** `case kind when 'asn'`: the comparison is with what stands at its head. */
function judgeCase(test: TreeNode, head: TreeNode | undefined, facts: Facts): boolean | undefined {
  if (!head) return judge(test, facts);
  const args = listOf(test, 'args').map(each => (each.type === 'CASETESTEXPR' ? head : each));
  return judge({ type: test.type, fields: new Map([...test.fields, ['args', args]]) }, facts);
}
