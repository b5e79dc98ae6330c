import { PageFrame } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { aRouter, aSession, show } from '@portal/app-kit/testing';
import {
  appendEvent,
  candidateQuestion,
  choicesOf,
  createBallot,
  createTrusteeKey,
  type EventType,
  newCredential,
  newElectionId,
  newPrivateKey,
  parseJson,
  printArchiveHeader,
  printCredentialList,
  printElection,
  printSetup,
  printTally,
  printTrustees,
  publicOf,
  readBallot,
  readElection,
  readPartialDecryption,
  readPolynomial,
  readSignedMessage,
  secretOf,
  TallyCount,
  type Tip,
  verifyCertificates,
  verifyPartialDecryption,
} from '@portal/ballots';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recordSavedFiles } from '../../../../test/saved-files.ts';
import { workerHere } from '../../../../test/worker-here.ts';
import { ceremonyTasks } from './ceremony-tasks.ts';
import DutyPage from '../DutyPage.tsx';
import type { TrusteeView } from './TrusteeView.ts';

let savedFiles: ReturnType<typeof recordSavedFiles>;

beforeEach(() => {
  savedFiles = recordSavedFiles();
  vi.stubGlobal(
    'Worker',
    workerHere(() => ceremonyTasks),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const json = (text: string) => parseJson(text, 'A message of the test', { length: 1_000_000, depth: 10, values: 50_000 });
const uuid = newElectionId();
const trustee = (place: number, fullName: string) => ({ place, fullName, next: null, askedAt: null, fingerprint: null });
const view = (given: Partial<TrusteeView>): TrusteeView => ({
  uuid,
  title: 'Council',
  place: 1,
  number: 2,
  threshold: 2,
  next: null,
  certificates: null,
  input: null,
  share: null,
  ballots: 0,
  progress: {
    authority: { fullName: 'Nadia Haddad', isDue: false, askedAt: null },
    hasCredentials: false,
    trustees: [
      trustee(1, 'Tess Lindqvist'),
      { ...trustee(2, 'Olive Tan'), next: 'certificate', askedAt: '2027-02-10T04:00:00Z' },
      { ...trustee(3, 'Hana Watanabe'), next: 'certificate' },
    ],
    hasKey: false,
    setUpAt: null,
  },
  ...given,
});

type Message = { step: string; message: string };

/** Opens the page of a trustee; each message that is sent ends the step. */
function openPage(given: Partial<TrusteeView>) {
  const arrived: Message[] = [];
  const user = userEvent.setup();
  show(
    <PageFrame page={pages.ballotDuty}>
      <DutyPage />
    </PageFrame>,
    {
      session: aSession(),
      router: aRouter('/voting/7/duty/trustee'),
      answer({ endpoint, input }) {
        if (endpoint === 'encryptedBallots.trustees.sendTrusteeMessage') arrived.push((input as { body: Message }).body);
        return { status: 200, data: view(arrived.length > 0 ? { ...given, next: null } : given) };
      },
    },
  );
  return { user, arrived };
}
const fileOf = (text: string): File => new File([text], 'trustee.key');

test('a trustee makes a key, keeps its file, and sends the public part only', async () => {
  const { user, arrived } = openPage({ next: 'certificate' });
  await user.click(await screen.findByRole('button', { name: 'Make my key' }));
  const send = async () => user.click(await screen.findByRole('button', { name: 'Send the public part' }));
  await screen.findByRole('checkbox', { name: 'I have kept the key file' });
  const saved = await savedFiles();
  expect(saved).toEqual([{ name: `trustee-${uuid}.key`, text: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{22}$/) }]);
  // Not before the file is kept.
  await send();
  expect(arrived).toEqual([]);
  await user.click(screen.getByRole('checkbox', { name: 'I have kept the key file' }));
  await send();
  expect(await screen.findByText(/^Your message has arrived\. We are waiting for Olive Tan and Hana Watanabe/)).toBeDefined();
  expect(arrived.map(({ step }) => step)).toEqual(['certificate']);
  expect(arrived[0]!.message).not.toContain(saved[0]!.text);
  await verifyCertificates([readSignedMessage(json(arrived[0]!.message), 'a certificate')]);
});

test('the second message is made with the file of the trustee, and another file is refused at its field', async () => {
  const made = await Promise.all(['A', 'B', 'C'].map(name => ceremonyTasks.makeKey({ threshold: 2, name })));
  const { user, arrived } = openPage({ next: 'polynomial', certificates: made.map(({ message }) => message) });
  const field = await screen.findByLabelText('Your key file');
  const act = () => user.click(screen.getByRole('button', { name: 'Make and send the second message' }));
  await user.upload(field, fileOf('a receipt'));
  await act();
  expect(await screen.findByText(/^This isn’t a key file/)).toBeDefined();
  await user.upload(field, fileOf((await ceremonyTasks.makeKey({ threshold: 2, name: 'D' })).secret));
  await act();
  expect(await screen.findByText(/not among those of the key/)).toBeDefined();
  expect(arrived).toEqual([]);
  await user.upload(field, fileOf(`${made[0]!.secret}\n`));
  await act();
  expect(await screen.findByRole('heading', { name: 'Nothing to do now' })).toBeDefined();
  expect(readPolynomial(json(arrived[0]!.message), 'a polynomial').secrets).toHaveLength(3);
});

test('a file of belenios-tool is sent as it is', async () => {
  const { user, arrived } = openPage({ next: 'certificate' });
  await user.upload(await screen.findByLabelText('The public file that it made'), new File(['{"message":"…"}\n'], 'a.cert'));
  await user.click(screen.getByText('Use belenios-tool instead'));
  await user.click(await screen.findByRole('button', { name: 'Send the file' }));
  expect(await screen.findByRole('heading', { name: 'Nothing to do now' })).toBeDefined();
  expect(arrived).toEqual([{ step: 'certificate', message: '{"message":"…"}' }]);
});

/** An archive with one ballot of 8 votes, added up, and the key of its one trustee. */
async function countedArchive() {
  const secretKey = newPrivateKey();
  const key = await createTrusteeKey(secretKey);
  const code = newCredential();
  const secret = await secretOf(code, uuid);
  const election = await readElection(
    printElection({
      uuid,
      name: 'Council',
      description: '',
      questions: [candidateQuestion('Council', ['Ada', 'Bo'], 1)],
      publicKey: key.publicKey,
      administrator: null,
      credentialAuthority: null,
    }),
  );
  const parts: Uint8Array[] = [printArchiveHeader(1_800_000_000)];
  let tip: Tip | null = null;
  const append = async (type: EventType, ...data: string[]) => {
    const event = await appendEvent(tip, type, data, 1_800_000_000);
    parts.push(event.bytes);
    tip = event.tip;
  };
  const list = printCredentialList(new Map([[publicOf(secret), 8]]));
  await append('Setup', ...(await printSetup(election.text, printTrustees([{ kind: 'Single', key }]), list)));
  const { text } = await createBallot(election, { secret, choices: [choicesOf(election.questions[0]!, [0])] });
  await append('Ballot', text);
  await append('EndBallots');
  const count = new TallyCount(election);
  count.add(readBallot(election, text), 8);
  const { tally } = count.total();
  await append('EncryptedTally', ...(await printTally(count.total())));
  return { bytes: new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer()), election, tally, key, secretKey };
}

test('the archive is verified and added up before the sums are decrypted, and a changed one is refused', async () => {
  const { bytes, election, tally, key, secretKey } = await countedArchive();
  let served = bytes.slice();
  // A byte of the ballot.
  served[served.length - 3_000] = served[served.length - 3_000]! ^ 1;
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    return Promise.resolve(new Response(served));
  });
  const { user, arrived } = openPage({ next: 'decryption', threshold: null, number: 1, ballots: 1 });
  await user.upload(await screen.findByLabelText('Your key file'), fileOf(`"${secretKey}"`));
  await user.click(screen.getByRole('button', { name: 'Verify and decrypt' }));
  expect(await screen.findByText(/event|record|hash|Something/)).toBeDefined();
  expect(screen.queryByText('The archive holds.')).toBe(null);
  served = bytes.slice();
  await user.click(screen.getByRole('button', { name: 'Verify and decrypt' }));
  expect(await screen.findByText('The archive holds.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Send the decryption' }));
  expect(await screen.findByRole('heading', { name: 'Nothing to do now' })).toBeDefined();
  expect(asked).toEqual(['/elections/7/archive', '/elections/7/archive']);
  const decryption = readPartialDecryption(tally, arrived[0]!.message);
  await verifyPartialDecryption(election, tally, decryption, { publicKey: key.publicKey, what: 'the decryption' });
});
