import { confirmLast } from './deciding-requests.ts';
import type { TestPortal } from './portal.ts';

type Answer = { status: number; errors?: readonly { code: string; message: string }[] | undefined };

/**
 * Lets the scrutineer of the demo registry approve an act on an election that waits for that.
 * @returns the answer of the approval; of the act where that was refused
 */
export const seconded = async (portal: TestPortal, proposed: Answer): Promise<Answer> =>
  proposed.errors?.[0]?.code === 'SECOND_PERSON' ? confirmLast(portal, 'vera') : proposed;
