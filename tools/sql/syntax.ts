import { parseSync } from 'vite';

/** A node of the syntax tree of a source file, as oxc writes it (ESTree with types). */
export type Node = { type: string; start: number; end: number; [field: string]: unknown };

export type Source = { path: string; text: string; program: Node };

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
export const childrenOf = (node: Node): Node[] => (Object.values(node) as unknown[]).flat().filter(isNode);
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

/** Parses a file of TypeScript. Throws an Error that names the file where it can't be read. */
export function sourceOf({ path, text }: { path: string; text: string }): Source {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  return { path, text, program: program as unknown as Node };
}

/** Returns the nodes of a tree, outer ones first. */
export function* walk(node: Node): Generator<Node, void, void> {
  yield node;
  for (const child of childrenOf(node)) yield* walk(child);
}

export const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
