import { ArchiveReader } from '../src/archive.ts';
import { readEvent } from '../src/event.ts';
import { recordedBytes } from './recorded.ts';

/** Bytes as they come from a file or a line: in chunks that end anywhere. */
export async function* inChunks(bytes: Uint8Array, size = 10_007): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The records of an archive as texts, in their order, with the messages of each type of event. */
export async function readWhole(bytes: Uint8Array) {
  const reader = new ArchiveReader(inChunks(bytes));
  const timestamp = await reader.header();
  const records: { kind: 'data' | 'event'; hash: string; text: string }[] = [];
  const byType = new Map<string, string[][]>();
  let waiting: string[] = [];
  for (let record = await reader.next(10_000_000); record; record = await reader.next(10_000_000)) {
    const text = new TextDecoder().decode(record.bytes);
    records.push({ kind: record.kind, hash: record.hash, text });
    if (record.kind === 'data') waiting.push(text);
    else {
      const { type } = readEvent(text);
      byType.set(type, [...(byType.get(type) ?? []), waiting]);
      waiting = [];
    }
  }
  return { timestamp, records, byType };
}

/** The recorded election. */
export const recordedElection = async () => {
  const bytes = recordedBytes('election.bel');
  const { byType, timestamp, records } = await readWhole(bytes);
  const [electionText, trusteesText, credentialsText] = byType.get('Setup')![0] as [string, string, string];
  return {
    bytes,
    timestamp,
    records,
    electionText,
    trusteesText,
    credentialsText,
    ballots: byType.get('Ballot')!.map(([text]) => text!),
    tally: byType.get('EncryptedTally')![0] as [string, string],
    decryptions: byType.get('PartialDecryption')! as [string, string][],
    result: byType.get('Result')![0]![0]!,
  };
};
