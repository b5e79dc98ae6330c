import path from 'node:path';
import type { Config } from '../../../config.ts';
import { treeLink } from './rsync-tree.ts';

/**
 * Returns a configuration of rsyncd for the repository: read only, one module under the name that certificates use, a limit on connections, and no
 * compression, which doesn't help with signed objects.
 */
export function rsyncdConfiguration({ rpkiRsyncBase, rpkiDir }: Pick<Config, 'rpkiRsyncBase' | 'rpkiDir'>): string {
  const { pathname } = new URL(rpkiRsyncBase.replace(/^rsync:/, 'http:'));
  return [
    '# RPKI repository. The folder is a link to the present tree: a transfer under way stays in the tree it began in.',
    'use chroot = no',
    `lock file = ${path.join(rpkiDir, 'rsyncd.lock')}`,
    'max connections = 200',
    'timeout = 120',
    'reverse lookup = no',
    'list = no',
    '',
    `[${pathname.replaceAll('/', '')}]`,
    `path = ${path.join(rpkiDir, treeLink)}/`,
    'comment = RPKI repository',
    'read only = yes',
    'dont compress = *',
    '',
  ].join('\n');
}
