import type { Catalog } from './catalog.ts';
import { type Facts, notNullByCheck } from './check-facts.ts';
import { aggregates, isPlain } from './null-rules.ts';
import {
  constantText,
  fieldOf,
  isTreeNode,
  listOf,
  parseNodeTree,
  setOf,
  textOfTree,
  treeOf,
  type TreeNode,
  type TreeValue,
  wordOf,
} from './node-tree.ts';
import { both, common, nothing, type Proofs } from './proofs.ts';

/** Whether a value can be null: for certain not, for certain it may be, or it isn't known. */
export type Nullness = 'never' | 'possible' | 'unknown';
/** Facts about a value: `words` are those that a text can be, `isValue` says that it is a value of the program, whose type is not known here. */
export type Known = { type: number; nullness: Nullness; words: readonly string[] | null; isValue?: boolean };
export type Column = Known & { name: string };

/** A query with those around it, and what its conditions prove. */
type Scope = { query: TreeNode; outer: Scope | undefined; proofs: Proofs };

const certain = (all: readonly Nullness[]): Nullness =>
  all.every(each => each === 'never') ? 'never' : all.includes('possible') ? 'possible' : 'unknown';
const anyOf = (all: readonly (readonly string[] | null)[]): readonly string[] | null =>
  all.length > 0 && all.every(each => each !== null) ? [...new Set(all.flat() as string[])] : null;

/** Derives what is known of the columns that a query answers from its tree, as PostgreSQL analysed it. */
export class Analysis {
  readonly #catalog: Catalog;
  readonly #views = new Map<string, Column[]>();
  readonly #checks = new Map<string, readonly TreeNode[]>();
  /** Common table expressions under way: of one that names itself, what is known so far. */
  readonly #underWay = new Map<TreeNode, Column[] | null>();
  /** Columns of queries inside others, by what their surroundings prove. */
  readonly #known = new WeakMap<TreeNode, Map<Proofs, Column[]>>();
  /** How many expressions that name themselves are read: what is known meanwhile is not yet all. */
  #unsettled = 0;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** The columns of a statement from the tree of a function whose body it is. */
  columnsOfBody(tree: string): Column[] {
    let found: TreeValue | undefined = parseNodeTree(tree);
    while (Array.isArray(found)) found = found.at(-1);
    if (!isTreeNode(found)) throw new Error('the body of the function holds no query');
    return this.#columnsOf(found, undefined);
  }

