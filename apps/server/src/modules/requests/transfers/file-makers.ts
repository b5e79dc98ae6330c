import { fileOf } from '../../../dated-profile.ts';
import { Writable } from 'node:stream';
import { offsetIn } from '@portal/contract/days';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { membersInStatistics } from '../../nir/index.ts';
import { exportStatistics } from '../../resources/index.ts';
import { todayOf } from '../account-facts.ts';
import { fileSigner } from './openpgp-signature.ts';
import { transferLog } from './transfer-log.ts';

/** A file as it is published. */
export type PublishedBytes = { bytes: Buffer; type: string };

/** The key that signs what the registry publishes. */
export const signerOf = (config: Config, profile: Profile): ReturnType<typeof fileSigner> =>
  fileSigner(config, `${fileOf(profile).registryName} <${profile.hostmasterEmail}>`);

/** Makes the published files from the present ledger. */
export function fileMakers({ db, profile, clock }: { db: Database; profile: Profile; clock: () => Date }) {
  const registry = profile.statisticsRegistry;
  async function statistics(format: 'delegated' | 'delegated-extended'): Promise<PublishedBytes> {
    const blocks: Buffer[] = [];
    const out = new Writable({
      write(block: Buffer, _encoding, done) {
        blocks.push(block);
        done();
      },
    });
    const now = clock();
    // Serial and days are in the registry's time zone, so that is named too.
    const utcOffset = offsetIn(profile.timeZone, now);
    const members = await membersInStatistics(db.read);
    await exportStatistics(db, { ownRegistry: registry, registry, format, date: todayOf(profile, now), utcOffset, members, out });
    return { bytes: Buffer.concat(blocks), type: 'text/plain; charset=utf-8' };
  }
  return {
    delegated: () => statistics('delegated'),
    extended: () => statistics('delegated-extended'),
    transferLog: async (): Promise<PublishedBytes> => ({
      bytes: Buffer.from(`${JSON.stringify(await transferLog(db, profile, clock()), null, 1)}\n`),
      type: 'application/json',
    }),
  };
}
