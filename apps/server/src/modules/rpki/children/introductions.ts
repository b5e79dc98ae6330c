import type { Introduction } from '@portal/rpki-objects';
import { TaskRefused } from '../../../platform/bounded-thread.ts';
import { refuseField } from '../../../platform/failure.ts';
import { readIntroduction } from './child-reading.ts';
import type { BodyOf } from '@portal/contract';
import type { rpkiSelfHosted } from '@portal/contract/rpki/self-hosted';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Registry } from '../../../platform/registry.ts';

/**
 * Reads the file with which a member's own authority introduces itself (RFC 8183), in a thread with limits, and validates the certificate in it.
 * @param field of the call; `sender`: only a few of each sender may wait at a time
 * @throws Failure INVALID_REQUEST naming the field
 */
export async function introductionIn(
  field: 'childRequest' | 'publisherRequest',
  text: string,
  { sender, now }: { sender: string; now: Date },
): Promise<Introduction> {
  try {
    const read = await readIntroduction(sender, { of: field === 'childRequest' ? 'child' : 'publisher', text, now: now.getTime() });
    if ('problem' in read) throw refuseField(field, read.problem);
    return read;
  } catch (error) {
    if (!(error instanceof TaskRefused)) throw error;
    throw refuseField(
      field,
      error.reason === 'busy'
        ? 'Too many files are being read at this moment. Try again in a minute'
        : 'Reading the file takes longer than any set-up file does, so it was given up',
    );
  }
}

type Sender = { caller: Pick<Caller, 'loginId'>; registry: Pick<Registry, 'now'> };

/** Reads the set-up file of an authority to connect. @throws Failure INVALID_REQUEST */
export const childRequestIn = ({
  caller,
  body,
  registry: { now },
}: Sender & { body: BodyOf<typeof rpkiSelfHosted.connect> }): Promise<Introduction> =>
  introductionIn('childRequest', body.childRequest, { sender: caller.loginId, now });

/** Reads the set-up file of an authority that will publish here. @throws Failure INVALID_REQUEST */
export const publisherRequestIn = ({
  caller,
  body,
  registry: { now },
}: Sender & { body: BodyOf<typeof rpkiSelfHosted.publishHere> }): Promise<Introduction> =>
  introductionIn('publisherRequest', body.publisherRequest, { sender: caller.loginId, now });
