import path from 'node:path';
import { childrenOf, isFunction, isNode, nameOf, type Node, nodeOf, nodesOf, type Source, speaksSql, walk } from './syntax.ts';

/** How a name comes to its value: `steps` leads from `value` (an initial value, or the argument of a parameter) to it. */
export type Declaration =
  | { kind: 'constant'; source: Source; value: Node | undefined; steps: readonly Step[]; declarator: Node; name: string }
  | { kind: 'function'; source: Source; node: Node }
  | { kind: 'parameter'; source: Source; owner: Node; place: number; steps: readonly Step[]; pattern: Node }
  | { kind: 'import'; source: Source; specifier: string; name: string }
  | { kind: 'element'; source: Source; list: Node; steps: readonly Step[]; loop: Node }
  | { kind: 'other' };
/** A property of an object, or an element of a list, with what stands for it where it is missing. */
export type Step = { key: string | number; fallback: Node | undefined };

type Changes = { assigned: Node[]; pushed: Node[] };

const other: Declaration = { kind: 'other' };

/** Returns the way to each name of a pattern: `{ a, b: [c] = [] }`. */
function* namesIn(pattern: Node, steps: readonly Step[] = []): Generator<{ name: string; steps: readonly Step[] }> {
  if (pattern.type === 'Identifier') yield { name: nameOf(pattern), steps };
  else if (pattern.type === 'AssignmentPattern') {
    const last = steps.at(-1);
    const right = nodeOf(pattern, 'right');
    yield* namesIn(nodeOf(pattern, 'left')!, last ? [...steps.slice(0, -1), { ...last, fallback: right }] : [{ key: '', fallback: right }]);
  } else if (pattern.type === 'ObjectPattern') {
    for (const property of nodesOf(pattern, 'properties')) {
      const value = nodeOf(property, 'value');
      if (value) yield* namesIn(value, [...steps, { key: nameOf(nodeOf(property, 'key')), fallback: undefined }]);
    }
  } else if (pattern.type === 'ArrayPattern') {
    for (const [place, element] of (pattern.elements as unknown[]).entries())
      if (isNode(element)) yield* namesIn(element, [...steps, { key: place, fallback: undefined }]);
  }
}

/** Reads names of a set of source files: which declaration each one means, through imports too, and which calls a function has. */
export class Scopes {
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #parents = new Map<Node, Node>();
  readonly #sourceOfProgram = new Map<Node, Source>();
  readonly #declared = new Map<Node, Map<string, Declaration>>();
  readonly #changes = new Map<Source, Map<string, Changes>>();
  #calls: Map<Node, { call: Node; source: Source }[]> | undefined;

  constructor(sources: readonly Source[]) {
    this.#sources = new Map(sources.map(source => [source.path, source]));
    for (const source of sources) if (speaksSql(source)) this.#enter(source);
  }

  /** Notes how the nodes of a file hang together. */
  #enter(source: Source): void {
    if (this.#sourceOfProgram.has(source.program)) return;
    this.#sourceOfProgram.set(source.program, source);
    for (const node of walk(source.program)) for (const child of childrenOf(node)) this.#parents.set(child, node);
  }

  parentOf(node: Node): Node | undefined {
    return this.#parents.get(node);
  }

  sourceOf(node: Node): Source {
    for (let at = node; ; at = this.#parents.get(at)!) {
      const source = this.#sourceOfProgram.get(at);
      if (source) return source;
    }
  }

