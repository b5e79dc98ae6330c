import type { ResourceSet } from '@portal/number-resources';
import { equalBytes } from './bytes.ts';
import { DerReader } from './der-reader.ts';
import { element, octetString, sequence, tags, text } from './der-writer.ts';
import { ProfileError } from './profile-error.ts';
import { decodeResources, encodeAddressBlocks, encodeAsIdentifiers } from './resources.ts';
import { digestAlgorithm, readExactly } from './signed.ts';

/** One file a checklist vouches for: its name, unless it is left out, and its SHA-256. */
export type CheckedFile = { name: string | null; sha256: Uint8Array };
/** A signed checklist: the holder of the resources vouches for the files (RFC 9323). */
export type Checklist = { resources: ResourceSet; files: readonly CheckedFile[] };

/** Characters of the portable file name set (RFC 9323, section 4.4.1). */
export const checklistFileName = /^[A-Za-z0-9._-]{1,255}$/;

/** Returns what is wrong with the files of a checklist; null if nothing is. */
export function checklistProblem(files: readonly CheckedFile[]): string | null {
  if (files.length === 0) return 'A checklist needs at least one file';
  const wrong = files.find(({ name }) => name !== null && !checklistFileName.test(name));
  if (wrong) return `${wrong.name} can’t be listed: file names have letters, digits, dots, hyphens and underscores`;
  if (files.some(({ sha256 }) => sha256.length !== 32)) return 'A hash does not have 32 bytes';
  const names = files.flatMap(({ name }) => name ?? []);
  if (new Set(names).size < names.length) return 'Each file name can be listed once';
  const nameless = files.filter(({ name }) => name === null).map(({ sha256 }) => sha256.join());
  if (new Set(nameless).size < nameless.length) return 'Each file without a name can be listed once';
  return null;
}

/** The content of a checklist. @throws {RangeError} */
export function encodeChecklist({ resources, files }: Checklist): Uint8Array {
  const problem = checklistProblem(files);
  if (problem !== null) throw new RangeError(problem);
  const numbers = encodeAsIdentifiers(resources);
  const addresses = encodeAddressBlocks(resources);
  return sequence(
    sequence(
      ...(numbers === null ? [] : [element(tags.context(0), numbers)]),
      ...(addresses === null ? [] : [element(tags.context(1), addresses)]),
    ),
    digestAlgorithm,
    sequence(...files.map(({ name, sha256 }) => sequence(...(name === null ? [] : [text(tags.ia5String, name)]), octetString(sha256)))),
  );
}

/** @throws {ProfileError} */
export function decodeChecklist(content: Uint8Array): Checklist {
  const outer = new DerReader(content, 'The checklist');
  const parts = outer.sequence('checklist');
  outer.end();
  if (parts.nextTag === tags.context(0)) throw new ProfileError('The checklist writes out its version, or has another than 0');
  const block = parts.sequence('resources');
  const numbers = block.maybe(tags.context(0), 'AS numbers')?.content ?? null;
  const addresses = block.maybe(tags.context(1), 'addresses')?.content ?? null;
  block.end();
  const resources = decodeResources(addresses, numbers);
  if (resources === 'inherit') throw new ProfileError('The checklist inherits resources');
  readExactly(parts, digestAlgorithm, 'The digest algorithm of the checklist');
  const list = parts.sequence('files');
  parts.end();
  const files: CheckedFile[] = [];
  while (!list.atEnd) {
    const one = list.sequence('file');
    const name = one.nextTag === tags.ia5String ? one.text(tags.ia5String, 'file name') : null;
    files.push({ name, sha256: one.octets('hash of a file') });
    one.end();
  }
  const problem = checklistProblem(files);
  if (problem !== null) throw new ProfileError(problem);
  const checklist = { resources, files };
  if (!equalBytes(encodeChecklist(checklist), content)) throw new ProfileError('The checklist is not in the form of its profile');
  return checklist;
}