  /** Sentences about comparisons with words that a column never has, and about such words being written to it. */
  mistakesInBody(tree: string): string[] {
    let found: TreeValue | undefined = parseNodeTree(tree);
    while (Array.isArray(found)) found = found.at(-1);
    return isTreeNode(found) ? [...new Set(this.#mistakesIn(found, undefined))] : [];
  }

  #mistakesIn(query: TreeNode, outer: Scope | undefined): string[] {
    const scope: Scope = { query, outer, proofs: nothing };
    const visit = (value: TreeValue): string[] => {
      if (Array.isArray(value)) return value.flatMap(visit);
      if (!isTreeNode(value)) return [];
      if (value.type === 'QUERY') return this.#mistakesIn(value, scope);
      const cases =
        value.type === 'CASEEXPR' ? listOf(value, 'args').map(when => withHead(treeOf(when, 'expr')!, treeOf(value, 'arg'))) : [];
      return [...[value, ...cases].flatMap(each => this.#mistakeOf(each, scope)), ...[...value.fields.values()].flatMap(visit)];
    };
    return [...this.#mistakesOfWriting(query, scope), ...[...query.fields.values()].flatMap(visit)];
  }

  #mistakeOf(node: TreeNode, scope: Scope): string[] {
    const comparison = this.#comparisonOf(node);
    if (!comparison) return [];
    const words = this.#ofColumn(comparison.node, scope).words;
    const others = comparison.words.filter(word => words?.includes(word) === false);
    if (others.length === 0) return [];
    const entry = this.#entry(comparison.relation, scope);
    const names = entry ? fieldOf(treeOf(entry, 'eref') ?? entry, 'colnames') : null;
    const found = Array.isArray(names) ? names[Number(comparison.column) - 1] : null;
    const name = typeof found === 'string' ? found : 'a column';
    return [`${name} is never ${others.map(word => `'${word}'`).join(', ')}, only ${words!.map(word => `'${word}'`).join(', ')}`];
  }

  #mistakesOfWriting(query: TreeNode, scope: Scope): string[] {
    if (!['2', '3'].includes(wordOf(query, 'commandType'))) return [];
    const table = this.#entry(wordOf(query, 'resultRelation'), scope);
    return listOf(query, 'targetList').flatMap(entry => {
      const column = table && this.#catalog.columns.get(`${wordOf(table, 'relid')}.${wordOf(entry, 'resno')}`);
      const words = this.#of(treeOf(entry, 'expr')!, scope).words;
      const others = column?.words ? (words ?? []).filter(word => !column.words!.includes(word)) : [];
      return others.length === 0
        ? []
        : [
            `${wordOf(entry, 'resname')} can't be ${others.map(word => `'${word}'`).join(', ')}, only ${column!.words!.map(word => `'${word}'`).join(', ')}`,
          ];
    });
  }

  /** Columns of a query that another one names: asked of each of its columns in turn, so that nested unions would cost the product of their widths. */
  #columnsOf(query: TreeNode, outer: Scope | undefined): Column[] {
    if (this.#unsettled > 0) return this.#readColumns(query, outer);
    const proofs = outer?.proofs ?? nothing;
    const kept = this.#known.get(query) ?? new Map<Proofs, Column[]>();
    this.#known.set(query, kept);
    const columns = kept.get(proofs) ?? this.#readColumns(query, outer);
    kept.set(proofs, columns);
    return columns;
  }

  #readColumns(query: TreeNode, outer: Scope | undefined): Column[] {
    const scope: Scope = { query, outer, proofs: nothing };
    scope.proofs = this.#proofsOf(query, scope);
    const operations = treeOf(query, 'setOperations');
    const isSelect = wordOf(query, 'commandType') === '1';
    const entries = (isSelect ? listOf(query, 'targetList') : listOf(query, 'returningList')).filter(
      entry => wordOf(entry, 'resjunk') !== 'true',
    );
    if (operations) {
      const known = this.#ofOperations(operations, scope);
      return entries.map((entry, place) => ({ ...known[place]!, name: wordOf(entry, 'resname') }));
    }
    return entries.map(entry => ({ ...this.#of(treeOf(entry, 'expr')!, scope), name: wordOf(entry, 'resname') }));
  }

  #ofOperations(node: TreeNode, scope: Scope): Known[] {
    if (node.type === 'RANGETBLREF') return this.#columnsOf(treeOf(this.#entry(wordOf(node, 'rtindex'), scope)!, 'subquery')!, scope);
    const left = this.#ofOperations(treeOf(node, 'larg')!, scope);
    // `intersect` and `except` answer rows of the left side.
    if (wordOf(node, 'op') !== '0' && wordOf(node, 'op') !== '1') return left;
    const right = this.#ofOperations(treeOf(node, 'rarg')!, scope);
    return left.map((column, place) => this.#merged([column, right[place]!]));
  }

  #merged(all: readonly Known[]): Known {
    const isValue = all.some(each => each.isValue);
    return {
      type: all[0]!.type,
      nullness: certain(all.map(({ nullness }) => nullness)),
      words: anyOf(all.map(({ words }) => words)),
      ...(isValue ? { isValue } : {}),
    };
  }

  #entry(number: string, { query }: Scope): TreeNode | undefined {
    return listOf(query, 'rtable')[Number(number) - 1];
  }

  #of(node: TreeNode, scope: Scope): Known {
    const found = this.#ofNode(node, scope);
    const isProved = found.nullness !== 'never' && scope.proofs.expressions.size > 0 && scope.proofs.expressions.has(textOfTree(node));
    return isProved ? { ...found, nullness: 'never' } : found;
  }

  #ofNode(node: TreeNode, scope: Scope): Known {
    const nullnessOf = (name: string): Nullness => certain(listOf(node, name).map(each => this.#of(each, scope).nullness));
    const known = (type: string, nullness: Nullness, words: readonly string[] | null = null): Known => ({
      type: Number(wordOf(node, type)),
      nullness,
      words,
    });
    switch (node.type) {
      case 'VAR':
        return this.#ofColumn(node, scope);
      case 'CONST':
        return known(
          'consttype',
          wordOf(node, 'constisnull') === 'true' ? 'possible' : 'never',
          wordOf(node, 'constisnull') === 'true' ? [] : constantText(node),
        );
      case 'PARAM':
        return wordOf(node, 'paramkind') === '0' ? { ...known('paramtype', 'unknown'), isValue: true } : known('paramtype', 'unknown');
      case 'RELABELTYPE':
        return { ...this.#of(treeOf(node, 'arg')!, scope), type: Number(wordOf(node, 'resulttype')) };
      case 'COERCEVIAIO':
      case 'ARRAYCOERCEEXPR':
      case 'CONVERTROWTYPEEXPR': {
        const arg = this.#of(treeOf(node, 'arg')!, scope);
        const labels = this.#catalog.types.get(arg.type)?.labels ?? null;
        return { ...known('resulttype', arg.nullness, arg.words ?? labels), ...(arg.isValue ? { isValue: true } : {}) };
      }
      case 'COERCETODOMAIN':
        return { ...this.#of(treeOf(node, 'arg')!, scope), type: Number(wordOf(node, 'resulttype')) };
      case 'COLLATEEXPR':
        return this.#of(treeOf(node, 'arg')!, scope);
      case 'COALESCEEXPR':
      case 'MINMAXEXPR': {
        const args = listOf(node, 'args').map(each => this.#of(each, scope));
        const isCertain = args.some(each => each.nullness === 'never') || this.#isOfFullJoin(listOf(node, 'args'), scope);
        const nullness = isCertain ? 'never' : certain(args.map(each => each.nullness));
        return {
          ...this.#merged(args),
          type: Number(wordOf(node, node.type === 'COALESCEEXPR' ? 'coalescetype' : 'minmaxtype')),
          nullness,
        };
      }
      case 'CASEEXPR':
        return this.#ofCase(node, scope);
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'DISTINCTEXPR':
        return { type: 16, nullness: 'never', words: null };
      case 'BOOLEXPR':
        return { type: 16, nullness: this.#ofCondition(node, scope), words: null };
      case 'SCALARARRAYOPEXPR':
        return { type: 16, nullness: nullnessOf('args'), words: null };
      case 'OPEXPR':
        return known('opresulttype', this.#ofFunction(wordOf(node, 'opfuncid'), nullnessOf('args')));
      case 'FUNCEXPR':
        return known('funcresulttype', this.#ofFunction(wordOf(node, 'funcid'), nullnessOf('args')));
      case 'NULLIFEXPR': {
        const first = this.#of(listOf(node, 'args')[0]!, scope);
        return { ...known('opresulttype', 'possible', first.words), ...(first.isValue ? { isValue: true } : {}) };
      }
      case 'AGGREF':
        return this.#ofAggregate(node, scope);
      case 'WINDOWFUNC': {
        const found = this.#catalog.functions.get(wordOf(node, 'winfnoid'));
        const nullness = found && isPlain(found) ? 'never' : found && aggregates.has(found.name) ? nullnessOf('args') : 'unknown';
        return known('wintype', treeOf(node, 'aggfilter') && found?.name !== 'count' ? 'unknown' : nullness);
      }
      case 'SUBLINK':
        return this.#ofSubLink(node, scope);
      case 'ARRAYEXPR':
        return known('array_typeid', 'never', anyOf(listOf(node, 'elements').map(each => this.#of(each, scope).words)));
      case 'ROWEXPR':
        return known('row_typeid', 'never');
      case 'NEXTVALUEEXPR':
        return known('typeId', 'never');
      case 'SQLVALUEFUNCTION':
        return known('type', 'never');
      case 'JSONCONSTRUCTOREXPR': {
        const inner = treeOf(node, 'func') ?? treeOf(node, 'coercion');
        return inner ? { ...this.#of(inner, scope), nullness: 'never' } : { type: 3802, nullness: 'unknown', words: null };
      }
      case 'SUBSCRIPTINGREF':
        return known('refrestype', 'unknown', this.#of(treeOf(node, 'refexpr')!, scope).words);
      case 'FIELDSELECT':
        return known('resulttype', 'unknown');
      default:
        return { type: Number(wordOf(node, 'resulttype') || wordOf(node, 'funcresulttype') || 0), nullness: 'unknown', words: null };
    }
  }

  /** Whether values are of both sides of a full join, and null only where their side has no row: one of them has one. */
  #isOfFullJoin(values: readonly TreeNode[], scope: Scope): boolean {
    const columns = values.map(value => (value.type === 'COERCEVIAIO' || value.type === 'RELABELTYPE' ? treeOf(value, 'arg')! : value));
    const jointree = treeOf(scope.query, 'jointree');
    if (!jointree || columns.some(column => column.type !== 'VAR' || wordOf(column, 'varlevelsup') !== '0')) return false;
    const join = listOf(jointree, 'fromlist').find(each => each.type === 'JOINEXPR' && wordOf(each, 'jointype') === '2');
    if (!join) return false;
    const isOf = (side: 'larg' | 'rarg'): boolean =>
      columns.some(column => {
        const [relation, outer] = [wordOf(column, 'varno'), setOf(column, 'varnullingrels')];
        const entry = this.#entry(relation, scope);
        if (!entry || outer.length !== 1 || outer[0] !== wordOf(join, 'rtindex') || !relationsIn(treeOf(join, side)!).includes(relation))
          return false;
        return this.#ofEntry(entry, Number(wordOf(column, 'varattno')), 0, scope).nullness === 'never';
      });
    return isOf('larg') && isOf('rarg');
  }

  /** `a is null or a > 1` is never null: where an arm that is never null leaves the others to decide, it has said something of them. */
  #ofCondition(node: TreeNode, scope: Scope): Nullness {
    const args = listOf(node, 'args');
    const kind = wordOf(node, 'boolop');
    if (kind === 'not') return this.#of(args[0]!, scope).nullness;
    const decided = args.filter(each => this.#of(each, scope).nullness === 'never');
    const said = decided.map(each => (kind === 'or' ? this.#provesFalse(each, scope) : this.#proves(each, scope, true)));
    const inner: Scope = { ...scope, proofs: both(scope.proofs, ...said) };
    return certain(args.map(each => this.#of(each, inner).nullness));
  }

  #ofFunction(oid: string, ofArguments: Nullness): Nullness {
    const found = this.#catalog.functions.get(oid);
    if (!found) return 'unknown';
    if (isPlain(found)) return found.strict ? ofArguments : 'never';
    return found.strict && ofArguments === 'possible' ? 'possible' : 'unknown';
  }

  #ofCase(node: TreeNode, scope: Scope): Known {
    const head = treeOf(node, 'arg');
    let otherwise = scope.proofs;
    const results: Known[] = [];
    let isDecided = false;
    for (const when of listOf(node, 'args')) {
      const test = withHead(treeOf(when, 'expr')!, head);
      const asked = test.type === 'NULLTEST' && this.#of(treeOf(test, 'arg')!, { ...scope, proofs: otherwise }).nullness === 'never';
      // A test of whether something is null that never is.
      if (asked && wordOf(test, 'nulltesttype') === '0') continue;
      results.push(this.#of(treeOf(when, 'result')!, { ...scope, proofs: both(otherwise, this.#proves(test, scope, true)) }));
      isDecided = asked;
      if (isDecided) break;
      // What is null is not true either: only of a test that never is null the opposite is known.
      if (this.#of(test, { ...scope, proofs: otherwise }).nullness === 'never') otherwise = both(otherwise, this.#provesFalse(test, scope));
    }
    const last = treeOf(node, 'defresult');
    if (!isDecided && last) results.push(this.#of(last, { ...scope, proofs: otherwise }));
    // Without `else` it is null where no word of the column is left.
    const left = head && this.#of(head, { ...scope, proofs: otherwise });
    const isWhole = left?.nullness === 'never' && left.words?.length === 0;
    if (!isDecided && !last && !isWhole) results.push({ type: results[0]!.type, nullness: 'possible', words: [] });
    return { ...this.#merged(results), type: Number(wordOf(node, 'casetype')) };
  }

  #ofAggregate(node: TreeNode, scope: Scope): Known {
    const name = this.#catalog.functions.get(wordOf(node, 'aggfnoid'))?.name ?? '';
    const args = listOf(node, 'args').map(entry => this.#of(treeOf(entry, 'expr')!, scope));
    const words = name === 'min' || name === 'max' || name === 'array_agg' ? (args[0]?.words ?? null) : null;
    const known = (nullness: Nullness): Known => ({ type: Number(wordOf(node, 'aggtype')), nullness, words });
    if (name === 'count') return known('never');
    const rule = aggregates.get(name);
    if (!rule) return known('unknown');
    let level = scope;
    for (let up = Number(wordOf(node, 'agglevelsup')); up > 0 && level.outer; up--) level = level.outer;
    const isGrouped = fieldOf(level.query, 'groupClause') !== null && fieldOf(level.query, 'groupingSets') === null;
    if (!isGrouped || treeOf(node, 'aggfilter')) return known('possible');
    return known(rule === 'of rows' ? 'never' : (args[0]?.nullness ?? 'unknown'));
  }

  #ofSubLink(node: TreeNode, scope: Scope): Known {
    const kind = wordOf(node, 'subLinkType');
    const query = treeOf(node, 'subselect')!;
    if (kind === '0') return { type: 16, nullness: 'never', words: null };
    const first = this.#columnsOf(query, scope)[0]!;
    if (kind === '6') return { ...first, type: this.#arrayOf(first.type), nullness: 'never' };
    if (kind === '4') {
      const isOneRow =
        (wordOf(query, 'hasAggs') === 'true' && fieldOf(query, 'groupClause') === null && !treeOf(query, 'havingQual')) ||
        (isEmpty(treeOf(query, 'jointree')) && wordOf(query, 'hasTargetSRFs') !== 'true' && fieldOf(query, 'setOperations') === null);
      if (isOneRow) return first;
      // Whether it finds a row is for foreign keys to say; a null among its rows is certain to count.
      return { ...first, nullness: first.nullness === 'possible' ? 'possible' : 'unknown' };
    }
    if (kind === '2' || kind === '1') {
      const test = treeOf(node, 'testexpr');
      const left = test ? listOf(test, 'args').filter(each => each.type !== 'PARAM') : [];
      return { type: 16, nullness: certain([first.nullness, ...left.map(each => this.#of(each, scope).nullness)]), words: null };
    }
    return { type: first.type, nullness: 'unknown', words: null };
  }

  #arrayOf(element: number): number {
    for (const [oid, { element: of, category }] of this.#catalog.types) if (of === element && category === 'A') return oid;
    return 0;
  }

  #ofColumn(node: TreeNode, at: Scope): Known {
    let scope = at;
    for (let up = Number(wordOf(node, 'varlevelsup')); up > 0 && scope.outer; up--) scope = scope.outer;
    const [relation, number] = [wordOf(node, 'varno'), wordOf(node, 'varattno')];
    const type = Number(wordOf(node, 'vartype'));
    const entry = this.#entry(relation, scope);
    if (!entry) return { type, nullness: 'unknown', words: null };
    // `old.column` of an inserted row is null, and `new.column` of a deleted one.
    if (wordOf(node, 'varreturningtype') !== '0' && wordOf(node, 'varreturningtype') !== '')
      return { type, nullness: 'unknown', words: null };
    const column = { ...this.#ofEntry(entry, Number(number), type, scope), type };
    if (scope.proofs.checked.has(`${relation}.${number}`)) column.nullness = 'never';
    const key = `${relation}.${number}`;
    const { only, never } = scope.proofs;
    const words = column.words ?? only.get(key) ?? null;
    if (words) column.words = words.filter(word => only.get(key)?.includes(word) !== false && never.get(key)?.includes(word) !== true);
    if (scope.proofs.columns.has(key)) return { ...column, nullness: 'never' };
    const isThere = scope.proofs.relations.has(relation) && wordOf(entry, 'rtekind') !== '2';
    const isOuter = setOf(node, 'varnullingrels').length > 0 && !isThere;
    return isOuter ? { ...column, nullness: 'possible' } : column;
  }

  #ofEntry(entry: TreeNode, number: number, type: number, scope: Scope): Known {
    const unknown: Known = { type, nullness: 'unknown', words: null };
    if (number <= 0) return { ...unknown, nullness: 'never' };
    const queryColumn = (columns: readonly Column[]): Known => columns[number - 1] ?? unknown;
    switch (wordOf(entry, 'rtekind')) {
      case '0': {
        const oid = wordOf(entry, 'relid');
        const view = this.#catalog.views.get(oid);
        if (view !== undefined) return queryColumn(this.#columnsOfView(oid, view));
        const found = this.#catalog.columns.get(`${oid}.${number}`);
        return found
          ? { type, nullness: found.notNull ? 'never' : 'possible', words: found.words ?? this.#catalog.types.get(type)?.labels ?? null }
          : unknown;
      }
      case '1':
        return queryColumn(this.#columnsOf(treeOf(entry, 'subquery')!, scope));
      case '2': {
        const alias = listOf(entry, 'joinaliasvars')[number - 1];
        return alias ? this.#of(alias, scope) : unknown;
      }
      case '3':
        return this.#ofFunctionRows(entry, number, type, scope);
      case '5': {
        const rows = fieldOf(entry, 'values_lists');
        const values = Array.isArray(rows) ? rows.map(row => (Array.isArray(row) ? row[number - 1] : undefined)).filter(isTreeNode) : [];
        return values.length > 0 ? this.#merged(values.map(each => this.#of(each, scope))) : unknown;
      }
      case '6':
        return this.#ofCommonTable(entry, number, type, scope);
      case '9': {
        const grouped = listOf(entry, 'groupexprs')[number - 1];
        return grouped ? this.#of(grouped, scope) : unknown;
      }
      default:
        return unknown;
    }
  }

  #columnsOfView(oid: string, tree: string): Column[] {
    const known = this.#views.get(oid) ?? this.columnsOfBody(tree);
    this.#views.set(oid, known);
    return known;
  }

  #ofFunctionRows(entry: TreeNode, number: number, type: number, scope: Scope): Known {
    const functions = listOf(entry, 'functions');
    let before = 0;
    for (const each of functions) {
      const count = Number(wordOf(each, 'funccolcount'));
      if (number <= before + count) {
        const call = treeOf(each, 'funcexpr')!;
        const found = this.#catalog.functions.get(wordOf(call, 'funcid'));
        // The program hands in lists without nulls; a shorter one among several is filled up with them.
        if (found?.name === 'unnest') return { ...this.#elementsOf(listOf(call, 'args')[0]!, type, scope), type };
        const nullness = count === 1 && found && isPlain(found) ? 'never' : 'unknown';
        return { type, nullness, words: null };
      }
      before += count;
    }
    return { type, nullness: wordOf(entry, 'funcordinality') === 'true' ? 'never' : 'unknown', words: null };
  }

  #elementsOf(list: TreeNode, type: number, scope: Scope): Known {
    const { words, isValue } = this.#of(list, scope);
    return { type, nullness: 'unknown', words, ...(isValue ? { isValue } : {}) };
  }

  #ofCommonTable(entry: TreeNode, number: number, type: number, at: Scope): Known {
    let scope: Scope | undefined = at;
    for (let up = Number(wordOf(entry, 'ctelevelsup')); up > 0; up--) scope = scope?.outer;
    const table = scope ? listOf(scope.query, 'cteList').find(each => wordOf(each, 'ctename') === wordOf(entry, 'ctename')) : undefined;
    const query = table && treeOf(table, 'ctequery');
    if (!query || !scope) return { type, nullness: 'unknown', words: null };
    const underWay = this.#underWay.get(query);
    if (underWay === null) return { type, nullness: 'never', words: [] };
    if (underWay) return underWay[number - 1] ?? { type, nullness: 'unknown', words: null };
    // A query that names itself starts from no rows at all, and is read again until its rows add nothing to what is known of them.
    const isRecursive = wordOf(table, 'cterecursive') === 'true';
    if (isRecursive) this.#unsettled++;
    let columns: Column[] | null = null;
    for (let before = ''; ; ) {
      this.#underWay.set(query, columns);
      columns = this.#columnsOf(query, scope);
      const now = JSON.stringify(columns);
      if (now === before || !isRecursive) break;
      before = now;
    }
    if (isRecursive) this.#unsettled--;
    this.#underWay.set(query, columns);
    return columns[number - 1] ?? { type, nullness: 'unknown', words: null };
  }

  /** Returns proofs from the conditions of a query about the rows that it answers. */
  #proofsOf(query: TreeNode, scope: Scope): Proofs {
    const jointree = treeOf(query, 'jointree');
    const having = treeOf(query, 'havingQual');
    const found = both(jointree ? this.#provesJoined(jointree, scope) : nothing, having ? this.#proves(having, scope, true) : nothing);
    if (wordOf(query, 'commandType') !== '2') return this.#withChecks(found, scope);
    // A column that the statement sets was something else when the condition was asked.
    const target = wordOf(query, 'resultRelation');
    const set = new Set(listOf(query, 'targetList').map(entry => `${target}.${wordOf(entry, 'resno')}`));
    const kept = (words: Proofs['only']): Proofs['only'] => new Map([...words].filter(([key]) => !set.has(key)));
    const ofOthers = {
      ...found,
      columns: new Set([...found.columns].filter(each => !set.has(each))),
      only: kept(found.only),
      never: kept(found.never),
    };
    return this.#withChecks(ofOthers, scope);
  }

  /** Adds what the checks of the tables in a query say, given what its conditions prove. What one check says can be what another asks. */
  #withChecks(proofs: Proofs, scope: Scope): Proofs {
    let found = proofs;
    const tables = listOf(scope.query, 'rtable').map(entry => (wordOf(entry, 'rtekind') === '0' ? wordOf(entry, 'relid') : ''));
    for (let before = -1; before !== found.checked.size; ) {
      before = found.checked.size;
      const checked = new Set(found.checked);
      for (const [place, table] of tables.entries()) {
        for (const check of this.#checksOf(table)) {
          const relation = String(place + 1);
          for (const column of notNullByCheck(check, this.#factsOf(relation, table, found))) checked.add(`${relation}.${column}`);
        }
      }
      found = { ...found, checked };
    }
    return found;
  }

  #checksOf(table: string): readonly TreeNode[] {
    const known = this.#checks.get(table);
    if (known) return known;
    const trees = (this.#catalog.checks.get(table) ?? []).map(parseNodeTree).filter(isTreeNode);
    this.#checks.set(table, trees);
    return trees;
  }

  #factsOf(relation: string, table: string, proofs: Proofs): Facts {
    const key = (column: string): string => `${relation}.${column}`;
    const isNotNull = (column: string): boolean =>
      proofs.columns.has(key(column)) ||
      proofs.checked.has(key(column)) ||
      this.#catalog.columns.get(`${table}.${column}`)?.notNull === true;
    return {
      isNotNull,
      wordsOf: column => {
        const [only, never] = [proofs.only.get(key(column)), proofs.never.get(key(column))];
        if (!only && !never && !isNotNull(column)) return undefined;
        return { only: only ?? this.#catalog.columns.get(`${table}.${column}`)?.words ?? null, never: never ?? [] };
      },
      isCertain: node => this.#isCertain(node, isNotNull),
      comparisonOf: node => this.#comparisonOf(node),
      isBooleanEquality: node => this.#catalog.functions.get(wordOf(node, 'opfuncid'))?.name === 'booleq',
    };
  }

  /** Whether a condition over the columns of a row can't be null. */
  #isCertain(node: TreeNode, isNotNull: (column: string) => boolean): boolean {
    if (node.type === 'NULLTEST') return true;
    if (node.type === 'VAR') return isNotNull(wordOf(node, 'varattno'));
    if (node.type === 'CONST') return wordOf(node, 'constisnull') !== 'true';
    if (node.type === 'BOOLEXPR' || node.type === 'ARRAYEXPR')
      return [...listOf(node, 'args'), ...listOf(node, 'elements')].every(each => this.#isCertain(each, isNotNull));
    const found = this.#catalog.functions.get(wordOf(node, node.type === 'FUNCEXPR' ? 'funcid' : 'opfuncid'));
    const answers = found !== undefined && isPlain(found) && ['OPEXPR', 'SCALARARRAYOPEXPR', 'FUNCEXPR'].includes(node.type);
    return answers && listOf(node, 'args').every(each => this.#isCertain(each, isNotNull));
  }

  #provesJoined(node: TreeNode, scope: Scope): Proofs {
    if (node.type === 'FROMEXPR') {
      const condition = treeOf(node, 'quals');
      return both(
        ...listOf(node, 'fromlist').map(each => this.#provesJoined(each, scope)),
        condition ? this.#proves(condition, scope, true) : nothing,
      );
    }
    if (node.type !== 'JOINEXPR') return nothing;
    const [left, right, condition] = [treeOf(node, 'larg')!, treeOf(node, 'rarg')!, treeOf(node, 'quals')];
    switch (wordOf(node, 'jointype')) {
      case '0':
        return both(
          this.#provesJoined(left, scope),
          this.#provesJoined(right, scope),
          condition ? this.#proves(condition, scope, true) : nothing,
        );
      case '1':
        return this.#provesJoined(left, scope);
      case '3':
        return this.#provesJoined(right, scope);
      default:
        return nothing;
    }
  }

  /** Columns that aren't null where a condition is true, or where it is false or null. */
  #proves(node: TreeNode, scope: Scope, wanted: boolean): Proofs {
    const args = listOf(node, 'args');
    switch (node.type) {
      case 'BOOLEXPR': {
        const kind = wordOf(node, 'boolop');
        if (kind === 'not') return wanted ? this.#provesFalse(args[0]!, scope) : nothing;
        const all = args.map(each => this.#proves(each, scope, wanted));
        return (kind === 'and') === wanted ? both(...all) : common(all);
      }
      case 'NULLTEST':
        return (wordOf(node, 'nulltesttype') === '1') === wanted
          ? both(this.#notNull(treeOf(node, 'arg')!), isItself(treeOf(node, 'arg')!))
          : nothing;
      case 'OPEXPR':
      case 'FUNCEXPR':
        return wanted ? both(this.#notNull(node), this.#words(node, true)) : nothing;
      case 'SCALARARRAYOPEXPR':
        return wanted ? both(this.#notNull(args[0]!), this.#words(node, true)) : nothing;
      case 'VAR':
        return wanted ? this.#notNull(node) : nothing;
      case 'BOOLEANTEST':
        return wanted && ['0', '2'].includes(wordOf(node, 'booltesttype')) ? this.#notNull(treeOf(node, 'arg')!) : nothing;
      case 'SUBLINK': {
        const test = wordOf(node, 'subLinkType') === '2' ? treeOf(node, 'testexpr') : undefined;
        return wanted && test ? both(...listOf(test, 'args').map(each => this.#notNull(each))) : nothing;
      }
      default:
        return nothing;
    }
  }

  /** Columns that aren't null where a condition is false. */
  #provesFalse(node: TreeNode, scope: Scope): Proofs {
    if (node.type === 'BOOLEXPR') {
      const args = listOf(node, 'args');
      const kind = wordOf(node, 'boolop');
      if (kind === 'not') return this.#proves(args[0]!, scope, true);
      const all = args.map(each => this.#provesFalse(each, scope));
      return kind === 'or' ? both(...all) : common(all);
    }
    if (node.type === 'NULLTEST') return this.#proves(node, scope, false);
    if (node.type === 'SCALARARRAYOPEXPR') return both(this.#notNull(listOf(node, 'args')[0]!), this.#words(node, false));
    return node.type === 'OPEXPR' ? both(this.#notNull(node), this.#words(node, false)) : nothing;
  }

  /** The words that a column is, or is not, where a comparison with constants is true, or is false: `state = 'open'`, `state <> all ('{closed}')`. */
  #words(node: TreeNode, wanted: boolean): Proofs {
    const comparison = this.#comparisonOf(node);
    if (!comparison) return nothing;
    const found: [string, readonly string[]][] = [[`${comparison.relation}.${comparison.column}`, comparison.words]];
    const isEqual = comparison.isEqual === wanted;
    return { ...nothing, only: new Map(isEqual ? found : []), never: new Map(isEqual ? [] : found) };
  }

  /** A column that is, or isn't, one of some constant words. */
  #comparisonOf(
    node: TreeNode,
  ): { node: TreeNode; relation: string; column: string; words: readonly string[]; isEqual: boolean } | undefined {
    const name = this.#catalog.functions.get(wordOf(node, 'opfuncid'))?.name;
    if (name !== 'texteq' && name !== 'textne') return undefined;
    const args = listOf(node, 'args');
    const column = args
      .map(each => (each.type === 'RELABELTYPE' ? treeOf(each, 'arg')! : each))
      .find(each => each.type === 'VAR' && wordOf(each, 'varlevelsup') === '0');
    const constants = args.filter(each => each.type === 'CONST' || each.type === 'ARRAYEXPR');
    if (!column || constants.length !== 1) return undefined;
    const words = constants[0]!.type === 'CONST' ? constantText(constants[0]!) : anyOf(listOf(constants[0]!, 'elements').map(constantText));
    // `= any` and `<> all` speak of the whole list.
    const isOfAll = node.type !== 'SCALARARRAYOPEXPR' || (wordOf(node, 'useOr') === 'true') === (name === 'texteq');
    if (!words || !isOfAll) return undefined;
    return { node: column, relation: wordOf(column, 'varno'), column: wordOf(column, 'varattno'), words, isEqual: name === 'texteq' };
  }

  /** The columns that can't be null if an expression isn't. */
  #notNull(node: TreeNode): Proofs {
    switch (node.type) {
      case 'VAR': {
        if (wordOf(node, 'varlevelsup') !== '0') return nothing;
        const relation = wordOf(node, 'varno');
        return { ...nothing, columns: new Set([`${relation}.${wordOf(node, 'varattno')}`]), relations: new Set([relation]) };
      }
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'COLLATEEXPR':
        return this.#notNull(treeOf(node, 'arg')!);
      case 'OPEXPR':
      case 'FUNCEXPR': {
        const found = this.#catalog.functions.get(wordOf(node, node.type === 'OPEXPR' ? 'opfuncid' : 'funcid'));
        return found?.strict ? both(...listOf(node, 'args').map(each => this.#notNull(each))) : nothing;
      }
      default:
        return isItself(node);
    }
  }
}

/** The proof that an expression, as it stands, isn't null. */
const isItself = (node: TreeNode): Proofs => (node.type === 'VAR' ? nothing : { ...nothing, expressions: new Set([textOfTree(node)]) });

/** The relations that a piece of a join tree is made of. */
const relationsIn = (node: TreeNode): string[] =>
  node.type === 'RANGETBLREF'
    ? [wordOf(node, 'rtindex')]
    : [treeOf(node, 'larg'), treeOf(node, 'rarg')].flatMap(side => (side ? relationsIn(side) : []));

/** `case kind when 'asn'`: the comparison is with what stands at its head. */
function withHead(test: TreeNode, head: TreeNode | undefined): TreeNode {
  if (!head) return test;
  const args = listOf(test, 'args').map(each => (each.type === 'CASETESTEXPR' ? head : each));
  return { type: test.type, fields: new Map([...test.fields, ['args', args]]) };
}

const isEmpty = (jointree: TreeNode | undefined): boolean =>
  !jointree || (listOf(jointree, 'fromlist').length === 0 && !treeOf(jointree, 'quals'));