  /** The function around a node. */
  functionAround(node: Node): Node | undefined {
    for (let at = this.#parents.get(node); at; at = this.#parents.get(at)) if (isFunction(at)) return at;
    return undefined;
  }

  /** The declaration that a name means at a node. */
  find(name: string, at: Node): Declaration {
    const source = this.sourceOf(at);
    for (let scope: Node | undefined = at; scope; scope = this.#parents.get(scope)) {
      const found = this.#declarationsIn(scope, source).get(name);
      if (found) return this.#resolved(found);
    }
    return other;
  }

  /** Every call of a function by its name, in all files. */
  callsOf(owner: Node): readonly { call: Node; source: Source }[] {
    if (!this.#calls) {
      this.#calls = new Map();
      for (const source of this.#sourceOfProgram.values())
        for (const call of walk(source.program)) {
          const callee = call.type === 'CallExpression' ? nodeOf(call, 'callee') : undefined;
          if (callee?.type !== 'Identifier') continue;
          const found = this.find(nameOf(callee), callee);
          const called =
            found.kind === 'function'
              ? found.node
              : found.kind === 'constant' && found.value && isFunction(found.value)
                ? found.value
                : undefined;
          if (called) this.#calls.set(called, [...(this.#calls.get(called) ?? []), { call, source }]);
        }
    }
    return this.#calls.get(owner) ?? [];
  }

  /** Values that are assigned to a name after its declaration, and the calls that push to it. */
  changesOf(declarator: Node, name: string): Changes {
    const source = this.sourceOf(declarator);
    let all = this.#changes.get(source);
    if (!all) {
      all = new Map();
      this.#changes.set(source, all);
      for (const node of walk(source.program)) {
        const callee = node.type === 'CallExpression' ? nodeOf(node, 'callee') : undefined;
        const isPush = callee?.type === 'MemberExpression' && nameOf(nodeOf(callee, 'property')) === 'push';
        const isAssignment = node.type === 'AssignmentExpression' && node.operator === '=';
        const changed = isPush ? nameOf(nodeOf(callee, 'object')) : isAssignment ? nameOf(nodeOf(node, 'left')) : '';
        const target = changed === '' ? other : this.find(changed, node);
        if (target.kind !== 'constant') continue;
        const key = `${target.declarator.start} ${changed}`;
        const known = all.get(key) ?? { assigned: [], pushed: [] };
        all.set(key, known);
        if (isPush) known.pushed.push(node);
        else known.assigned.push(nodeOf(node, 'right')!);
      }
    }
    return all.get(`${declarator.start} ${name}`) ?? { assigned: [], pushed: [] };
  }

  #declarationsIn(scope: Node, source: Source): Map<string, Declaration> {
    const known = this.#declared.get(scope);
    if (known) return known;
    const found = new Map<string, Declaration>();
    this.#declared.set(scope, found);
    if (isFunction(scope)) {
      for (const [place, pattern] of nodesOf(scope, 'params').entries())
        for (const { name, steps } of namesIn(pattern)) found.set(name, { kind: 'parameter', source, owner: scope, place, steps, pattern });
    } else if (scope.type === 'ForOfStatement' || scope.type === 'ForStatement') {
      const left = nodeOf(scope, 'left') ?? nodeOf(scope, 'init');
      const list = nodeOf(scope, 'right');
      if (left?.type === 'VariableDeclaration')
        for (const declarator of nodesOf(left, 'declarations'))
          for (const { name, steps } of namesIn(nodeOf(declarator, 'id')!))
            found.set(name, list ? { kind: 'element', source, list, steps, loop: scope } : other);
    } else if (scope.type === 'CatchClause') {
      const param = nodeOf(scope, 'param');
      if (param) for (const { name } of namesIn(param)) found.set(name, other);
    } else if (scope.type === 'BlockStatement' || scope.type === 'Program' || scope.type === 'SwitchCase') {
      for (const statement of [...nodesOf(scope, 'body'), ...nodesOf(scope, 'consequent')]) this.#declare(statement, source, found);
    }
    return found;
  }

  #declare(statement: Node, source: Source, found: Map<string, Declaration>): void {
    const inner = statement.type === 'ExportNamedDeclaration' ? nodeOf(statement, 'declaration') : statement;
    if (inner?.type === 'FunctionDeclaration') found.set(nameOf(nodeOf(inner, 'id')), { kind: 'function', source, node: inner });
    else if (inner?.type === 'VariableDeclaration') {
      for (const declarator of nodesOf(inner, 'declarations'))
        for (const { name, steps } of namesIn(nodeOf(declarator, 'id')!))
          found.set(name, { kind: 'constant', source, value: nodeOf(declarator, 'init'), steps, declarator, name });
    } else if (inner?.type === 'ImportDeclaration') {
      for (const specifier of nodesOf(inner, 'specifiers')) {
        const local = nameOf(nodeOf(specifier, 'local'));
        const imported = specifier.type === 'ImportSpecifier' ? nameOf(nodeOf(specifier, 'imported')) : '';
        found.set(
          local,
          imported === '' ? other : { kind: 'import', source, specifier: String(nodeOf(inner, 'source')?.value), name: imported },
        );
      }
    }
  }

  #resolved(found: Declaration): Declaration {
    return found.kind === 'import' ? this.#exported(found.source, found.specifier, found.name) : found;
  }

  #exported(from: Source, specifier: string, name: string): Declaration {
    if (!specifier.startsWith('.')) return other;
    const target = this.#sources.get(path.posix.join(path.posix.dirname(from.path), specifier));
    if (!target) return other;
    this.#enter(target);
    for (const statement of nodesOf(target.program, 'body')) {
      const source = nodeOf(statement, 'source');
      if (statement.type === 'ExportNamedDeclaration' && source)
        for (const specifierNode of nodesOf(statement, 'specifiers'))
          if (nameOf(nodeOf(specifierNode, 'exported')) === name)
            return this.#exported(target, String(source.value), nameOf(nodeOf(specifierNode, 'local')));
      if (statement.type === 'ExportAllDeclaration' && source) {
        const found = this.#exported(target, String(source.value), name);
        if (found.kind !== 'other') return found;
      }
    }
    return this.#resolved(this.#declarationsIn(target.program, target).get(name) ?? other);
  }
}
