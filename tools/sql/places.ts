import type { Scopes } from './scopes.ts';
import { calledName, isSqlTemplate, nameOf, type Node, nodeOf, nodesOf } from './syntax.ts';

/** Where a row type stands: written, or to be put in after the tag where the compiler would conclude it. */
export type TypePlace = { start: number; end: number; written: boolean };

/** The row type of a statement: that of `rows<Row>(…)` or `stream<Row>(…)` around it, else its own. */
export function typePlaceOf(scopes: Scopes, node: Node): TypePlace {
  let at = node;
  let parent = scopes.parentOf(at);
  while (
    parent &&
    ['ConditionalExpression', 'ParenthesizedExpression', 'TSNonNullExpression'].includes(parent.type) &&
    nodeOf(parent, 'test') !== at
  ) {
    at = parent;
    parent = scopes.parentOf(at);
  }
  const isConsumed =
    parent?.type === 'CallExpression' && ['rows', 'stream'].includes(calledName(parent)) && nodesOf(parent, 'arguments')[0] === at;
  const types = (isConsumed && nodeOf(parent!, 'typeArguments')) || nodeOf(node, 'typeArguments');
  const type = types ? nodesOf(types, 'params')[0] : undefined;
  if (type) return { start: type.start, end: type.end, written: true };
  const tag = nodeOf(node, 'tag') ?? nodeOf(node, 'callee')!;
  return { start: tag.end, end: tag.end, written: false };
}

/** Whether a row type names a type parameter of a function around it, so that only its callers know it. */
export function isGeneric(scopes: Scopes, node: Node, type: string): boolean {
  for (let at = scopes.functionAround(node); at; at = scopes.functionAround(at)) {
    const parameters = nodeOf(at, 'typeParameters');
    for (const parameter of parameters ? nodesOf(parameters, 'params') : [])
      if (new RegExp(`\\b${nameOf(nodeOf(parameter, 'name'))}\\b`).test(type)) return true;
  }
  return false;
}

const builders = new Set(['selectFrom', 'selectNoFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'with', 'withRecursive']);

/** Whether a template is a part of a query of the builder, which the compiler checks. */
export function isInBuilder(scopes: Scopes, node: Node): boolean {
  for (let at = scopes.parentOf(node); at; at = scopes.parentOf(at)) {
    if (isSqlTemplate(at)) return false;
    for (let call: Node | undefined = at; call?.type === 'CallExpression'; ) {
      const callee = nodeOf(call, 'callee');
      if (builders.has(calledName(call))) return true;
      call = callee?.type === 'MemberExpression' ? nodeOf(callee, 'object') : undefined;
    }
  }
  return false;
}
