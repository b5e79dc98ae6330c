import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { s3Bucket, StoreAway, StoreRefused } from '../../adapters/s3.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../platform/log.ts';
import type { OutsideSystem } from '../../platform/module.ts';
import { type FileStore, openFileStore } from './file-store.ts';
import { type BucketOwner, requireOwnBucket } from './bucket-owner.ts';
import { openS3FileStore } from './s3-file-store.ts';
import { openTwoFileStores } from './two-file-stores.ts';

type Settings = Pick<
  Config,
  'filesDir' | 'filesStore' | 'filesS3Url' | 'filesS3Bucket' | 'filesS3Region' | 'filesS3KeyId' | 'filesS3Secret'
>;

const bucketOf = (config: Settings) =>
  s3Bucket({
    url: config.filesS3Url,
    bucket: config.filesS3Bucket,
    region: config.filesS3Region,
    keyId: config.filesS3KeyId,
    secret: config.filesS3Secret,
  });

/** Where the settings have files: the store that is written to, and with FILES_S3_URL the other one, which may still have what is not moved yet; and the folder of what is on its way. */
export function fileStoresOf(config: Settings): { to: FileStore; from: FileStore | null; incoming: string } {
  const incoming = path.join(config.filesDir, 'incoming');
  const disk = openFileStore(config.filesDir);
  if (config.filesS3Url === '') return { to: disk, from: null, incoming };
  const s3 = openS3FileStore(bucketOf(config), path.join(config.filesDir, 'sending'));
  return config.filesStore === 'disk' ? { to: disk, from: s3, incoming } : { to: s3, from: disk, incoming };
}

/** Files by the settings: on disk, in the folder of DATA_DIR, or in a bucket. */
export function openFiles(config: Settings): FileStore {
  const { to, from } = fileStoresOf(config);
  return from ? openTwoFileStores(to, from) : to;
}

/** The store of files, of this process. */
export const fileStorage: OutsideSystem<FileStore> = { name: 'files', open: ({ config }) => openFiles(config) };

/** Content that each start writes, reads and deletes. */
const PROBE = 'The registry can write and read here.\n';

/**
 * Finds out whether the bucket of the settings is there, is this registry's, and can be written and read. A service that does not answer is no reason not to start: everything but files works without it.
 * @throws Error in a sentence that names the settings
 */
export async function requireFileStorage(config: Settings, log: Log, owner: BucketOwner): Promise<void> {
  if (config.filesS3Url === '') return;
  const bucket = bucketOf(config);
  try {
    await requireOwnBucket(bucket, owner);
    const sha256 = createHash('sha256').update(PROBE).digest('hex');
    // A key of its own for each start: several start together.
    const key = `probe/${randomUUID()}`;
    await bucket.put(key, new Blob([PROBE]), sha256);
    let read = '';
    for await (const chunk of (await bucket.get(key)) ?? []) read += Buffer.from(chunk).toString('utf8');
    await bucket.remove(key);
    if (read !== PROBE)
      throw new Error(`${bucket.address} does not answer what was written: it can’t keep files (FILES_S3_URL, FILES_S3_BUCKET).`);
  } catch (error) {
    if (error instanceof StoreAway) log.error('the store of files does not answer; everything but files works', { error });
    else if (error instanceof StoreRefused) throw new Error(refusalInWords(config, error), { cause: error });
    else throw error;
  }
}

function refusalInWords({ filesS3Url, filesS3Bucket, filesS3Region }: Settings, { status, code }: StoreRefused): string {
  const said = `${status}${code === String(status) ? '' : ` ${code}`}`;
  if (status === 404)
    return `There is no bucket ${filesS3Bucket} at ${filesS3Url} (FILES_S3_BUCKET); make it, for this registry alone, and start again.`;
  if (code === 'RequestTimeTooSkewed')
    return `The clock of this machine and that of the store of files at ${filesS3Url} differ by more than it takes (${said}): set the clock of the machine that is wrong.`;
  if (status === 403 || status === 401)
    return `The store of files at ${filesS3Url} refuses the key (${said}): FILES_S3_KEY_ID and FILES_S3_SECRET must be of a user who may list, read, write and delete in the bucket ${filesS3Bucket}.`;
  if (status >= 300 && status < 400)
    return `The store of files at ${filesS3Url} sends requests for the bucket ${filesS3Bucket} elsewhere (${said}): name its own address in FILES_S3_URL, and its region, now ${filesS3Region}, in FILES_S3_REGION.`;
  return `The store of files at ${filesS3Url} refused to list, write or read in the bucket ${filesS3Bucket} (${said}): FILES_S3_URL, FILES_S3_BUCKET or FILES_S3_REGION is wrong.`;
}
