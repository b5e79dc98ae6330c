import type { Declaration, Scopes, Step } from './scopes.ts';
import { calledName, isFunction, isNode, isSqlTemplate, nameOf, type Node, nodeOf, nodesOf, type Source } from './syntax.ts';

/** A piece of SQL: text, or a place for a value. */
export type Piece = string | { value: true };
/** A call that is under way: its arguments, in the frame of the caller. */
type Frame = { owner: Node; arguments: readonly (() => Value)[]; key: string; outer: Frame | undefined };
/** The value of an expression, as far as SQL is made of it. */
export type Value =
  | { kind: 'sql'; pieces: readonly Piece[] }
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: readonly Value[] }
  | { kind: 'object'; get: (key: string) => Value | undefined; all: () => Value[] }
  | { kind: 'function'; node: Node; frame: Frame | undefined }
  | { kind: 'prepared'; text: string }
  | { kind: 'unknown' };

/** A statement, or a part of one, can't be read from the source alone. */
export class Unreadable extends Error {}

const unknown: Value = { kind: 'unknown' };
/** Whether SQL can come of a value. */
const matters = (value: Value): boolean =>
  value.kind === 'sql' ||
  value.kind === 'prepared' ||
  value.kind === 'function' ||
  (value.kind === 'list' && value.items.some(matters)) ||
  (value.kind === 'object' && value.all().some(matters));
const wrappers = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'ParenthesizedExpression',
  'AwaitExpression',
  'ChainExpression',
]);
const MAX_DEPTH = 60;
/** Expressions that a reading looks at, at most; what needs most looks at some 80,000. */
const MAX_STEPS = 2_000_000;

/** One reading of a statement: which of several alternatives was taken at each choice, by its key. The first of them where nothing is said. */
export class Reading {
  readonly #scopes: Scopes;
  readonly #taken: ReadonlyMap<string, number>;
  /** Every choice that this reading met, with how many alternatives it has. */
  readonly choices = new Map<string, number>();
  /** The templates that are in what was read. */
  readonly templates = new Set<Node>();
  /** Variables whose values are being read. */
  readonly #underWay = new Set<string>();
  #depth = 0;
  #steps = 0;

  constructor(scopes: Scopes, taken: ReadonlyMap<string, number>) {
    this.#scopes = scopes;
    this.#taken = taken;
  }

  /** The value of an expression; `frame` is the call in whose function it stands, undefined where any call may be meant. */
  valueOf(node: Node, frame?: Frame): Value {
    if (++this.#steps > MAX_STEPS) throw new Unreadable('its values are made of one another in too many ways');
    try {
      return ++this.#depth > MAX_DEPTH ? unknown : this.#valueOf(node, frame);
    } finally {
      this.#depth--;
    }
  }

  #choose(key: string, count: number): number {
    this.choices.set(key, count);
    return Math.min(this.#taken.get(key) ?? 0, count - 1);
  }

  #key(node: Node, frame: Frame | undefined, words: string): string {
    const owner = this.#scopes.functionAround(node);
    return `${this.#scopes.sourceOf(node).path} ${owner?.start ?? 0} ${frame?.key ?? ''} ${words}`;
  }

