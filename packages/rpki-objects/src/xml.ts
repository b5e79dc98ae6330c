import { SaxesParser, type SaxesTagNS } from 'saxes';
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

/** The parser is given so many characters at a time, so that a message that breaks a limit is not read to its end. */
const PIECE = 64 * 1024;

/** Base64 between tags. Where it is long, as that of files, the parser is not given it: it reads character by character. */
const base64 = />[A-Za-z0-9+/=\n\t ]+</g;
const WORTH_CUTTING = 200;

/** @throws {ProfileError} for an attribute with a prefix, but for `xml:lang`, which is left out */
function attributesOf(tag: SaxesTagNS): Map<string, string> {
  const given = Object.values(tag.attributes);
  if (given.length > MAX_ATTRIBUTES) throw new ProfileError('The message has an element with too many attributes');
  const attributes = new Map<string, string>();
  for (const { prefix, local, name, value } of given) {
    if (prefix === 'xmlns' || name === 'xmlns' || name === 'xml:lang') continue;
    if (prefix !== '') throw new ProfileError(`The message has the attribute ${name.slice(0, 60)}, which it may not have`);
    attributes.set(local, value);
  }
  return attributes;
}

/**
 * Parses the XML of a protocol message: ASCII, elements, attributes and text. Document types, entities of their own, CDATA and processing instructions are
 * refused, as are more than 20,000 elements and more than four levels, so that a message can neither reach anything nor grow when it is read. What it takes
 * grows with the length of the message and no faster.
 * @throws {ProfileError}
 */
export function parseXml(source: string): XmlElement {
  // oxlint-disable-next-line no-control-regex -- these are the characters to find
  if (/[^\t\n\r\u0020-\u007e]/.test(source)) throw new ProfileError('The message has characters outside ASCII');
  const parser = new SaxesParser({ xmlns: true });
  const open: { element: XmlElement; pieces: string[] }[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  let isCut = false;
  parser.on('error', error => {
    // The parser counts what it was given, so after a cut its place is not that in the message.
    const said = error.message.slice(0, 200).replace(/^(\d+):(\d+): /, isCut ? '' : 'line $1, character $2: ');
    throw new ProfileError(`The message is not well-formed XML${isCut ? ':' : ','} ${said.replace(/\.$/, '')}`);
  });
  for (const [part, name] of [
    ['doctype', 'document type'],
    ['cdata', 'CDATA section'],
    ['processinginstruction', 'processing instruction'],
  ] as const)
    parser.on(part, () => {
      throw new ProfileError(`The message has a ${name}, which it may not have`);
    });
  parser.on('opentag', tag => {
    if (++count > MAX_ELEMENTS) throw new ProfileError(`The message has more than ${MAX_ELEMENTS} elements`);
    if (open.length >= MAX_DEPTH) throw new ProfileError(`The message has elements more than ${MAX_DEPTH} levels deep`);
    const element: XmlElement = { name: tag.local, namespace: tag.uri, attributes: attributesOf(tag), children: [], text: '' };
    const inside = open.at(-1);
    if (inside) inside.element.children.push(element);
    else root = element;
    open.push({ element, pieces: [] });
  });
  parser.on('text', text => void open.at(-1)?.pieces.push(text));
  parser.on('closetag', () => {
    const { element, pieces } = open.pop()!;
    element.text = pieces.join('');
    if (element.children.length > 0 && element.text.trim() !== '')
      throw new ProfileError(`The message has text beside the elements in ${element.name.slice(0, 60)}`);
  });
  const write = (from: number, to: number): void => {
    for (let at = from; at < to; at += PIECE) parser.write(source.slice(at, Math.min(at + PIECE, to)));
  };
  let written = 0;
  // Without comments, sections and types, such text is either that of an element, or in a message that is not well-formed, with or without it.
  if (!source.includes('<!'))
    for (const { index, 0: found } of source.matchAll(base64)) {
      if (found.length < WORTH_CUTTING) continue;
      write(written, index + 1);
      written = index + 1;
      const inside = open.at(-1);
      if (!inside) continue;
      inside.pieces.push(found.slice(1, -1));
      isCut = true;
      written = index + found.length - 1;
    }
  write(written, source.length);
  parser.close();
  if (!root) throw new ProfileError('The message has no element');
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
