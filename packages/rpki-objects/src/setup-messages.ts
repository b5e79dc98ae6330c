import { parseBase64, printBase64 } from './bytes.ts';
import { ProfileError } from './profile-error.ts';
import { attributeOf, parseXml, printXml, refuseOtherAttributes, type XmlElement } from './xml.ts';

const namespace = 'http://www.hactrn.net/uris/rpki/rpki-setup/';

/** Names that CAs give each other (RFC 8183, section 5.1). */
const handlePattern = /^[-_A-Za-z0-9/]{1,255}$/;

/** A CA's introduction to its parent or its repository: its handle and the certificate it is known by. */
export type Introduction = { handle: string; tag: string | null; certificate: Uint8Array };

type Kind = { element: string; handle: string; certificate: string };
const childKind: Kind = { element: 'child_request', handle: 'child_handle', certificate: 'child_bpki_ta' };
const publisherKind: Kind = { element: 'publisher_request', handle: 'publisher_handle', certificate: 'publisher_bpki_ta' };

/** Base64 with line breaks. @throws {ProfileError} */
export function bytesIn({ name, text }: XmlElement): Uint8Array {
  try {
    const bytes = parseBase64(text.replaceAll(/\s+/g, ''));
    if (bytes.length > 0) return bytes;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new ProfileError(`${name} is not base64`);
}

function parseIntroduction(source: string, kind: Kind): Introduction {
  const root = parseXml(source);
  if (root.namespace !== namespace || root.name !== kind.element)
    throw new ProfileError(`This is not a ${kind.element} of RFC 8183: the file starts with ${root.name.slice(0, 40)}`);
  if (root.attributes.get('version') !== '1') throw new ProfileError(`The version of ${kind.element} is not 1`);
  refuseOtherAttributes(root, ['version', 'tag', kind.handle]);
  const handle = attributeOf(root, kind.handle);
  if (!handlePattern.test(handle)) throw new ProfileError(`${kind.handle} has characters other than letters, digits, -, _ and /`);
  const [certificate, second] = root.children.filter(({ name }) => name === kind.certificate);
  if (!certificate || second) throw new ProfileError(`${kind.element} does not have exactly one ${kind.certificate}`);
  return { handle, tag: root.attributes.get('tag') ?? null, certificate: bytesIn(certificate) };
}

/** Parses `child_request.xml` (RFC 8183, section 5.2.1). @throws {ProfileError} */
export const parseChildRequest = (source: string): Introduction => parseIntroduction(source, childKind);
/** Parses `publisher_request.xml` (RFC 8183, section 5.2.3). @throws {ProfileError} */
export const parsePublisherRequest = (source: string): Introduction => parseIntroduction(source, publisherKind);

const lines = (bytes: Uint8Array): string => `\n${printBase64(bytes).replaceAll(/.{64}/g, '$&\n').trimEnd()}\n`;

/** Prints `parent_response.xml` (RFC 8183, section 5.2.2), with an offer to publish here. */
export const printParentResponse = (response: {
  serviceUri: string;
  childHandle: string;
  parentHandle: string;
  tag: string | null;
  certificate: Uint8Array;
}): string =>
  `${printXml(
    'parent_response',
    {
      xmlns: namespace,
      version: '1',
      service_uri: response.serviceUri,
      child_handle: response.childHandle,
      parent_handle: response.parentHandle,
      tag: response.tag,
    },
    `\n${printXml('parent_bpki_ta', {}, lines(response.certificate))}\n${printXml('offer', {})}\n`,
  )}\n`;

/** Prints `repository_response.xml` (RFC 8183, section 5.2.4). */
export const printRepositoryResponse = (response: {
  serviceUri: string;
  publisherHandle: string;
  baseUri: string;
  notificationUri: string | null;
  tag: string | null;
  certificate: Uint8Array;
}): string =>
  `${printXml(
    'repository_response',
    {
      xmlns: namespace,
      version: '1',
      service_uri: response.serviceUri,
      publisher_handle: response.publisherHandle,
      sia_base: response.baseUri,
      rrdp_notification_uri: response.notificationUri,
      tag: response.tag,
    },
    `\n${printXml('repository_bpki_ta', {}, lines(response.certificate))}\n`,
  )}\n`;