  #valueOf(node: Node, frame: Frame | undefined): Value {
    if (wrappers.has(node.type)) return this.valueOf(nodeOf(node, 'expression') ?? nodeOf(node, 'argument')!, frame);
    if (isSqlTemplate(node)) return this.#template(node, frame);
    if (isFunction(node)) return { kind: 'function', node, frame };
    switch (node.type) {
      case 'Identifier':
        return this.#named(nameOf(node), node, frame);
      case 'Literal':
        return typeof node.value === 'string' || typeof node.value === 'number' ? { kind: 'text', text: String(node.value) } : unknown;
      case 'TemplateLiteral':
        return this.#text(node, frame);
      case 'ConditionalExpression':
        return this.#conditional(node, frame);
      case 'BinaryExpression':
        return this.#sum(node, frame);
      case 'LogicalExpression':
        return this.#either(node, nodeOf(node, 'left')!, nodeOf(node, 'right')!, frame);
      case 'ArrayExpression':
        return { kind: 'list', items: nodesOf(node, 'elements').flatMap(element => this.#items(element, frame)) };
      case 'ObjectExpression':
        return this.#object(node, frame);
      case 'MemberExpression':
        return this.#member(node, frame);
      case 'CallExpression':
        return this.#call(node, frame);
      default:
        return unknown;
    }
  }

  #template(node: Node, frame: Frame | undefined): Value {
    const quasi = nodeOf(node, 'quasi')!;
    const texts = nodesOf(quasi, 'quasis').map(part => (part.value as { cooked: string }).cooked);
    const pieces: Piece[] = [texts[0]!];
    for (const [place, expression] of nodesOf(quasi, 'expressions').entries()) {
      const value = this.valueOf(expression, frame);
      if (value.kind === 'sql') pieces.push(...value.pieces);
      else if (value.kind === 'prepared') pieces.push(value.text);
      else if (value.kind === 'list' && value.items.some(item => item.kind === 'sql'))
        throw new Unreadable('a list of pieces is put in without sql.join');
      else pieces.push({ value: true });
      pieces.push(texts[place + 1]!);
    }
    this.templates.add(node);
    return { kind: 'sql', pieces };
  }

