import {
  checkBallot,
  createCertificate,
  createPolynomial,
  createShare,
  createTrusteeKey,
  decryptPartly,
  isCredential,
  jsonHash,
  keyShareJson,
  newCredential,
  newPrivateKey,
  newSeed,
  openShare,
  parseJson,
  polynomialJson,
  printCredentialList,
  printPartialDecryption,
  publicOf,
  readKeyInput,
  readKeyShare,
  readSignedMessage,
  rightKeyOf,
  secretOf,
  signedMessageJson,
  trusteeKeyJson,
  verifyArchive,
  verifyCertificates,
  votingRightOf,
} from '@portal/ballots';
import { TaskRefusal } from '../encrypted/worker-call.ts';

type Progress = (done: number, all: number) => void;

/** A part of a key: what the trustee keeps as a file, as `belenios-tool` writes it, and the message that is sent. */
export type NewKey = { secret: string; message: string };

/** A line of the roll, with the addresses of those who vote for the account. */
export type RollRow = { accountName: string; votes: number; emails: readonly string[]; proxyId: string | null };
/** The private credential of an account, and where it is sent: to its proxy where it has one. */
export type VotingCode = { accountName: string; votes: number; emails: readonly string[]; proxyId: string | null; code: string };
/** Credentials of all accounts: what the authority keeps, and what is sent. */
export type NewCredentials = {
  /** Lines as in `.privcreds` of `belenios-tool`: account, account, votes, a space and the private credential. */
  privateFile: string;
  codes: VotingCode[];
  /** The public credentials with their votes, an empty line and the rights. */
  list: string;
  fingerprint: string;
};

const read = (text: string, what: string) => parseJson(text, what, { length: 1_000_000, depth: 10, values: 50_000 });
const keysOf = (certificates: readonly string[]) =>
  verifyCertificates(
    certificates.map((text, place) => readSignedMessage(read(text, `Certificate ${place + 1}`), `certificate ${place + 1}`)),
  );

/** The seed in a key file. @throws TaskRefusal for another file */
function seedOf(secret: string): string {
  const seed = secret.trim();
  if (!/^[1-9A-HJ-NP-Za-km-z]{22}$/.test(seed))
    throw new TaskRefusal('This isn’t a key file: it has 22 characters. Choose the file that you saved when you made the key.');
  return seed;
}
/** The number in the file of a private key. @throws TaskRefusal for another file */
function privateKeyOf(secret: string): bigint {
  const digits = /^"?(\d{1,78})"?$/.exec(secret.trim());
  if (!digits) throw new TaskRefusal('This isn’t a key file: it has one number. Choose the file that you saved when you made the key.');
  return BigInt(digits[1]!);
}

