import { ProfileError } from './profile-error.ts';

/** An element of a protocol message: attributes without a prefix, and either elements or text in it. */
export type XmlElement = {
  name: string;
  namespace: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  text: string;
};

/** Limits of what strangers may send. */
const MAX_DEPTH = 4;
const MAX_ELEMENTS = 20_000;
const MAX_ATTRIBUTES = 20;

const namePattern = '[A-Za-z_][A-Za-z0-9_.-]*';
const tagPattern = new RegExp(`^<(${namePattern}(?::${namePattern})?)((?:\\s+[^<>]*)?)>`);
const endPattern = new RegExp(`^</(${namePattern}(?::${namePattern})?)\\s*>`);
const attributePattern = new RegExp(`\\s+(${namePattern}(?::${namePattern})?)\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const namedCharacters: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function plainText(text: string): string {
  return text.replaceAll(/&([^;]{0,8};?)/g, (whole, inside: string) => {
    const name = inside.endsWith(';') ? inside.slice(0, -1) : '';
    const code = /^#(?:x([0-9a-fA-F]{1,4})|(\d{1,5}))$/.exec(name);
    const number = code ? Number.parseInt(code[1] ?? code[2]!, code[1] ? 16 : 10) : 0;
    const character = code
      ? number === 9 || number === 10 || number === 13 || (number > 31 && number < 127)
        ? String.fromCharCode(number)
        : undefined
      : namedCharacters[name];
    if (character === undefined)
      throw new ProfileError(`The message has ${whole.slice(0, 10)} in it, which is not a character it may have`);
    return character;
  });
}

type Scope = ReadonlyMap<string, string>;

function readAttributes(source: string, outer: Scope): { attributes: Map<string, string>; scope: Scope } {
  const attributes = new Map<string, string>();
  const scope = new Map(outer);
  const seen = new Set<string>();
  attributePattern.lastIndex = 0;
  let at = 0;
  for (let found = attributePattern.exec(source); found; found = attributePattern.exec(source)) {
    at = attributePattern.lastIndex;
    const [, name, double, single] = found;
    if (seen.has(name!)) throw new ProfileError(`The message has the attribute ${name} twice in one element`);
    if (seen.add(name!).size > MAX_ATTRIBUTES) throw new ProfileError('The message has an element with too many attributes');
    const value = plainText(double ?? single!);
    if (name === 'xmlns') scope.set('', value);
    else if (name!.startsWith('xmlns:')) scope.set(name!.slice(6), value);
    else if (name!.includes(':')) {
      if (name !== 'xml:lang') throw new ProfileError(`The message has the attribute ${name}, which it may not have`);
    } else attributes.set(name!, value);
  }
  if (source.slice(at).trim() !== '') throw new ProfileError('The message has an element whose attributes are not well-formed');
  return { attributes, scope };
}

/**
 * Parses the XML of a protocol message: ASCII, elements, attributes and text. Document types, entities of their own, CDATA and processing instructions are
 * refused, as are more than 20,000 elements and more than four levels, so that a message can neither reach anything nor grow when it is read.
 * @throws {ProfileError}
 */
export function parseXml(source: string): XmlElement {
  // oxlint-disable-next-line no-control-regex -- these are the characters to find
  if (/[^\t\n\r\u0020-\u007e]/.test(source)) throw new ProfileError('The message has characters outside ASCII');
  const rest = source.replace(/^\s*<\?xml\s+version\s*=\s*(?:"1\.0"|'1\.0')[^?<>]*\?>/, '');
  let at = 0;
  const open: { element: XmlElement; tag: string; scope: Scope; pieces: string[] }[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  while (at < rest.length) {
    const next = rest.indexOf('<', at);
    const between = rest.slice(at, next < 0 ? undefined : next);
    const inside = open.at(-1);
    if (inside) inside.pieces.push(between);
    else if (between.trim() !== '') throw new ProfileError('The message has text outside of its element');
    if (next < 0) break;
    at = next;
    if (rest.startsWith('<!--', at)) {
      const end = rest.indexOf('-->', at + 4);
      if (end < 0) throw new ProfileError('The message has a comment that does not end');
      at = end + 3;
      continue;
    }
    if (rest[at + 1] === '!' || rest[at + 1] === '?')
      throw new ProfileError('The message has a document type, CDATA or a processing instruction, which it may not have');
    const close = rest.indexOf('>', at);
    if (close < 0) throw new ProfileError('The message is cut off');
    const tag = rest.slice(at, close + 1);
    at = close + 1;
    const ended = endPattern.exec(tag);
    if (ended) {
      const closing = open.pop();
      if (!closing || closing.tag !== ended[1]) throw new ProfileError(`The message has ${tag.slice(0, 60)} where it does not belong`);
      closing.element.text = plainText(closing.pieces.join(''));
      if (closing.element.children.length > 0 && closing.element.text.trim() !== '')
        throw new ProfileError(`The message has text beside the elements in ${closing.tag}`);
      continue;
    }
    const isEmpty = tag.endsWith('/>');
    const begun = tagPattern.exec(isEmpty ? `${tag.slice(0, -2)}>` : tag);
    if (!begun || (root && !inside)) throw new ProfileError(`The message has ${tag.slice(0, 60)} where it does not belong`);
    if (++count > MAX_ELEMENTS) throw new ProfileError(`The message has more than ${MAX_ELEMENTS} elements`);
    if (open.length >= MAX_DEPTH) throw new ProfileError(`The message has elements more than ${MAX_DEPTH} levels deep`);
    const { attributes, scope } = readAttributes(begun[2]!, inside?.scope ?? new Map());
    const [prefix, name] = begun[1]!.includes(':') ? begun[1]!.split(':') : ['', begun[1]!];
    const namespace = scope.get(prefix!) ?? '';
    const element: XmlElement = { name: name!, namespace, attributes, children: [], text: '' };
    if (inside) inside.element.children.push(element);
    else root = element;
    if (!isEmpty) open.push({ element, tag: begun[1]!, scope, pieces: [] });
  }
  if (!root || open.length > 0) throw new ProfileError('The message is cut off');
  return root;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Text for an element or an attribute. */
export const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, character => escapes[character]!);

/** Prints one element with its attributes, those that are null left out. */
export function printXml(name: string, attributes: Record<string, string | null>, content = ''): string {
  const printed = Object.entries(attributes).flatMap(([key, value]) => (value === null ? [] : [` ${key}="${escapeXml(value)}"`]));
  return content === '' ? `<${name}${printed.join('')}/>` : `<${name}${printed.join('')}>${content}</${name}>`;
}

/** The attribute, which must be there. @throws {ProfileError} */
export function attributeOf({ name, attributes }: XmlElement, attribute: string, longest = 1024): string {
  const value = attributes.get(attribute);
  if (value === undefined || value === '') throw new ProfileError(`${name} has no ${attribute}`);
  if (value.length > longest) throw new ProfileError(`${attribute} of ${name} has more than ${longest} characters`);
  return value;
}

/** Refuses attributes that the schema of the message does not have. @throws {ProfileError} */
export function refuseOtherAttributes({ name, attributes }: XmlElement, known: readonly string[]): void {
  for (const attribute of attributes.keys())
    if (!known.includes(attribute)) throw new ProfileError(`${name} has the attribute ${attribute}, which it may not have`);
}