  #text(node: Node, frame: Frame | undefined): Value {
    const quasis = nodesOf(node, 'quasis').map(part => (part.value as { cooked: string }).cooked);
    let text = quasis[0]!;
    for (const [place, expression] of nodesOf(node, 'expressions').entries()) {
      const value = this.valueOf(expression, frame);
      if (value.kind !== 'text') return unknown;
      text += value.text + quasis[place + 1]!;
    }
    return { kind: 'text', text };
  }

  #sum(node: Node, frame: Frame | undefined): Value {
    const [left, right] = [this.valueOf(nodeOf(node, 'left')!, frame), this.valueOf(nodeOf(node, 'right')!, frame)];
    if (node.operator !== '+' || left.kind !== 'text' || right.kind !== 'text') return unknown;
    const sum = Number(left.text) + Number(right.text);
    return { kind: 'text', text: Number.isNaN(sum) ? left.text + right.text : String(sum) };
  }

  #items(element: Node, frame: Frame | undefined): Value[] {
    if (element.type !== 'SpreadElement') return [this.valueOf(element, frame)];
    const list = this.valueOf(nodeOf(element, 'argument')!, frame);
    return list.kind === 'list' ? [...list.items] : [unknown];
  }

  #conditional(node: Node, frame: Frame | undefined): Value {
    const [yes, no] = [nodeOf(node, 'consequent')!, nodeOf(node, 'alternate')!];
    const values = this.#tried(() => [this.valueOf(yes, frame), this.valueOf(no, frame)]);
    if (!values.some(matters) && !values.every(value => value.kind === 'text')) return unknown;
    const test = nodeOf(node, 'test')!;
    const { text } = this.#scopes.sourceOf(node);
    const words = text.slice(test.start, test.end);
    const turned = words.startsWith('!') || words.includes('!==');
    const plain = words.replace(/^!/, '').replaceAll('!==', '===');
    const taken = this.#choose(this.#key(node, frame, plain), 2);
    return this.valueOf(taken === (turned ? 1 : 0) ? yes : no, frame);
  }

  /** Reads something to see what it is; its choices and templates aren't part of this reading. */
  #tried<Result>(read: () => Result): Result {
    const [choices, templates] = [new Map(this.choices), new Set(this.templates)];
    try {
      return read();
    } finally {
      this.choices.clear();
      this.templates.clear();
      for (const [key, count] of choices) this.choices.set(key, count);
      for (const template of templates) this.templates.add(template);
    }
  }

  #either(node: Node, left: Node, right: Node, frame: Frame | undefined): Value {
    if (!this.#tried(() => [left, right].map(each => this.valueOf(each, frame))).some(matters)) return unknown;
    return this.valueOf(this.#choose(this.#key(node, frame, `or ${node.start}`), 2) === 0 ? left : right, frame);
  }

  #object(node: Node, frame: Frame | undefined): Value {
    const properties = nodesOf(node, 'properties');
    const get = (key: string): Value | undefined => {
      for (const property of properties.toReversed()) {
        if (property.type === 'SpreadElement') {
          const spread = this.valueOf(nodeOf(property, 'argument')!, frame);
          const found = spread.kind === 'object' ? spread.get(key) : undefined;
          if (found) return found;
        } else if ((nameOf(nodeOf(property, 'key')) || String(nodeOf(property, 'key')?.value)) === key)
          return this.valueOf(nodeOf(property, 'value')!, frame);
      }
      return undefined;
    };
    const all = (): Value[] =>
      properties.flatMap(property => (property.type === 'SpreadElement' ? [] : [this.valueOf(nodeOf(property, 'value')!, frame)]));
    return { kind: 'object', get, all };
  }

  #member(node: Node, frame: Frame | undefined): Value {
    const object = this.valueOf(nodeOf(node, 'object')!, frame);
    const property = nodeOf(node, 'property')!;
    const key = node.computed === true ? this.valueOf(property, frame) : ({ kind: 'text', text: nameOf(property) } as const);
    const members = object.kind === 'object' ? object : undefined;
    if (!members) return object.kind === 'list' && key.kind === 'text' ? (object.items[Number(key.text)] ?? unknown) : unknown;
    if (key.kind === 'text') return members.get(key.text) ?? unknown;
    const all = members.all();
    if (all.length === 0) return unknown;
    const { text } = this.#scopes.sourceOf(node);
    return all[this.#choose(this.#key(node, frame, `of ${text.slice(property.start, property.end)}`), all.length)]!;
  }

  #named(name: string, at: Node, frame: Frame | undefined): Value {
    const found = this.#scopes.find(name, at);
    switch (found.kind) {
      case 'function':
        return { kind: 'function', node: found.node, frame: this.#frameAround(found.node, frame) };
      case 'constant':
        return this.#constant(found, this.#frameAround(found.declarator, frame), frame);
      case 'parameter':
        return this.#parameter(found, frame);
      case 'element':
        return this.#element(found, this.#frameAround(found.loop, frame));
      default:
        return unknown;
    }
  }

  /** The call in which a node is evaluated: that of the function around it, if it is under way. */
  #frameAround(node: Node, frame: Frame | undefined): Frame | undefined {
    for (let owner = this.#scopes.functionAround(node); owner; owner = this.#scopes.functionAround(owner))
      for (let at = frame; at; at = at.outer) if (at.owner === owner) return at;
    return undefined;
  }

  #constant(found: Declaration & { kind: 'constant' }, frame: Frame | undefined, use: Frame | undefined): Value {
    const { value, steps, declarator, name } = found;
    const { assigned, pushed } = this.#scopes.changesOf(declarator, name);
    if (assigned.length > 0) return this.#assigned([...(value ? [value] : []), ...assigned], found, frame, use);
    if (!value) return unknown;
    const start = this.#stepped(this.valueOf(value, frame), steps, frame);
    if (start.kind !== 'list') return start;
    if (pushed.length === 0) return start;
    const more = pushed.flatMap(call => nodesOf(call, 'arguments').flatMap(argument => this.#items(argument, frame)));
    const few = start.items.length > 0 && this.#choose(this.#key(declarator, use, `push ${name}`), 2) === 1;
    return { kind: 'list', items: few ? start.items : [...start.items, ...more] };
  }

  /** One of the values of a variable that is assigned; one that is made of the variable itself adds none. */
  #assigned(all: readonly Node[], { declarator, name }: Declaration & { kind: 'constant' }, frame?: Frame, use?: Frame): Value {
    const key = `${this.#key(declarator, frame, '')} ${declarator.start} ${name}`;
    if (this.#underWay.has(key)) return unknown;
    this.#underWay.add(key);
    try {
      if (!this.#tried(() => all.map(node => this.valueOf(node, frame))).some(matters)) return unknown;
      return this.valueOf(all[this.#choose(this.#key(declarator, use, `let ${name}`), all.length)]!, frame);
    } finally {
      this.#underWay.delete(key);
    }
  }

  /** One of the things that a loop goes over. */
  #element({ list, steps, loop }: Declaration & { kind: 'element' }, frame: Frame | undefined): Value {
    const of = this.valueOf(list, frame);
    if (of.kind !== 'list' || of.items.length === 0) return unknown;
    return this.#stepped(of.items[this.#choose(this.#key(loop, frame, `each ${loop.start}`), of.items.length)]!, steps, frame);
  }

  #stepped(value: Value, steps: readonly Step[], frame: Frame | undefined): Value {
    let at: Value = value;
    for (const { key, fallback } of steps) {
      const inner: Value | undefined =
        key === ''
          ? at
          : at.kind === 'object'
            ? at.get(String(key))
            : at.kind === 'list' && typeof key === 'number'
              ? at.items[key]
              : undefined;
      at = inner && inner.kind !== 'unknown' ? inner : fallback ? this.valueOf(fallback, frame) : (inner ?? unknown);
    }
    return at;
  }

  #parameter({ owner, place, steps, pattern }: Declaration & { kind: 'parameter' }, frame: Frame | undefined): Value {
    for (let at = frame; at; at = at.outer) {
      if (at.owner !== owner) continue;
      const passed = at.arguments[place];
      return passed ? this.#stepped(passed(), steps, at) : this.#stepped(unknown, steps.length > 0 ? steps : fallbackOf(pattern), at);
    }
    return this.#fromCalls({ owner, place, steps, pattern });
  }

  /** The value of a parameter where no call is under way: the one that one of the calls in the sources passes. */
  #fromCalls({ owner, place, steps, pattern }: { owner: Node; place: number; steps: readonly Step[]; pattern: Node }): Value {
    if (!this.#takesSql(owner)) return unknown;
    const calls = this.#scopes.callsOf(owner);
    const fallback = this.#stepped(unknown, steps.length > 0 ? steps : fallbackOf(pattern), undefined);
    if (calls.length === 0) return fallback;
    const chosen = calls[this.#choose(`calls of ${this.#scopes.sourceOf(owner).path} ${owner.start}`, calls.length)]!;
    const argument = nodesOf(chosen.call, 'arguments')[place];
    if (!argument) return fallback;
    return this.#stepped(this.valueOf(argument), steps, undefined);
  }

  /** Whether the types of a function's parameters speak of SQL, or one has SQL where it is missing. */
  #takesSql(owner: Node): boolean {
    const source = this.#scopes.sourceOf(owner);
    return nodesOf(owner, 'params').some(param => speaksOfSql(source.text.slice(param.start, param.end), source));
  }

  #call(node: Node, frame: Frame | undefined): Value {
    const callee = nodeOf(node, 'callee')!;
    const passed = nodesOf(node, 'arguments');
    const name = calledName(node);
    if (callee.type === 'MemberExpression') {
      const object = nodeOf(callee, 'object')!;
      if (nameOf(object) === 'sql') return this.#helper(name, passed, frame);
      if (nameOf(object) === 'Object' && name === 'values') {
        const of = this.valueOf(passed[0]!, frame);
        return of.kind === 'object' ? { kind: 'list', items: of.all() } : unknown;
      }
      if (name === 'map' || name === 'flatMap') return this.#mapped(this.valueOf(object, frame), passed[0]!, name === 'flatMap', frame);
      if (['filter', 'toSorted', 'slice', 'toReversed'].includes(name)) return this.valueOf(object, frame);
      if (name === 'as') return unknown;
      const method = this.#member(callee, frame);
      return method.kind === 'function' ? this.#called(method, node, passed, frame) : unknown;
    }
    if (name === 'preparedQuery' || name === 'prepared') {
      const text = this.valueOf(passed[0]!, frame);
      if (text.kind !== 'text') throw new Unreadable('the text of a prepared statement is made at run time');
      return { kind: 'prepared', text: text.text };
    }
    const called = this.valueOf(callee, frame);
    if (called.kind === 'prepared') return called;
    return called.kind === 'function' ? this.#called(called, node, passed, frame) : unknown;
  }

  /** `sql.join`, `sql.raw`, `sql.ref` and the like. */
  #helper(name: string, passed: readonly Node[], frame: Frame | undefined): Value {
    const first = this.valueOf(passed[0]!, frame);
    if (name === 'join') {
      const between = passed[1] ? this.valueOf(passed[1], frame) : ({ kind: 'sql', pieces: [', '] } as const);
      if (between.kind !== 'sql') throw new Unreadable('what stands between the pieces of sql.join is made at run time');
      const items = first.kind === 'list' ? first.items : [unknown];
      const pieces = items.map((item): readonly Piece[] => (item.kind === 'sql' ? item.pieces : [{ value: true }]));
      return { kind: 'sql', pieces: pieces.flatMap((piece, place) => (place === 0 ? piece : [...between.pieces, ...piece])) };
    }
    if (name === 'raw' || name === 'lit') {
      if (first.kind !== 'text') throw new Unreadable(`the text of sql.${name} is made at run time`);
      return { kind: 'sql', pieces: [first.text] };
    }
    if (name === 'ref' || name === 'table' || name === 'id') {
      if (first.kind !== 'text') throw new Unreadable(`the name in sql.${name} is made at run time`);
      return { kind: 'sql', pieces: [first.text.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)] };
    }
    return unknown;
  }

  #mapped(list: Value, callback: Node, flat: boolean, frame: Frame | undefined): Value {
    const with_ = this.valueOf(callback, frame);
    if (with_.kind !== 'function') return unknown;
    const items = (list.kind === 'list' ? list.items : [unknown]).map((item, place) =>
      this.#run(with_, [() => item], `${callback.start}.${place}`, frame),
    );
    if (!items.some(item => matters(item) || item.kind === 'text')) return unknown;
    return { kind: 'list', items: flat ? items.flatMap(item => (item.kind === 'list' ? item.items : [item])) : items };
  }

  #called(called: Value & { kind: 'function' }, call: Node, passed: readonly Node[], frame: Frame | undefined): Value {
    return this.#run(
      called,
      passed.map(argument => () => this.valueOf(argument, frame)),
      `${this.#scopes.sourceOf(call).path}:${call.start}`,
      frame,
    );
  }

  #run(
    { node, frame: closure }: Value & { kind: 'function' },
    passed: readonly (() => Value)[],
    key: string,
    frame: Frame | undefined,
  ): Value {
    const inner: Frame = { owner: node, arguments: passed, key: `${frame?.key ?? ''}>${key}`, outer: closure };
    const body = nodeOf(node, 'body');
    if (!body) return unknown;
    if (body.type !== 'BlockStatement') return this.valueOf(body, inner);
    const returned = returnsOf(body);
    if (returned.length === 0) return unknown;
    if (returned.length === 1) return this.valueOf(returned[0]!, inner);
    const useful = returned.filter(each => {
      const value = this.#tried(() => this.valueOf(each, inner));
      return matters(value) || value.kind === 'text';
    });
    if (useful.length === 0) return unknown;
    return this.valueOf(useful[this.#choose(`${inner.key} returns`, useful.length)]!, inner);
  }
}

/** Whether the text of a type speaks of SQL, itself or by a type of the same file that it names. */
function speaksOfSql(text: string, source: Source, depth = 3): boolean {
  if (/\bRawBuilder\b|\bsql`|\bQuery<|\btypeof sql\b/.test(text)) return true;
  if (depth === 0) return false;
  const named = new Set(text.match(/\b[A-Z]\w+/g));
  return nodesOf(source.program, 'body').some(statement => {
    const declared = statement.type === 'ExportNamedDeclaration' ? nodeOf(statement, 'declaration') : statement;
    const isType = declared?.type === 'TSTypeAliasDeclaration' || declared?.type === 'TSInterfaceDeclaration';
    return (
      isType && named.has(nameOf(nodeOf(declared, 'id'))) && speaksOfSql(source.text.slice(declared.start, declared.end), source, depth - 1)
    );
  });
}

const fallbackOf = (pattern: Node): Step[] =>
  pattern.type === 'AssignmentPattern' ? [{ key: '', fallback: nodeOf(pattern, 'right') }] : [];

/** The values that a function returns, without the functions inside it. */
function returnsOf(node: Node): Node[] {
  if (node.type === 'ReturnStatement') return nodeOf(node, 'argument') ? [nodeOf(node, 'argument')!] : [];
  return (Object.values(node) as unknown[])
    .flat()
    .filter(isNode)
    .filter(child => !isFunction(child))
    .flatMap(returnsOf);
}
