import { printBase64 } from './bytes.ts';
import { ProfileError } from './profile-error.ts';
import { bytesIn } from './setup-messages.ts';
import { attributeOf, escapeXml, parseXml, printXml, refuseOtherAttributes, type XmlElement } from './xml.ts';

const namespace = 'http://www.apnic.net/specs/rescerts/up-down/';

/** Resources in the notation of RFC 6492, section 3.3.1: comma-separated lists. Null: all that there are. */
export type RequestedResources = { asn: string | null; ipv4: string | null; ipv6: string | null };
/** A message from a child to its parent (RFC 6492, section 3). */
export type ProvisioningQuery = { sender: string; recipient: string } & (
  | { type: 'list' }
  | { type: 'issue'; className: string; requested: RequestedResources; request: Uint8Array }
  /** @param ski base64url of the key identifier */
  | { type: 'revoke'; className: string; ski: string }
);

/** Thrown for a message that is answered with an error (RFC 6492, section 3.6). */
export class ProvisioningError extends Error {
  readonly status: number;
  constructor(status: keyof typeof provisioningErrors, message: string = provisioningErrors[status]) {
    super(message);
    this.status = status;
  }
}
export const provisioningErrors = {
  1101: 'Another request of this CA is being processed',
  1102: 'The version of the message is not 1',
  1103: 'This type of request is not known',
  1201: 'There is no such resource class',
  1202: 'No resources of this class are certified for this CA',
  1203: 'The certificate request is not right',
  1204: 'The key of the request is used already',
  1301: 'There is no such resource class',
  1302: 'There is no certificate of this key',
  2001: 'The request could not be processed. Try again later',
} as const;

const only = (root: XmlElement, name: string): XmlElement => {
  const [child, second] = root.children;
  if (child?.name !== name || child.namespace !== namespace || second)
    throw new ProfileError(`The message does not have exactly one ${name}`);
  return child;
};

/** Parses a message of a child. @throws {ProfileError} when it is no message of this protocol @throws {ProvisioningError} for other versions and types */
export function parseProvisioning(source: string): ProvisioningQuery {
  const root = parseXml(source);
  if (root.namespace !== namespace || root.name !== 'message')
    throw new ProfileError('The message is not one of the provisioning protocol');
  refuseOtherAttributes(root, ['version', 'sender', 'recipient', 'type']);
  const parties = { sender: attributeOf(root, 'sender'), recipient: attributeOf(root, 'recipient') };
  if (root.attributes.get('version') !== '1') throw new ProvisioningError(1102);
  const type = attributeOf(root, 'type');
  if (type === 'list') {
    if (root.children.length > 0) throw new ProfileError('A list message has nothing in it');
    return { ...parties, type };
  }
  if (type === 'issue') {
    const request = only(root, 'request');
    const known = { asn: 'req_resource_set_as', ipv4: 'req_resource_set_ipv4', ipv6: 'req_resource_set_ipv6' };
    refuseOtherAttributes(request, ['class_name', ...Object.values(known)]);
    const list = (name: string): string | null => request.attributes.get(name) ?? null;
    return {
      ...parties,
      type,
      className: attributeOf(request, 'class_name'),
      requested: { asn: list(known.asn), ipv4: list(known.ipv4), ipv6: list(known.ipv6) },
      request: bytesIn(request),
    };
  }
  if (type === 'revoke') {
    const key = only(root, 'key');
    refuseOtherAttributes(key, ['class_name', 'ski']);
    return { ...parties, type, className: attributeOf(key, 'class_name'), ski: attributeOf(key, 'ski', 64) };
  }
  throw new ProvisioningError(1103);
}

type Parties = { sender: string; recipient: string };
const message = ({ sender, recipient }: Parties, type: string, content = ''): string =>
  printXml('message', { xmlns: namespace, version: '1', sender, recipient, type }, content);

/** A class of resources with what is certified in it. */
export type ResourceClass = {
  className: string;
  /** Of the issuer's certificate. */
  certificateUri: string;
  resources: { asn: string; ipv4: string; ipv6: string };
  notAfter: Date;
  certificates: { uri: string; requested: RequestedResources; bytes: Uint8Array }[];
  issuer: Uint8Array;
};

const printClass = ({ className, certificateUri, resources, notAfter, certificates, issuer }: ResourceClass): string =>
  printXml(
    'class',
    {
      class_name: className,
      cert_url: certificateUri,
      resource_set_as: resources.asn,
      resource_set_ipv4: resources.ipv4,
      resource_set_ipv6: resources.ipv6,
      resource_set_notafter: `${notAfter.toISOString().slice(0, 19)}Z`,
    },
    certificates
      .map(({ uri, requested, bytes }) =>
        printXml(
          'certificate',
          {
            cert_url: uri,
            req_resource_set_as: requested.asn,
            req_resource_set_ipv4: requested.ipv4,
            req_resource_set_ipv6: requested.ipv6,
          },
          printBase64(bytes),
        ),
      )
      .join('') + printXml('issuer', {}, printBase64(issuer)),
  );

/** Prints what a child is entitled to and has. @param classes none where nothing is certified for it */
export const printListResponse = (parties: Parties, classes: readonly ResourceClass[]): string =>
  message(parties, 'list_response', classes.map(printClass).join(''));
/** Prints a class with the one certificate that was issued. */
export const printIssueResponse = (parties: Parties, issued: ResourceClass): string =>
  message(parties, 'issue_response', printClass(issued));
export const printRevokeResponse = (parties: Parties, { className, ski }: { className: string; ski: string }): string =>
  message(parties, 'revoke_response', printXml('key', { class_name: className, ski }));
export const printProvisioningError = (parties: Parties, { status, message: text }: { status: number; message: string }): string =>
  message(parties, 'error_response', `<status>${status}</status><description xml:lang="en-US">${escapeXml(text)}</description>`);
