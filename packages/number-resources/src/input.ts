import { familyName, type ResourceFamily } from './family.ts';
import { netmaskLength, prefixAt, printPrefix } from './prefix.ts';
import { compareResources, type NumberResource, parseResource, printResource } from './resource.ts';
import { quoteInput, ResourceSyntaxError } from './syntax-error.ts';

/** Place of an item in the pasted text, and its original text. Lines and columns count from 1, the offset from 0. */
export interface InputPosition {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly text: string;
}

/** An item that could be read. */
export interface ReadItem extends InputPosition {
  readonly resource: NumberResource;
  /** The resource in canonical form. */
  readonly value: string;
  /** Index in `items` of the first item with the same numbers; undefined if this is the first. */
  readonly duplicateOf: number | undefined;
  /** True if it sorts before the readable item ahead of it. */
  readonly outOfOrder: boolean;
}

/** An item that could not be read, and why. */
export interface RefusedItem extends InputPosition {
  readonly error: ResourceSyntaxError;
}

/** The parsed content of a pasted list of number resources. */
export interface ResourceReading {
  readonly items: readonly (ReadItem | RefusedItem)[];
  readonly refused: number;
  readonly duplicates: number;
  /** True if the valid items are in the order of compareResources. */
  readonly inOrder: boolean;
}

export interface ReadOptions {
  /** Families the field takes; all if left out. */
  readonly accept?: readonly ResourceFamily[];
}

/**
 * Reads a pasted list: one per line, or separated by commas, semicolons or blanks. Forgives what editors and spreadsheets add: full-width characters,
 * typographic dashes, quotes, brackets, bullets, final dots, capitals, blanks around `-` and `/` and after `AS`, remarks after `#`.
 * It never guesses numbers: host bits, leading zeros, shortened addresses and masks are refused with a suggestion.
 */
export function readResources(text: string, options: ReadOptions = {}): ResourceReading {
  const items: (ReadItem | RefusedItem)[] = [];
  const firstSeen = new Map<string, number>();
  let previous: NumberResource | undefined;
  let refused = 0;
  let duplicates = 0;
  let inOrder = true;
  for (const piece of splitPieces(text)) {
    const { line, column, offset } = piece;
    const position: InputPosition = { line, column, offset, text: text.slice(offset, piece.end) };
    try {
      const resource = readPiece(piece, options);
      const value = printResource(resource);
      const duplicateOf = firstSeen.get(value);
      const outOfOrder = previous !== undefined && compareResources(previous, resource) > 0;
      if (duplicateOf === undefined) firstSeen.set(value, items.length);
      else duplicates++;
      if (outOfOrder) inOrder = false;
      previous = resource;
      items.push({ ...position, resource, value, duplicateOf, outOfOrder });
    } catch (error) {
      if (!(error instanceof ResourceSyntaxError)) throw error;
      refused++;
      items.push({ ...position, error });
    }
  }
  return { items, refused, duplicates, inOrder };
}

/**
 * Reads a field that takes exactly one resource, as forgivingly as readResources.
 * @throws {ResourceSyntaxError} also when the field is empty or holds more than one.
 */
export function readResource(text: string, options: ReadOptions = {}): NumberResource {
  const pieces = splitPieces(text);
  const [piece] = pieces;
  if (!piece) throw new ResourceSyntaxError('EMPTY', `${acceptedForms(options).replace(/^a/, 'A')} is needed here`);
  if (pieces.length > 1)
    throw new ResourceSyntaxError('NOT_ACCEPTED', `${quoteInput(text.trim())} has ${pieces.length} entries. Enter one`);
  return readPiece(piece, options);
}

/** True if the item could not be read. */
export function isRefused(item: ReadItem | RefusedItem): item is RefusedItem {
  return 'error' in item;
}

interface Piece {
  line: number;
  column: number;
  offset: number;
  end: number;
  /** Its words and joints without what surrounds them. */
  clean: string;
  error?: ResourceSyntaxError;
}

function readPiece(piece: Piece, options: ReadOptions): NumberResource {
  if (piece.error) throw piece.error;
  const resource = parseResource(piece.clean);
  if (options.accept && !options.accept.includes(resource.family)) {
    const isA = resource.family === 'asn' ? 'is an AS number' : `is ${familyName(resource.family)}`;
    throw new ResourceSyntaxError('NOT_ACCEPTED', `${printResource(resource)} ${isA}; ${acceptedForms(options)} is needed here`);
  }
  return resource;
}

