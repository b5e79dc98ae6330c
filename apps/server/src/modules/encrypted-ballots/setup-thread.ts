import {
  candidateQuestion,
  createTrusteeKey,
  opensslPowers as powers,
  printCredentialList,
  printElection,
  printSetup,
  printTrustees,
  readCredentialList,
  readTrustees,
  verifySetup,
  verifyTrustees,
} from './protocol.ts';
import { notReady, orRefused } from './refused.ts';

/** All that is settled before voting begins. */
export type SetupTask = {
  uuid: string;
  name: string;
  description: string;
  answers: readonly string[];
  /** How many answers a ballot may choose. */
  most: number;
  administrator: string;
  credentialAuthority: string;
  /** The parts of the key of the trustees, and the private one of the registry. */
  trusteeKeys: string;
  registryKey: bigint;
  /** Lines of a credential, a space and its votes. */
  credentials: string;
};

/** The messages of the first event: the election, its trustees, its credentials, and what refers to them. */
export type SetupTexts = readonly [parameters: string, trustees: string, credentials: string, setup: string];

/** Makes the first event of an archive, and verifies all of it as others will. @throws Failure BALLOT_NOT_READY with what does not hold */
export const read = (given: SetupTask): Promise<SetupTexts> => orRefused(() => setUp(given), notReady);

async function setUp(given: SetupTask): Promise<SetupTexts> {
  const registry = { kind: 'Single' as const, key: await createTrusteeKey(given.registryKey, { name: given.administrator }) };
  const trustees = [registry, ...readTrustees(given.trusteeKeys)];
  const parameters = printElection({
    uuid: given.uuid,
    name: given.name,
    description: given.description,
    questions: [candidateQuestion(given.name, given.answers, given.most)],
    publicKey: await verifyTrustees(trustees, { powers }),
    administrator: given.administrator,
    credentialAuthority: given.credentialAuthority,
  });
  // Whether each is an element is verified below, with all else.
  const list = readCredentialList(JSON.stringify(given.credentials.split('\n').map(line => line.replace(' ', ','))), { powers });
  const texts = await printSetup(parameters, printTrustees(trustees), printCredentialList(list));
  await verifySetup(texts, { powers });
  return texts;
}
