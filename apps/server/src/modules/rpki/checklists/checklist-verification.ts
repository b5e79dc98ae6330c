import type { AnswerOf, BodyOf } from '@portal/contract';
import type { rpkiChecklists } from '@portal/contract/rpki/checklists';
import { sql } from 'kysely';
import { TaskRefused } from '../../../platform/bounded-thread.ts';
import type { Read } from '../../../platform/database/index.ts';
import { checkChecklist, readChecklist } from '../children/child-reading.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Registry } from '../../../platform/registry.ts';

type Verified = AnswerOf<typeof rpkiChecklists.verifyChecklist>;

const unreadable = (problem: string): Verified => ({ problem, resources: [], files: [], validFrom: null, validUntil: null });

/**
 * Verifies a signed checklist as a relying party does, against the present repository. An invalid one is returned too, with the reason; a checklist
 * of another registry is invalid here. It is read in a thread.
 * @param sender such as an address: a few of each sender wait at a time
 */
export async function verifyChecklist(
  read: Pick<Read, 'rows'>,
  { object }: BodyOf<typeof rpkiChecklists.verifyChecklist>,
  { now, sender }: { now: Date; sender: string },
): Promise<Verified> {
  const bytes = new Uint8Array(Buffer.from(object, 'base64'));
  try {
    const said = await readChecklist(sender, bytes);
    if ('problem' in said) return unreadable(reasonOf(bytes, said.problem));
    const { signer, ...rest } = said;
    return { problem: await problemOf(read, bytes, { signer, now, sender }), ...rest };
  } catch (error) {
    if (!(error instanceof TaskRefused)) throw error;
    return unreadable(
      error.reason === 'busy'
        ? 'Too many checklists are being verified at this moment. Try again in a minute'
        : 'Reading the file takes longer than any signed checklist does, so it was given up',
    );
  }
}

/** As above, for a caller of the API. */
export const verifiedChecklist = ({
  read,
  caller,
  body,
  registry: { now },
}: {
  read: Pick<Read, 'rows'>;
  caller: Pick<Caller, 'loginId'>;
  body: BodyOf<typeof rpkiChecklists.verifyChecklist>;
  registry: Pick<Registry, 'now'>;
}): Promise<Verified> => verifyChecklist(read, body, { now, sender: caller.loginId });

/** Every signed object begins with this byte: a SEQUENCE. */
const SEQUENCE = 0x30;

/** Says why a file can't be read as a checklist: most are simply other files, the rest get the exact reason. */
function reasonOf(bytes: Uint8Array, problem: string): string {
  if (bytes.length === 0) return 'The file is empty';
  if (bytes[0] !== SEQUENCE)
    return 'This isn’t a signed checklist, or it was changed on its way. Choose the .sig file as you got it; if it came as text, ask for it as an attachment';
  return `This isn’t a signed checklist, or part of it is missing (${problem.charAt(0).toLowerCase()}${problem.slice(1)})`;
}

async function problemOf(
  read: Pick<Read, 'rows'>,
  bytes: Uint8Array,
  { signer, now, sender }: { signer: string; now: Date; sender: string },
): Promise<string | null> {
  const [key] = await read.rows<{ certificate: Buffer | null; crl: Buffer | null; crlUri: string | null }>(sql`
    select k.certificate, o.content as crl, o.uri as crl_uri from rpki_key k left join rpki_object o on o.key_id = k.key_id and o.kind = 'crl'
    where k.key_identifier = ${signer} and k.state <> 'destroyed'`);
  if (!key) return 'The checklist was not signed by a key that this registry certifies now';
  const { certificate, crl, crlUri } = key;
  if (!certificate || !crl) return 'The key that signed the checklist is not certified at the moment';
  const problem = await checkChecklist(sender, { bytes, certificate, crl, crlUri: crlUri!, now: now.getTime() });
  return problem === 'The certificate is revoked' ? 'The holder revoked this checklist' : problem;
}
