import { MINUTE_MS } from '@portal/contract/days';
import { boundedThread } from '../../platform/bounded-thread.ts';
import type { Read } from '../../platform/database/index.ts';
import { archivePortion } from './archive.ts';
import type { ArchiveTask, ReadArchive } from './archive-thread.ts';

/** The thread in which whole archives are read: a ballot takes it 70 ms, an election of 4,000 voters five minutes. */
const thread = boundedThread(new URL('./archive-thread.ts', import.meta.url), { memoryMb: 768, timeMs: 60 * MINUTE_MS, waiting: 2 });

/** Reads the archive of an election in a thread, which asks for its bytes as it goes. */
export const readArchive = (read: Pick<Read, 'rows'>, electionId: string, task: ArchiveTask): Promise<ReadArchive> =>
  thread.ask<ReadArchive>(electionId, task, { supply: from => archivePortion(read, electionId, from as number) });
