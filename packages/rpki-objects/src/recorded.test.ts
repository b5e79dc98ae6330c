import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cryptography } from '../test/small-authority.ts';
import {
  checkMessage,
  decodeCertificateRequest,
  decodeIdentity,
  decodeIdentityAnchor,
  decodeMessage,
  parseChildRequest,
  parseProvisioning,
  parsePublication,
  parsePublisherRequest,
  ProfileError,
} from './index.ts';

// Messages of other implementations: test/recorded/README.md says whose.
const recorded = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`../test/recorded/${name}`, import.meta.url)));
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
/** When they were made. */
const now = new Date('2011-07-01T04:09:30Z');

test('messages of rpkid are read: a list, and a request for a certificate', () => {
  expect(parseProvisioning(textOf(decodeMessage(recorded('list.der')).content))).toEqual({
    sender: 'Alice',
    recipient: 'Alice',
    type: 'list',
  });
  const message = decodeMessage(recorded('issue.der'));
  const query = parseProvisioning(textOf(message.content));
  if (query.type !== 'issue') throw new Error('It asks for a certificate');
  expect(query).toMatchObject({ className: 'Alice', requested: { asn: null, ipv4: null, ipv6: null } });
  expect(decodeCertificateRequest(query.request, cryptography)).toMatchObject({ repositoryUri: expect.stringMatching(/^rsync:/) });
});

test('a message of rpkid is accepted from the identity it belongs to, then, and from no other', () => {
  const message = decodeMessage(recorded('pdu_200.der'));
  const anchor = decodeIdentityAnchor(recorded('cms_ta.cer'), { now, cryptography });
  expect(() => checkMessage(message, { anchor, now, cryptography })).not.toThrow();
  expect(() => checkMessage(message, { anchor: decodeIdentity(recorded('id_ta.cer')), now, cryptography })).toThrow(
    /not issued by the identity/,
  );
  expect(() => checkMessage(message, { anchor, now: new Date('2013-01-01T00:00:00Z'), cryptography })).toThrow(/not valid now/);
});

test('every byte of a signed message counts', () => {
  const bytes = recorded('pdu_200.der');
  const anchor = decodeIdentity(recorded('cms_ta.cer'));
  for (let at = 0; at < bytes.length; at += 7) {
    const changed = bytes.slice();
    changed[at]! ^= 0x01;
    let isAccepted = true;
    try {
      checkMessage(decodeMessage(changed), { anchor, now, cryptography });
    } catch {
      isAccepted = false;
    }
    expect({ at, isAccepted }).toEqual({ at, isAccepted: false });
  }
});

test('a message that is cut off anywhere is refused by its form', () => {
  const bytes = recorded('issue.der');
  for (let length = 0; length < bytes.length; length += 97) expect(() => decodeMessage(bytes.slice(0, length))).toThrow(ProfileError);
});

test('set-up files of rpkid are read, with a prefix for their namespace and without', () => {
  const child = parseChildRequest(textOf(recorded('rpkid-child-id.xml')));
  expect(child).toMatchObject({ handle: 'Carol', tag: null });
  expect(() => decodeIdentityAnchor(child.certificate, { now, cryptography })).not.toThrow();
  expect(() => decodeIdentityAnchor(child.certificate, { now: new Date('2026-01-01T00:00:00Z'), cryptography })).toThrow(/not valid now/);
  expect(parsePublisherRequest(textOf(recorded('rpkid-publisher-request.xml')))).toMatchObject({ handle: 'Bob', tag: 'A0001' });
  expect(() => parseChildRequest(textOf(recorded('rpkid-publisher-request.xml')))).toThrow(/not a child_request/);
});

test('queries as Krill writes them are read', () => {
  expect(parseProvisioning(textOf(recorded('revoke-req.xml')))).toMatchObject({ type: 'revoke', ski: 'IEANpSE1IUSDJq2v6dXpRW_iphY=' });
  expect(parsePublication(textOf(recorded('list.xml')))).toEqual({ kind: 'list' });
  expect(parsePublication(textOf(recorded('publish-empty.xml')))).toEqual({ kind: 'changes', changes: [] });
  const query = parsePublication(textOf(recorded('publish-multi.xml')));
  expect(query.kind === 'changes' && query.changes.map(({ kind, hash }) => [kind, hash === null])).toEqual([
    ['publish', true],
    ['publish', true],
    ['withdraw', false],
  ]);
});

test('a certificate request of another CA is read, and refused once a byte of it changes', () => {
  expect(decodeCertificateRequest(recorded('drl-csr.der'), cryptography)).toMatchObject({
    repositoryUri: 'rsync://localhost:4404/rpki/Alice/Bob/Carol/3/',
    notificationUri: null,
  });
  const changed = recorded('drl-csr.der');
  changed[changed.length - 1]! ^= 1;
  expect(() => decodeCertificateRequest(changed, cryptography)).toThrow(/not signed with its own key/);
});

test.each([
  ['a document type', '<!DOCTYPE a><a/>', /document type/],
  ['CDATA', '<a><![CDATA[x]]></a>', /CDATA/],
  ['a processing instruction', '<a><?php x?></a>', /processing instruction/],
  ['an entity of its own', '<a>&boom;</a>', /undefined entity/],
  ['a character outside ASCII', '<a b="ü"/>', /ASCII/],
  ['a null character', '<a>&#0;</a>', /character entity/],
  ['an attribute twice', '<a b="1" b="2"/>', /duplicate attribute/],
  ['an attribute without quotes', '<a b=1/>', /well-formed/],
  ['an element that does not end', '<a><b></a>', /unexpected close tag/],
  ['two elements', '<a/><a/>', /may contain only one root/],
  ['five levels', '<a><a><a><a><a/></a></a></a></a>', /levels/],
  ['nothing', ' ', /root element/],
  ['an end that is missing', '<a><b/>', /unclosed tag/],
])('XML with %s is refused', (_what, source, sentence) => {
  expect(() => parsePublication(source)).toThrow(sentence);
});

test('XML that is not well-formed names the place, unless it is after a text that was cut', () => {
  expect(() => parsePublication('<msg><a>b</a><c></msg>')).toThrow('not well-formed XML, line 1, character 22: unexpected close tag');
  expect(() => parsePublication(`<msg><a>${'b'.repeat(1000)}</a><c></msg>`)).toThrow('not well-formed XML: unexpected close tag');
});

// As large as a message may be: with anything that takes more than linear time, none of these would end.
test.each([
  ['blanks in a tag', `<msg><a${' '.repeat(8_000_000)}<></msg>`],
  ['a tag that does not end', `<msg ${'a '.repeat(4_000_000)}`],
  ['an attribute that does not end', `<msg a="${'x'.repeat(8_000_000)}`],
  ['ampersands', `<msg>${'&'.repeat(8_000_000)}</msg>`],
  ['open elements', '<a>'.repeat(2_500_000)],
  ['attributes', `<msg${Array.from({ length: 600_000 }, (_, at) => ` a${at}="1"`).join('')}/>`],
  ['a comment that does not end', `<!--${'-'.repeat(8_000_000)}`],
])('8 MB of %s are refused in linear time', (_what, source) => {
  expect(() => parsePublication(source)).toThrow(ProfileError);
});
