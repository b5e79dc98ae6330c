/** A value in PostgreSQL's text form of a query tree: a word, a list, or a node with its fields. */
export type TreeValue = string | null | TreeValue[] | TreeNode;
export type TreeNode = { type: string; fields: ReadonlyMap<string, TreeValue> };

export const isTreeNode = (value: TreeValue | undefined): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const token = /\s*((?:"(?:\\.|[^"\\])*")|[(){}]|(?:\\.|[^\s(){}"\\])+)/gsy;

/** Reads the text of a `pg_node_tree`, as PostgreSQL stores the body of a function of SQL. */
export function parseNodeTree(text: string): TreeValue {
  token.lastIndex = 0;
  let ahead: string | undefined;
  const next = (): string | undefined => token.exec(text)?.[1];
  const peek = (): string | undefined => (ahead ??= next());
  const take = (): string => {
    const found = peek();
    if (found === undefined) throw new Error('the query tree ends too early');
    ahead = undefined;
    return found;
  };
  const word = (found: string): string => (found.startsWith('"') ? found.slice(1, -1) : found).replace(/\\(.)/gs, '$1');
  const value = (): TreeValue => {
    const found = take();
    if (found === '<>') return null;
    if (found === '(') {
      const list: TreeValue[] = [];
      while (peek() !== ')') list.push(value());
      take();
      return list;
    }
    if (found !== '{') return word(found);
    const type = take();
    const fields = new Map<string, TreeValue>();
    while (peek() !== '}') {
      const name = take().slice(1);
      const parts: TreeValue[] = [];
      while (peek() !== '}' && !peek()!.startsWith(':')) parts.push(value());
      fields.set(name, parts.length === 1 ? parts[0]! : parts);
    }
    take();
    return { type, fields };
  };
  return value();
}

export const fieldOf = (node: TreeNode, name: string): TreeValue => node.fields.get(name) ?? null;
export const wordOf = (node: TreeNode, name: string): string => {
  const found = fieldOf(node, name);
  return typeof found === 'string' ? found : '';
};
export const treeOf = (node: TreeNode, name: string): TreeNode | undefined => {
  const found = fieldOf(node, name);
  return isTreeNode(found) ? found : undefined;
};
export const listOf = (node: TreeNode, name: string): TreeNode[] => {
  const found = fieldOf(node, name);
  return Array.isArray(found) ? found.filter(isTreeNode) : [];
};
/** The numbers of a set: `(b 1 4)`. */
export const setOf = (node: TreeNode, name: string): string[] => {
  const found = fieldOf(node, name);
  return Array.isArray(found) ? found.slice(1).filter(each => typeof each === 'string') : [];
};

/** The text of a constant, if it is one of text. */
export function constantText(node: TreeNode): readonly string[] | null {
  if (node.type !== 'CONST') return null;
  if (!['25', '1043', '18'].includes(wordOf(node, 'consttype'))) return null;
  const value = fieldOf(node, 'constvalue');
  if (!Array.isArray(value)) return null;
  const bytes = value
    .filter(each => typeof each === 'string' && /^-?\d+$/.test(each))
    .slice(1)
    .map(each => Number(each) & 255);
  // Four bytes of length before the text.
  return [Buffer.from(bytes.slice(4)).toString('utf8')];
}

/** A tree as text: the same for the same expression. */
export const textOfTree = (value: TreeValue): string =>
  isTreeNode(value)
    ? `{${value.type} ${[...value.fields].map(([name, each]) => `${name} ${textOfTree(each)}`).join(' ')}}`
    : Array.isArray(value)
      ? `(${value.map(textOfTree).join(' ')})`
      : JSON.stringify(value);