/** Private credentials by account, from a `.privcreds` file. @throws TaskRefusal for lines of another form, accounts that are missing and others */
function codesIn(file: string, rows: readonly RollRow[]): Map<string, string> {
  const codes = new Map<string, string>();
  for (const [place, line] of file.trim().split(/\r?\n/).entries()) {
    const [, account, code] = /^([^,]+)(?:,[^ ]*)? (\S+)$/.exec(line.trim()) ?? [];
    if (!account || !code || !isCredential(code))
      throw new TaskRefusal(`Line ${place + 1} isn’t an account, a space and a private credential.`);
    if (codes.has(account)) throw new TaskRefusal(`Line ${place + 1}: ${account} is in the file twice.`);
    codes.set(account, code);
  }
  const missing = rows.find(({ accountName }) => !codes.has(accountName));
  if (missing)
    throw new TaskRefusal(`${missing.accountName} is on the roll and isn’t in the file. Make it from the roll of this election.`);
  if (codes.size > rows.length) throw new TaskRefusal(`The file has ${codes.size} accounts; the roll has ${rows.length}.`);
  return codes;
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

export const ceremonyTasks = {
  /** Makes the key of a trustee: a seed with its certificate, or for a key that is needed alone its private number. */
  async makeKey({ threshold, name }: { threshold: number | null; name: string }): Promise<NewKey> {
    if (threshold === null) {
      const secret = newPrivateKey();
      return { secret: JSON.stringify(`${secret}`), message: JSON.stringify(trusteeKeyJson(await createTrusteeKey(secret, { name }))) };
    }
    const seed = newSeed();
    return { secret: seed, message: JSON.stringify(signedMessageJson(await createCertificate(seed))) };
  },

  /** Checks the certificates of all trustees, and makes the polynomial of this one. @throws TaskRefusal */
  async makePolynomial({
    secret,
    certificates,
    threshold,
  }: {
    secret: string;
    certificates: readonly string[];
    threshold: number;
  }): Promise<string> {
    return JSON.stringify(polynomialJson(await createPolynomial(await keysOf(certificates), { seed: seedOf(secret), threshold })));
  },

  /** Checks what the others sent, and makes the share of this trustee. @throws TaskRefusal */
  async makeShare({ secret, certificates, input }: { secret: string; certificates: readonly string[]; input: string }): Promise<string> {
    const given = readKeyInput(read(input, 'The messages of the others'), 'the messages of the others');
    return JSON.stringify(keyShareJson(await createShare(await keysOf(certificates), given, { seed: seedOf(secret) })));
  },

  /**
   * Verifies the archive, adds its ballots up, and decrypts the sums that it has: the server hands over no sums.
   * @param given certificates and share of a key that several make; null for a key of one's own
   * @throws TaskRefusal for an archive in which something doesn’t hold, and for another key
   */
  async decrypt(
    given: {
      secret: string;
      archive: Uint8Array;
      uuid: string;
      number: number;
      certificates: readonly string[] | null;
      share: string | null;
      withProofs: boolean;
    },
    onProgress: Progress,
  ): Promise<{ message: string; ballots: number; lastHash: string }> {
    let done = 0;
    const { election, tally, ballots, tip } = await verifyArchive(chunksOf(given.archive), {
      checkOne: async (of, ballot) => {
        if (given.withProofs) await checkBallot(of, ballot);
        done += 1;
        onProgress(done, 0);
      },
    });
    if (election.uuid !== given.uuid) throw new TaskRefusal('The archive is of another election.');
    if (tally === null) throw new TaskRefusal('The ballots of the archive aren’t added up yet.');
    const privateKey =
      given.share === null
        ? privateKeyOf(given.secret)
        : await openShare(
            await keysOf(given.certificates!),
            readKeyShare(read(given.share, 'The share'), 'the share').privateKey,
            seedOf(given.secret),
          );
    const [message] = await printPartialDecryption(await decryptPartly(election, tally.tally, { privateKey }), given.number);
    return { message, ballots: ballots.length, lastHash: tip.hash };
  },

  /** The codes of accounts that appointed a proxy, from the private file that the authority kept. @throws TaskRefusal for a file that isn’t of this roll */
  codesOfProxies({ rows, file }: { rows: readonly RollRow[]; file: string }): Promise<VotingCode[]> {
    const codes = codesIn(file, rows);
    return Promise.resolve(rows.filter(({ proxyId }) => proxyId !== null).map(row => ({ ...row, code: codes.get(row.accountName)! })));
  },

  /** The fingerprint of the list of credentials in an archive, whose ballots aren’t looked at. @throws TaskRefusal */
  async fingerprintInArchive(archive: Uint8Array): Promise<string> {
    const { credentials } = await verifyArchive(chunksOf(archive), { checkOne: () => Promise.resolve() });
    return jsonHash(printCredentialList(credentials));
  },

  /**
   * Makes a credential for each account, or takes those of a `.privcreds` file.
   * @throws TaskRefusal for a file that isn’t of this roll
   */
  async makeCredentials(
    { uuid, rows, file }: { uuid: string; rows: readonly RollRow[]; file: string | null },
    onProgress: Progress,
  ): Promise<NewCredentials> {
    const given = file === null ? null : codesIn(file, rows);
    const codes: NewCredentials['codes'] = [];
    const credentials = new Map<bigint, number>();
    const rights: string[] = [];
    for (const [place, { accountName, votes, emails, proxyId }] of rows.entries()) {
      const code = given?.get(accountName) ?? newCredential();
      const credential = publicOf(await secretOf(code, uuid));
      if (credentials.has(credential)) throw new TaskRefusal(`The credential of ${accountName} is in the file twice.`);
      credentials.set(credential, votes);
      rights.push(await votingRightOf(await rightKeyOf(code, uuid), accountName, credential));
      codes.push({ accountName, votes, emails, proxyId, code });
      if (place % 20 === 19) onProgress(place + 1, rows.length);
    }
    // In the order of random numbers: neither list says which account a line is of.
    const lines = [...credentials].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([credential, votes]) => `${credential} ${votes}`);
    return {
      privateFile: `${codes.map(({ accountName, votes, code }) => `${accountName},${accountName},${votes} ${code}`).join('\n')}\n`,
      codes,
      list: `${lines.join('\n')}\n\n${rights.toSorted().join('\n')}\n`,
      fingerprint: await jsonHash(printCredentialList(credentials)),
    };
  },
};

export type CeremonyTasks = typeof ceremonyTasks;
