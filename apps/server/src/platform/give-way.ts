import os from 'node:os';

/**
 * Lets everything else on the machine go first, by so much: `os.constants.priority`. A system that refuses it, as a container may, changes nothing: what is done
 * is the same, only sooner.
 */
export function giveWay(priority: number): void {
  try {
    os.setPriority(priority);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOSYS'].includes((error as { info?: { code?: string } }).info?.code ?? '')) throw error;
  }
}
