import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './root.ts';

type Entry = { optionalDependencies?: Record<string, string>; link?: boolean; integrity?: string; inBundle?: boolean; resolved?: string };
export type Lock = { packages: Record<string, Entry> };

/**
 * Returns what would make `npm ci` fail, or behave differently, on another machine: a platform package without an entry of its own (npm/cli
 * #9846), an entry without a check sum, an address of the machine the lock was made on.
 */
export function lockFindings({ packages }: Lock): string[] {
  const places = Object.keys(packages);
  return Object.entries(packages).flatMap(([place, entry]) => {
    const name = place || '(root)';
    const missing = Object.keys(entry.optionalDependencies ?? {}).filter(
      dependency => !places.some(other => other.endsWith(`node_modules/${dependency}`)),
    );
    return [
      ...missing.map(dependency => `package-lock.json: ${name} wants ${dependency}, which has no entry`),
      ...(place.includes('node_modules/') && !entry.link && !entry.integrity && !entry.inBundle
        ? [`package-lock.json: ${name} has no integrity`]
        : []),
      ...(entry.resolved?.includes('://') ? [`package-lock.json: ${name} names the address it was loaded from (${entry.resolved})`] : []),
    ];
  });
}

export const checkLock = async (): Promise<string[]> =>
  lockFindings(JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as Lock);
