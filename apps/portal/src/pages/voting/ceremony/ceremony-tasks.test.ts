import {
  assembleThresholdKey,
  isCredential,
  parseJson,
  printTrustees,
  publicOf,
  readKeyShare,
  readPolynomial,
  readSignedMessage,
  readTrusteeKey,
  routePolynomials,
  keyInputJson,
  newElectionId,
  rightKeyOf,
  secretOf,
  verifyCertificates,
  verifyTrustees,
  votingRightOf,
} from '@portal/ballots';
import { expect, test } from 'vitest';
import { TaskRefusal } from '../encrypted/worker-call.ts';
import { ceremonyTasks } from './ceremony-tasks.ts';

const json = (text: string) => parseJson(text, 'A message of the test', { length: 1_000_000, depth: 10, values: 50_000 });
const none = () => undefined;
const rows = [
  { accountName: 'EXAMPLE-AU', votes: 8, emails: ['corin@example.net'], proxyId: null },
  { accountName: 'OTHER-SG', votes: 4, emails: ['paul@proxy.example'], proxyId: '31' },
];

test('three trustees make a key together with their files, of which two are enough', async () => {
  const made = await Promise.all(['A', 'B', 'C'].map(name => ceremonyTasks.makeKey({ threshold: 2, name })));
  const certificates = made.map(({ message }) => message);
  expect(made[0]!.secret).toMatch(/^[1-9A-HJ-NP-Za-km-z]{22}$/);
  const polynomials = await Promise.all(
    made.map(({ secret }) => ceremonyTasks.makePolynomial({ secret: `${secret}\n`, certificates, threshold: 2 })),
  );
  const signed = certificates.map(text => readSignedMessage(json(text), 'a certificate'));
  const keys = await verifyCertificates(signed);
  const read = polynomials.map(text => readPolynomial(json(text), 'a polynomial'));
  const inputs = await routePolynomials(keys, read);
  const shares = await Promise.all(
    made.map(({ secret }, place) => ceremonyTasks.makeShare({ secret, certificates, input: JSON.stringify(keyInputJson(inputs[place]!)) })),
  );
  const key = await assembleThresholdKey(
    signed,
    read,
    shares.map(text => readKeyShare(json(text), 'a share')),
  );
  expect(printTrustees([{ kind: 'Pedersen', key }])).toContain('Pedersen');
});

test('a key that is needed alone is a number, as belenios-tool keeps it, and its public part says whose it is', async () => {
  const { secret, message } = await ceremonyTasks.makeKey({ threshold: null, name: 'Hana' });
  expect(secret).toMatch(/^"\d{60,78}"$/);
  const key = readTrusteeKey(json(message), 'the key');
  expect(key.name).toBe('Hana');
  await verifyTrustees([{ kind: 'Single', key }]);
});

test('the file of another trustee, and a file that isn’t a key, are refused in words', async () => {
  const made = await Promise.all(['A', 'B'].map(name => ceremonyTasks.makeKey({ threshold: 1, name })));
  const other = await ceremonyTasks.makeKey({ threshold: 1, name: 'C' });
  const certificates = made.map(({ message }) => message);
  await expect(ceremonyTasks.makePolynomial({ secret: other.secret, certificates, threshold: 1 })).rejects.toThrow(
    'not among those of the key',
  );
  await expect(ceremonyTasks.makePolynomial({ secret: 'receipt', certificates, threshold: 1 })).rejects.toThrow(TaskRefusal);
});

test('codes are made for each account, and neither list says which account a line is of', async () => {
  const uuid = newElectionId();
  const { codes, list, privateFile, fingerprint } = await ceremonyTasks.makeCredentials({ uuid, rows, file: null }, none);
  expect(codes.map(({ accountName, code }) => [accountName, isCredential(code)])).toEqual([
    ['EXAMPLE-AU', true],
    ['OTHER-SG', true],
  ]);
  const [credentials, rights] = list
    .trim()
    .split('\n\n')
    .map(part => part.split('\n'));
  for (const { accountName, votes, code } of codes) {
    const credential = publicOf(await secretOf(code, uuid));
    expect(credentials).toContain(`${credential} ${votes}`);
    expect(rights).toContain(await votingRightOf(await rightKeyOf(code, uuid), accountName, credential));
    expect(list).not.toContain(code);
  }
  expect(rights).toEqual(rights!.toSorted());
  expect(fingerprint).toMatch(/^[A-Za-z0-9+/]{43}$/);
  // The private file makes the same list again.
  const again = await ceremonyTasks.makeCredentials({ uuid, rows, file: privateFile }, none);
  expect([again.list, again.fingerprint]).toEqual([list, fingerprint]);
});

test.each([
  ['no credential', 'EXAMPLE-AU,EXAMPLE-AU,8 abc\nOTHER-SG,OTHER-SG,4 Txj-zz4-xhc-DQR-pZr', /^Line 1 isn’t/],
  ['an account that is missing', 'EXAMPLE-AU,EXAMPLE-AU,8 Txj-zz4-xhc-DQR-pZr', /^OTHER-SG is on the roll/],
  ['an account twice', 'EXAMPLE-AU,,8 Txj-zz4-xhc-DQR-pZr\nEXAMPLE-AU,,8 fLN-oBi-o8V-F2c-fd4', /twice/],
  ['one code for two accounts', 'EXAMPLE-AU,,8 Txj-zz4-xhc-DQR-pZr\nOTHER-SG,,4 Txj-zz4-xhc-DQR-pZr', /twice/],
  [
    'an account of another roll',
    'EXAMPLE-AU 5fx-vbR-eAe-jsC-Ywu\nOTHER-SG Txj-zz4-xhc-DQR-pZr\nMORE-NZ fLN-oBi-o8V-F2c-fd4',
    /3 accounts|isn’t/,
  ],
])('a private file with %s is refused in words', async (_, file, words) => {
  await expect(ceremonyTasks.makeCredentials({ uuid: newElectionId(), rows, file }, none)).rejects.toThrow(words);
});
