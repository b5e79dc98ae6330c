import { ProfileError } from './profile-error.ts';
import { bytesIn } from './setup-messages.ts';
import { attributeOf, escapeXml, parseXml, printXml, refuseOtherAttributes, type XmlElement } from './xml.ts';

const namespace = 'http://www.hactrn.net/uris/rpki/publication-spec/';

/** One change of a publication query. `hash`: hexadecimal SHA-256 of what is replaced or withdrawn. */
export type PublicationChange =
  | { kind: 'publish'; tag: string; uri: string; hash: string | null; content: Uint8Array }
  | { kind: 'withdraw'; tag: string; uri: string; hash: string };
/** A query of a publisher (RFC 8181, section 2.1): all its changes together, or a list of what is published. */
export type PublicationQuery = { kind: 'list' } | { kind: 'changes'; changes: PublicationChange[] };

/** Reasons for which a whole query is refused (RFC 8181, section 2.5). */
export type PublicationErrorCode =
  | 'xml_error'
  | 'permission_failure'
  | 'object_already_present'
  | 'no_object_present'
  | 'no_object_matching_hash'
  | 'consistency_problem'
  | 'other_error';
export type PublicationError = { tag: string | null; code: PublicationErrorCode; text: string };

function hashOf(element: XmlElement): string {
  const hash = attributeOf(element, 'hash', 64).toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new ProfileError(`hash of ${element.name} is not SHA-256 in hexadecimal`);
  return hash;
}

function parseChange(element: XmlElement): PublicationChange {
  refuseOtherAttributes(element, ['tag', 'uri', 'hash']);
  const tag = element.attributes.get('tag') ?? '';
  if (tag.length > 1024) throw new ProfileError('A tag has more than 1024 characters');
  const uri = attributeOf(element, 'uri', 4096);
  if (element.name === 'withdraw') return { kind: 'withdraw', tag, uri, hash: hashOf(element) };
  return { kind: 'publish', tag, uri, hash: element.attributes.has('hash') ? hashOf(element) : null, content: bytesIn(element) };
}

/** Parses a query of a publisher. @throws {ProfileError} */
export function parsePublication(source: string): PublicationQuery {
  const root = parseXml(source);
  if (root.namespace !== namespace || root.name !== 'msg') throw new ProfileError('The message is not one of the publication protocol');
  refuseOtherAttributes(root, ['version', 'type']);
  if (root.attributes.get('version') !== '4') throw new ProfileError('The version of the message is not 4');
  if (root.attributes.get('type') !== 'query') throw new ProfileError('The message is not a query');
  if (root.children.length === 1 && root.children[0]!.name === 'list') return { kind: 'list' };
  const other = root.children.find(({ name }) => name !== 'publish' && name !== 'withdraw');
  if (other) throw new ProfileError(`The query has ${other.name.slice(0, 40)} in it, which does not belong there`);
  return { kind: 'changes', changes: root.children.map(parseChange) };
}

const reply = (content: string): string => printXml('msg', { xmlns: namespace, version: '4', type: 'reply' }, content);

export const printSuccess = (): string => reply(printXml('success', {}));
/** Prints everything that the publisher has published. @param elements one `list` for each file, with `uri` and `hash` */
export const printPublished = (elements: string): string => reply(elements);
export const printPublicationErrors = (errors: readonly PublicationError[]): string =>
  reply(
    errors
      .map(({ tag, code, text }) => printXml('report_error', { tag, error_code: code }, `<error_text>${escapeXml(text)}</error_text>`))
      .join(''),
  );