function acceptedForms({ accept = ['ipv4', 'ipv6', 'asn'] }: ReadOptions): string {
  const addresses = accept.filter(family => family !== 'asn').map(familyName);
  const forms = [];
  if (addresses.length > 0) forms.push(`an ${addresses.join(' or ')} prefix or range`);
  if (accept.includes('asn')) forms.push('an AS number');
  return forms.join(' or ');
}

const dashes = /[\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63]/g;
const stops = /[\u3002\uff61]/g;
const commas = /[\u3001\uff64]/g;
const fullWidth = /[\uff01-\uff5e]/g;
const invisible = /[\u200b-\u200d\u2060\ufeff]/g;
const opening = '\'"`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u00ab\u00bb()[]<>{}';
const closing = `${opening}.`;

/** Every replacement is one code unit for one, so that positions stay those of the pasted text. */
function foldCharacters(text: string): string {
  return text
    .replace(fullWidth, character => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(dashes, '-')
    .replace(stops, '.')
    .replace(commas, ',');
}

function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let lineStart = 0;
  let line = 1;
  for (const lineText of foldCharacters(text).split(/\r\n|[\n\r\u2028\u2029]/)) {
    let start = 0;
    const remark = lineText.indexOf('#');
    for (const segment of (remark < 0 ? lineText : lineText.slice(0, remark)).split(/[,;]/)) {
      addPieces(pieces, segment, line, lineStart, start);
      start += segment.length + 1;
    }
    lineStart += lineText.length;
    lineStart += text.startsWith('\r\n', lineStart) ? 2 : 1;
    line++;
  }
  return pieces;
}

interface Token {
  text: string;
  start: number;
  end: number;
  joint: boolean;
}

function addPieces(pieces: Piece[], segment: string, line: number, lineStart: number, start: number): void {
  const groups = groupTokens(tokens(segment));
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i] as Token[];
    const clean = group.map(token => token.text).join('');
    const first = group[0] as Token;
    const next = groups[i + 1];
    const maskLength =
      next?.length === 1 && clean.includes('.') && next[0]?.text.startsWith('255.') ? netmaskLength(next[0].text) : undefined;
    const last = (maskLength === undefined ? group : (next as Token[])).at(-1) as Token;
    const piece: Piece = {
      line,
      column: start + first.start + 1,
      offset: lineStart + start + first.start,
      end: lineStart + start + last.end,
      clean,
    };
    if (maskLength !== undefined) {
      const error = explainMask(clean, next?.[0]?.text ?? '', maskLength);
      if (error) {
        piece.error = error;
        i++;
      } else piece.end = lineStart + start + (group.at(-1) as Token).end;
    }
    pieces.push(piece);
  }
}

/** `192.0.2.0 255.255.255.0` may be two addresses, or a prefix as routers are configured. */
function explainMask(address: string, mask: string, length: number): ResourceSyntaxError | undefined {
  if (/[-/]/.test(address)) return undefined;
  const resource = parseResourceOrUndefined(address);
  if (resource?.family !== 'ipv4') return undefined;
  return new ResourceSyntaxError(
    'AMBIGUOUS',
    `${address} ${mask} may be two addresses or an address and its mask`,
    printPrefix(prefixAt('ipv4', resource.first, length)),
  );
}

function parseResourceOrUndefined(text: string): NumberResource | undefined {
  try {
    return parseResource(text);
  } catch {
    return undefined;
  }
}

function tokens(segment: string): Token[] {
  const found: Token[] = [];
  for (const match of segment.matchAll(/[-/]|[^\s/-]+/g)) {
    const joint = match[0] === '-' || match[0] === '/';
    const text = joint ? match[0] : unwrap(match[0].replace(invisible, ''));
    if (text === '' || /^[*\u2022\u00b7]$/.test(text)) continue;
    found.push({ text, start: match.index, end: match.index + match[0].length, joint });
  }
  const [first, second] = found;
  const isBullet = first?.text === '-' && second !== undefined && !second.joint && second.start > first.end;
  return isBullet ? found.slice(1) : found;
}

/** Takes off quotes, brackets and final dots. A loop, as a pattern anchored at the end would take quadratic time on hostile text. */
function unwrap(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && opening.includes(word.charAt(start))) start++;
  while (end > start && closing.includes(word.charAt(end - 1))) end--;
  return word.slice(start, end);
}

/** Puts together what blanks divide but meaning does not: `192.0.2.0 - 192.0.2.255`, `192.0.2.0 / 24`, `AS 64500`. */
function groupTokens(all: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  let previous: Token | undefined;
  for (const token of all) {
    const joined = previous && (token.joint || previous.joint || (/^as$/i.test(previous.text) && /^\d/.test(token.text)));
    const current = groups.at(-1);
    if (joined && current) current.push(token);
    else groups.push([token]);
    previous = token;
  }
  return groups;
}
