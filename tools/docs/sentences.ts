import { parseSync } from 'vite';
import type { ProjectFile } from '../project-files.ts';

/** A sentence, label or title that people can read, and the line of its file. What is filled in is `…`. */
type Sentence = { text: string; line: number };

/** A node of the syntax tree (ESTree with JSX), as far as it is read here. */
type Node = { type: string; start: number; [field: string]: unknown };
type Context = { file: ProjectFile; found: Sentence[] };

/** Files whose strings people can read: the apps, the packages and the server; not tests, stories and tools. */
export const spokenFiles = /^(apps|packages)\/[\w-]+\/(src|web)\/(?!.*\.test\.tsx?$|.*\/bench\.ts$|.*\/fixtures\/).*\.tsx?$/;

/** Attributes and fields that hold a single word people read. */
const wordFields = new Set([
  'label',
  'title',
  'heading',
  'sub',
  'placeholder',
  'hint',
  'help',
  'text',
  'summary',
  'message',
  'detail',
  'note',
  'alt',
  'description',

  'aria-label',
  'submit',
  'empty',
  'caption',
  'meta',
  'subject',
  'name',
  'because',
  'confirm',
  'cancel',
  'action',
  'button',
  'words',
  'unit',
]);
/** Attributes and fields that people never read, whatever they hold. */
const silentFields = new Set([
  'className',
  'class',
  'style',
  'href',
  'src',
  'd',
  'path',
  'key',
  'id',
  'autoComplete',
  'viewBox',
  'transform',
  'pattern',
  'accept',
  'rel',
  'columns',
  'gridTemplateColumns',
  'font',
  'sizes',
  'media',
  'points',
  'sandbox',
  'allow',
  'operationId',
  'action',
  'channel',
]);
/** Functions whose text is for the database, the machine or a defect's stack. */
const silentCalls =
  /^(sql|css|hash|createHash|matchMedia|querySelector(All)?|closest|notify_channel|split|join|matches|require|RegExp|startsWith|endsWith|includes|raw|ref|table|lit|val|id)$/;

/** Every sentence of a file that people can read, in its order. */
export function sentencesOf(file: ProjectFile): Sentence[] {
  const { program, errors } = parseSync(file.path, file.text);
  if (errors.length > 0) throw new Error(`${file.path} cannot be read: ${errors[0]!.message}`);
  const context: Context = { file, found: [] };
  visit(program as unknown as Node, context, null);
  return context.found;
}

function visit(node: Node, context: Context, field: string | null): void {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAnnotation':
    case 'TSLiteralType':
    case 'TSTypeParameterInstantiation':
      return;
    case 'JSXElement':
    case 'JSXFragment':
      return element(node, context);
    case 'JSXAttribute': {
      const name = nameOf(node.name as Node);
      if (node.value && !silentFields.has(name)) visit(node.value as Node, context, name);
      return;
    }
    case 'Property':
    case 'PropertyDefinition': {
      const name = nameOf(node.key as Node);
      if (node.value && !silentFields.has(name)) visit(node.value as Node, context, name);
      return;
    }
    case 'TaggedTemplateExpression':
      if (silentCalls.test(nameOf(node.tag as Node))) {
        for (const part of (node.quasi as Node).expressions as Node[]) visit(part, context, null);
        return;
      }
      break;
    case 'CallExpression':
    case 'NewExpression':
      if (silentCalls.test(nameOf(node.callee as Node))) return;
      break;
    case 'Literal':
      if (typeof node.value === 'string') say(node.value, node, context, field);
      return;
    case 'TemplateLiteral': {
      say(filled(node), node, context, field);
      for (const part of node.expressions as Node[]) visit(part, context, null);
      return;
    }
    case 'BinaryExpression': {
      // Adjoined strings are one sentence.
      const text = node.operator === '+' ? adjoined(node) : null;
      if (text !== null) return say(text, node, context, field);
      break;
    }
    default:
  }
  const inherits =
    node.type === 'ConditionalExpression' ||
    node.type === 'LogicalExpression' ||
    node.type === 'JSXExpressionContainer' ||
    node.type === 'ArrowFunctionExpression' ||
    node.type.startsWith('TS') ||
    node.type === 'ParenthesizedExpression';
  for (const child of children(node)) visit(child, context, inherits ? field : null);
}

/** The text of an element with its inline children as one sentence; what it holds besides is visited on its own. */
function element(node: Node, context: Context): void {
  const opening = node.openingElement as Node | undefined;
  for (const attribute of (opening?.attributes as Node[] | undefined) ?? []) visit(attribute, context, null);
  const parts = (node.children as Node[]).map(child => {
    if (child.type === 'JSXText') return (child.value as string).replace(/\s*\n\s*/g, ' ');
    if (child.type === 'JSXExpressionContainer') {
      const { expression } = child as unknown as { expression: Node };
      if (expression.type === 'Literal' && typeof expression.value === 'string') return expression.value;
      return expression.type === 'JSXEmptyExpression' ? '' : '…';
    }
    return '…';
  });
  if ((node.children as Node[]).some(child => child.type === 'JSXText' && /\p{L}/u.test(child.value as string)))
    say(parts.join(''), node, context, 'text');
  for (const child of node.children as Node[]) {
    if (child.type === 'JSXText') continue;
    visit(child, context, 'text');
  }
}

const nameOf = (node: Node): string => {
  if (node.type === 'MemberExpression') return nameOf(node.property as Node);
  if (node.type === 'TSInstantiationExpression') return nameOf(node.expression as Node);
  if (node.type === 'CallExpression') return nameOf(node.callee as Node);
  const { name } = node;
  if (name && typeof name === 'object') return nameOf(name as Node);
  return typeof name === 'string' ? name : typeof node.value === 'string' ? node.value : '';
};

/** A template with `…` for what is filled in. */
const filled = (node: Node): string => (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…');

const adjoined = (node: Node): string | null => {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral') return filled(node);
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null;
  const left = adjoined(node.left as Node);
  const right = adjoined(node.right as Node);
  return left === null || right === null ? null : left + right;
};

function children(node: Node): Node[] {
  return Object.entries(node).flatMap(([field, value]) => {
    if (field === 'parent' || !value || typeof value !== 'object') return [];
    return (Array.isArray(value) ? value : [value]).filter(
      (child): child is Node => Boolean(child) && typeof (child as Node).type === 'string',
    );
  });
}

function say(raw: string, node: Node, { file, found }: Context, field: string | null): void {
  const text = raw.replace(/\s+/g, ' ').trim();
  if (!/\p{L}{2}/u.test(text.replaceAll('…', ''))) return;
  const words = text.split(' ').filter(word => /\p{L}{2}/u.test(word));
  if (words.length < 2 && !(field !== null && wordFields.has(field) && /^[…\p{Lu}]/u.test(text) && !/^[A-Z0-9_…-]+$/.test(text))) return;
  // Selects, lists of classes and addresses.
  if (
    /^(select|insert|update|delete|with|create|alter|drop|truncate|listen|notify|set|grant|begin|from|where|order by|join|and|or|case|lock|vacuum|analyze|explain)\b.*[=(*_;]/i.test(
      text,
    ) &&
    /[a-z]_[a-z]|[=*;]|\bfrom\b/.test(text) &&
    /^[a-z]/.test(text)
  )
    return;
  found.push({ text, line: file.text.slice(0, node.start).split('\n').length });
}
