import { parseSync } from 'vite';

/** A node of the syntax tree of a source file, as oxc writes it (ESTree with types). */
export type Node = { type: string; start: number; end: number; [field: string]: unknown };

/** A file with its syntax tree, which is made when it is first asked for. */
export type Source = { path: string; text: string; readonly program: Node };

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children;
}
export const nodeOf = (node: Node, field: string): Node | undefined => (isNode(node[field]) ? node[field] : undefined);
export const nodesOf = (node: Node, field: string): Node[] => (Array.isArray(node[field]) ? (node[field] as unknown[]).filter(isNode) : []);
export const nameOf = (node: Node | undefined): string => (typeof node?.name === 'string' ? node.name : '');

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
export const isFunction = (node: Node): boolean => functions.has(node.type);
export const isSqlTemplate = (node: Node): boolean => node.type === 'TaggedTemplateExpression' && nameOf(nodeOf(node, 'tag')) === 'sql';
/** The first argument of a call and the name of what is called: `read.rows(…)` is `rows`. */
export function calledName(call: Node): string {
  const callee = nodeOf(call, 'callee');
  return callee?.type === 'MemberExpression' ? nameOf(nodeOf(callee, 'property')) : nameOf(callee);
}

/** Returns a file of TypeScript with its tree. Asking for the tree of one that can't be read throws an Error that names it. */
export function sourceOf({ path, text }: { path: string; text: string }): Source {
  let program: Node | undefined;
  return {
    path,
    text,
    get program() {
      if (!program) {
        const parsed = parseSync(path, text);
        if (parsed.errors.length > 0) throw new Error(`${path}: ${parsed.errors[0]!.message}`);
        program = parsed.program as unknown as Node;
      }
      return program;
    },
  };
}

/** Whether a file can have SQL in it: a template, a prepared statement, or calls with such. */
export const speaksSql = ({ text }: Source): boolean => /\bsql\b|\bprepared/.test(text);

/** Returns the nodes of a tree, outer ones first. */
export function walk(node: Node): Node[] {
  const found: Node[] = [];
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next);
    waiting.push(...childrenOf(next).reverse());
  }
  return found;
}

export const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
